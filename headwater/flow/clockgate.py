# SPDX-License-Identifier: Apache-2.0
"""Clock gates made of a library's cells: a latch with an AND gate, or the library's own.

Each of them is a module `headwater_clock_gate` with the ports `ce`, `clk` and `gclk`, which mapping
instantiates and flattens. The enable is taken while the clock is low, so it may change at any time
before the rising edge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from headwater.flow.cells import Cell, Gate

GATE_MODULE = "headwater_clock_gate"

_ACTIVE = {"P": "", "N": "~"}
RESETS_AS_LOGIC = "".join(
    f"module \\$_SDFFE_P{reset}{value}{enable}_ (input D, C, R, E, output Q);\n"
    f"  wire reset = {_ACTIVE[reset]}R;\n"
    f"  \\$_DFFE_PP_ register (.C(C), .E({_ACTIVE[enable]}E | reset), .D({next_value}), .Q(Q));\n"
    "endmodule\n"
    for reset, enable in product(_ACTIVE, repeat=2)
    for value, next_value in ((0, "D & ~reset"), (1, "D | reset"))
)
"""A reset that comes before the enable, as logic before a register that has an enable alone, whose
clock can be gated."""

_AND, _NAND, _INVERTER = (0, 0, 0, 1), (1, 1, 1, 0), (1, 0)
_ROLES = ("clock", "enable", "test", "out")


@dataclass(frozen=True)
class ClockGate:
    """One way to gate a clock in a library."""

    verilog: str
    """The module `headwater_clock_gate`, of cells of the library."""
    cells: tuple[str, ...]
    """Names of the cells in it."""
    model: str = ""
    """Verilog of a cell whose function Yosys cannot read from the library; empty if there is
    none."""


def latch_gate(cells: Sequence[Cell]) -> ClockGate | None:
    """A clock gate of the smallest latch and the smallest AND gate; None if there is no latch.

    A latch that is open at a high level gets an inverter before its enable; a library without AND
    gate gets a NAND and an inverter.
    """
    latches = [(cell, cell.latch) for cell in cells if cell.latch and not cell.special]
    if not latches:
        return None
    inverter = _smallest(cells, _INVERTER)
    _, latch = min(latches, key=lambda pair: _cost(pair[0], pair[1].open_at, inverter))
    both, nand = _smallest(cells, _AND), _smallest(cells, _NAND)
    body, used, low = "", [latch.cell], "clk"
    if latch.open_at:
        if inverter is None:
            return None
        body += "  wire low;\n" + inverter.gate.instance("low_phase", "clk", "low")
        used.append(inverter.name)
        low = "low"
    body += Gate(latch.cell, (latch.data, latch.enable), latch.output).instance(
        "latch", "ce", low, "open"
    )
    if both:
        body += both.gate.instance("gate", "clk", "open", "gclk")
        used.append(both.name)
    elif nand and inverter:
        body += "  wire closed;\n" + nand.gate.instance("gate", "clk", "open", "closed")
        body += inverter.gate.instance("drive", "closed", "gclk")
        used += [nand.name, inverter.name]
    else:
        return None
    return ClockGate(_module("  wire open;\n" + body), tuple(sorted(set(used))))


def integrated_gate(text: str) -> ClockGate | None:
    """The smallest cell of a liberty text that says it is a clock gate with a latch for rising
    edges; one without a test input if there is one. None if there is no such cell.

    The search is in the text, because Yosys leaves out cells whose function is a table.
    """
    gates = []
    for name, body in _gating_cells(text):
        pins = _pins_by_role(body)
        area = re.search(r'\barea\s*:\s*"?([\d.eE+-]+)"?\s*;', body)
        if area and {"clock", "enable", "out"} <= pins.keys():
            gates.append((len(pins), float(area[1]), name, pins))
    if not gates:
        return None
    _, _, name, pins = min(gates, key=lambda entry: entry[:3])
    nets = {"clock": "clk", "enable": "ce", "test": "1'b0", "out": "gclk"}
    wires = ", ".join(f".{pin}({nets[role]})" for role, pin in sorted(pins.items()))
    return ClockGate(_module(f"  {name} gate ({wires});\n"), (name,), _model(name, pins))


def _smallest(cells: Sequence[Cell], table: tuple[int, ...]) -> Cell | None:
    candidates = [cell for cell in cells if not cell.special and cell.truth_table() == table]
    return min(candidates, key=lambda cell: (cell.area_um2, cell.name), default=None)


def _cost(cell: Cell, open_at: int, inverter: Cell | None) -> tuple[float, str]:
    extra = inverter.area_um2 if inverter and open_at else 0.0
    return cell.area_um2 + extra, cell.name


def _module(body: str) -> str:
    return f"module {GATE_MODULE} (input ce, input clk, output gclk);\n{body}endmodule\n"


def _model(cell: str, pins: dict[str, str]) -> str:
    """Verilog of a cell of liberty's class `latch_posedge`. Its assignments are blocking, so that
    gated flip-flops see their clock before any register changes."""
    clock, enable, out = pins["clock"], pins["enable"], pins["out"]
    test = pins.get("test")
    condition = f"{enable} | {test}" if test else enable
    inputs = ", ".join(f"input {pin}" for role, pin in sorted(pins.items()) if role != "out")
    return (
        f"module {cell} ({inputs}, output {out});\n"
        f"  reg open;\n  always @* if (!{clock}) open = {condition};\n"
        f"  assign {out} = {clock} & open;\nendmodule\n"
    )


def _gating_cells(text: str) -> Iterator[tuple[str, str]]:
    """Name and text of each cell that is an integrated clock gate of the kind that is wanted."""
    kind = re.compile(
        r'clock_gating_integrated_cell\s*:\s*"?latch_posedge(_precontrol|_postcontrol)?"?\s*;'
    )
    for match in re.finditer(r'\bcell\s*\(\s*"?(\w+)"?\s*\)\s*\{', text):
        # The attribute is near the beginning of a cell in every known library; elsewhere it is not
        # found, and the cell is not used.
        if "clock_gating_integrated_cell" in text[match.end() : match.end() + 8000]:
            body = _group(text, match.end())
            if kind.search(body):
                yield match[1], body


def _group(text: str, begin: int) -> str:
    """The text from ``begin`` up to the brace that closes the group."""
    depth = 1
    for match in re.compile(r"[{}]").finditer(text, begin):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return text[begin : match.start()]
    return text[begin:]


def _pins_by_role(body: str) -> dict[str, str]:
    """The pins of a clock gate by their role: clock, enable, test, out."""
    roles = {}
    for match in re.finditer(r'\bpin\s*\(\s*"?(\w+)"?\s*\)\s*\{', body):
        pin = _group(body, match.end())
        for role in _ROLES:
            if re.search(rf'clock_gate_{role}_pin\s*:\s*"?true"?', pin):
                roles[role] = match[1]
    return roles
