# SPDX-License-Identifier: Apache-2.0
"""Verilog of a core whose datapath is a module of its own, beside that of its controller."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from headwater.emit.apart import Halves, divide
from headwater.emit.circuit import Circuit, Wording
from headwater.emit.core_netlist import CoreNetlist
from headwater.emit.declarations import declared, port_lines
from headwater.emit.netlist import Netlist
from headwater.emit.printer import print_module


@dataclass(frozen=True)
class Printed:
    """A module as text: ``ports`` are name, direction and width of each, in order."""

    name: str
    text: str
    ports: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True)
class CoreModules:
    """The modules of a core. ``core`` joins the other two, and has the ports of a core in one
    module."""

    core: str
    controller: Printed
    datapath: Printed


def core_modules(whole: CoreNetlist, driving: Mapping[str, str]) -> CoreModules:
    """The modules of a core. ``driving`` has the signals by which its controller may drive its
    datapath, each by the name of the ports; see `divide`."""
    name = whole.netlist.name
    names = (f"{name}_controller", f"{name}_datapath")
    halves = divide(whole.netlist, whole.wording.state, driving, names)
    controller, datapath = (
        _printed(whole, half, halves.between) for half in (halves.controller, halves.datapath)
    )
    core = "\n".join(_core_lines(whole, halves, (controller, datapath))) + "\n"
    return CoreModules(core, controller, datapath)


def _printed(whole: CoreNetlist, half: Netlist, between: Sequence[str]) -> Printed:
    ports = _ports(half, whole.wording, between)
    used = {cell.kind for cell in half.cells}
    functions = [one for one in whole.functions if one.name in used]
    text = print_module(Circuit(half, functions, replace(whole.wording, ports=ports)))
    described = (
        (port, "input" if port in half.inputs else "output", len(half.wires[port]))
        for port in ports
    )
    return Printed(half.name, text, tuple(described))


def _ports(half: Netlist, wording: Wording, between: Sequence[str]) -> tuple[str, ...]:
    """The ports of a half: those that the core has too, in its order, behind clock and reset the
    signals between both halves."""
    has = half.inputs.keys() | half.outputs.keys()
    clocking = [port for port in wording.ports if port in has and port in ("clk", "rst")]
    others = [port for port in wording.ports if port in has and port not in clocking]
    return (*clocking, *between, *others)


def _core_lines(
    whole: CoreNetlist, halves: Halves, modules: tuple[Printed, Printed]
) -> Iterator[str]:
    """The module that has an instance of controller and datapath."""
    netlist, wording = whole.netlist, whole.wording
    yield f"module {netlist.name} ("
    yield from port_lines(netlist, wording.ports, (), wording.notes)
    yield from (");", "")
    yield from declared(
        "wire",
        [(name, len(halves.datapath.inputs[name]), 0) for name in halves.between],
        wording.notes,
    )
    for what, module in zip(("controller", "datapath"), modules, strict=True):
        yield from ("", f"  {module.name} {what} (")
        yield ",\n".join(f"    .{port}({port})" for port, *_ in module.ports)
        yield "  );"
    if halves.aliases:
        yield from ("", *(f"  assign {name} = {word};" for name, word in halves.aliases.items()))
    yield from ("", "endmodule")
