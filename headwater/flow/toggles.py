# SPDX-License-Identifier: Apache-2.0
"""How often each net toggles, and in which states of others, from a waveform (a VCD file)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BufferedIOBase

_TIME, _VECTOR, _DIRECTIVE = b"#b$"


@dataclass(frozen=True)
class _Net:
    """A declared net: its code in the file, and its number of bits."""

    code: bytes
    width: int


@dataclass(frozen=True)
class Watch:
    """A net whose toggles are counted by the values of others.

    Members
    -------
    net : str
    others : tuple of str
        The nets, or constants "0" and "1", that make a number: the first is its lowest bit.
    """

    net: str
    others: tuple[str, ...]


@dataclass(frozen=True)
class Interval:
    """The toggles between two marks.

    Members
    -------
    toggles : dict of str to int
        Of every net bit.
    by_state : list of Counter
        For each watch its toggles by the number that the other nets make, with one more bit above
        them: 1 for a rise. An edge of a clock sees the values before it, every other toggle those
        after it; an unknown value counts as 0.
    """

    toggles: dict[str, int]
    by_state: list[Counter[int]]


def count_toggles(
    dump: BufferedIOBase,
    marks: Sequence[int],
    watches: Sequence[Watch] = (),
    clocks: Collection[str] = (),
) -> list[Interval]:
    """Toggles of every net bit between each mark and the next, from an open VCD file of one module.

    A bit is called "name[place]", where place 0 is the vector's last bit whatever its index. A
    change from or to an unknown value is no toggle. Marks are times, none after the last change;
    changes at a mark belong to the interval that begins there. ``clocks`` are the nets of clocks.
    """
    words = (word for line in dump for word in line.split())
    names = _declarations(words)
    # Nets that are connected share one code, and one counter.
    counters = {net.code: [0] * net.width for net in names.values()}
    values = {net.code: "x" * net.width for net in names.values()}
    states = _States(names, watches, clocks)
    intervals: list[Interval] = []
    waiting, counts = list(marks), False
    for word in words:
        kind = word[0]
        if kind == _TIME:
            states.settle(counts=counts)
            while waiting and int(word[1:]) >= waiting[0]:
                if len(waiting) < len(marks):
                    intervals.append(Interval(_harvest(names, counters), states.harvest()))
                for counter in counters.values():
                    counter[:] = [0] * len(counter)
                waiting.pop(0)
            counts = bool(waiting)
        elif kind == _VECTOR:
            code = next(words)
            before, values[code] = values[code], _widened(word[1:].decode(), len(values[code]))
            for place, (old, new) in enumerate(
                zip(reversed(before), reversed(values[code]), strict=True)
            ):
                if old != new:
                    counters[code][place] += old + new in ("01", "10")
                    states.change((code, place), old, new)
        elif kind != _DIRECTIVE:
            code, new = word[1:], chr(kind)
            before = values[code]
            if before != new:
                if before + new in _TOGGLES:
                    counters[code][0] += 1
                values[code] = new
                states.change((code, 0), before, new)
        elif word == b"$comment":
            _skip(words)
    return intervals


_TOGGLES = ("01", "10")
_Bit = tuple[bytes, int]
"""The code of a net, and the place of a bit in it."""


class _States:
    """The watches of one file, and the values that they read."""

    def __init__(
        self, names: Mapping[str, _Net], watches: Sequence[Watch], clocks: Collection[str]
    ) -> None:
        self._counts = [Counter[int]() for _ in watches]
        self._watching: dict[_Bit, list[tuple[Counter[int], list[_Bit | int]]]] = {}
        self._values: dict[_Bit, int] = {}
        self._clocks = {_bit_of(names, clock) for clock in clocks}
        self._changed: list[tuple[_Bit, bool]] = []
        """The bits that toggled at this time, and whether they rose."""
        self._after: dict[_Bit, int] = {}
        for watch, counter in zip(watches, self._counts, strict=True):
            others = [
                int(other) if other in "01" else _bit_of(names, other) for other in watch.others
            ]
            self._watching.setdefault(_bit_of(names, watch.net), []).append((counter, others))
            self._values.update(
                dict.fromkeys((one for one in others if not isinstance(one, int)), 0)
            )

    def change(self, bit: _Bit, old: str, new: str) -> None:
        """A bit changes at this time."""
        if bit in self._watching and old + new in _TOGGLES:
            self._changed.append((bit, new == "1"))
        if bit in self._values:
            self._after[bit] = int(new == "1")

    def settle(self, *, counts: bool) -> None:
        """All changes of a time are known."""
        for clock in (True, False):
            if counts:
                for bit, rises in self._changed:
                    if (bit in self._clocks) == clock:
                        self._count(bit, rises=rises)
            self._values.update(self._after)
        self._changed.clear()
        self._after.clear()

    def _count(self, bit: _Bit, *, rises: bool) -> None:
        values = self._values
        for counter, others in self._watching[bit]:
            state = rises << len(others)
            for place, other in enumerate(others):
                state |= (other if isinstance(other, int) else values[other]) << place
            counter[state] += 1

    def harvest(self) -> list[Counter[int]]:
        """The counts since the last call."""
        counts = [Counter(counter) for counter in self._counts]
        for counter in self._counts:
            counter.clear()
        return counts


def _bit_of(names: Mapping[str, _Net], name: str) -> _Bit:
    """The bit called "name[place]"; place 0 of a net of one bit."""
    net, _, place = name.rpartition("[")
    return names[net].code, int(place.rstrip("]"))


def values_at(dump: BufferedIOBase, time: int) -> dict[str, int]:
    """The value of every net bit just before a time, named as in `count_toggles`; nets with an
    unknown value are left out."""
    words = (word for line in dump for word in line.split())
    names = _declarations(words)
    bits: dict[bytes, str] = {}
    for word in words:
        kind = word[0]
        if kind == _TIME and int(word[1:]) >= time:
            break
        if kind == _VECTOR:
            bits[next(words)] = word[1:].decode()
        elif kind not in (_TIME, _DIRECTIVE):
            bits[word[1:]] = chr(kind)
        elif word == b"$comment":
            _skip(words)
    return {
        f"{name}[{place}]": int(bit)
        for name, net in names.items()
        for place, bit in enumerate(reversed(_widened(bits.get(net.code, "x"), net.width)))
        if bit in "01"
    }


def _widened(digits: str, width: int) -> str:
    return digits.rjust(width, digits[0] if digits[0] in "xz" else "0")


def _declarations(words: Iterator[bytes]) -> dict[str, _Net]:
    """The nets by name, from the head of the file."""
    names: dict[str, _Net] = {}
    for word in words:
        if word == b"$var":
            _, width, code, name = (next(words) for _ in range(4))
            names[name.decode()] = _Net(code, int(width))
        elif word == b"$enddefinitions":
            break
    return names


def _skip(words: Iterator[bytes]) -> None:
    for word in words:
        if word == b"$end":
            return


def _harvest(names: Mapping[str, _Net], counters: Mapping[bytes, Sequence[int]]) -> dict[str, int]:
    return {
        f"{name}[{place}]": count
        for name, net in names.items()
        for place, count in enumerate(counters[net.code])
    }
