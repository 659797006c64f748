# SPDX-License-Identifier: Apache-2.0
"""How key and IV reach the state, `k` bits a cycle, derived from the loaded state.

A loaded state says of each state bit which bit of the load string it holds, or which constant.
Call *age* of a state bit the number of load bits that come after its own: the last bit has age 0.
One load cycle makes everything `k` older, so a bit that must have age `n` afterwards takes

* bit ``k - 1 - n`` of the load word if ``n < k``,
* any state bit of age ``n - k`` otherwise, by choice the one `k` places up the same register,
  because that is where the bit comes from when the cipher itself shifts by `k`.

So a register whose content is contiguous in the load string needs a gate at its entrance only,
and loading through the registers costs no multiplexer per bit; at `k` = all bits the same rule
gives a parallel load. Constants enter at the top of each run of equal constants and move down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from headwater.cipher.sfinks import Sfinks
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher


@dataclass(frozen=True)
class Word:
    """The state bit takes this bit of the load word."""

    bit: int


@dataclass(frozen=True)
class Stage:
    """The state bit takes the bit at this place of this register."""

    register: str
    place: int


@dataclass(frozen=True)
class Constant:
    """The state bit takes this value."""

    value: int


Source = Word | Stage | Constant
Plan = Mapping[str, tuple[Source, ...]]
"""Where each bit of each register comes from in a load cycle, bit 0 (the oldest) first."""


@dataclass(frozen=True)
class _LoadBit:
    """Stands for one bit of key or IV while ``load`` and ``lanes`` are read."""

    source: str
    index: int


@dataclass(frozen=True)
class _Entry:
    """Where a load bit enters: its lane, and how many bits of the lane come after it."""

    lane: int
    age: int


def load_plan(cipher: ShiftRegisterCipher | Sfinks, width: int) -> Plan:
    """The sources of every state bit in a load cycle that takes ``width`` bits in all."""
    return _Planner(cipher, width).plan()


class _Planner:
    def __init__(self, cipher: ShiftRegisterCipher | Sfinks, width: int) -> None:
        self._width = width // cipher.lane_count
        self._cycles = cipher.load_cycles(width)
        key = [_LoadBit("key", index) for index in range(cipher.key_bits)]
        iv = [_LoadBit("iv", index) for index in range(cipher.iv_bits[-1])]
        entries = {
            bit: _Entry(number, len(lane) - 1 - place)
            for number, lane in enumerate(cipher.lanes(key, iv))
            for place, bit in enumerate(lane)
        }
        self._target: dict[str, list[_Entry | int]] = {
            name: [entries.get(bit, bit) for bit in bits]
            for name, bits in cipher.loaded_state(key, iv).items()
        }
        self._place_of: dict[_Entry, Stage] = {}
        for name, bits in self._target.items():
            for place, entry in enumerate(bits):
                if isinstance(entry, _Entry):
                    self._place_of.setdefault(entry, Stage(name, place))

    def plan(self) -> Plan:
        return {
            name: tuple(self._source(name, place) for place in range(len(bits)))
            for name, bits in self._target.items()
        }

    def _source(self, name: str, place: int) -> Source:
        entry = self._target[name][place]
        if not isinstance(entry, _Entry):
            return self._constant_source(name, place, entry)
        if entry.age < self._width:
            return Word(entry.lane * self._width + self._width - 1 - entry.age)
        before = _Entry(entry.lane, entry.age - self._width)
        if self._target[name][place + self._width : place + self._width + 1] == [before]:
            return Stage(name, place + self._width)
        return self._place_of[before]

    def _constant_source(self, name: str, place: int, value: int) -> Source:
        bits = self._target[name]
        top = place
        while bits[top + 1 : top + 2] == [value]:
            top += 1
        cycles_from_top = (top - place) // self._width + 1
        shifts_down = 1 < cycles_from_top <= self._cycles
        return Stage(name, place + self._width) if shifts_down else Constant(value)


def cycles_to_zero(plan: Plan) -> int:
    """Load cycles with zeros in place of load word and constants until every state bit is zero."""
    dirty = {Stage(name, place) for name, sources in plan.items() for place in range(len(sources))}
    cycles = 0
    while dirty:
        dirty = {
            Stage(name, place)
            for name, sources in plan.items()
            for place, source in enumerate(sources)
            if source in dirty
        }
        cycles += 1
    return cycles
