# SPDX-License-Identifier: Apache-2.0
"""Checkers for AES in counter mode with all rounds in a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import and_

from amaranth.hdl import (
    Array,
    Assert,
    Assume,
    Cat,
    Const,
    Module,
    Mux,
    ResetSignal,
    Signal,
    Value,
)

from headwater.cipher.aes import change_before, next_word, round_constant
from headwater.core.naming import named
from headwater.kinds.aes.block import columns, joined
from headwater.kinds.aes.counter_words import COUNT_BITS, MARK
from headwater.kinds.aes.described import described_substitute, mixed_of, substituted_of
from headwater.kinds.aes.description import BLOCK_BITS
from headwater.kinds.aes.pipeline import CountedPipeline, Pipeline
from headwater.prove.checker import (
    Proof,
    aborting,
    assert_always,
    becomes,
    earlier,
    ended,
    first_cycle,
)


def phases(core: Pipeline) -> Value:
    """An invariant of the control registers in every reachable state, proven by ``setup``."""
    true = ~(core.running & core.loading) & (core.loading | ~core.taking_key)
    true &= core.running | (core.step & ~core.begun.any())
    true &= (core.step | core.begun[-1]) & (core.key_place < core.key_words)
    if core.in_halves:
        true &= ~core.second | (~core.loading & ~core.running)
    if core.knows_idle:
        true &= ~core.idle | (core.loading & core.taking_key)
    return true & (~core.running | _carried(core, None))


def _carried(core: Pipeline, cycles: Value | None) -> Value:
    """Whether the carries of the counter are those of its slices: each as soon as so many counts of
    the lowest slice, or ``cycles``, have passed as slices are between them."""
    if not isinstance(core, CountedPipeline):
        return Const(1, 1)
    passed: Value = core.slices[0] if cycles is None else cycles
    between = core.slices[1:-1]
    return reduce(
        and_,
        (
            (passed < number) | (core.carries[number - 1] == Cat(between[:number]).all())
            for number in range(1, len(between) + 1)
        ),
        Const(1, 1),
    )


def check_setup(m: Module, core: Pipeline, proof: Proof, known: Sequence[Value] = ()) -> None:
    """The round keys are made in the cycles behind the load. Then blocks enter; the first is there
    when it has passed all stages, and from then on one is there in every cycle. The control
    registers follow binary counts. The induction also proves the invariants that are ``known``."""
    load, keys, stages = core.facts.load_cycles, core.facts.key_cycles, core.facts.stages
    words = Signal(range(load + 1), name=proof.named("words"))
    made = Signal(range(keys + 1), name=proof.named("made"))
    moves = Signal(range(stages + 1), name=proof.named("moves"))
    waits = Signal(name=proof.named("waits"))
    loaded, ready = words == load, made == keys
    there = ready & (waits | (moves == stages))
    dropped = ended(core, loaded) | core.finished
    with m.If(dropped | ResetSignal()):
        m.d.sync += [words.eq(0), made.eq(0), moves.eq(0), waits.eq(0)]
    with m.Else():
        m.d.sync += [
            words.eq(words + (~loaded & core.load.valid)),
            made.eq(made + (loaded & ~ready)),
            moves.eq(moves + (ready & (moves != stages))),
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
        (words <= load) & (made <= keys) & (moves <= stages),
        (loaded | (made == 0)) & (ready | (moves == 0)) & (~waits | (moves == stages)),
        phases(core),
        *_walks(core, words, made, moves),
        core.step == ~waits,
        *known,
    ]
    assert_always(m, proof, properties, invariants=invariants)


def _walks(core: Pipeline, words: Signal, made: Signal, moves: Signal) -> Iterator[Value]:
    """The values of the control registers in each cycle of load and setup."""
    facts, length = core.facts, core.key_words
    loaded = words == facts.load_cycles
    yield core.loading == ~loaded
    yield core.taking_key == (words < length)
    key_moves = made[1:] if core.in_halves else made
    if core.in_halves:
        yield core.second == made[0]
    counts = range(facts.load_cycles + facts.key_moves + 1)
    yield core.key_place == Array(Const(count % length, 4) for count in counts)[words + key_moves]
    words_of_key = core.cipher.key_bits // 32
    constants = Array(
        Const(round_constant(words_of_key * (1 + count // length), words_of_key), 8)
        for count in range(facts.key_moves + 1)
    )
    yield core.constant == constants[key_moves]
    ones = Array(Const((1 << number) - 1, facts.stages) for number in range(facts.stages + 1))
    yield core.begun == ones[moves]
    yield ~loaded | core.running | _carried(core, made)
    if core.knows_idle:
        yield core.idle == (words == 0)


def check_load(m: Module, core: Pipeline, marks: tuple[bool, bool] = (False, False)) -> None:
    """The words of the key enter the line of round keys, which stands still as those of the IV
    enter the counter, its mark set as the mode says."""
    m.d.comb += Assume(phases(core))
    takes = core.loading & core.load.valid & ~aborting(core)
    line = Cat(core.load.payload, *reversed(core.round_keys))
    for number, key in enumerate(reversed(core.round_keys)):
        moved = line[BLOCK_BITS * number : BLOCK_BITS * (number + 1)]
        becomes(m, takes & core.taking_key, key, moved)
        becomes(m, takes & ~core.taking_key, key, key)
    block = Cat(core.load.payload, core.counter)[:BLOCK_BITS] | (int(marks[0]) << MARK)
    becomes(m, takes & ~core.taking_key, core.counter, block)
    if core.facts.waits and core.iv_words > 1:
        waits = core.loading & ~core.taking_key & ~core.load.valid & ~aborting(core)
        becomes(m, waits, core.counter, core.counter)


def check_next(m: Module, core: Pipeline, _: Proof) -> None:
    """A word is there until it is used; then the next one is there, from the last stage."""
    m.d.comb += Assume(phases(core))
    stays, word = core.running & ~aborting(core), core.keystream_word
    waits = core.full & ~core.word_taken
    there = waits | Mux(core.step, core.begun[-2], core.begun[-1])
    becomes(m, stays, core.full, there)
    following = Mux(core.step, core.made[-1], core.stages[-1])
    expected = earlier(m, "word", Mux(waits, word, Mux(there, following, 0)))
    m.d.comb += Assert(~earlier(m, "stays", stays) | (word == expected))


def check_counter(m: Module, core: Pipeline, marks: tuple[bool, bool] = (False, False)) -> None:
    """As a block enters, the counter block counts; where the marks end, from zero again."""
    m.d.comb += Assume(phases(core))
    counter, stays = core.counter, ~core.loading & ~aborting(core)
    enters, known = core.running & core.step, Const(1, 1)
    if isinstance(core, CountedPipeline):
        bits = core.cipher.counted_bits
        after = Cat((counter[:bits] + 1)[:bits], counter[bits:])
    else:
        after, known = _marked(core, marks)
    becomes(m, stays & enters & known, counter, after)
    becomes(m, stays & ~enters, counter, counter)


def _marked(core: Pipeline, marks: tuple[bool, bool]) -> tuple[Value, Value]:
    """The counter block behind this one, and whether this one may be: a marked block has one of the
    numbers 0 to 2."""
    counter = core.counter
    count, marked = counter[:COUNT_BITS], counter[MARK]
    ends = marked & (count == 2) if marks == (True, False) else Const(0, 1)
    known = (~marked | (count < 3)) if marks == (True, False) else Const(1, 1)
    after = Cat(
        Mux(ends, 0, count + 1)[:COUNT_BITS],
        counter[COUNT_BITS:MARK],
        marked & ~ends,
        counter[MARK + 1 :],
    )
    return after, known


def check_rounds(m: Module, core: Pipeline, _: Proof) -> None:
    """A block enters under the first round key; each stage makes the description's round of the one
    before, or its part of it, under its key. A stage that does not move stays. The setup makes the
    description's next words of the round keys, and all others move on."""
    m.d.comb += Assume(phases(core))
    stays = core.running & ~aborting(core)
    if core.in_halves:
        # A move of the line takes a cycle more, which the stages need not be followed for.
        stays &= first_cycle(m)
    for stage, value in zip(core.stages, _described_stages(m, core), strict=True):
        becomes(m, stays & core.step, stage, value)
        becomes(m, stays & ~core.step, stage, stage)
    for key in core.round_keys:
        becomes(m, stays, key, key)
    _check_line(m, core, ~core.loading & ~core.running & ~aborting(core))


