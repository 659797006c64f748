# SPDX-License-Identifier: Apache-2.0
"""Standard-cell libraries: what the flow needs to know of a liberty file before it uses it.

Cells are recognised by what they compute, as Yosys reads it from the file, never by their name.
Only what no function tells apart (a delay cell is a buffer) goes by foundries' habits of naming.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

from headwater.errors import InputError, ToolError
from headwater.flow.process import private_folder
from headwater.flow.yosys import run_yosys

# Delay, hold, clock-tree, low-power and probe cells, all of which would pass for plain gates.
_SPECIAL = ("*dly*", "*delay*", "*hold*", "hb[0-9]*", "*clk*", "*lpflow*", "*probe*", "*macro*")
_FANOUT = 4
_FARAD_PREFIX_FF = {"ff": 1.0, "pf": 1000.0}
_NAND, _BUFFER, _INVERTER = (1, 1, 1, 0), (0, 1), (1, 0)
_GATES: dict[str, Callable[..., int]] = {
    "$_BUF_": lambda a: a,
    "$_NOT_": lambda a: 1 - a,
    "$_AND_": lambda a, b: a & b,
    "$_ANDNOT_": lambda a, b: a & (1 - b),
    "$_OR_": lambda a, b: a | b,
    "$_XOR_": lambda a, b: a ^ b,
}


@dataclass(frozen=True)
class Library:
    """A standard-cell library at one corner.

    Members
    -------
    name
        How figures call it.
    path
        The liberty file, plain or gzip'd.
    sha256
        Hash of the plain text.
    nand_cell, nand_area_um2
        The smallest 2-input NAND, whose area is one gate equivalent (GE).
    flip_flop_cell
        The smallest positive-edge D flip-flop without set or reset; if there is none, the
        smallest flip-flop there is.
    driving_cell
        The buffer of middle strength (an inverter if there is no buffer), which drives inputs.
    output_load_ff
        Load on every output, in femtofarads: four inputs of the smallest inverter.
    dont_use
        Cells that mapping must not pick: flip-flops with an enable or a scan input, three-state
        drivers, delay, clock-tree and low-power cells.
    sequential
        Every flip-flop and latch.
    """

    name: str
    path: Path
    sha256: str
    nand_cell: str
    nand_area_um2: float
    flip_flop_cell: str
    driving_cell: str
    output_load_ff: float
    dont_use: tuple[str, ...] = field(repr=False)
    sequential: frozenset[str] = field(repr=False)

    def unpack(self, folder: Path) -> str:
        """Put the plain text into ``folder`` for the tools; gives the file's name there.

        Not every tool reads gzip, and none of them minds this name as it might the user's path.
        """
        text = _read(self.path)
        if hashlib.sha256(text).hexdigest() != self.sha256:
            raise InputError(f"library must not change while it is in use, but {self.path} did")
        (folder / "library.lib").write_bytes(text)
        return "library.lib"


@lru_cache
def load_library(path: Path, name: str | None = None) -> Library:
    """Read a liberty file (.lib or .lib.gz) and find out what the flow needs of it.

    Parameters
    ----------
    path
        The file.
    name
        How figures call the library; the file's name unless given.

    Raises
    ------
    InputError
        If the file cannot be read, is not liberty, or lacks a cell that no flow can do without.
    """
    text = _read(path)
    cells = [_Cell(name, module) for name, module in _modules(text, path).items()]
    usable = [cell for cell in cells if not cell.special]
    nand = _smallest(usable, _NAND, "a 2-input NAND", path)
    inverter = _smallest(usable, _INVERTER, "an inverter", path)
    unit_ff = _capacitance_unit_ff(text, path)
    return Library(
        name=name or path.name.removesuffix(".gz").removesuffix(".lib"),
        path=path,
        sha256=hashlib.sha256(text).hexdigest(),
        nand_cell=nand.name,
        nand_area_um2=nand.area_um2,
        flip_flop_cell=_flip_flop(usable, path),
        driving_cell=_driver(usable),
        output_load_ff=round(_FANOUT * inverter.input_capacitance() * unit_ff, 6),
        dont_use=tuple(sorted(cell.name for cell in cells if cell.special)),
        sequential=frozenset(cell.name for cell in cells if cell.states),
    )


class _Cell:
    """One cell, as the module that Yosys makes of it: primitive gates between the pins."""

    def __init__(self, name: str, module: Mapping[str, Any]) -> None:
        self.name = name
        self.area_um2 = float(module["attributes"].get("area", 0))
        self._nets = module["netnames"]
        self._gates = list(module["cells"].values())
        pins = {pin: port["direction"] for pin, port in module["ports"].items()}
        self.inputs = [pin for pin, direction in pins.items() if direction == "input"]
        self.outputs = [pin for pin, direction in pins.items() if direction == "output"]
        self.kinds = {gate["type"] for gate in self._gates}
        self.states = {kind for kind in self.kinds if "DFF" in kind or "LATCH" in kind}

    @property
    def special(self) -> bool:
        """Whether mapping must leave it alone."""
        named = any(fnmatchcase(self.name.lower(), pattern) for pattern in _SPECIAL)
        three_state = bool(self.kinds - self.states - set(_GATES))
        return named or three_state or not self._data_from_pins()

    def _data_from_pins(self) -> bool:
        """Whether every bit it keeps comes from a pin as it is: no enable, no scan multiplexer."""
        known = {self._bit(pin) for pin in self.inputs}
        inverters = [gate["connections"] for gate in self._gates if gate["type"] == "$_NOT_"]
        known |= {wire["Y"][0] for wire in inverters if wire["A"][0] in known}
        memories = [gate["connections"] for gate in self._gates if gate["type"] in self.states]
        return all(wire[pin][0] in known for wire in memories for pin in "CDE" if pin in wire)

    @property
    def plain_flip_flop(self) -> bool:
        """Whether it takes its one data input at the rising edge of its clock pin, and no more."""
        pins = {self._bit(pin) for pin in self.inputs}
        memories = [gate["connections"] for gate in self._gates if gate["type"] in self.states]
        rising = self.states == {"$_DFF_P_"} and all(wire["C"][0] in pins for wire in memories)
        return rising and len(pins) == 2

    def input_capacitance(self) -> float:
        """Of its first input, in the library's unit."""
        return float(self._nets[self.inputs[0]]["attributes"].get("capacitance", 0))

    def truth_table(self) -> tuple[int, ...] | None:
        """The output for every input in counting order; None for cells that are not so simple."""
        if self.kinds - set(_GATES) or len(self.outputs) != 1 or not 1 <= len(self.inputs) <= 2:
            return None
        return tuple(self._output(values) for values in product((0, 1), repeat=len(self.inputs)))

    def _output(self, inputs: tuple[int, ...]) -> int:
        value: dict[Any, int] = {"0": 0, "1": 1}
        value |= {self._bit(pin): bit for pin, bit in zip(self.inputs, inputs, strict=True)}
        waiting = list(self._gates)
        while waiting:
            gate = waiting.pop(0)
            *sources, target = (bits[0] for _, bits in sorted(gate["connections"].items()))
            if all(source in value for source in sources):
                value[target] = _GATES[gate["type"]](*(value[source] for source in sources))
            else:
                waiting.append(gate)
        return value.get(self._bit(self.outputs[0]), 0)

    def _bit(self, pin: str) -> Any:
        return self._nets[pin]["bits"][0]


