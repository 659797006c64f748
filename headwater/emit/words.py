# SPDX-License-Identifier: Apache-2.0
"""Words of a netlist, divided into pieces that have a name or that one cell drives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass

from headwater.emit.netlist import ONE, ZERO, Bit, Bits, Cell, Netlist
from headwater.emit.ordering import natural

Place = tuple[str, int]
"""A bit of a wire."""


@dataclass(frozen=True)
class Piece:
    """Consecutive bits of one source."""

    source: str | Cell | None
    """A wire; a cell whose output has no name; or None for constant bits."""
    low: int
    """First bit in the source; for constants their value."""
    width: int
    times: int = 1
    """Number of repetitions, side by side."""


class Names:
    """The names of bits. A bit that is in several wires belongs to the first in ``order``."""

    def __init__(self, netlist: Netlist, order: Sequence[str]) -> None:
        self._drivers = netlist.drivers
        self._places: defaultdict[Bit, list[Place]] = defaultdict(list)
        self.words: dict[str, Bits] = {}
        """For each wire the bits from the lowest to the highest that anything depends on."""
        self.lowest: dict[str, int] = {}
        """For each wire whose first such bit is not bit 0, the number of that bit."""
        for name in order:
            low, word = 0, netlist.wires[name]
            if name not in netlist.inputs and name not in netlist.outputs:
                low, word = _without_unread(word, netlist)
            if word:
                self.add(name, word)
            if low:
                self.lowest[name] = low

    def add(self, name: str, word: Bits, *, owns: bool = False) -> None:
        """Give a word a name, which ``owns`` its bits if they belong to it rather than to the wires
        that have them already."""
        self.words[name] = word
        for place, bit in enumerate(word):
            if bit not in (ZERO, ONE):
                places = self._places[bit]
                places.insert(0 if owns else len(places), (name, place))

    def home(self, bit: Bit) -> Place | None:
        """The wire and place that a bit belongs to; None if it has no name."""
        return self._places[bit][0] if bit in self._places else None

    def is_register(self, name: str) -> bool:
        """Whether a wire is a register, and not another name for one."""
        first = self.words[name][0]
        return self.home(first) == (name, 0) and (
            first in self._drivers and self._drivers[first][0].is_register
        )

    def is_given(self, name: str) -> bool:
        """Whether a wire is a register or an input."""
        first = self.words[name][0]
        outside = first not in (ZERO, ONE) and first not in self._drivers
        return self.is_register(name) or (outside and self.home(first) == (name, 0))

    def pieces(self, word: Bits) -> Iterator[Piece]:
        """A word that is read, in as few pieces as possible, the lowest first."""
        return self._cut(word, self._longest)

    def definition(self, name: str) -> Iterator[Piece]:
        """The pieces that drive a wire."""

        def longest(word: Bits, place: int) -> Piece:
            home = self._places[word[place]][0]
            if home[0] != name:
                return Piece(*home, self._run(word, place, home))
            if word[place] not in self._drivers:  # Nothing reads it, and what made it is gone.
                return Piece(None, 0, 1)
            own = place
            while own < len(word) and self.home(word[own]) == (name, own):
                own += 1
            return self._made(word[:own], place)

        return self._cut(self.words[name], longest)

    def _cut(self, word: Bits, longest: Callable[[Bits, int], Piece]) -> Iterator[Piece]:
        place = 0
        while place < len(word):
            if word[place] in (ZERO, ONE):
                piece = _constants(word, place)
            else:
                piece = longest(word, place)
                times = _repetitions(word, place)
                if times > piece.width:
                    piece = Piece(piece.source, piece.low, 1, times)
            yield piece
            place += piece.width * piece.times

    def _longest(self, word: Bits, place: int) -> Piece:
        places = self._places.get(word[place])
        if not places:
            end = place + 1
            while end < len(word) and word[end] not in self._places:
                end += 1
            return self._made(word[:end], place)
        longest = max(places, key=lambda start: self._run(word, place, start))
        return Piece(*longest, self._run(word, place, longest))

    def _run(self, word: Bits, place: int, start: Place) -> int:
        """Number of bits that follow those of a wire in order."""
        name, low = start
        return _common(word, place, self.words[name], low)

    def _made(self, word: Bits, place: int) -> Piece:
        """The bits that one cell drives."""
        cell, low = self._drivers[word[place]]
        return Piece(cell, low, _common(word, place, cell.output, low))


def _without_unread(word: Bits, netlist: Netlist) -> tuple[int, Bits]:
    """The part of a word that something depends on, and the place of its first bit. Constants
    below it are read as what they are, never by the name of the word."""
    read = [place for place, bit in enumerate(word) if bit in netlist.live]
    if not read:
        return 0, ()
    first = next((place for place in read if word[place] not in (ZERO, ONE)), read[0])
    return first, word[first : read[-1] + 1]


def _common(one: Bits, start: int, other: Bits, low: int) -> int:
    """How many bits of one word, from ``start`` on, are those of another from ``low`` on."""
    most = min(len(one) - start, len(other) - low)
    count = 0
    while count < most and one[start + count] == other[low + count]:
        count += 1
    return count


def _constants(word: Bits, place: int) -> Piece:
    value, width = 0, 0
    while place + width < len(word) and word[place + width] in (ZERO, ONE):
        value |= word[place + width] << width
        width += 1
    return Piece(None, value, width)


def _repetitions(word: Bits, place: int) -> int:
    count = 1
    while place + count < len(word) and word[place + count] == word[place]:
        count += 1
    return count


def name_order(netlist: Netlist, noted: Container[str] = ()) -> list[str]:
    """All wires, in the order in which they own bits: inputs; registers; wires driven by one cell,
    those with a note first; other wires; outputs."""

    def key(name: str) -> tuple[object, ...]:
        word = netlist.wires[name]
        cell, _ = netlist.drivers.get(word[0], (None, 0))
        if name in netlist.inputs or cell is None:
            return name not in netlist.inputs, True, True, True, True, natural(name)
        whole = cell.output == word
        registered = whole and cell.is_register
        last = name in netlist.outputs
        return True, last, not registered, not whole, name not in noted, natural(name)

    return sorted(netlist.wires, key=key)
