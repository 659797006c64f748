# SPDX-License-Identifier: Apache-2.0
"""Checkers of a pass of AES at a bit a cycle.

``bytes``: from any state, eight cycles of the core are a step of bytes, as
`headwater.kinds.aes.pass_steps` has them. ``mixing``: eight cycles are MixColumns of a column.
``pass`` and ``back``: sixteen steps, with MixColumns behind each column, are the description's
round and its key expansion, or take the latter back.
"""

from __future__ import annotations

from collections.abc import Callable

from amaranth.hdl import Array, Assert, Assume, Cat, Const, Module, Mux, Signal, Value

from headwater.cipher import aes_ofb
from headwater.core.naming import Naming, named
from headwater.kinds.aes.bit import BitCore
from headwater.kinds.aes.block import columns, joined
from headwater.kinds.aes.check_bit import phases
from headwater.kinds.aes.core import parts
from headwater.kinds.aes.described import described_substitute, round_constants, round_of
from headwater.kinds.aes.pass_steps import BYTES, Step, Tasks, string_of, tasks_of
from headwater.prove.checker import Proof, aborting, earlier, first_cycle

CYCLES = 8
"""Cycles of a step, and of MixColumns of a column."""


def _eight_cycles(m: Module, core: BitCore, begins: Value) -> Signal:
    """How many cycles have elapsed, up to eight, all of which pass."""
    first = first_cycle(m)
    elapsed = Signal(range(CYCLES + 1), name="spec_elapsed")
    m.d.sync += elapsed.eq(elapsed + 1)
    m.d.comb += [
        Assume(~first | (begins & ~core.loading & (core.bit_number == 0) & phases(core))),
        Assume((elapsed == CYCLES) | (core.count_enable & ~aborting(core))),
    ]
    return elapsed


def _at_first(m: Module, elapsed: Signal, name: str, value: Value) -> Signal:
    """What a value was in the first cycle."""
    register = Signal(len(value), name=f"spec_{name}_at_first")
    with m.If(elapsed == 0):
        m.d.sync += register.eq(value)
    return register


def check_bytes(m: Module, core: BitCore, proof: Proof) -> None:  # noqa: ARG001
    """Eight cycles of a pass are a step. The S-box substitutes the byte of the round key in the
    first cycle, and the one that enters the block in the last."""
    elapsed = _eight_cycles(m, core, ~core.mixing)
    tasks = tasks_of(core.pass_number)
    block, key = list(parts(core.state, 8)), list(parts(core.round_key, 8))
    steps = [Step(number, tasks, block, key) for number in range(BYTES)]

    def in_step(of: Callable[[Step], Value]) -> Value:
        return Array(map(of, steps))[core.byte_number]

    due = _at_first(m, elapsed, "due", in_step(lambda step: step.due))
    expands = tasks.expands & (core.byte_number < 4)
    rotated = in_step(lambda step: step.rotated)
    m.d.comb += [
        Assert((elapsed != 0) | ~expands | (core.sub_byte == rotated)),
        Assert((elapsed != CYCLES - 1) | ~tasks.substitutes | (core.sub_byte == due)),
        Assert(core.sub_out == described_substitute(m, core, "spec_sub")(core.sub_byte)),
    ]
    entered = earlier(m, "entering", Mux(tasks.substitutes, core.sub_out, due))
    gained = named(m, "spec_gained", core.sub_out ^ _constant(core))
    zero = Const(0, 8)
    others = in_step(lambda step: string_of(step.block_behind(zero)))
    following = in_step(lambda step: string_of(step.key_behind(gained)))
    over = elapsed == CYCLES
    m.d.comb += [
        Assert(~over | (core.state == (_at_first(m, elapsed, "block", others) | entered))),
        Assert(~over | (core.round_key == _at_first(m, elapsed, "round_key", following))),
    ]


def _constant(core: BitCore) -> Value:
    """The round constant, for the first byte of a pass."""
    index = core.pass_number[:4] ^ core.pass_number[4].replicate(4)
    constants = Array(Const(constant, 8) for constant in round_constants())
    return Mux(core.byte_number == 0, constants[index], 0)


def check_mixing(m: Module, core: BitCore, proof: Proof) -> None:  # noqa: ARG001
    """Eight cycles of MixColumns turn the last column; the others and the round key stay."""
    elapsed = _eight_cycles(m, core, core.mixing)
    mixed = aes_ofb.mix_column(core.state[:32], Naming(m))
    for register, value in (
        (core.state, Cat(mixed, core.state[32:])),
        (core.round_key, core.round_key),
    ):
        expected = _at_first(m, elapsed, register.name, value)
        m.d.comb += Assert((elapsed != CYCLES) | (register == expected))


