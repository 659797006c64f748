# SPDX-License-Identifier: Apache-2.0
"""A circuit as Yosys writes it in JSON: named wires, and cells that join bits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from headwater.core.naming import KEEP, VALUE
from headwater.flow.process import written_json

Bit = int
"""The number of a one-bit net; `ZERO` and `ONE` are the constants."""

Bits = tuple[Bit, ...]
"""A word, bit 0 first."""

ZERO, ONE = 0, 1
_CONSTANTS = {"0": ZERO, "1": ONE, "x": ZERO}

BITWISE = frozenset({"$and", "$or", "$xor", "$not", "$mux"})
"""Cells of which bit i of the output depends on bit i of their words only."""

_FROM_BELOW = frozenset({"$add", "$sub"})
"""Cells of which bit i of the output depends on bits up to i only."""


@dataclass(frozen=True, eq=False)
class Cell:
    """One operator."""

    kind: str
    """Yosys's name, such as "$and"; or the module of which the cell is an instance."""
    inputs: Mapping[str, Bits]
    output: Bits
    """Every cell has one output word."""

    @property
    def is_register(self) -> bool:
        """Whether it holds its output from one clock to the next."""
        return self.kind == "$dff"

    @property
    def can_be_cut(self) -> bool:
        """Whether a slice of its output depends only on the same slice of its inputs."""
        return self.kind in BITWISE

    @property
    def can_be_narrowed(self) -> bool:
        """Whether the lower bits of its output depend only on the lower bits of its inputs."""
        return self.kind in BITWISE | _FROM_BELOW

    def read_for(self, place: int) -> Iterable[Bit]:
        """The bits that one bit of the output depends on."""
        for port, word in self.inputs.items():
            if port in ("S", "CLK"):
                yield from word
            elif self.can_be_cut or self.is_register:
                yield from word[place : place + 1]
            elif self.kind in _FROM_BELOW:
                yield from word[: place + 1]
            else:
                yield from word


@dataclass(frozen=True, eq=False)
class Netlist:
    """One module."""

    name: str
    inputs: Mapping[str, Bits]
    outputs: Mapping[str, Bits]
    wires: Mapping[str, Bits]
    """All named wires, ports included; a bit may have several names."""
    cells: tuple[Cell, ...]
    values: Mapping[str, Mapping[int, str]]
    """For each wire, names of its values."""
    kept: frozenset[str]
    """Wires that synthesis keeps."""

    @cached_property
    def drivers(self) -> dict[Bit, tuple[Cell, int]]:
        """For each bit that a cell drives, the cell and the number of its output bit."""
        return {bit: (cell, place) for cell in self.cells for place, bit in enumerate(cell.output)}

    @cached_property
    def live(self) -> frozenset[Bit]:
        """The bits that some output depends on, directly or through registers."""
        found: set[Bit] = set()
        waiting = [bit for word in self.outputs.values() for bit in word]
        while waiting:
            self._spread(found, waiting)
            # If two bits of a wire are read, the bits between them are driven as well.
            waiting = [bit for word in self.wires.values() for bit in _gaps(word, found)]
        return frozenset(found)

    def _spread(self, found: set[Bit], waiting: list[Bit]) -> None:
        """Find all that the waiting bits depend on."""
        while waiting:
            bit = waiting.pop()
            if bit not in found:
                found.add(bit)
                if bit in self.drivers:
                    cell, place = self.drivers[bit]
                    waiting.extend(cell.read_for(place))


def _gaps(word: Bits, found: set[Bit]) -> list[Bit]:
    places = [place for place, bit in enumerate(word) if bit in found]
    if not places:
        return []
    return [bit for bit in word[places[0] : places[-1]] if bit not in found]


def read_netlists(path: Path) -> dict[str, Netlist]:
    """All modules of a design, by name, from the output of ``write_json``."""
    modules = written_json(path)["modules"]
    return {name: _netlist(name, module) for name, module in modules.items()}


def _netlist(name: str, module: Mapping[str, Any]) -> Netlist:
    ports = {direction: {port: _word(entry["bits"]) for port, entry in module["ports"].items()
                         if entry["direction"] == direction}
             for direction in ("input", "output")}  # fmt: skip
    wires = {wire: _word(entry["bits"]) for wire, entry in module["netnames"].items()
             if not entry["hide_name"]}  # fmt: skip
    values = {wire: _values(module["netnames"][wire]["attributes"]) for wire in wires}
    cells = tuple(map(_cell, module["cells"].values()))
    kept = frozenset(wire for wire in wires if KEEP in module["netnames"][wire]["attributes"])
    return Netlist(name, ports["input"], ports["output"], wires, cells, values, kept)


def _values(attributes: Mapping[str, str]) -> dict[int, str]:
    """Names of values that `headwater.core.naming.equals` recorded."""
    return {int(attribute.removeprefix(VALUE)): name
            for attribute, name in attributes.items() if attribute.startswith(VALUE)}  # fmt: skip


def _cell(entry: Mapping[str, Any]) -> Cell:
    words = {port: _word(bits) for port, bits in entry["connections"].items()}
    (output,) = (port for port, way in entry["port_directions"].items() if way == "output")
    return Cell(entry["type"], words, words.pop(output))


def _word(bits: Iterable[int | str]) -> Bits:
    return tuple(bit if isinstance(bit, int) else _CONSTANTS[bit] for bit in bits)
