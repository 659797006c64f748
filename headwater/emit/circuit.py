# SPDX-License-Identifier: Apache-2.0
"""A core as what is printed of it: registers, their updates, and wires as expressions.

Verilog and C are two texts of the same circuit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from headwater.emit.equations import Equations
from headwater.emit.expression import Expression, Name, Part, names_in, parts_of
from headwater.emit.netlist import Bit, Netlist
from headwater.emit.operators import Operators
from headwater.emit.ordering import after_needs, natural
from headwater.emit.updates import Update, Updates, grouped, with_reset_apart, words_read
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
    reset_at_once: bool = False
    """Whether `rst` acts at once, and not at the next clock edge."""
    last: tuple[str, ...] = ()
    """Wires that are assigned behind the registers."""


class FunctionBody:
    """A function: a module with one output and without registers.

    Members
    -------
    name : str
    arguments : dict of str to int
        Their widths, in order.
    equations : Equations
    wires : list of str
        Its wires, each after those it reads.
    result : Expression
    """

    result: Expression

    def __init__(self, netlist: Netlist) -> None:
        ((result, word),) = netlist.outputs.items()
        self.name = netlist.name
        self.arguments = {name: len(argument) for name, argument in netlist.inputs.items()}
        names = Names(netlist, [name for name in name_order(netlist) if name != result])
        self.equations = Equations(netlist, names, Operators({}, {}), [("t", word)])
        inner = sorted(names.words.keys() - netlist.inputs.keys(), key=natural)
        wires, _ = after_needs(inner, self.equations.wires_read)
        self.wires = [name for name in wires if name not in netlist.inputs]
        self.result = self.equations.word(word)


class Circuit:
    """One module, read for printing.

    Parameters
    ----------
    netlist
        The module.
    functions
        Modules without registers that it instantiates.
    wording
        Descriptions and order of its signals.

    Members
    -------
    functions : list of FunctionBody
    names : Names
    operators : Operators
    equations : Equations
        The expressions of all words.
    registers : list of str
        Registers that anything depends on: control first, then the state in its own order.
    memories : list of Memory
        Those that anything depends on.
    groups : list of list of Update
        The updates of the registers, grouped by their conditions.
    wires : list of str
        All wires that are read or leave, each after those it reads.
    circular : set of str
        Wires on cycles of words; the bits themselves are on none.
    """

    def __init__(self, netlist: Netlist, functions: Sequence[Netlist], wording: Wording) -> None:
        self.netlist = netlist
        self.functions = [FunctionBody(one) for one in functions]
        self.wording = wording
        self.names = Names(netlist, name_order(netlist, wording.notes))
        arguments = {one.name: tuple(one.inputs) for one in functions}
        self.operators = Operators(netlist.values, arguments)
        self.registers = self._find_registers()
        self.groups = self._find_updates()
        read = [read for group in self.groups for read in words_read(group)]
        read += list(netlist.outputs.items())
        self.memories = [one for one in netlist.memories.values() if one.enable in netlist.live]
        read += [(one.name, word) for one in self.memories for word in one.written]
        self.equations = Equations(netlist, self.names, self.operators, read)
        self.wires, self.circular = self._find_wires()

    def width(self, name: str) -> int:
        """Bits of a signal, from the lowest to the highest that anything depends on."""
        return len(self.names.words[name])

    def _find_registers(self) -> list[str]:
        registers = [name for name in self.names.words if self.names.is_register(name)]
        state = {name: place for place, name in enumerate(self.wording.state)}
        notes = {name: place for place, name in enumerate(self.wording.notes)}

        def key(name: str) -> tuple[object, ...]:
            if name in state:
                return 1, state[name]
            return 0, notes.get(name, len(notes)), natural(name)

        return sorted(registers, key=key)

    def _find_updates(self) -> list[list[Update]]:
        named = {bit for word in self.names.words.values() for bit in word}
        updates = Updates(self.netlist, named)
        driven = [
            update for name in self.registers for update in updates.of(name, self.names.words[name])
        ]
        reset = self.reset_at_once
        return grouped(
            driven if reset is None else [with_reset_apart(update, reset) for update in driven]
        )

    @property
    def reset_at_once(self) -> Bit | None:
        """The reset, if it acts at once, and not at the next clock edge."""
        return self.netlist.inputs["rst"][0] if self.wording.reset_at_once else None

    def _find_wires(self) -> tuple[list[str], set[str]]:
        """All wires, each after those it reads; and the wires on cycles."""
        fixed = {*self.netlist.inputs, *self.registers}
        roots = [
            name
            for group in self.groups
            for _, word in words_read(group)
            for name in names_in(self.equations.word(word))
        ]
        roots += [
            name
            for one in self.memories
            for word in one.written
            for name in names_in(self.equations.word(word))
        ]
        roots += self.wording.ports
        used, circular = after_needs(roots, self.equations.wires_read)
        rank = {name: place for place, name in enumerate(self.wording.order)}
        last = len(rank)
        described = sorted(used, key=lambda name: rank.get(name, last))
        order, _ = after_needs(described, self.equations.wires_read)
        return [name for name in order if name not in fixed and name in self.names.words], circular

    @cached_property
    def partly_read(self) -> set[str]:
        """The wires of which an expression reads some bits, and none reads others."""
        words = [word for group in self.groups for _, word in words_read(group)]
        words += [word for one in self.memories for word in one.written]
        expressions = [self.equations.word(word) for word in words]
        expressions += [self.equations.definition(name) for name in self.wires]
        unread = {
            name: set(range(self.width(name)))
            for name in self.wires
            if name not in self.wording.ports
        }
        for part in chain(*map(parts_of, expressions)):
            if isinstance(part, Name | Part) and part.name in unread:
                low = (
                    part.low - self.names.lowest.get(part.name, 0) if isinstance(part, Part) else 0
                )
                unread[part.name] -= set(range(low, low + part.width))
        return {name for name, places in unread.items() if places}

    def constants_used(self) -> list[str]:
        """The named constants that an expression reads, in the order of the core."""
        read = {name for wire in self.wires for name in self.equations.wires_read(wire)}
        words = [word for group in self.groups for _, word in words_read(group)]
        words += [word for one in self.memories for word in one.written]
        read |= {name for word in words for name in names_in(self.equations.word(word))}
        return [name for name in self.wording.constants if name in read]

    def named_values(self) -> list[tuple[str, int, int]]:
        """Name, width and value of each named value that an expression compares with. Registers
        that hold the same at different times share their values' names."""
        by_name = {
            (natural(name), name, len(self.netlist.wires[signal]), value)
            for signal, values in self.netlist.values.items()
            for value, name in values.items()
            if name in self.operators.used
        }
        return [(name, width, value) for _, name, width, value in sorted(by_name)]
