# SPDX-License-Identifier: Apache-2.0
"""A module of Verilog-2001 from a netlist: declarations, equations, registers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from headwater.emit.circuit import Circuit, FunctionBody
from headwater.emit.declarations import declared, noted, parameter, port_lines, table, vector
from headwater.emit.statements import Clocked, statement

_CIRCULAR = "  // verilator lint_{} UNOPTFLAT"
"""Stands before and after words of which a bit depends on another bit of the same word."""

_GAPS = "  // verilator lint_{} UNUSEDSIGNAL"
"""Stands before and after words of which some bits are not read."""


def print_module(circuit: Circuit) -> str:
    """The text of the module; its functions become functions of Verilog in it."""
    return "\n".join(_Printer(circuit).lines()) + "\n"


def print_function(function: FunctionBody) -> list[str]:
    """The lines of a function, named after its module."""
    name, equations = function.name, function.equations
    arguments = ", ".join(
        f"input {vector(width)}{argument}" for argument, width in function.arguments.items()
    )
    lines = [f"  function automatic {vector(function.result.width)}{name}({arguments});"]
    sized = [(wire, len(equations.names.words[wire]), 0) for wire in function.wires]
    lines += declared("reg", sized, {}, "    ")
    lines.append("    begin")
    for wire in function.wires:
        lines += statement(f"{wire} =", equations.definition(wire), "      ")
    lines += statement(f"{name} =", function.result, "      ")
    return [*lines, "    end", "  endfunction"]


class _Printer:
    def __init__(self, circuit: Circuit) -> None:
        self._circuit = circuit
        self._netlist = circuit.netlist
        self._wording = circuit.wording
        self._names = circuit.names
        self._registers = circuit.registers
        self._equations = circuit.equations
        self._wires = circuit.wires

    def _control_wires(self) -> set[str]:
        """Wires that depend on no state and on no input word."""
        known = {name for name in self._registers if name not in self._wording.state}
        known |= {name for name, word in self._netlist.inputs.items() if len(word) == 1}
        control = set()
        for name in self._wires:
            if known.issuperset(self._equations.wires_read(name)):
                known.add(name)
                control.add(name)
        return control

    def lines(self) -> Iterator[str]:
        """All lines of the module."""
        control, ports = self._control_wires(), set(self._wording.ports)
        last = [name for name in self._wording.last if name in self._wires and name not in ports]
        inner = [name for name in self._wires if name not in ports and name not in last]
        state = [name for name in self._registers if name in self._wording.state]
        groups = [
            ("Constants", self._constants()),
            ("Functions", self._function_lines()),
            (
                "Clocking and control",
                [
                    *self._registers_of([name for name in self._registers if name not in state]),
                    *self._declared("wire", last),
                    *self._equations_of([name for name in inner if name in control]),
                ],
            ),
            ("Cipher state", [*self._registers_of(state), *self._memories()]),
            ("Datapath", self._equations_of([name for name in inner if name not in control])),
            ("Outputs", self._equations_of([name for name in self._wires if name in ports])),
            ("Registers", self._clocked()),
            ("End of a session", self._assigned(last)),
        ]
        yield f"module {self._netlist.name} ("
        yield from port_lines(
            self._netlist, self._wording.ports, self._registers, self._wording.notes
        )
        yield ");"
        for title, lines in groups:
            if lines:
                yield from ("", f"  // {title}", *lines)
        yield from ("", "endmodule")

    def _registers_of(self, names: Iterable[str]) -> list[str]:
        return self._declared("reg", [name for name in names if name not in self._wording.ports])

    def _declared(self, kind: str, names: Iterable[str]) -> list[str]:
        return declared(kind, [self._sized(name) for name in names], self._wording.notes)

    def _sized(self, name: str) -> tuple[str, int, int]:
        return name, len(self._names.words[name]), self._names.lowest.get(name, 0)

    def _equations_of(self, names: Sequence[str]) -> list[str]:
        ports, notes = self._wording.ports, self._wording.notes
        early = [
            name
            for name in names
            if name in self._circuit.circular
            and name not in ports
            and name not in self._netlist.kept
        ]
        lines = self._declared("wire", early)
        if lines:
            lines = [_CIRCULAR.format("off"), *lines, _CIRCULAR.format("on")]
            if not self._circuit.partly_read.isdisjoint(early):
                lines = [_GAPS.format("off"), *lines, _GAPS.format("on")]
        for name in names:
            start, wire = f"assign {name}", f"wire {vector(*self._sized(name)[1:])}{name}"
            if name in self._netlist.kept:
                lines.append(f"  (* keep *) {wire};")
            elif name not in early and name not in ports:
                start = wire
            value = self._equations.definition(name)
            written = statement(f"{start} =", value, "  ")
            written = noted(written, None if name in ports else notes.get(name))
            if name in self._circuit.partly_read and name not in early:
                written = [_GAPS.format("off"), *written, _GAPS.format("on")]
            lines += written
        return lines

    def _assigned(self, names: Iterable[str]) -> list[str]:
        """The assignments of wires that are declared before."""
        return list(
            chain(
                *(
                    statement(f"assign {name} =", self._equations.definition(name), "  ")
                    for name in names
                )
            )
        )

    def _constants(self) -> list[str]:
        lines: list[str] = []
        for name, width, value in self._circuit.named_values():
            lines += parameter(name, width, value, self._wording.notes.get(name))
        for name in self._circuit.constants_used():
            lines += self._constant(name, self._wording.constants[name])
        return lines

    def _constant(self, name: str, value: int) -> list[str]:
        width, note = len(self._netlist.wires[name]), self._wording.notes.get(name)
        entry_bits = self._circuit.operators.tables.get(name)
        if entry_bits is None:
            return parameter(name, width, value, note)
        return table(name, width, value, entry_bits, self._netlist.values[name], note)

    def _function_lines(self) -> list[str]:
        return [line for function in self._circuit.functions for line in print_function(function)]

    def _clocked(self) -> list[str]:
        """The clocked blocks, separated by empty lines."""
        clocked = Clocked(self._equations, self._circuit.reset_at_once)
        blocks = [clocked.block(group) for group in self._circuit.groups]
        blocks += [clocked.stored(one) for one in self._circuit.memories]
        return list(chain(*(["", *block] for block in blocks)))[1:]

    def _memories(self) -> list[str]:
        """The declarations of the memories."""
        notes = self._wording.notes
        return list(
            chain(
                *(
                    noted(
                        [f"  reg {vector(one.bits)}{one.name} [0:{one.words - 1}];"],
                        notes.get(one.name),
                    )
                    for one in self._circuit.memories
                )
            )
        )
