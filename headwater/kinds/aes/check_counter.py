# SPDX-License-Identifier: Apache-2.0
"""Checkers for the rounds, the counter blocks and the words of AES-256 in counter mode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from amaranth.hdl import Array, Assert, Assume, Cat, Const, Module, Mux, ResetSignal, Signal, Value

from headwater.cipher.aes256 import next_half
from headwater.core.naming import Naming
from headwater.kinds.aes.block import columns, joined
from headwater.kinds.aes.check_counter_cycle import check_narrow_iv, check_narrow_round
from headwater.kinds.aes.core import part
from headwater.kinds.aes.counter import CounterBlocks, CounterCore
from headwater.kinds.aes.counter_words import CONSTANTS, COUNT_BITS, MARK
from headwater.kinds.aes.described import described_round, described_substitute
from headwater.kinds.aes.description import BLOCK_BITS
from headwater.prove.checker import Proof, aborting, assert_always, becomes, ended


def phases(core: CounterCore) -> Value:
    """An invariant of the control registers in every reachable state, proven by ``setup``."""
    true = (~core.loading | core.last_round) & (core.loading | ~core.taking_key)
    true &= ~(core.loading & core.full) & ~(core.running & core.last_round & core.odd)
    return true & (~core.idle | core.loading) if core.knows_idle else true


def check_setup(m: Module, core: CounterCore, proof: Proof, known: Sequence[Value]) -> None:
    """A word is made in each cycle of the last of every fourteen rounds, which waits while the word
    before it does, and in no other cycle. The control registers follow a binary count. The
    induction also proves the invariants that are ``known``."""
    facts = core.facts
    load, block, count = facts.load_cycles, facts.cycles_per_block, facts.words_per_block
    words = Signal(range(load + 1), name=proof.named("words"))
    cycle = Signal(range(block), name=proof.named("cycle"))
    there = Signal(name=proof.named("there"))
    loaded = words == load
    last_round = loaded & (cycle >= block - count)
    dropped = ended(core, loaded) | core.finished
    passes = Mux(loaded, ~(last_round & there) | core.word_taken, core.load.valid)
    with m.If(dropped | ResetSignal()):
        m.d.sync += [words.eq(0), cycle.eq(0), there.eq(0)]
    with m.Else():
        m.d.sync += there.eq((last_round & passes) | (there & ~core.word_taken))
        with m.If(passes):
            m.d.sync += [
                words.eq(words + ~loaded),
                cycle.eq(Mux(loaded & (cycle != block - 1), cycle + 1, 0)),
            ]
    properties = [
        core.abort == dropped,
        core.load.ready == ~loaded,
        core.full == there,
        ~core.word_taken | there,
    ]
    invariants = [
        (words <= load) & (cycle < block) & (loaded | ((cycle == 0) & ~there)),
        phases(core),
        *_walks(core, words, cycle),
        *known,
    ]
    assert_always(m, proof, properties, invariants=invariants)


def _walks(core: CounterCore, words: Signal, cycle: Signal) -> Iterator[Value]:
    """The values of the control registers in each cycle of a load and of a block."""
    facts = core.facts
    count = facts.words_per_block
    shift = (count - 1).bit_length()
    loaded = words == facts.load_cycles
    before = cycle >> shift
    yield core.loading == ~loaded
    yield core.taking_key == (words < facts.key_blocks * count)
    yield core.last_round == (~loaded | (cycle >= facts.cycles_per_block - count))
    if isinstance(core.phase, Signal):
        bits = len(core.phase)
        yield core.phase == Mux(loaded, cycle[:bits], words[:bits])
    yield core.odd == Mux(loaded, ~before[0], (words >> shift)[0])
    constants = Array(Const(1 << number, CONSTANTS) for number in range(CONSTANTS))
    yield core.constant == Mux(loaded, constants[before >> 1], 1)
    if core.knows_idle:
        yield core.idle == (words == 0)


def check_load(m: Module, core: CounterCore, marks: tuple[bool, bool]) -> None:
    """The key enters its ring, and turns in it by a word in each cycle of IV and rounds. The IV
    enters with the first round key added, its mark set as the mode says."""
    m.d.comb += Assume(phases(core))
    radix, key = core.architecture.radix, core.first_key
    stays = ~aborting(core)
    enters = stays & core.loading & core.load.valid
    head = part(key, 0, radix)
    entering = Mux(core.loading & core.taking_key, core.load.payload, head)
    moves = enters | (stays & core.running & core.count_enable)
    becomes(m, moves, key, Cat(entering, key)[: len(key)])
    becomes(m, stays & core.running & ~core.count_enable, key, key)
    if isinstance(core, CounterBlocks):
        loaded = core.load.payload | (int(marks[0]) << MARK)
        becomes(m, enters, core.state, loaded ^ head)
    else:
        check_narrow_iv(m, core, enters, core.phase == 0 if marks[0] else Const(0, 1))


def check_next(m: Module, core: CounterCore, proof: Proof) -> None:  # noqa: ARG001
    """A word is there until it is used; then the next one is there as soon as it is made."""
    m.d.comb += Assume(phases(core))
    stays = core.running & ~aborting(core)
    waits = core.full & ~core.word_taken
    becomes(m, stays & waits, core.full, Const(1, 1))
    becomes(m, stays & waits, core.hold, core.hold)
    becomes(m, stays & core.makes & ~waits, core.hold, core.made)
    becomes(m, stays & ~waits, core.full, core.makes)
    m.d.comb += Assert(~core.running | (core.keystream_word == Mux(core.full, core.hold, 0)))


def check_counter(m: Module, core: CounterCore, marks: tuple[bool, bool]) -> None:
    """The counter block is the IV, its mark set as the mode says. In the first round it counts, in
    the last one it turns as its words enter; where the marks end, it counts from zero again."""
    m.d.comb += Assume(phases(core))
    radix, counter = core.architecture.radix, core.counter
    stays = ~aborting(core)
    loads = core.loading & core.load.valid
    mark = core.phase == 0 if marks[0] else Const(0, 1)
    loaded = core.load.payload | (mark << radix - 8)
    becomes(m, stays & loads, counter, Cat(loaded[:radix], counter)[:BLOCK_BITS])
    passes = core.running & core.count_enable
    turned = Cat(part(counter, 0, radix), counter)[:BLOCK_BITS]
    becomes(m, stays & passes & core.last_round, counter, turned)
    last_phase = core.phase == core.facts.words_per_block - 1
    counts = core.odd & core.constant[0] & last_phase & ~core.last_round
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
    becomes(m, stays & passes & counts & known, counter, after)
    rests = core.running & ~(core.count_enable & (core.last_round | counts))
    becomes(m, stays & rests, counter, counter)


def check_round(m: Module, core: CounterCore, proof: Proof) -> None:  # noqa: ARG001
    """A cycle makes the description's round, or its part of it."""
    m.d.comb += Assume(phases(core))
    if isinstance(core, CounterBlocks):
        _check_whole_round(m, core)
    else:
        check_narrow_round(m, core)


def _check_whole_round(m: Module, core: CounterBlocks) -> None:
    """The state takes the description's round, or the next counter block under the first round key;
    the next round key is the description's. Both begin anew with the halves of the key."""
    wire = Naming(m)
    after = wire(described_round(m, core) ^ core.round_key, "spec_after")
    older, newest = columns(core.older_key), columns(core.round_key)[-1]
    # In round 1 the key of round 2 is made, the first with a round constant.
    constant = Mux(core.odd, core.constant, 0)[:8]
    substitute = described_substitute(m, core)
    following = next_half(older, newest, core.odd, Cat(constant, Const(0, 1)), substitute, wire)
    moves = core.running & core.enable & ~aborting(core)
    first, second = (part(core.first_key, half, BLOCK_BITS) for half in (0, 1))
    last = core.last_round
    m.d.comb += Assert(core.loading | (core.made == after))
    becomes(m, moves, core.state, Mux(last, core.counter ^ first, after))
    becomes(m, moves, core.round_key, Mux(last, second, joined(following)))
    becomes(m, moves, core.older_key, Mux(last, first, core.round_key))
