# SPDX-License-Identifier: Apache-2.0
"""A load puts key and IV where the description says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import xor

from amaranth.hdl import Cat, Const, Module, Signal, Value

from headwater.kinds.stepped.checkers.phases import phases
from headwater.kinds.stepped.checkers.plain import plain_state
from headwater.kinds.stepped.checkers.reference import Schedule
from headwater.kinds.stepped.core import SteppedCore
from headwater.kinds.stepped.load_sums import LoadSum
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.transformations.retimed import Retimed
from headwater.prove.checker import Proof, aborting, assert_always


def check_load(m: Module, core: SteppedCore, proof: Proof) -> None:
    """After the last load word the registers are the description's ``loaded_state`` of the load
    bits, for any earlier content. For the induction: a state bit that ends with the load bit ``n``
    places before the end of its lane holds, after fewer words, the bit ``n`` places before the end
    of what has come of the lane."""
    cipher = proof.cipher
    assert isinstance(cipher, ShiftRegisterCipher)
    schedule = Schedule.of(cipher, core)
    words = Signal(range(schedule.words + 1), name=proof.named("words"))
    fresh = Signal(name=proof.named("fresh"))
    m.d.sync += fresh.eq(core.load_fire & ~aborting(core))
    with m.If(core.load_fire & (words != schedule.words)):
        m.d.sync += words.eq(words + 1)
    with m.If(aborting(core)):
        m.d.sync += words.eq(0)
    state, lanes = plain_state(m, core), _lanes(m, core, schedule, proof)
    properties = [~core.loading | (words == 0) | ~core.step | (not core.facts.waits)]
    properties += [~core.loading | (flag == flag.init) for flag in _start_up(core)]
    properties += [words <= schedule.words]
    followed = fresh | core.loading
    for name, place, least, meant in _meanings(cipher, schedule, lanes):
        properties.append(~followed | (words < least) | (state[name][place] == meant))
    assert_always(m, proof, properties, given=phases(core))


def _lanes(m: Module, core: SteppedCore, schedule: Schedule, proof: Proof) -> list[Signal]:
    """The bits of each lane that have come, the last at bit 0."""
    width, length = schedule.width, schedule.words * schedule.width
    lanes = []
    for lane in range(schedule.cipher.lane_count):
        bits = Signal(length, name=proof.named(f"lane_{lane}"))
        word = core.load.payload[lane * width : (lane + 1) * width]
        with m.If(core.load_fire):
            m.d.sync += bits.eq(Cat(*reversed(list(word)), bits[: length - width]))
        lanes.append(bits)
    return lanes


def _start_up(core: SteppedCore) -> tuple[Signal, ...]:
    """Registers that tell a retimed core how long ago the load was."""
    retimed = core.transformed(Retimed)
    return retimed.flags if retimed else ()


def _meanings(
    cipher: ShiftRegisterCipher, schedule: Schedule, lanes: Sequence[Signal]
) -> Iterator[tuple[str, int, int, Value]]:
    """For each state bit its register and place, the load words after which it has its final
    meaning, and then its value: a sum of bits of the lanes, each given by its age, or a constant.
    """
    words_until_right = cipher.load_sums.words_until_right(schedule.width) or {}
    for name, bits in cipher.load_sums.meant.items():
        for place, bit in enumerate(bits):
            if isinstance(bit, LoadSum):
                added = (lanes[lane][age] for lane, age in sorted(bit.bits))
                value = reduce(xor, added, Const(bit.inverted, 1))
                yield name, place, words_until_right[name, place], value
            else:
                words = min(_words_from_top(bits, place, schedule.width), schedule.words)
                yield name, place, words, Const(bit, 1)


def _words_from_top(bits: Sequence[object], place: int, width: int) -> int:
    """Load words after which a constant that enters at the top of its run has arrived."""
    top = place
    while bits[top + 1 : top + 2] == [bits[place]]:
        top += 1
    return (top - place) // width + 1
