# SPDX-License-Identifier: Apache-2.0
"""A module of Verilog-2001 from a netlist: declarations, equations, registers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from headwater.emit.declarations import declared, noted, parameter, port_lines, table, vector
from headwater.emit.equations import Equations
from headwater.emit.netlist import Netlist
from headwater.emit.operators import Operators
from headwater.emit.ordering import after_needs, natural
from headwater.emit.statements import Clocked, names_in, statement, wires_read
from headwater.emit.updates import Update, Updates, grouped, words_read
from headwater.emit.words import Names, name_order


@dataclass(frozen=True)
class Wording:
    """Descriptions and order of a core's signals."""

    ports: tuple[str, ...]
    """All ports in the order of the header."""
    state: tuple[str, ...] = ()
    """The registers that hold the cipher's state, in the order of its description."""
    order: tuple[str, ...] = ()
    """All signals in the order of the description."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Comments, by signal name."""
    constants: Mapping[str, int] = field(default_factory=dict)
    """Values of inputs that become named constants of the module."""


def print_module(netlist: Netlist, functions: Sequence[Netlist], wording: Wording) -> str:
    """The text of the module; ``functions`` are modules without registers that it instantiates, and
    become functions in it."""
    return "\n".join(_Printer(netlist, functions, wording).lines()) + "\n"


def print_function(netlist: Netlist) -> list[str]:
    """The lines of a function with one output, named after its module."""
    (result,) = netlist.outputs
    names = Names(netlist, [name for name in name_order(netlist) if name != result])
    equations = Equations(netlist, names, Operators({}, {}), [("t", netlist.outputs[result])])
    inner = sorted(names.words.keys() - netlist.inputs.keys(), key=natural)
    wires, _ = after_needs(inner, lambda name: wires_read(equations, name))
    wires = [name for name in wires if name not in netlist.inputs]
    width = len(netlist.outputs[result])
    arguments = ", ".join(f"input {vector(len(word))}{name}"
                          for name, word in netlist.inputs.items())  # fmt: skip
    lines = [f"  function automatic {vector(width)}{netlist.name}({arguments});"]
    lines += declared("reg", [(name, len(names.words[name]), 0) for name in wires], {}, "    ")
    lines.append("    begin")
    for name in wires:
        lines += statement(f"{name} =", equations.definition(name), "      ")
    lines += statement(f"{netlist.name} =", equations.word(netlist.outputs[result]), "      ")
    return [*lines, "    end", "  endfunction"]


