# SPDX-License-Identifier: Apache-2.0
"""A netlist of cells as place and route see it: every net has one plain name.

A net that is a bit of a port has the name of this bit. All other names hold letters, digits and
underscores alone, which every tool reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwater.errors import ToolError
from headwater.flow.liberty import Library
from headwater.flow.process import written_json
from headwater.flow.yosys import run_yosys

CLOCK = "clk"
PORT_BUFFER = "port_buffer_"
"""How the names of buffers before ports begin."""


@dataclass(frozen=True)
class Cell:
    """An instance: its cell of the library, and the net of each pin."""

    kind: str
    nets: Mapping[str, str]


@dataclass(frozen=True)
class Port:
    """A port: its direction, and the net of each bit; "0" or "1" is a constant."""

    direction: str
    nets: tuple[str, ...]

    def bits(self, name: str) -> Iterator[tuple[str, str]]:
        """The name and the net of each bit."""
        for place, net in enumerate(self.nets):
            yield (f"{name}[{place}]" if len(self.nets) > 1 else name), net


@dataclass(frozen=True)
class Circuit:
    """A flat netlist."""

    name: str
    ports: Mapping[str, Port]
    cells: Mapping[str, Cell]

    @property
    def pads(self) -> dict[str, str]:
        """The net of each bit of a port that is no constant."""
        every = (bit for name, port in self.ports.items() for bit in port.bits(name))
        return {bit: net for bit, net in every if net not in ("0", "1")}

    def with_ports_apart(self, buffer: str, input_pin: str, output_pin: str) -> Circuit:
        """The same circuit with a buffer before each output that shares its net with another port;
        the arguments are the cell, its input and its output."""
        cells, ports = dict(self.cells), {}
        for name, port in self.ports.items():
            nets = list(port.nets)
            for place, (bit, net) in enumerate(port.bits(name)):
                if port.direction == "output" and net not in (bit, "0", "1"):
                    nets[place] = bit
                    cells[f"{PORT_BUFFER}{len(cells)}"] = Cell(
                        buffer, {input_pin: net, output_pin: bit}
                    )
            ports[name] = Port(port.direction, tuple(nets))
        return Circuit(self.name, ports, cells)

    def verilog(self) -> str:
        """The netlist as Verilog."""
        return "\n".join(_lines(self)) + "\n"


def read_circuit(netlist: str, library: Library, top: str, folder: Path) -> Circuit:
    """The circuit of a mapped netlist."""
    (folder / "netlist.v").write_text(netlist)
    passes = [
        f"read_liberty -lib -ignore_miss_func -ignore_miss_dir {library.unpack(folder)}",
        "read_verilog netlist.v",
        f"hierarchy -check -top {top}",
        "write_json circuit.json",
    ]
    run_yosys(passes, folder)
    return circuit_of(written_json(folder / "circuit.json")["modules"][top], top)


def circuit_of(module: Mapping[str, Any], name: str) -> Circuit:
    """The circuit of a module as Yosys writes it as JSON."""
    nets = _ports(module)
    names_in_use = {*nets.values(), *module["ports"]}
    instances = {instance: _unique(instance, names_in_use) for instance in module["cells"]}
    _name_others(nets, module, names_in_use)
    ports = {
        port: Port(value["direction"], tuple(nets[bit] for bit in value["bits"]))
        for port, value in module["ports"].items()
    }
    cells = {
        instances[instance]: Cell(
            cell["type"],
            {pin: nets[bits[0]] for pin, bits in cell["connections"].items() if bits},
        )
        for instance, cell in module["cells"].items()
    }
    if any(net in ("0", "1") for cell in cells.values() for net in cell.nets.values()):
        raise ToolError(f"a cell of {name} is tied to a constant, which no wire can be routed to")
    return Circuit(name, ports, cells)


def _ports(module: Mapping[str, Any]) -> dict[Any, str]:
    """The name of each bit that is in a port, rather after an input, and of constants."""
    names: dict[Any, str] = {"0": "0", "1": "1", "x": "0"}
    inputs_first = sorted(module["ports"].items(), key=lambda item: item[1]["direction"] != "input")
    for port, value in inputs_first:
        bits = value["bits"]
        for place, bit in enumerate(bits):
            names.setdefault(bit, f"{port}[{place}]" if len(bits) > 1 else port)
    return names


def _name_others(names: dict[Any, str], module: Mapping[str, Any], in_use: set[str]) -> None:
    """Name all other bits after a net that they are in, rather after one that has a name in the
    design."""
    public = sorted(module["netnames"].items(), key=lambda item: item[1].get("hide_name", 0))
    for net, value in public:
        bits = value["bits"]
        for place, bit in enumerate(bits):
            if bit not in names:
                names[bit] = _unique(f"{net}[{place}]" if len(bits) > 1 else net, in_use)


def _unique(name: str, in_use: set[str]) -> str:
    """A plain name that nothing else has."""
    wanted = _plain(name)
    while wanted in in_use:
        wanted += "_"
    in_use.add(wanted)
    return wanted


def _plain(name: str) -> str:
    plain = re.sub(r"\W", "_", name)
    return plain if not plain[0].isdigit() else f"_{plain}"


def _lines(circuit: Circuit) -> Iterator[str]:
    yield f"module {circuit.name} ({', '.join(circuit.ports)});"
    for name, port in circuit.ports.items():
        width = f"[{len(port.nets) - 1}:0] " if len(port.nets) > 1 else ""
        yield f"  {port.direction} {width}{name};"
    of_ports = {bit for name, port in circuit.ports.items() for bit, _ in port.bits(name)}
    nets = {net for cell in circuit.cells.values() for net in cell.nets.values()}
    for net in sorted(nets - of_ports):
        yield f"  wire {net};"
    for instance, cell in circuit.cells.items():
        pins = ", ".join(f".{pin}({net})" for pin, net in cell.nets.items())
        yield f"  {cell.kind} {instance} ({pins});"
    for name, port in circuit.ports.items():
        for bit, net in port.bits(name):
            if port.direction == "output" and net != bit:
                value = f"1'b{net}" if net in ("0", "1") else net
                yield f"  assign {bit} = {value};"
    yield "endmodule"
