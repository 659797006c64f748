# SPDX-License-Identifier: Apache-2.0
"""A module of Verilog-2001 from a netlist: declarations, equations, registers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from headwater.emit.declarations import declared, noted, parameter, port_lines, table
from headwater.emit.equations import Equations
from headwater.emit.expression import Entry, Expression, Name, as_condition, inverted, operation
from headwater.emit.layout import Token, glued, laid_out
from headwater.emit.netlist import Bits, Netlist
from headwater.emit.operators import Operators
from headwater.emit.ordering import after_needs, natural
from headwater.emit.updates import Branch, Condition, Tree, Update, Updates, grouped, words_read
from headwater.emit.words import Names


@dataclass(frozen=True)
class Wording:
    """What a core says of its signals.

    Members
    -------
    ports : tuple of str
        All ports in the order of the header.
    state : tuple of str
        The registers that hold the state of the cipher, in the order of its description.
    notes : mapping of str to str
        Comments, by signal name.
    constants : mapping of str to int
        Values of inputs that are named constants of the module instead.
    """

    ports: tuple[str, ...]
    state: tuple[str, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, int] = field(default_factory=dict)


def print_module(netlist: Netlist, functions: Sequence[Netlist], wording: Wording) -> str:
    """The text of the module.

    Parameters
    ----------
    netlist
        The module.
    functions
        Modules without registers of which it holds instances; they become functions in it.
    wording
        What the core says of its signals.
    """
    return "\n".join(_Printer(netlist, functions, wording).lines()) + "\n"


def print_function(netlist: Netlist) -> list[str]:
    """The lines of a function with one output, named as the module."""
    (result,) = netlist.outputs
    names = Names(netlist, [name for name in _name_order(netlist, {}) if name != result])
    equations = Equations(netlist, names, Operators({}, {}), [("t", netlist.outputs[result])])
    inner = sorted(names.words.keys() - netlist.inputs.keys(), key=natural)
    wires, _ = after_needs(inner, lambda name: _wires_read(equations, name))
    wires = [name for name in wires if name not in netlist.inputs]
    width = len(netlist.outputs[result])
    arguments = ", ".join(f"input {_range(len(word))}{name}"
                          for name, word in netlist.inputs.items())  # fmt: skip
    lines = [f"  function automatic {_range(width)}{netlist.name}({arguments});"]
    lines += declared("reg", [(name, len(names.words[name]), 0) for name in wires], {}, "    ")
    lines.append("    begin")
    for name in wires:
        lines += _statement(f"{name} =", equations.definition(name), "      ")
    lines += _statement(f"{netlist.name} =", equations.word(netlist.outputs[result]), "      ")
    return [*lines, "    end", "  endfunction"]


class _Printer:
    def __init__(self, netlist: Netlist, functions: Sequence[Netlist], wording: Wording) -> None:
        self._netlist = netlist
        self._functions = functions
        self._wording = wording
        self._names = Names(netlist, _name_order(netlist, wording.notes))
        arguments = {one.name: tuple(one.inputs) for one in functions}
        self._operators = Operators(netlist.values, arguments)
        self._registers = self._find_registers()
        self._groups = self._find_updates()
        read = [read for group in self._groups for read in words_read(group)]
        read += list(netlist.outputs.items())
        self._equations = Equations(netlist, self._names, self._operators, read)
        self._wires, self._circular = self._find_wires()

    def _find_registers(self) -> list[str]:
        """Those that anything depends on: control first, then the state in its own order."""
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
        """All wires, each after those it reads; and those that read themselves."""
        fixed = {*self._netlist.inputs, *self._registers}
        roots = [name for group in self._groups for _, word in words_read(group)
                 for name in _names_in(self._equations.word(word))]  # fmt: skip
        roots += self._wording.ports
        order, circular = after_needs(roots, lambda name: _wires_read(self._equations, name))
        return [name for name in order if name not in fixed and name in self._names.words], circular

    def _control_wires(self) -> set[str]:
        """Wires that depend on no state and no word from outside."""
        known = {name for name in self._registers if name not in self._wording.state}
        known |= {name for name, word in self._netlist.inputs.items() if len(word) == 1}
        control = set()
        for name in self._wires:
            if set(_wires_read(self._equations, name)) <= known:
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
        return declared("reg", [self._sized(name) for name in names
                                if name not in self._wording.ports], self._wording.notes)  # fmt: skip

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
                start = f"wire {_range(*size[1:])}{name}"
            value = self._equations.definition(name)
            statement = _statement(f"{start} =", value, "  ")
            lines += noted(statement, None if name in ports else notes.get(name))
        return lines

    def _constants(self) -> list[str]:
        used = {name for wire in self._wires
                for name in _names_in(self._equations.definition(wire))}  # fmt: skip
        used |= {name for group in self._groups for _, word in words_read(group)
                 for name in _names_in(self._equations.word(word))}  # fmt: skip
        lines = []
        for signal, values in sorted(self._netlist.values.items()):
            for value, name in values.items():
                if name in self._operators.used:
                    width = len(self._names.words[signal])
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
        lines = []
        for group in self._groups:
            if lines:
                lines.append("")
            lines += ["  always @(posedge clk) begin"]
            lines += self._updated([(update, update.tree) for update in group], "    ")
            lines += ["  end"]
        return lines

    def _updated(self, group: list[tuple[Update, Tree]], indent: str) -> list[str]:
        """The statements of updates of one shape, one below the other."""
        first = group[0][1]
        if first is None:
            return []
        if not isinstance(first, Branch):
            return [line for update, tree in group for line in self._assigned(update, tree, indent)]
        return self._chained(group, indent, f"{indent}if (")

    def _chained(self, group: list[tuple[Update, Tree]], indent: str, start: str) -> list[str]:
        branches = [(update, tree) for update, tree in group if isinstance(tree, Branch)]
        condition = self._condition(branches[0][1].conditions)
        tokens = glued(start.strip() + "", condition.tokens(1), ") begin")
        lines = laid_out(tokens, indent)
        if start.startswith(f"{indent}end"):
            lines[0] = indent + lines[0].lstrip()
        lines += self._updated([(update, tree.then) for update, tree in branches], indent + "  ")
        others = [(update, tree.otherwise) for update, tree in branches]
        if others[0][1] is None:
            return [*lines, f"{indent}end"]
        if isinstance(others[0][1], Branch):
            return lines + self._chained(others, indent, f"{indent}end else if (")
        return [*lines, f"{indent}end else begin", *self._updated(others, indent + "  "),
                f"{indent}end"]  # fmt: skip

    def _condition(self, groups: Iterable[Iterable[Condition]]) -> Expression:
        return _logical("&&", [_logical("||", map(self._bit, group)) for group in groups])

    def _bit(self, condition: Condition) -> Expression:
        bit = self._equations.word((condition.bit,))
        return as_condition(inverted(bit) if condition.inverted else bit)

    def _assigned(self, update: Update, tree: Tree, indent: str) -> list[str]:
        assert isinstance(tree, tuple)
        name = update.register
        target = name
        if update.width < len(self._names.words[name]):
            low = update.low + self._names.lowest.get(name, 0)
            high = low + update.width - 1
            target = f"{name}[{high}:{low}]" if update.width > 1 else f"{name}[{low}]"
        return _statement(f"{target} <=", self._equations.word(tree), indent)


def _logical(operator: str, bits: Iterable[Expression]) -> Expression:
    operands = list(bits)
    return operands[0] if len(operands) == 1 else operation(operator, 1, *operands)


def _name_order(netlist: Netlist, notes: Mapping[str, str]) -> list[str]:
    """All wires, those that give their names to bits first: inputs, registers, wires that are what
    one cell makes, other wires, outputs."""
    drivers = netlist.drivers

    def key(name: str) -> tuple[object, ...]:
        word = netlist.wires[name]
        if name in netlist.inputs:
            return (0,)
        cell = drivers[word[0]][0] if word and word[0] in drivers else None
        whole = cell is not None and cell.output == word
        registered = whole and cell is not None and cell.is_register
        return 1, name in netlist.outputs, not registered, not whole, name not in notes, natural(name)

    return sorted(netlist.wires, key=key)


def _names_in(expression: Expression) -> Iterator[str]:
    """The signals that an expression reads."""
    for value in vars(expression).values():
        if isinstance(value, Expression):
            yield from _names_in(value)
        elif isinstance(value, tuple):
            for one in value:
                yield from _names_in(one)
    if isinstance(expression, Entry):
        yield expression.table
    elif hasattr(expression, "name"):
        yield expression.name


def _wires_read(equations: Equations, name: str) -> list[str]:
    if name not in equations.names.words or equations.names.is_given(name):
        return []
    return list(dict.fromkeys(_names_in(equations.definition(name))))


def _range(width: int, low: int = 0) -> str:
    return f"[{low + width - 1}:{low}] " if width > 1 or low else ""


def _statement(start: str, value: Expression, indent: str) -> list[str]:
    tokens = [Token(start, 0), *glued("", value.tokens(), ";")]
    tokens[1] = Token(tokens[1].text, tokens[1].depth, breaks=False)
    return laid_out(tokens, indent)
