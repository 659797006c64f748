# SPDX-License-Identifier: Apache-2.0
"""What the nets of a netlist compute in one cycle, as functions of its sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from headwater.leakage.netlist import ONE as HIGH
from headwater.leakage.netlist import ZERO as LOW
from headwater.leakage.netlist import Bit, Gate, Netlist
from headwater.leakage.spec import Roles
from headwater.leakage.terms import ONE, ZERO, Function, Kind, Terms

Control = tuple[int, ...]
"""The values of the control bits in a cycle."""


@dataclass(frozen=True)
class Copies:
    """What registers take over unchanged in a cycle."""

    taken: Mapping[Bit, tuple[Bit, bool]]
    """The source that a register takes its bit from, and whether it takes the complement, by
    register."""
    takers: Mapping[Bit, tuple[Bit, ...]]
    """The shared registers that take the bit of a source, by source."""
    stalled: bool
    """Whether every register keeps its bit, but for public ones."""


class Machine:
    """A netlist with the roles of its sources."""

    def __init__(self, netlist: Netlist, roles: Roles) -> None:
        self.netlist = netlist
        self.roles = roles
        self._fixed: dict[Control, dict[Bit, int]] = {}
        self._copies: dict[Control, Copies] = {}
        self._later: dict[Control, frozenset[Control]] = {}

    @cached_property
    def driver(self) -> Mapping[Bit, Gate]:
        """The gate that drives a net."""
        return {gate.output: gate for gate in self.netlist.gates}

    @cached_property
    def known(self) -> frozenset[Bit]:
        """Sources that everyone may know."""
        return self.roles.public | {*self.roles.control, *self.roles.constant}

    @cached_property
    def shared(self) -> tuple[Bit, ...]:
        """The registers that are shares."""
        return tuple(bit for group in self.roles.registers for bit in group.bits)

    @cached_property
    def derived(self) -> tuple[Bit, ...]:
        """Registers without a role: results of earlier cycles."""
        named = self.roles.named_registers | self.known
        return tuple(bit for bit in self.netlist.registers if bit not in named)

    @cached_property
    def controls(self) -> tuple[Control, ...]:
        """All values of the control bits."""
        return tuple(product((0, 1), repeat=len(self.roles.control)))

    @cached_property
    def port_controls(self) -> tuple[Control, ...]:
        """Those with control registers zero."""
        registers = self.netlist.registers
        held = [at for at, bit in enumerate(self.roles.control) if bit in registers]
        return tuple(one for one in self.controls if not any(one[at] for at in held))

    def fixed(self, control: Control) -> Mapping[Bit, int]:
        """The nets that have one value in a cycle with this control, and these values."""
        if control not in self._fixed:
            value = {
                LOW: 0,
                HIGH: 1,
                **self.roles.constant,
                **dict(zip(self.roles.control, control, strict=True)),
            }
            for gate in self.netlist.gates:
                result = _constant(gate.kind, [value.get(bit) for bit in gate.inputs])
                if result is not None:
                    value[gate.output] = result
            self._fixed[control] = value
        return self._fixed[control]

    def later(self, control: Control) -> frozenset[Control]:
        """The values of the control bits that may come next, or next but for cycles in which
        nothing moves, as these are no cycles of the past."""
        if control not in self._later:
            reached: set[Control] = set()
            waiting = [control]
            while waiting:
                before = waiting.pop()
                new = {one for one in self.controls if self._follows(before, one)} - reached
                reached |= new
                waiting += [one for one in new if self.copies(one).stalled]
            self._later[control] = frozenset(reached)
        return self._later[control]

    def _follows(self, before: Control, after: Control) -> bool:
        """Whether control registers can have one value in a cycle, and the other in the next: what
        the first alone decides must be so."""
        fixed, registers = self.fixed(before), self.netlist.registers
        return all(
            fixed.get(registers[bit], value) == value
            for bit, value in zip(self.roles.control, after, strict=True)
            if bit in registers
        )

    def evaluate(
        self,
        terms: Terms,
        targets: Iterable[Bit],
        control: Control,
        value: Callable[[Bit], Function],
        known: dict[Bit, Function] | None = None,
    ) -> dict[Bit, Function]:
        """The functions of nets in a cycle with this control; ``value`` gives those of sources. It
        is not asked for sources that nothing depends on. What is ``known`` already is added to."""
        fixed = self.fixed(control)
        known = {} if known is None else known
        for target in targets:
            for bit in self._needed(target, known, fixed):
                if bit in fixed:
                    known[bit] = ONE if fixed[bit] else ZERO
                elif bit in self.driver:
                    known[bit] = _function(terms, self.driver[bit], known)
                else:
                    known[bit] = value(bit)
        return known

    def _needed(
        self, target: Bit, known: Mapping[Bit, Function], fixed: Mapping[Bit, int]
    ) -> Iterator[Bit]:
        """The nets that a net depends on and that are not known, each behind those that it reads;
        the net itself comes last. They must be known when the next one is asked for."""
        stack = [target]
        while stack:
            bit = stack[-1]
            if bit in known:
                stack.pop()
                continue
            waiting = [one for one in self._read(bit, fixed) if one not in known]
            if waiting:
                stack.extend(waiting)
            else:
                stack.pop()
                yield bit

    def _read(self, bit: Bit, fixed: Mapping[Bit, int]) -> tuple[Bit, ...]:
        gate = None if bit in fixed else self.driver.get(bit)
        if gate is None:
            return ()
        if gate.kind == "MUX" and gate.inputs[2] in fixed:
            return (gate.inputs[fixed[gate.inputs[2]]], gate.inputs[2])
        return gate.inputs

    def copies(self, control: Control) -> Copies:
        """What registers take over in a cycle with this control."""
        if control not in self._copies:
            terms = Terms(1)
            sources: dict[Function, tuple[Bit, bool]] = {}

            def value(bit: Bit) -> Function:
                atom = terms.atom_of(terms.variable(str(bit), Kind.PUBLIC, 0))
                sources.update({atom: (bit, False), atom ^ ONE: (bit, True)})
                return atom

            registers = self.netlist.registers
            functions = self.evaluate(terms, registers.values(), control, value)
            origins = {
                register: sources[functions[data]]
                for register, data in registers.items()
                if functions[data] in sources
            }
            moved = [
                bit
                for bit in registers
                if bit not in self.known and origins.get(bit) != (bit, False)
            ]
            takers: dict[Bit, tuple[Bit, ...]] = {}
            for register in self.shared:
                if register in origins:
                    source, _ = origins[register]
                    takers[source] = (*takers.get(source, ()), register)
            self._copies[control] = Copies(origins, takers, stalled=not moved)
        return self._copies[control]


def _constant(kind: str, values: list[int | None]) -> int | None:
    """The output of a gate, if those inputs that have a value decide it."""
    if kind == "MUX":
        first, second, chosen = values
        if chosen is None:
            return first if first == second else None
        return values[chosen]
    first = values[0]
    if kind in ("BUF", "NOT"):
        return first if first is None or kind == "BUF" else 1 - first
    second = values[1]
    if kind in ("XOR", "XNOR"):
        if first is None or second is None:
            return None
        return first ^ second ^ (kind == "XNOR")
    if kind in ("ANDNOT", "ORNOT"):
        second = None if second is None else 1 - second
    weak = int(kind in ("AND", "NAND", "ANDNOT"))
    flip = kind in ("NAND", "NOR")
    if 1 - weak in (first, second):
        return (1 - weak) ^ flip
    return weak ^ flip if first == second == weak else None


def _function(terms: Terms, gate: Gate, known: Mapping[Bit, Function]) -> Function:
    """What a gate computes of functions."""
    values = [known.get(bit, ZERO) for bit in gate.inputs]
    match gate.kind:
        case "BUF":
            return values[0]
        case "NOT":
            return values[0] ^ ONE
        case "XOR":
            return values[0] ^ values[1]
        case "XNOR":
            return values[0] ^ values[1] ^ ONE
        case "AND":
            return terms.both(values[0], values[1])
        case "NAND":
            return terms.both(values[0], values[1]) ^ ONE
        case "ANDNOT":
            return terms.both(values[0], values[1] ^ ONE)
        case "ORNOT":
            return terms.both(values[0] ^ ONE, values[1]) ^ ONE
        case "OR":
            return terms.both(values[0] ^ ONE, values[1] ^ ONE) ^ ONE
        case "NOR":
            return terms.both(values[0] ^ ONE, values[1] ^ ONE)
        case _:
            return values[0] ^ terms.both(values[0] ^ values[1], values[2])