def _check_line(m: Module, core: Pipeline, makes: Value) -> None:
    """The line of round keys makes a move, where that takes two cycles in the second of these."""
    line = Signal((core.facts.rounds + 1) * BLOCK_BITS, name="line")
    m.d.comb += line.eq(Cat(*reversed(core.round_keys)))
    moved = Cat(_described_words(m, core), line)[: len(line)]
    if core.in_halves:
        becomes(m, makes & ~core.second, line, line)
        moved, makes = earlier(m, "moved", moved), earlier(m, "began", makes & ~core.second) & makes
    becomes(m, makes, line, moved)


def _described_stages(m: Module, core: Pipeline) -> Iterator[Value]:
    yield core.counter ^ core.round_keys[0]
    before = iter(core.stages)
    for number in range(1, core.facts.rounds + 1):
        state = substituted_of(m, core, next(before), f"_{number}")
        if core.in_halves:
            yield joined(state)
            state = columns(next(before))
        last = Const(number == core.facts.rounds, 1)
        yield mixed_of(m, state, f"_{number}", last=last) ^ core.round_keys[number]


def _described_words(m: Module, core: Pipeline) -> Value:
    """The words of KeyExpansion (FIPS 197, section 5.2) behind those of a key's length, in any
    state of the count of moves: each of the one before it and the oldest."""
    length, width = core.cipher.key_bits // 32, core.architecture.load_width // 32
    words = [word for key in core.round_keys for word in columns(key)][-length:]
    constant = Cat(core.constant, Const(0, 8))[:8]
    oldest, newest = words[0], words[-1]
    firsts = {}
    for move in range(core.key_words):
        change = change_before(length + width * move, length)
        substitute = described_substitute(m, core, f"spec_key_sub_{change}")
        place = (core.iv_words + move) % core.key_words
        firsts[place] = next_word(oldest, newest, change, constant, substitute)
    choices = [firsts[place] for place in sorted(firsts)]
    first = choices[0] if len(choices) == 1 else Array(choices)[core.key_place]
    made = [named(m, "spec_word_0", first)]
    for number, word in enumerate(words[1:width], 1):
        made.append(named(m, f"spec_word_{number}", word ^ made[-1]))
    return joined(made)