class _Printer:
    def __init__(self, netlist: Netlist, functions: Sequence[Netlist], wording: Wording) -> None:
        self._netlist = netlist
        self._functions = functions
        self._wording = wording
        self._names = Names(netlist, name_order(netlist, wording.notes))
        arguments = {one.name: tuple(one.inputs) for one in functions}
        self._operators = Operators(netlist.values, arguments)
        self._registers = self._find_registers()
        self._groups = self._find_updates()
        read = [read for group in self._groups for read in words_read(group)]
        read += list(netlist.outputs.items())
        self._equations = Equations(netlist, self._names, self._operators, read)
        self._wires, self._circular = self._find_wires()

    def _find_registers(self) -> list[str]:
        """Registers that anything depends on: control first, then the state in its own order."""
        found = [name for name in self._names.words if self._names.is_register(name)]
        state = {name: place for place, name in enumerate(self._wording.state)}
        notes = {name: place for place, name in enumerate(self._wording.notes)}

        def key(name: str) -> tuple[object, ...]:
            if name in state:
                return 1, state[name]
            return 0, notes.get(name, len(notes)), natural(name)

        return sorted(found, key=key)

    def _find_updates(self) -> list[list[Update]]:
        named = {bit for word in self._names.words.values() for bit in word}
        updates = Updates(self._netlist, named)
        return grouped(
            update
            for name in self._registers
            for update in updates.of(name, self._names.words[name])
        )

    def _find_wires(self) -> tuple[list[str], set[str]]:
        """All wires, each after those it reads; and the wires on cycles."""
        fixed = {*self._netlist.inputs, *self._registers}
        roots = [name for group in self._groups for _, word in words_read(group)
                 for name in names_in(self._equations.word(word))]  # fmt: skip
        roots += self._wording.ports
        used, circular = after_needs(roots, self._wires_read)
        rank = {name: place for place, name in enumerate(self._wording.order)}
        last = len(rank)
        described = sorted(used, key=lambda name: rank.get(name, last))
        order, _ = after_needs(described, self._wires_read)
        return [name for name in order if name not in fixed and name in self._names.words], circular

    def _wires_read(self, name: str) -> Iterable[str]:
        return wires_read(self._equations, name)

    def _control_wires(self) -> set[str]:
        """Wires that depend on no state and on no input word."""
        known = {name for name in self._registers if name not in self._wording.state}
        known |= {name for name, word in self._netlist.inputs.items() if len(word) == 1}
        control = set()
        for name in self._wires:
            if set(wires_read(self._equations, name)) <= known:
                known.add(name)
                control.add(name)
        return control

    def lines(self) -> Iterator[str]:
        """All lines of the module."""
        control, ports = self._control_wires(), set(self._wording.ports)
        inner = [name for name in self._wires if name not in ports]
        state = [name for name in self._registers if name in self._wording.state]
        groups = [
            ("Constants", self._constants()),
            ("Functions", self._function_lines()),
            ("Clocking and control", [
                *self._registers_of([name for name in self._registers if name not in state]),
                *self._equations_of([name for name in inner if name in control])]),
            ("Cipher state", self._registers_of(state)),
            ("Datapath", self._equations_of([name for name in inner if name not in control])),
            ("Outputs", self._equations_of([name for name in self._wires if name in ports])),
            ("Registers", self._clocked()),
        ]  # fmt: skip
        yield f"module {self._netlist.name} ("
        yield from port_lines(self._netlist, self._wording.ports, self._registers,
                              self._wording.notes)  # fmt: skip
        yield ");"
        for title, lines in groups:
            if lines:
                yield from ("", f"  // {title}", *lines)
        yield from ("", "endmodule")

    def _registers_of(self, names: Iterable[str]) -> list[str]:
        inner = [self._sized(name) for name in names if name not in self._wording.ports]
        return declared("reg", inner, self._wording.notes)

    def _sized(self, name: str) -> tuple[str, int, int]:
        return name, len(self._names.words[name]), self._names.lowest.get(name, 0)

    def _equations_of(self, names: Sequence[str]) -> list[str]:
        ports, notes = self._wording.ports, self._wording.notes
        early = [name for name in names if name in self._circular and name not in ports]
        lines = declared("wire", [self._sized(name) for name in early], notes)
        for name in names:
            start = f"assign {name}"
            if name not in early and name not in ports:
                size = self._sized(name)
                start = f"wire {vector(*size[1:])}{name}"
            value = self._equations.definition(name)
            written = statement(f"{start} =", value, "  ")
            lines += noted(written, None if name in ports else notes.get(name))
        return lines

    def _constants(self) -> list[str]:
        used = set(chain(*(wires_read(self._equations, wire) for wire in self._wires)))
        used |= {name for group in self._groups for _, word in words_read(group)
                 for name in names_in(self._equations.word(word))}  # fmt: skip
        lines: list[str] = []
        named = [(natural(name), name, len(self._netlist.wires[signal]), value)
                 for signal, values in self._netlist.values.items()
                 for value, name in values.items() if name in self._operators.used]  # fmt: skip
        for _, name, width, value in sorted(named):
            lines += parameter(name, width, value, self._wording.notes.get(name))
        for name, value in self._wording.constants.items():
            if name in used:
                lines += self._constant(name, value)
        return lines

    def _constant(self, name: str, value: int) -> list[str]:
        width, note = len(self._netlist.wires[name]), self._wording.notes.get(name)
        entry_bits = self._operators.tables.get(name)
        if entry_bits is None:
            return parameter(name, width, value, note)
        return table(name, width, value, entry_bits, self._netlist.values[name], note)

    def _function_lines(self) -> list[str]:
        return [line for function in self._functions for line in print_function(function)]

    def _clocked(self) -> list[str]:
        """The clocked blocks, separated by empty lines."""
        clocked = Clocked(self._equations)
        return list(chain(*(["", *clocked.block(group)] for group in self._groups)))[1:]
