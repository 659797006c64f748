# SPDX-License-Identifier: Apache-2.0
"""Checkers of the control of AES at a bit a cycle: when passes begin, when words are offered, and
how key and IV come in. What a pass does is shown by `headwater.kinds.aes.check_pass`."""

from __future__ import annotations

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, ResetSignal, Signal, Value

from headwater.kinds.aes.bit import BACK, BACK_AGAIN, LAST_ROUND, WHITENING, BitCore
from headwater.kinds.aes.bit_facts import COLUMNS, MIXING_CYCLES
from headwater.kinds.aes.core import AesCircuit
from headwater.prove.checker import Proof, aborting, assert_always, becomes, ended

_COLUMN = 32
_MIXED_COLUMNS = LAST_ROUND * COLUMNS
_ALL_COLUMNS = (BACK + 1 + WHITENING + 1 - BACK_AGAIN) * COLUMNS


def phases(core: BitCore) -> Value:
    """An invariant of the control registers in every reachable state, proven by `check_setup`."""
    number = core.pass_number
    mixed = (number <= LAST_ROUND) & (core.byte_number[:2] == 0)
    true = (number <= BACK) | (number >= BACK_AGAIN)
    true &= ~core.loading | (number >= WHITENING - 1)
    true &= ~core.mixing | (mixed & ~core.loading & ((number > 0) | (core.byte_number > 0)))
    true &= ~(core.mixing & (number == LAST_ROUND) & (core.byte_number > 0))
    return true & (~core.idle | core.loading) if core.knows_idle else true


def check_setup(m: Module, core: BitCore, proof: Proof) -> None:
    """Bits are offered in the last three columns of round ten and in the one behind it, and at no
    other time. The control registers follow a count of columns and of the cycles of each."""
    load = core.facts.load_cycles
    words = Signal(range(load + 1), name=proof.named("words"))
    column = Signal(range(_ALL_COLUMNS), name=proof.named("column"))
    cycle = Signal(range(_COLUMN + MIXING_CYCLES), name=proof.named("cycle"))
    loaded = words == load
    offered = loaded & (column > _MIXED_COLUMNS) & (column <= _MIXED_COLUMNS + COLUMNS)
    dropped = ended(core, loaded)
    passes: Value = Const(1, 1)
    if core.facts.waits:
        passes = Mux(loaded, ~offered | core.keystream.ready, core.load.valid)
    length = Mux(column < _MIXED_COLUMNS, _COLUMN + MIXING_CYCLES, _COLUMN)
    over = cycle == length - 1
    with m.If(dropped | ResetSignal()):
        m.d.sync += [words.eq(0), column.eq(0), cycle.eq(0)]
    with m.Elif(passes):
        m.d.sync += words.eq(words + ~loaded)
        with m.If(loaded):
            m.d.sync += cycle.eq(Mux(over, 0, cycle + 1))
            with m.If(over):
                m.d.sync += column.eq(Mux(column == _ALL_COLUMNS - 1, 0, column + 1))
    properties = [
        core.abort == dropped,
        core.load.ready == ~loaded,
        core.keystream.valid == offered,
    ]
    invariants = [
        (words <= load) & (column < _ALL_COLUMNS) & (cycle < length),
        loaded | ((column == 0) & (cycle == 0)),
        phases(core),
        *_walks(core, words, column, cycle),
    ]
    assert_always(m, proof, properties, invariants=invariants)


def _walks(core: BitCore, words: Signal, column: Signal, cycle: Signal) -> list[Value]:
    """The values of the control registers in each cycle of a load and of a block."""
    loaded = words == core.facts.load_cycles
    mixing = loaded & (cycle >= _COLUMN)
    moved = column + mixing
    number = moved[2:] + Mux(moved[2:] > BACK, BACK_AGAIN - BACK - 1, 0)
    byte = Cat(cycle[3:5] & ~mixing.replicate(2), moved[:2])
    known = [
        core.loading == ~loaded,
        core.mixing == mixing,
        core.bit_number == Mux(loaded, cycle[:3], words[:3]),
        core.byte_number == Mux(loaded, byte, words[3:7]),
        core.pass_number == Mux(loaded, number, WHITENING - 1 + words[7]),
    ]
    return [*known, core.idle == (words == 0)] if core.knows_idle else known


def check_load(m: Module, core: BitCore, proof: Proof) -> None:  # noqa: ARG001
    """A bit of the load enters the block, and the one on top of it the key. In the second half each
    bit of the IV gets its bit of the key, as far as there is a column behind it."""
    m.d.comb += Assume(phases(core))
    enters = core.loading & core.load.valid & ~aborting(core)
    added = (core.pass_number == WHITENING) & (core.byte_number >= 4)
    both = Cat(core.load.payload, core.state, core.round_key)
    sum_of_bits = core.state[_COLUMN - 1] ^ (core.round_key[_COLUMN - 1] & added)
    shifted = Cat(both[:_COLUMN], sum_of_bits, both[_COLUMN + 1 :])
    becomes(m, enters, core.state, shifted[: len(core.state)])
    becomes(m, enters, core.round_key, shifted[len(core.state) :])
    waits = core.facts.waits
    passes = ~core.keystream.valid | core.keystream.ready if waits else Const(1, 1)
    check_stands(m, core, passes)


def check_stands(m: Module, core: AesCircuit, passes: Value) -> None:
    """Assert that key and state stay while the core waits: where no cycle ``passes``, and where no
    load word is there."""
    for register in core.secrets:
        becomes(m, ~core.loading & ~aborting(core) & ~passes, register, register)
        if core.facts.waits:
            idle = core.idle if core.knows_idle else Const(0, 1)
            waits = core.loading & ~core.load.valid & ~idle
            becomes(m, waits & ~aborting(core), register, register)


def check_output(m: Module, core: BitCore, proof: Proof) -> None:  # noqa: ARG001
    """An offered bit is that of the block behind the last column, with its bit of the round key."""
    place = _COLUMN - 1
    bit = core.state[place] ^ core.round_key[place]
    m.d.comb += Assert(~core.keystream.valid | (core.keystream.payload == bit))
