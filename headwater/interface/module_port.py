# SPDX-License-Identifier: Apache-2.0
"""Ports of Verilog modules as data: what declares, connects or documents one reads it here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

BIT = 0
"""The width of a single bit, which has no range; a vector may have one bit, too."""


def span(width: int, low: int = 0) -> str:
    """The range of a vector whose lowest bit has the number ``low``; empty for a single bit."""
    return f"[{low + width - 1}:{low}]" if width else ""


def bits_of_core(bits: int) -> int:
    """The width of a port of a core, where words of one bit have no range."""
    return bits if bits > 1 else BIT


class ModulePort(NamedTuple):
    """A port of a module.

    Members
    -------
    direction : str
        "input" or "output".
    name : str
    width : int
        Bits of a vector; or `BIT`.
    low : int
        The number of its lowest bit.
    """

    direction: str
    name: str
    width: int = BIT
    low: int = 0

    @property
    def span(self) -> str:
        """Its range; empty for a single bit."""
        return span(self.width, self.low)

    @property
    def bits(self) -> int:
        """Bits of it."""
        return self.width or 1

    @property
    def wire(self) -> str:
        """The declaration of a wire like it."""
        return " ".join(("wire", *filter(None, (self.span,)), self.name))


def given(name: str, width: int = BIT, low: int = 0) -> ModulePort:
    """An input."""
    return ModulePort("input", name, width, low)


def made(name: str, width: int = BIT, low: int = 0) -> ModulePort:
    """An output."""
    return ModulePort("output", name, width, low)


def names(ports: Iterable[ModulePort]) -> list[str]:
    """The names of ports."""
    return [port.name for port in ports]


def pins_of(ports: Iterable[ModulePort]) -> int:
    """Bits of all ports."""
    return sum(port.bits for port in ports)


def port_lines(ports: Sequence[ModulePort], titles: Mapping[int, str]) -> list[str]:
    """Ports as the head of a module declares them, in columns; ``titles`` are comments, by the
    number of the port that they stand before."""
    lines, wide = [], _widest(ports)
    for number, port in enumerate(ports):
        lines += [f"  // {titles[number]}"] if number in titles else []
        comma = "," if number + 1 < len(ports) else ""
        lines.append(f"  {port.direction:6} wire {port.span:>{wide}} {port.name}{comma}")
    return lines


def wire_lines(wires: Sequence[ModulePort]) -> list[str]:
    """Wires as a module declares them, in columns."""
    wide = _widest(wires)
    return [f"  wire {wire.span:>{wide}} {wire.name};" for wire in wires]


def _widest(ports: Iterable[ModulePort]) -> int:
    return max((len(port.span) for port in ports), default=0)
