# SPDX-License-Identifier: Apache-2.0
"""Cells with delays, around models of the same cells without, as Verilog for an event simulator.

Delays are inertial: what is shorter than the delay of a gate does not come through it. The input
that changes the value decides which delay counts. (Path delays of Icarus Verilog 11 are not
inertial after two changes of mind, but delays of its assignments are.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from headwater.flow.liberty import Library
from headwater.flow.sdf import Arc, Delay

Module = Mapping[str, Any]
"""A module as Yosys writes it as JSON."""

DELAYS = "delays"
"""The module that sets the delays."""

_EDGES = ("rise", "fall")
_LEAST = 1
"""The least delay. So no input of a gate changes twice while the gate finds its new value."""


def timed_gates(
    gates: str, module: Module, library: Library, delays: Mapping[Arc, Delay], netlist: str
) -> str:
    """The Verilog of a netlist and of models of its cells, with delays.

    Parameters
    ----------
    gates
        The same without delays.
    module
        The netlist.
    netlist
        Its place in the hierarchy, from a top module. A further top module, `DELAYS`, sets the
        delays.
    """
    kinds = {cell["type"]: cell["port_directions"] for cell in module["cells"].values()}
    for kind in kinds:
        gates = gates.replace(f"module {kind}(", f"module {_settled(kind)}(")
    cells = "".join(_cell(kind, kinds[kind], library) for kind in sorted(kinds))
    return gates + cells + _setting_of_delays(delays, netlist)


def _setting_of_delays(delays: Mapping[Arc, Delay], netlist: str) -> str:
    lines = [
        f"    {netlist}.{instance}.{_delay(source, target, edge)} = "
        f"{max(_LEAST, getattr(delay, edge))};\n"
        for (instance, source, target), delay in delays.items()
        for edge in _EDGES
    ]
    return f"module {DELAYS};\n  initial begin\n{''.join(lines)}  end\nendmodule\n"


def _cell(kind: str, directions: Mapping[str, str], library: Library) -> str:
    inputs = [pin for pin, direction in directions.items() if direction == "input"]
    outputs = [pin for pin, direction in directions.items() if direction == "output"]
    registers = kind in library.sequential
    clocks = [pin for pin in inputs if (kind, pin) in library.clock_pins]
    pins = ", ".join(f".{pin}({pin})" for pin in inputs)
    values = ", ".join(f".{pin}({pin}_settled)" for pin in outputs)
    lines = [
        f"module {kind} ({', '.join([*inputs, *outputs])});",
        *(f"  input {pin};" for pin in inputs),
        *(f"  output {pin};\n  wire {pin}_settled;" for pin in outputs),
        *(
            f"  integer {_delay(source, target, edge)} = {_LEAST};"
            for source in inputs
            for target in outputs
            for edge in _EDGES
        ),
        f"  {_settled(kind)} model ({', '.join(filter(None, [pins, values]))});",
    ]
    for target in outputs:
        lines += _register(clocks, target) if registers else _gate(inputs, target)
    return "\n".join([*lines, "endmodule\n"])


def _register(clocks: Sequence[str], output: str) -> Iterator[str]:
    rise, fall = (_delay(clocks[0], output, edge) for edge in _EDGES)
    yield f"  assign #({rise}, {fall}) {output} = {output}_settled;"


def _gate(inputs: Sequence[str], output: str) -> Iterator[str]:
    if not inputs:
        yield f"  assign {output} = {output}_settled;"
        return
    yield f"  reg {output}_next;\n  integer {output}_delay = {_LEAST};"
    for pin in inputs:
        rise, fall = (_delay(pin, output, edge) for edge in _EDGES)
        # The model has its new value when all else of this moment is done.
        yield (
            f"  always @({pin}) begin\n"
            f"    #0 if ({output}_next !== {output}_settled) begin\n"
            f"      {output}_delay = {output}_settled ? {rise} : {fall};\n"
            f"      {output}_next = {output}_settled;\n"
            "    end\n  end"
        )
    yield f"  assign #({output}_delay) {output} = {output}_next;"


def _delay(source: str, target: str, edge: str) -> str:
    return f"{source}_{target}_{edge}"


def _settled(kind: str) -> str:
    return f"{kind}_settled"
