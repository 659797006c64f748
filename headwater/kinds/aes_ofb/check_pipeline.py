# SPDX-License-Identifier: Apache-2.0
"""Checkers for AES-256 in counter mode with all rounds in a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from amaranth.hdl import Array, Assume, Cat, Const, Module, Mux, ResetSignal, Signal, Value

from headwater.cipher.aes256 import ROUNDS, next_half
from headwater.core.naming import Naming
from headwater.kinds.aes_ofb.block import columns, joined
from headwater.kinds.aes_ofb.counter_words import CONSTANTS, COUNT_BITS, MARK
from headwater.kinds.aes_ofb.described import described_substitute, round_of
from headwater.kinds.aes_ofb.pipeline import PipelinedCounter
from headwater.prove.checker import Proof, aborting, assert_always, becomes, ended

_KEYS = ROUNDS - 1
"""Round keys that are made."""
_STAGES = ROUNDS + 1


def phases(core: PipelinedCounter) -> Value:
    """An invariant of the control registers in every reachable state, proven by ``setup``."""
    true = ~(core.running & core.loading) & (core.loading | ~core.taking_key)
    true &= core.running | (core.step & ~core.begun.any())
    true &= core.step | core.begun[-1]
    return true & (~core.idle | (core.loading & core.taking_key)) if core.knows_idle else true


def check_setup(m: Module, core: PipelinedCounter, proof: Proof, known: Sequence[Value]) -> None:
    """The round keys are made in the cycles behind the load. Then blocks enter; the first is there
    when it has passed all stages, and from then on one is there in every cycle. The control
    registers follow binary counts. The induction also proves the invariants that are ``known``."""
    words = Signal(range(core.facts.load_cycles + 1), name=proof.named("words"))
    made = Signal(range(_KEYS + 1), name=proof.named("made"))
    moves = Signal(range(_STAGES + 1), name=proof.named("moves"))
    waits = Signal(name=proof.named("waits"))
    loaded, ready = words == core.facts.load_cycles, made == _KEYS
    there = ready & (waits | (moves == _STAGES))
    dropped = ended(core, loaded) | core.finished
    with m.If(dropped | ResetSignal()):
        m.d.sync += [words.eq(0), made.eq(0), moves.eq(0), waits.eq(0)]
    with m.Else():
        m.d.sync += [
            words.eq(words + (~loaded & core.load.valid)),
            made.eq(made + (loaded & ~ready)),
            moves.eq(moves + (ready & (moves != _STAGES))),
            waits.eq(there & ~core.word_taken),
        ]
    properties = [
        core.abort == dropped,
        core.load.ready == ~loaded,
        core.running == ready,
        core.full == there,
        ~core.word_taken | there,
    ]
    invariants = [
        (words <= core.facts.load_cycles) & (made <= _KEYS) & (moves <= _STAGES),
        (loaded | (made == 0)) & (ready | (moves == 0)) & (~waits | (moves == _STAGES)),
        phases(core),
        *_walks(core, words, made, moves),
        core.step == ~waits,
        *known,
    ]
    assert_always(m, proof, properties, invariants=invariants)


def _walks(core: PipelinedCounter, words: Signal, made: Signal, moves: Signal) -> Iterator[Value]:
    """The values of the control registers in each cycle of load and setup."""
    loaded = words == core.facts.load_cycles
    yield core.loading == ~loaded
    yield core.taking_key == (words < core.facts.key_blocks)
    yield core.odd == Mux(loaded, ~made[0], words[0])
    constants = Array(Const(1 << number, CONSTANTS) for number in range(CONSTANTS))
    yield core.constant == constants[made >> 1]
    ones = Array(Const((1 << number) - 1, _STAGES) for number in range(_STAGES + 1))
    yield core.begun == ones[moves]
    if core.knows_idle:
        yield core.idle == (words == 0)


def check_load(m: Module, core: PipelinedCounter, marks: tuple[bool, bool]) -> None:
    """The halves of the key enter the line of round keys, which stands still as the IV enters the
    counter, its mark set as the mode says."""
    m.d.comb += Assume(phases(core))
    takes = core.loading & core.load.valid & ~aborting(core)
    above = [*core.round_keys[1:], core.load.payload]
    for key, value in zip(core.round_keys, above, strict=True):
        becomes(m, takes & core.taking_key, key, value)
        becomes(m, takes & ~core.taking_key, key, key)
    iv = core.load.payload | (int(marks[0]) << MARK)
    becomes(m, takes & ~core.taking_key, core.counter, iv)


def check_next(m: Module, core: PipelinedCounter, _: Proof) -> None:
    """A word is there until it is used; then the next one is there, from the last stage."""
    m.d.comb += Assume(phases(core))
    stays = core.running & ~aborting(core)
    waits = core.full & ~core.word_taken
    becomes(m, stays & waits, core.full, Const(1, 1))
    becomes(m, stays & waits, core.word, core.word)
    there = Mux(core.step, core.begun[-2], core.begun[-1])
    becomes(m, stays & ~waits, core.full, there)
    following = Mux(core.step, core.made[-1], core.stages[-1])
    becomes(m, stays & ~waits, core.word, Mux(there, following, 0))


def check_counter(m: Module, core: PipelinedCounter, marks: tuple[bool, bool]) -> None:
    """As a block enters, the counter block counts; where the marks end, from zero again."""
    m.d.comb += Assume(phases(core))
    counter, stays = core.counter, ~core.loading & ~aborting(core)
    count, marked = counter[:COUNT_BITS], counter[MARK]
    ends = marked & (count == 2) if marks == (True, False) else Const(0, 1)
    # A marked block has one of the numbers 0 to 2.
    known = (~marked | (count < 3)) if marks == (True, False) else Const(1, 1)
    after = Cat(
        Mux(ends, 0, count + 1)[:COUNT_BITS],
        counter[COUNT_BITS:MARK],
        marked & ~ends,
        counter[MARK + 1 :],
    )
    enters = core.running & core.step
    becomes(m, stays & enters & known, counter, after)
    becomes(m, stays & ~enters, counter, counter)


def check_rounds(m: Module, core: PipelinedCounter, _: Proof) -> None:
    """A block enters under the first round key; each stage makes the description's round of the one
    before, under its key. A stage that does not move stays. The setup makes the description's next
    round key of the last two, and all others move on."""
    m.d.comb += Assume(phases(core))
    stays = core.running & ~aborting(core)
    keys, stages = core.round_keys, core.stages
    entering = [core.counter ^ keys[0]]
    for number in range(1, _STAGES):
        after = round_of(m, core, stages[number - 1], f"_{number}", last=Const(number == ROUNDS, 1))
        entering.append(after ^ keys[number])
    for stage, value in zip(stages, entering, strict=True):
        becomes(m, stays & core.step, stage, value)
        becomes(m, stays & ~core.step, stage, stage)
    following = next_half(
        columns(keys[-2]),
        columns(keys[-1])[-1],
        core.odd,
        Cat(Mux(core.odd, core.constant, 0), Const(0, 1)),
        described_substitute(m, core),
        Naming(m),
    )
    makes = ~core.loading & ~core.running & ~aborting(core)
    for key, value in zip(keys, [*keys[1:], joined(following)], strict=True):
        becomes(m, makes, key, value)
        becomes(m, stays, key, key)
