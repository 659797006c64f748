# SPDX-License-Identifier: Apache-2.0
"""Gates and flip-flops of one clock, simulated with many runs side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from headwater.errors import InputError

_FORMS = {
    "$_AND_": "{A} & {B}",
    "$_OR_": "{A} | {B}",
    "$_XOR_": "{A} ^ {B}",
    "$_NOT_": "{A} ^ M",
    "$_MUX_": "{A} ^ (({A} ^ {B}) & {S})",
    "$_NAND_": "({A} & {B}) ^ M",
    "$_NOR_": "({A} | {B}) ^ M",
    "$_XNOR_": "{A} ^ {B} ^ M",
    "$_ANDNOT_": "{A} & ({B} ^ M)",
    "$_ORNOT_": "{A} | ({B} ^ M)",
    "$_BUF_": "{A}",
}
"""Gates as Python on integers that have a bit for each run; M has all of them."""
_CHUNK = 4000
"""Lines of one function: Python compiles longer ones slowly."""

Bit = int | str
"""A net, or a constant as Yosys writes it."""


class Netlist:
    """A module of single gates and of flip-flops of one clock.

    Parameters
    ----------
    module
        As Yosys writes it as JSON.

    Raises
    ------
    InputError
        If its flip-flops have not one clock that is an input, and one edge of it.
    """

    def __init__(self, module: Mapping[str, Any]) -> None:
        self.module = module
        self.ports = {
            name: (port["direction"], len(port["bits"])) for name, port in module["ports"].items()
        }
        """Direction and width of every port."""
        cells = module["cells"].values()
        flops = [cell for cell in cells if cell["type"] in ("$_DFF_P_", "$_DFF_N_")]
        self.clock = self._clock(flops)
        """The port that clocks all flip-flops."""
        pairs = [(cell["connections"]["Q"][0], cell["connections"]["D"][0]) for cell in flops]
        self.q: list[int] = [q for q, _ in pairs]
        """The net of each flip-flop."""
        self.d: list[Bit] = [d for _, d in pairs]
        """What each becomes."""
        self._gates = {
            cell["connections"]["Y"][0]: cell for cell in cells if cell["type"] in _FORMS
        }
        strange = {cell["type"] for cell in cells} - {*_FORMS, "$_DFF_P_", "$_DFF_N_", "$scopeinfo"}
        if strange:
            raise InputError(f"core must be made of gates and flip-flops, not {min(strange)}")

    def _clock(self, flops: Sequence[Mapping[str, Any]]) -> str:
        if not flops:
            raise InputError("core must have flip-flops, but has none")
        clocks = {cell["connections"]["C"][0] for cell in flops}
        if len(clocks) > 1:
            names = ", ".join(sorted(self._names.get(bit, "an inner net") for bit in clocks))
            raise InputError(f"core must have one clock, not {len(clocks)}: {names}")
        if len({cell["type"] for cell in flops}) > 1:
            raise InputError("core must use one edge of its clock, not both")
        (clock,) = clocks
        for name, port in self.module["ports"].items():
            if port["direction"] == "input" and port["bits"] == [clock]:
                return name
        raise InputError("clock of the core must be an input of one bit, not an inner net")

    @cached_property
    def _names(self) -> dict[Bit, str]:
        """A name of each net, that of the source where it has one."""
        names: dict[Bit, tuple[int, str]] = {}
        for name, net in self.module["netnames"].items():
            width, low = len(net["bits"]), net.get("offset", 0)
            for place, bit in enumerate(net["bits"]):
                number = low + (width - 1 - place if net.get("upto") else place)
                shown = f"{name}[{number}]" if width > 1 else name
                rank = (net.get("hide_name", 0), len(shown))
                if bit not in names or rank < (names[bit][0] // 1000, names[bit][0] % 1000):
                    names[bit] = (rank[0] * 1000 + min(rank[1], 999), shown)
        return {bit: shown for bit, (_, shown) in names.items()}

    def name(self, flop: int) -> str:
        """The name of a flip-flop: of its net or, where a reset that comes at any time has made a
        gate behind it, of that gate's."""
        net = self.q[flop]
        shown = self._names.get(net, "$")
        if shown.startswith("$"):
            behind = (self._names.get(gate, "$") for gate in self._gates if net in self.pins(gate))
            shown = next((one for one in behind if not one.startswith("$")), f"flip-flop {flop}")
        return shown

    def pins(self, gate: int) -> list[Bit]:
        """The nets that the gate that drives a net reads."""
        return [nets[0] for pin, nets in self._gates[gate]["connections"].items() if pin != "Y"]

    @property
    def initial(self) -> list[int | None]:
        """What each flip-flop begins with, by the sources; None if they do not say."""
        values: dict[Bit, int] = {}
        for net in self.module["netnames"].values():
            init = net.get("attributes", {}).get("init")
            if init is not None:
                for bit, digit in zip(net["bits"], reversed(str(init)), strict=False):
                    if digit in "01":
                        values[bit] = int(digit)
        return [values.get(q) for q in self.q]

    def bits(self, port: str) -> list[Bit]:
        """The nets of a port, bit 0 first."""
        bits: list[Bit] = self.module["ports"][port]["bits"]
        return bits

    @cached_property
    def inputs(self) -> list[str]:
        """The inputs, without the clock."""
        return [
            name for name, (way, _) in self.ports.items() if way == "input" and name != self.clock
        ]

    @cached_property
    def outputs(self) -> list[str]:
        """The outputs."""
        return [name for name, (way, _) in self.ports.items() if way == "output"]

    @cached_property
    def input_bits(self) -> list[tuple[str, int]]:
        """Port and number of each input bit, in the order in which `cycle` takes them."""
        return [(name, bit) for name in self.inputs for bit in range(self.ports[name][1])]

    @cached_property
    def output_bits(self) -> list[tuple[str, int]]:
        """Port and number of each output bit, in the order in which `cycle` gives them."""
        return [(name, bit) for name in self.outputs for bit in range(self.ports[name][1])]

    @cached_property
    def ordered(self) -> list[int]:
        """The gates, each behind those that it reads; an error if they have a loop."""
        order: list[int] = []
        state: dict[int, int] = {}
        for root in self._gates:
            stack = [root]
            while stack:
                bit = stack[-1]
                if state.get(bit) == 2:
                    stack.pop()
                    continue
                before = [one for one in self.read_by(bit) if state.get(one) != 2]
                if not before or state.get(bit) == 1:
                    if before:
                        where = self._names.get(bit, "an inner net")
                        raise InputError(f"core must have no loop of gates, as at {where}")
                    state[bit] = 2
                    order.append(bit)
                    stack.pop()
                    continue
                state[bit] = 1
                stack += before
        return order

    def read_by(self, gate: int) -> Iterator[int]:
        """The gates that a gate reads."""
        for pin, (bit,) in self._gates[gate]["connections"].items():
            if pin != "Y" and bit in self._gates:
                yield bit

    def gate(self, bit: int) -> tuple[str, dict[str, Bit]]:
        """Kind and inputs of the gate that drives a net."""
        cell = self._gates[bit]
        pins = {pin: nets[0] for pin, nets in cell["connections"].items() if pin != "Y"}
        return cell["type"], pins

    @cached_property
    def gate_count(self) -> int:
        """Number of gates."""
        return len(self._gates)

    @cached_property
    def cycle(self) -> Callable[[Sequence[int], Sequence[int], int], tuple[list[int], list[int]]]:
        """``cycle(state, inputs, mask)`` gives what the flip-flops become, and the outputs. Bit n
        of each integer is that of run n; the mask has a one for each run."""
        lines = [f"w[{bit}] = {self._expression(bit)}" for bit in self.ordered]
        space: dict[str, Any] = {}
        parts = [lines[at : at + _CHUNK] for at in range(0, len(lines), _CHUNK)]
        for number, part in enumerate(parts):
            exec("\n ".join([f"def part{number}(w, M):", *part, "return"]), space)
        functions = [space[f"part{number}"] for number in range(len(parts))]
        ins = [self.bits(name)[bit] for name, bit in self.input_bits]
        outs = [self.bits(name)[bit] for name, bit in self.output_bits]
        size = max([0, *(bit for bit in (*ins, *self.q, *self._gates) if isinstance(bit, int))]) + 1
        q, d = self.q, self.d

        def cycle(
            state: Sequence[int], inputs: Sequence[int], mask: int
        ) -> tuple[list[int], list[int]]:
            w = [0] * size
            for bit, value in zip(q, state, strict=True):
                w[bit] = value
            for net, value in zip(ins, inputs, strict=True):
                if isinstance(net, int):
                    w[net] = value
            for function in functions:
                function(w, mask)

            def read(bit: Bit) -> int:
                return w[bit] if isinstance(bit, int) else mask if bit == "1" else 0

            return [read(bit) for bit in d], [read(bit) for bit in outs]

        return cycle

    def _expression(self, bit: int) -> str:
        kind, pins = self.gate(bit)
        return _FORMS[kind].format(**{pin: _in_python(net) for pin, net in pins.items()})


def _in_python(bit: Bit) -> str:
    """A net in Python; unknown constants are zero."""
    return f"w[{bit}]" if isinstance(bit, int) else "M" if bit == "1" else "0"


def depends_on(netlist: Netlist, bits: Sequence[Bit]) -> tuple[set[int], set[str]]:
    """The flip-flops and the inputs that some nets depend on within a cycle."""
    flops = {bit: flop for flop, bit in enumerate(netlist.q)}
    ports = {netlist.bits(port)[bit]: port for port, bit in netlist.input_bits}
    seen: set[Bit] = set()
    stack, cone, entering = [*bits], set(), set()
    while stack:
        bit = stack.pop()
        if bit in seen or isinstance(bit, str):
            continue
        seen.add(bit)
        if bit in flops:
            cone.add(flops[bit])
        elif bit in ports:
            entering.add(ports[bit])
        else:
            stack += netlist.gate(bit)[1].values()
    return cone, entering