def _read(path: Path) -> bytes:
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or "the gzip data is damaged"
        raise InputError(
            f"library must be a readable liberty file, not {path}: {reason}"
        ) from error


def _modules(text: bytes, path: Path) -> dict[str, Any]:
    ignore = "-ignore_miss_func -ignore_miss_dir -ignore_miss_data_latch -ignore_buses"
    with private_folder() as folder:
        (folder / "library.lib").write_bytes(text)
        try:
            run_yosys([f"read_liberty {ignore} library.lib", "write_json cells.json"], folder)
        except ToolError as error:
            reason = re.search(r"^ERROR: (.*)$", str(error), re.MULTILINE)
            if reason is None:
                raise
            raise InputError(
                f"library must be a liberty file, not {path}: Yosys says {reason[1]!r}"
            ) from error
        modules: dict[str, Any] = json.loads((folder / "cells.json").read_text())["modules"]
    return modules


def _smallest(cells: list[_Cell], table: tuple[int, ...], what: str, path: Path) -> _Cell:
    found = [cell for cell in cells if cell.truth_table() == table and cell.area_um2 > 0]
    if not found:
        raise InputError(f"library must have {what} with an area, and {path} has none")
    return min(found, key=lambda cell: (cell.area_um2, cell.name))


def _flip_flop(cells: list[_Cell], path: Path) -> str:
    def preference(cell: _Cell) -> tuple[bool, float, str]:
        return not cell.plain_flip_flop, cell.area_um2, cell.name

    found = [cell for cell in cells if any(kind.startswith("$_DFF") for kind in cell.states)]
    if not found:
        raise InputError(f"library must have a flip-flop, and {path} has none")
    return min(found, key=preference).name


def _driver(cells: list[_Cell]) -> str:
    def of(table: tuple[int, ...]) -> list[tuple[float, str]]:
        return sorted((cell.area_um2, cell.name) for cell in cells if cell.truth_table() == table)

    candidates = of(_BUFFER) or of(_INVERTER)
    return candidates[(len(candidates) - 1) // 2][1]


def _capacitance_unit_ff(text: bytes, path: Path) -> float:
    """The unit of capacitances in femtofarads: the one thing needed that Yosys does not pass on."""
    found = re.search(rb'capacitive_load_unit\s*\(\s*([\d.eE+-]+)\s*,\s*"?(\w+)"?\s*\)', text)
    unit = _FARAD_PREFIX_FF.get(found[2].decode().lower()) if found else None
    if found is None or unit is None:
        raise InputError(f"library must state its capacitive_load_unit in fF or pF, not as {path}")
    return float(found[1]) * unit
