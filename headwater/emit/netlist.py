# SPDX-License-Identifier: Apache-2.0
"""A circuit as Yosys writes it in JSON: named wires, and cells that join bits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
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

READS, _WRITES, _BEGINS = "$memrd_v2", "$memwr_v2", "$meminit_v2"
"""Cells that read a memory, write it, and say what it holds first."""

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
    memory: str = ""
    """The memory that it reads, if it reads one."""

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
class Memory:
    """Words that are read at any time, and of which one is written at a clock."""

    name: str
    words: int
    bits: int
    """Bits of a word."""
    enable: Bit
    address: Bits
    word: Bits

    @property
    def written(self) -> tuple[Bits, Bits, Bits]:
        """What decides about its content: enable, address and word."""
        return (self.enable,), self.address, self.word


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
    memories: Mapping[str, Memory] = field(default_factory=dict)
    """The memories, by name."""

    @cached_property
    def drivers(self) -> dict[Bit, tuple[Cell, int]]:
        """For each bit that a cell drives, the cell and the number of its output bit."""
        return {bit: (cell, place) for cell in self.cells for place, bit in enumerate(cell.output)}

    @cached_property
    def live(self) -> frozenset[Bit]:
        """The bits that some output depends on, directly or through registers."""
        live: set[Bit] = set()
        waiting = [bit for word in self.outputs.values() for bit in word]
        while waiting:
            self._spread(live, waiting)
            # If two bits of a wire are read, the bits between them are driven as well.
            waiting = [bit for word in self.wires.values() for bit in _gaps(word, live)]
        return frozenset(live)

    def _spread(self, live: set[Bit], waiting: list[Bit]) -> None:
        """Find all that the waiting bits depend on."""
        while waiting:
            bit = waiting.pop()
            if bit not in live:
                live.add(bit)
                if bit in self.drivers:
                    cell, place = self.drivers[bit]
                    waiting.extend(cell.read_for(place))
                    if cell.memory:
                        waiting.extend(chain(*self.memories[cell.memory].written))


def _gaps(word: Bits, live: set[Bit]) -> list[Bit]:
    places = [place for place, bit in enumerate(word) if bit in live]
    if not places:
        return []
    return [bit for bit in word[places[0] : places[-1]] if bit not in live]


def read_netlists(path: Path) -> dict[str, Netlist]:
    """All modules of a design, by name, from the output of ``write_json``."""
    modules = written_json(path)["modules"]
    return {name: _netlist(name, module) for name, module in modules.items()}


def _netlist(name: str, module: Mapping[str, Any]) -> Netlist:
    ports = {
        direction: {
            port: _word(entry["bits"])
            for port, entry in module["ports"].items()
            if entry["direction"] == direction
        }
        for direction in ("input", "output")
    }
    wires = {
        wire: _word(entry["bits"])
        for wire, entry in module["netnames"].items()
        if not entry["hide_name"]
    }
    values = {wire: _values(module["netnames"][wire]["attributes"]) for wire in wires}
    memories = _memories(module)
    cells = tuple(
        _cell(entry)
        for entry in module["cells"].values()
        if entry["type"] not in (_WRITES, _BEGINS)
    )
    kept = frozenset(wire for wire in wires if KEEP in module["netnames"][wire]["attributes"])
    return Netlist(name, ports["input"], ports["output"], wires, cells, values, kept, memories)


def _values(attributes: Mapping[str, str]) -> dict[int, str]:
    """Names of values that `headwater.core.naming.equals` recorded."""
    return {
        int(attribute.removeprefix(VALUE)): name
        for attribute, name in attributes.items()
        if attribute.startswith(VALUE)
    }


def _memories(module: Mapping[str, Any]) -> dict[str, Memory]:
    """The memories that are written, each in one place; those that nobody reads are left out."""
    cells = list(module["cells"].values())
    read = {_memory_of(entry) for entry in cells if entry["type"] == READS}
    memories = {}
    for entry in cells:
        name = _memory_of(entry)
        if entry["type"] != _WRITES or name not in read:
            continue
        assert name not in memories, f"a memory must be written in one place, not {name!r} in two"
        words = {port: _word(bits) for port, bits in entry["connections"].items()}
        (enable,) = set(words["EN"])
        size = module["memories"][name]
        memories[name] = Memory(
            name, size["size"], size["width"], enable, words["ADDR"], words["DATA"]
        )
    return memories


def _memory_of(entry: Mapping[str, Any]) -> str:
    """The memory that a cell reads or writes."""
    return str(entry["parameters"].get("MEMID", "")).removeprefix("\\")


def _cell(entry: Mapping[str, Any]) -> Cell:
    if entry["type"] == READS:
        connections = entry["connections"]
        address = {"ADDR": _word(connections["ADDR"])}
        return Cell(READS, address, _word(connections["DATA"]), _memory_of(entry))
    words = {port: _word(bits) for port, bits in entry["connections"].items()}
    (output,) = (port for port, way in entry["port_directions"].items() if way == "output")
    return Cell(entry["type"], words, words.pop(output))


def _word(bits: Iterable[int | str]) -> Bits:
    return tuple(bit if isinstance(bit, int) else _CONSTANTS[bit] for bit in bits)
