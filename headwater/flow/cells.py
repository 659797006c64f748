# SPDX-License-Identifier: Apache-2.0
"""The function of a library cell, read from Yosys's model: gate, flip-flop or latch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import product
from typing import Any

# Delay, hold, clock-tree, low-power and probe cells. Their functions are those of plain gates, so
# names must tell them.
_SPECIAL = ("*dly*", "*delay*", "*hold*", "hb[0-9]*", "*clk*", "*lpflow*", "*probe*", "*macro*")
_GATES: dict[str, Callable[..., int]] = {
    "$_BUF_": lambda a: a,
    "$_NOT_": lambda a: 1 - a,
    "$_AND_": lambda a, b: a & b,
    "$_ANDNOT_": lambda a, b: a & (1 - b),
    "$_OR_": lambda a, b: a | b,
    "$_XOR_": lambda a, b: a ^ b,
}


@dataclass(frozen=True)
class Gate:
    """A cell with one output: the names of the cell and of its pins."""

    cell: str
    inputs: tuple[str, ...]
    output: str

    def instance(self, name: str, *connections: str) -> str:
        """Verilog of one instance; the connections are the nets of the inputs, then the net of the
        output."""
        pins = zip((*self.inputs, self.output), connections, strict=True)
        wires = ", ".join(f".{pin}({net})" for pin, net in pins)
        return f"  {self.cell} {name} ({wires});\n"


@dataclass(frozen=True)
class Latch:
    """A level-sensitive cell that is open while the pin ``enable`` has the value ``open_at``."""

    cell: str
    data: str
    enable: str
    output: str
    open_at: int


class Cell:
    """One cell as Yosys models it: a module of primitive gates between the pins."""

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
        """Whether every flip-flop takes its bit directly from a pin: no enable, no scan
        multiplexer."""
        known = self._from_pins()
        return all(wire[pin][0] in known for wire in self._memories for pin in "CDE" if pin in wire)

    def _from_pins(self) -> dict[Any, tuple[str, int]]:
        """The nets that are an input pin or its inverse: the pin, and its value when they are 1."""
        known: dict[Any, tuple[str, int]] = {}
        for pin in self.inputs:
            known |= {net: (pin, value) for net, value in self._same(self._bit(pin)).items()}
        return known

    def _same(self, net: Any) -> dict[Any, int]:
        """A net, and what follows it through buffers and inverters: its value when they are 1."""
        known = {net: 1}
        for gate in self._gates:
            wire = gate["connections"]
            if gate["type"] in ("$_NOT_", "$_BUF_") and wire["A"][0] in known:
                known[wire["Y"][0]] = known[wire["A"][0]] ^ (gate["type"] == "$_NOT_")
        return known

    @property
    def _memories(self) -> list[dict[str, Any]]:
        return [gate["connections"] for gate in self._gates if gate["type"] in self.states]

    @property
    def plain_flip_flop(self) -> bool:
        """Whether the cell only takes its data input at the rising edge of its clock pin: no set,
        reset or enable."""
        pins = {self._bit(pin) for pin in self.inputs}
        rising = self.states == {"$_DFF_P_"}
        return rising and all(wire["C"][0] in pins for wire in self._memories) and len(pins) == 2

    @property
    def clock_pins(self) -> set[str]:
        """The pins that clock the flip-flops of the cell."""
        known = self._from_pins()
        return {known[wire["C"][0]][0] for wire in self._memories if wire.get("C", [0])[0] in known}

    @property
    def latch(self) -> Latch | None:
        """The cell as a latch; None if it is no latch, or has more than data and enable."""
        if len(self.inputs) != 2 or not self.states <= {"$_DLATCH_P_", "$_DLATCH_N_"}:
            return None
        known = self._from_pins()
        for gate in self._gates:
            wire = gate["connections"]
            if gate["type"] in self.states and {wire["D"][0], wire["E"][0]} <= known.keys():
                (data, straight), (enable, level) = known[wire["D"][0]], known[wire["E"][0]]
                copies = self._same(wire["Q"][0])
                outputs = [pin for pin in self.outputs if copies.get(self._bit(pin)) == straight]
                if outputs:
                    open_at = level if gate["type"] == "$_DLATCH_P_" else 1 - level
                    return Latch(self.name, data, enable, outputs[0], open_at)
        return None

    def input_capacitance(self) -> float:
        """Capacitance of the first input pin, in the unit of the library."""
        return float(self._nets[self.inputs[0]]["attributes"].get("capacitance", 0))

    @property
    def gate(self) -> Gate:
        """The cell as a gate; it must have one output."""
        return Gate(self.name, tuple(self.inputs), self.outputs[0])

    def truth_table(self) -> tuple[int, ...] | None:
        """The output for every input in counting order, for cells of one output and up to two
        inputs without a state; None for others."""
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
