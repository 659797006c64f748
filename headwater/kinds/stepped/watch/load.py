# SPDX-License-Identifier: Apache-2.0
"""A load puts key and IV where the description says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from amaranth.hdl import Cat, Const, Module, Signal

from headwater.kinds.stepped.base import SteppedCore
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.watch.phases import phases
from headwater.kinds.stepped.watch.plain import plain_state
from headwater.kinds.stepped.watch.reference import Schedule
from headwater.prove.watcher import Watcher, dropping, promise


@dataclass(frozen=True)
class _Meant:
    """What a bit of a register is after some load words.

    Members
    -------
    register : str
    place : int
    words : int
        Load words after which it is that.
    lane, age : int
        Its load bit: which lane, and how many bits of the lane have come after it; or
    value : int or None
        its constant value.
    """

    register: str
    place: int
    words: int
    lane: int = 0
    age: int = 0
    value: int | None = None


def watch_load(m: Module, core: SteppedCore, watcher: Watcher) -> None:
    """After the last load word the registers are the description's ``loaded_state`` of the bits
    that came, whatever they held before.

    For the induction: after fewer words a bit of the state that will have ``n`` load bits after its
    own holds the bit that has ``n`` after it so far.
    """
    cipher = watcher.cipher
    assert isinstance(cipher, ShiftRegisterCipher)
    schedule = Schedule.of(cipher, core)
    words = Signal(range(schedule.words + 1), name=watcher.named("words"))
    fresh = Signal(name=watcher.named("fresh"))
    m.d.sync += fresh.eq(core.taking & ~dropping(core))
    with m.If(core.taking & (words != schedule.words)):
        m.d.sync += words.eq(words + 1)
    with m.If(dropping(core)):
        m.d.sync += words.eq(0)
    state, lanes = plain_state(m, core), _lanes(m, core, schedule, watcher)
    promises = [~core.loading | (words == 0) | ~core.step | (not core.facts.waits)]
    promises += [~core.loading | (flag == flag.init) for flag in _start_up(core)]
    promises += [words <= schedule.words]
    followed = fresh | core.loading
    for meant in _meanings(cipher, schedule):
        value = lanes[meant.lane][meant.age] if meant.value is None else Const(meant.value, 1)
        holds = state[meant.register][meant.place] == value
        promises.append(~followed | (words < meant.words) | holds)
    promise(m, watcher, promises, given=phases(core))


def _lanes(m: Module, core: SteppedCore, schedule: Schedule, watcher: Watcher) -> list[Signal]:
    """The bits of each lane that have come, the last at bit 0."""
    width, length = schedule.width, schedule.words * schedule.width
    lanes = []
    for lane in range(schedule.cipher.lane_count):
        bits = Signal(length, name=watcher.named(f"lane_{lane}"))
        word = core.load.payload[lane * width : (lane + 1) * width]
        with m.If(core.taking):
            m.d.sync += bits.eq(Cat(*reversed(list(word)), bits[: length - width]))
        lanes.append(bits)
    return lanes


def _start_up(core: SteppedCore) -> tuple[Signal, ...]:
    """Registers that tell a form in parts how long ago the load was."""
    return core.retimed.flags if core.retimed else ()


def _meanings(cipher: ShiftRegisterCipher, schedule: Schedule) -> Iterator[_Meant]:
    key = [("key", number) for number in range(cipher.key_bits)]
    iv = [("iv", number) for number in range(cipher.iv_bits[-1])]
    ages = {
        bit: (number, len(lane) - 1 - place)
        for number, lane in enumerate(cipher.lanes(key, iv))
        for place, bit in enumerate(lane)
    }
    for name, bits in cipher.loaded_state(key, iv).items():
        for place, bit in enumerate(bits):
            if bit in ages:
                lane, age = ages[bit]
                yield _Meant(name, place, age // schedule.width + 1, lane, age)
            else:
                words = min(_words_from_top(bits, place, schedule.width), schedule.words)
                yield _Meant(name, place, words, value=bit)


def _words_from_top(bits: list[object], place: int, width: int) -> int:
    """Load words after which a constant that enters at the top of its run is there."""
    top = place
    while bits[top + 1 : top + 2] == [bits[place]]:
        top += 1
    return (top - place) // width + 1
