# SPDX-License-Identifier: Apache-2.0
"""After a load, each state bit is a sum of load bits; this module finds what it must take in a load
cycle.

The *age* of a load bit is the number of bits of its lane that come after it. A load word with `w`
bits of each lane makes every earlier bit `w` older. A state bit that must become a sum of load bits
therefore takes

* the bits of the load word whose age will be less than `w`,
* state bits whose sum, before the cycle, is the sum of the load bits that will be `w` or older.

Where the load shifts like the cipher, the second is the one bit `w` places up the same register. A
state bit is correct as soon as its oldest bit has come and all bits that it takes were correct a
word before. After the last word this must hold for every state bit; then nothing is left of the
earlier content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

from headwater.errors import InputError

Aged = tuple[int, int]
"""A load bit: the number of its lane, and its age."""

Place = tuple[str, int]
"""A state bit: a register, and its bit number."""

Bits = frozenset[Aged]


@dataclass(frozen=True)
class LoadSum:
    """A sum of load bits, complemented if ``inverted``. Supports ``^`` and ``~`` as a bit does."""

    bits: Bits
    inverted: int = 0

    def __xor__(self, other: LoadSum | int) -> LoadSum:
        if isinstance(other, int):
            return LoadSum(self.bits, self.inverted ^ other & 1)
        return LoadSum(self.bits ^ other.bits, self.inverted ^ other.inverted)

    __rxor__ = __xor__

    def __invert__(self) -> LoadSum:
        return self ^ 1

    def _refuse(self, _other: object) -> NoReturn:
        raise InputError("a load must add bits of key and IV with ^ and ~ alone, not with & or |")

    __and__ = __rand__ = __or__ = __ror__ = _refuse

    @property
    def is_sum(self) -> bool:
        """Whether the sum has more than one load bit."""
        return len(self.bits) > 1 or bool(self.inverted)

    @property
    def oldest(self) -> int:
        """The age of the oldest bit of the sum."""
        return max((age for _, age in self.bits), default=-1)


@dataclass(frozen=True)
class Taken:
    """The sum that a state bit takes in a load cycle."""

    word: tuple[Aged, ...]
    """Bits of the load word, by their age after the cycle."""
    stages: tuple[Place, ...]
    inverted: int
    """Whether one is added."""


class LoadSums:
    """The load of a cipher that places key and IV, which have these lengths at most. ``lanes(key,
    iv)`` are the load bits of each lane, first bit first; ``state(key, iv)`` is each register's
    content after the load, oldest bit first."""

    def __init__(
        self,
        lanes: Callable[[Sequence[Any], Sequence[Any]], Sequence[Sequence[Any]]],
        state: Callable[[Sequence[Any], Sequence[Any]], Mapping[str, Sequence[Any]]],
        key_bits: int,
        iv_bits: int,
    ) -> None:
        ages = _ages(lanes, key_bits, iv_bits)
        self._steps = 1 + max(age for _, age in ages.values())
        key = [LoadSum(frozenset({ages["key", bit]})) for bit in range(key_bits)]
        iv = [LoadSum(frozenset({ages["iv", bit]})) for bit in range(iv_bits)]
        self.meant: dict[str, list[LoadSum | int]] = {
            name: list(map(_known, bits)) for name, bits in state(key, iv).items()
        }
        """Each register's bits after a load: sums of load bits, or constants."""
        self._place_of: dict[Bits, Place] = {}
        for place, entry in self.sums():
            self._place_of.setdefault(entry.bits, place)
        self._combinations: dict[int, _Combinations] = {}

    @property
    def adds(self) -> bool:
        """Whether some state bit is a sum of several load bits."""
        return any(entry.is_sum for _, entry in self.sums())

    def takes(self, width: int) -> bool:
        """Whether every state bit can be made in load cycles with ``width`` bits of each lane."""
        if self._each_alone:
            return True
        words = self.words_until_right(width)
        return words is not None and max(words.values()) <= -(-self._steps // width)

    def words_until_right(self, width: int) -> dict[Place, int] | None:
        """For each state bit that is not constant, the load words after which it is correct; None
        if a bit cannot be made."""
        sources: dict[Place, tuple[Place, ...]] = {}
        for place, entry in self.sums():
            stages = self._stages(place, entry, width)
            if stages is None:
                return None
            sources[place] = stages
        words = {place: entry.oldest // width + 1 for place, entry in self.sums()}
        for _ in range(self._steps):
            later = {
                place: max(words[place], *(1 + words[stage] for stage in stages), 0)
                for place, stages in sources.items()
            }
            if later == words:
                return words
            words = later
        return None  # Bits take each other in a circle.

    def taken(self, name: str, place: int, width: int) -> Taken:
        """What a state bit that is not constant takes in a load cycle."""
        entry = self.meant[name][place]
        assert isinstance(entry, LoadSum)
        stages = self._stages((name, place), entry, width)
        assert stages is not None, "legal_load_widths leaves out widths that cannot be"
        inverted = entry.inverted
        for register, stage in stages:
            source = self.meant[register][stage]
            assert isinstance(source, LoadSum)
            inverted ^= source.inverted
        return Taken(tuple(sorted(bit for bit in entry.bits if bit[1] < width)), stages, inverted)

    def sums(self) -> Iterator[tuple[Place, LoadSum]]:
        """Every state bit that is not constant, with its sum."""
        for name, bits in self.meant.items():
            for place, entry in enumerate(bits):
                if isinstance(entry, LoadSum):
                    yield (name, place), entry

    @cached_property
    def _each_alone(self) -> bool:
        """Whether each load bit is in the state by itself; then every width is legal."""
        oldest: dict[int, int] = {}
        for lane, age in sorted(bit for _, entry in self.sums() for bit in entry.bits):
            oldest[lane] = age
        return all(
            frozenset({(lane, younger)}) in self._place_of
            for lane, age in oldest.items()
            for younger in range(age)
        )

    def _stages(self, place: Place, entry: LoadSum, width: int) -> tuple[Place, ...] | None:
        """As few state bits as possible whose sum is ``entry``'s older part; None if there are
        none. The bit that the register itself shifts there is preferred."""
        sought = frozenset((lane, age - width) for lane, age in entry.bits if age >= width)
        if not sought:
            return ()
        name, above = place[0], place[1] + width
        register = self.meant[name]
        beside = register[above] if above < len(register) else 0
        if isinstance(beside, LoadSum) and beside.bits == sought:
            return ((name, above),)
        if sought in self._place_of:
            return (self._place_of[sought],)
        oldest = max(age for _, age in sought)
        return self._among(oldest).making(sought) or self._among(self._steps).making(sought)

    def _among(self, oldest: int) -> _Combinations:
        """Sums of the state bits whose load bits are no older than ``oldest``."""
        if oldest not in self._combinations:
            self._combinations[oldest] = _Combinations(
                {
                    bits: place
                    for bits, place in self._place_of.items()
                    if max(age for _, age in bits) <= oldest
                }
            )
        return self._combinations[oldest]


class _Combinations:
    """Linear combinations of given sums, in echelon form."""

    def __init__(self, sums: Mapping[Bits, Place]) -> None:
        self._given = sums
        self._echelon: dict[Aged, tuple[Bits, frozenset[Place]]] = {}
        for bits, place in sums.items():
            rest, places = self._reduce(bits, frozenset({place}))
            if rest:
                self._echelon[max(rest)] = rest, places

    def making(self, sought: Bits) -> tuple[Place, ...] | None:
        """Places whose sum is ``sought``, two if possible."""
        for bits, place in self._given.items():
            if bits ^ sought in self._given:
                return place, self._given[bits ^ sought]
        rest, places = self._reduce(sought, frozenset())
        return None if rest else tuple(sorted(places))

    def _reduce(self, bits: Bits, places: frozenset[Place]) -> tuple[Bits, frozenset[Place]]:
        while bits and max(bits) in self._echelon:
            added, used = self._echelon[max(bits)]
            bits, places = bits ^ added, places ^ used
        return bits, places


def _ages(
    lanes: Callable[[Sequence[Any], Sequence[Any]], Sequence[Sequence[Any]]],
    key_bits: int,
    iv_bits: int,
) -> dict[tuple[str, int], Aged]:
    """Lane and age of every bit of key and IV."""
    key, iv = [("key", bit) for bit in range(key_bits)], [("iv", bit) for bit in range(iv_bits)]
    ages = {
        bit: (number, len(lane) - 1 - place)
        for number, lane in enumerate(lanes(key, iv))
        for place, bit in enumerate(lane)
    }
    missing = [f"{source} bit {bit}" for source, bit in (*key, *iv) if (source, bit) not in ages]
    if missing:
        raise InputError(f"lanes must hold every bit of key and IV; {missing[0]} is missing")
    return ages


def _known(bit: LoadSum | int) -> LoadSum | int:
    """A bit of a load; a sum without bits becomes a constant."""
    if isinstance(bit, LoadSum):
        return bit if bit.bits else bit.inverted
    return bit