def check_rounds(m: Module, core: BitCore, proof: Proof) -> None:  # noqa: ARG001
    """The steps of a pass make the description's round and next round key of what the core holds.
    The last column gets its round key in the next pass."""
    last, constant = _any(m, "last", 1), _any(m, "constant", 8)
    true = Const(1, 1)
    tasks = Tasks(true, true, Const(0, 1), true, true)
    block, key = _pass(m, core, tasks, constant, last)
    following = _next_key(m, core, core.round_key, constant, "")
    begun = named(m, "spec_begun", core.state ^ core.round_key[:32])
    made = round_of(m, core, begun, "", last=last)
    m.d.comb += [
        Assert(block == made ^ Cat(Const(0, 32), following[32:])),
        Assert(key == following),
    ]


def check_back(m: Module, core: BitCore, proof: Proof) -> None:  # noqa: ARG001
    """The steps of any other pass leave the block, but for round keys that are added. Of a round
    key whose first word has lost what it got they leave the one before it, whose first word has
    not: with that undone, the description makes the round key of it."""
    constant, before = _any(m, "constant", 8), _any(m, "constant_before", 8)
    expands, unties, adds_last, adds = _any(m, "tasks", 4)
    m.d.comb += Assume(~(unties & adds))
    tasks = Tasks(Const(0, 1), expands, unties, adds_last, adds)
    block, key = _pass(m, core, tasks, constant, Const(1, 1))
    old = _gained(m, core, core.round_key, constant & expands.replicate(8), expands, "old")
    added = Cat(core.round_key[:32] & adds_last.replicate(32), old[32:] & adds.replicate(96))
    key_before = _gained(m, core, key, before, Const(1, 1), "key_before")
    again = _next_key(m, core, key_before, before, "_again")
    m.d.comb += [Assert(block == core.state ^ added), Assert(Mux(unties, again, key) == old)]


def _any(m: Module, name: str, bits: int) -> Signal:
    """A constant of any value."""
    register = Signal(bits, name=f"any_{name}")
    m.d.sync += register.eq(register)
    return register


def _gained(
    m: Module, core: BitCore, key: Value, constant: Value, expands: Value, name: str
) -> Value:
    """A round key whose first word has what KeyExpansion adds to it, if it ``expands``."""
    substitute = described_substitute(m, core, f"spec_{name}_sub")
    core_word = aes_ofb.key_core(named(m, f"spec_{name}_last", key[:32]), constant, substitute)
    return named(m, f"spec_{name}", key ^ Cat(Const(0, 96), core_word & expands.replicate(32)))


def _next_key(m: Module, core: BitCore, key: Value, constant: Value, suffix: str) -> Value:
    """The description's next round key."""
    substitute = described_substitute(m, core, f"spec_key_sub{suffix}")
    return joined(aes_ofb.next_round_key(columns(key), constant, substitute, Naming(m, suffix)))


def _pass(
    m: Module, core: BitCore, tasks: Tasks, constant: Value, last: Value
) -> tuple[Value, Value]:
    """Block and round key behind the steps of a pass, with MixColumns but in the ``last`` round."""
    block, key = core.state, core.round_key
    for number in range(BYTES):
        step = Step(number, tasks, list(parts(block, 8)), list(parts(key, 8)))
        due = named(m, f"spec_due_{number}", step.due)
        image = core.substitute(m, due, f"spec_image_{number}")
        entering = Mux(tasks.substitutes, image, due)
        gained = Const(0, 8)
        if number < 4:
            rotated = named(m, f"spec_rotated_{number}", step.rotated)
            gained = core.substitute(m, rotated, f"spec_gained_{number}")
            gained ^= constant if number == 0 else 0
        behind, following = step.block_behind(entering), step.key_behind(gained)
        block = named(m, f"spec_block_{number}", string_of(behind))
        key = named(m, f"spec_key_{number}", string_of(following))
        if number % 4 == 3:
            mixed = Mux(last, block[:32], aes_ofb.mix_column(block[:32], Naming(m, f"_{number}")))
            block = named(m, f"spec_mixed_{number}", Cat(mixed, block[32:]))
    return block, key
