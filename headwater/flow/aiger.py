# SPDX-License-Identifier: Apache-2.0
"""A design in AIGER of which some inputs switch something on, and the same with one switched on.

The binary form keeps an AND as two differences of its three literals, so a switch that becomes a
constant changes the bytes of the ANDs that read it, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_TEXT, _AND = range(2)


@dataclass(frozen=True)
class _Place:
    """A piece of the file that reads switches: an AND, or a line of literals."""

    kind: int
    at: int
    """Its place among the pieces."""
    left: int
    """The literal that an AND makes."""
    literals: tuple[int, ...]


class Switched:
    """A design with switches.

    Parameters
    ----------
    file
        The design, as `headwater.flow.write_aiger` writes it.
    names
        The names of its inputs, a line each.
    prefix
        The names of switches begin with it; each is one bit.
    """

    def __init__(self, file: Path, names: Path, prefix: str) -> None:
        data = file.read_bytes()
        header, rest = data.split(b"\n", 1)
        numbers = [int(word) for word in header.split()[1:]]
        _, inputs, latches, outputs, self.ands, *others = numbers
        named = names.read_text().splitlines()
        switches = {
            2 * number: name
            for number, name in enumerate(named, start=1)
            if name.startswith(prefix)
        }
        self._switches = {name: literal for literal, name in switches.items()}
        self._pieces: list[bytes] = [header + b"\n"]
        self._reading: dict[int, list[_Place]] = {literal: [] for literal in switches}
        lines = latches + outputs + sum(others)
        *texts, gates = rest.split(b"\n", lines) if lines else [rest]
        for text in texts:
            self._add(_TEXT, 0, [int(word) for word in text.split()], text + b"\n")
        end = self._add_gates(gates, 2 * (inputs + latches + 1))
        self._pieces.append(gates[end:])
        self._off = {
            place.at: self._piece(place, 0) for places in self._reading.values() for place in places
        }
        for at, piece in self._off.items():
            self._pieces[at] = piece

    def reads(self, switch: str) -> bool:
        """Whether the design depends on a switch."""
        return bool(self._reading[self._switches[switch]])

    def write(self, file: Path, switch: str | None) -> None:
        """Write the design with one switch on, or none, and all others off."""
        pieces = self._pieces
        if switch is not None:
            on, pieces = self._switches[switch], pieces.copy()
            for place in self._reading[on]:
                pieces[place.at] = self._piece(place, on)
        file.write_bytes(b"".join(pieces))

    def _add(self, kind: int, left: int, literals: Sequence[int], piece: bytes) -> None:
        read = {literal & ~1 for literal in literals} & self._reading.keys()
        if read:
            place = _Place(kind, len(self._pieces), left, tuple(literals))
            for literal in read:
                self._reading[literal].append(place)
        self._pieces.append(piece)

    def _add_gates(self, data: bytes, first: int) -> int:
        """Add the ANDs; gives where they end."""
        at = 0
        for left in range(first, first + 2 * self.ands, 2):
            begin = at
            difference, at = _number(data, at)
            larger = left - difference
            difference, at = _number(data, at)
            self._add(_AND, left, (larger, larger - difference), data[begin:at])
        return at

    def _piece(self, place: _Place, on: int) -> bytes:
        """The bytes of a piece if one switch is on."""
        known = [self._known(literal, on) for literal in place.literals]
        if place.kind == _TEXT:
            return (" ".join(map(str, known)) + "\n").encode()
        larger, smaller = max(known), min(known)
        return _bytes(place.left - larger) + _bytes(larger - smaller)

    def _known(self, literal: int, on: int) -> int:
        """A literal, or the constant that it is."""
        if literal & ~1 not in self._reading:
            return literal
        return (literal & 1) ^ (literal & ~1 == on)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """The number at a place, and the place after it: seven bits in a byte, the lowest first."""
    value = shift = 0
    while data[at] & 0x80:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
    return value | data[at] << shift, at + 1


def _bytes(number: int) -> bytes:
    encoded: list[int] = []
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*encoded, number))
