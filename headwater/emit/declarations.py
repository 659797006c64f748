# SPDX-License-Identifier: Apache-2.0
"""Ports, signals and constants as Verilog declares them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from headwater.core.heading import LINE_LENGTH
from headwater.emit.layout import Token, laid_out
from headwater.emit.netlist import Netlist

NOTE_COLUMN = 44

_ROW_BITS = 128
"""Bits in a row of a table whose entries have no meanings of their own."""


def port_lines(
    netlist: Netlist, ports: Sequence[str], registers: Sequence[str], notes: Mapping[str, str]
) -> list[str]:
    """The ports in the module's header, in the order given."""
    lines = []
    for port in ports:
        direction = "input" if port in netlist.inputs else "output"
        kind = "reg" if port in registers else "wire"
        width = len(netlist.wires[port])
        wide = f"[{width - 1}:0]" if width > 1 else ""
        comma = "" if port == ports[-1] else ","
        lines += noted([f"  {direction:6} {kind:4} {wide:>8} {port}{comma}"], notes.get(port))
    return lines


def declared(
    kind: str, signals: Iterable[tuple[str, int, int]], notes: Mapping[str, str], indent: str = "  "
) -> list[str]:
    """Declarations of signals, given as name, width and number of the lowest bit. Adjacent signals
    of the same width without notes share a statement."""
    lines = []

    def alike(signal: tuple[str, int, int]) -> tuple[object, ...]:
        name, *size = signal
        return (*size, notes.get(name) and name)

    for _, run in groupby(signals, alike):
        names = list(run)
        _, width, low = names[0]
        tokens = [Token(f"{kind} {vector(width, low)}".rstrip(), 0)]
        tokens += [
            Token(f"{name}{',' if place < len(names) - 1 else ';'}", 0, breaks=place > 0)
            for place, (name, *_) in enumerate(names)
        ]
        lines += noted(laid_out(tokens, indent), notes.get(names[0][0]))
    return lines


def vector(width: int, low: int = 0) -> str:
    """The range of a signal of ``width`` bits; empty for one bit."""
    return f"[{low + width - 1}:{low}] " if width > 1 or low else ""


def parameter(name: str, width: int, value: int, note: str | None) -> list[str]:
    """The declaration of a constant."""
    return noted([f"  localparam {vector(width)}{name} = {_number(value, width)};"], note)


def table(
    name: str,
    width: int,
    value: int,
    entry_bits: int,
    meanings: Mapping[int, str],
    note: str | None,
) -> list[str]:
    """The declaration of a table, one row per entry, the highest first; ``meanings`` are comments
    for entries, by number.

    Adjacent equal entries share a row. A table of many narrow entries without meanings has rows of
    several.
    """
    row_bits = entry_bits if meanings else min(max(entry_bits, _ROW_BITS), width)
    rows = [value >> low & ((1 << row_bits) - 1) for low in range(0, width, row_bits)]
    numbered = [(row, number if number in meanings else None) for number, row in enumerate(rows)]
    lines = noted([f"  localparam [{width - 1}:0] {name} = {{"], note)
    runs = [(*row, len(list(run))) for row, run in groupby(reversed(numbered))]
    for place, (row, number, count) in enumerate(runs):
        text = _number(row, row_bits)
        text = f"{{{count}{{{text}}}}}" if count > 1 else text
        comma = "," if place < len(runs) - 1 else ""
        lines += noted([f"    {text}{comma}"], None if number is None else meanings[number])
    return [*lines, "  };"]


def _number(value: int, width: int) -> str:
    return f"{width}'h{value:0{-(-width // 4)}x}"


def noted(lines: Sequence[str], note: str | None) -> list[str]:
    """A statement with a comment: after it where there is room, else above."""
    if not note:
        return list(lines)
    behind = f"{lines[0]:{NOTE_COLUMN}}  // {note}"
    if len(lines) == 1 and len(behind) <= LINE_LENGTH:
        return [behind]
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    return [f"{indent}// {note}", *lines]
