# SPDX-License-Identifier: Apache-2.0
"""Two neighbouring cycles of a run, cycles 0 and 1, as functions of what is uniform.

The hypothesis of the induction: in cycle 0 the shared registers are a uniform sharing. Registers
without a role hold results of earlier cycles, and are written as functions of what these cycles
read. What they read may still be there: in a shift register a bit of the cycle before is another
bit of now, and so it is the same variable. What has gone has variables of its own, and that these
are independent is part of the hypothesis: `Window.next_class` gives all that must be uniform in
cycle 1 for it to hold there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice

from headwater.errors import InputError
from headwater.leakage.machine import Control, Machine
from headwater.leakage.netlist import Bit
from headwater.leakage.spec import Group
from headwater.leakage.terms import ONE, ZERO, Function, Kind, Terms

_DEEPEST = 64
"""Cycles into the past: no pipeline is longer."""
_MOST_WINDOWS = 4096


class _TooShortError(Exception):
    """A register depends on a cycle before the first one."""


@dataclass(frozen=True)
class Sharing:
    """The shares of one bit, as functions."""

    name: str
    shares: tuple[Function, ...]


@dataclass(frozen=True)
class Uniform:
    """Functions that must be uniform together."""

    sharings: tuple[Sharing, ...]
    """Sharings of secrets: uniform among those with the same sum."""
    bits: tuple[tuple[str, Function], ...]
    """Bits that are uniform by themselves, with their names."""


class Past:
    """Values of all sources in cycle 0 and before.

    Parameters
    ----------
    controls
        The values of the control bits in cycle 0, in the cycle before, and so on.
    """

    def __init__(self, machine: Machine, terms: Terms, controls: tuple[Control, ...]) -> None:
        self._machine = machine
        self._terms = terms
        self._controls = controls
        self._values: dict[tuple[Bit, int], Function] = {}
        self._nets: dict[int, dict[Bit, Function]] = {}
        self.gone: dict[tuple[Bit, int], None] = {}
        """What is no longer in a shared register: the source, and its cycle."""
        roles = machine.roles
        self._of_group = {
            bit: (group, at)
            for group in (*roles.inputs, *roles.registers)
            for at, bit in enumerate(group.bits)
        }

    def value(self, bit: Bit, cycle: int) -> Function:
        """The value of a source in a cycle, which is at most 0."""
        key = (bit, cycle)
        if key not in self._values:
            derived = bit in self._machine.netlist.registers and bit not in self._roles
            self._values[key] = (self._derived if derived else self._named)(bit, cycle)
        return self._values[key]

    @cached_property
    def _roles(self) -> frozenset[Bit]:
        return self._machine.roles.named_registers | self._machine.known

    def _derived(self, bit: Bit, cycle: int) -> Function:
        """A register without a role: what the cycle before made of its sources."""
        net, before = self._machine.netlist.registers[bit], cycle - 1
        known = self._nets.setdefault(before, {})
        self._machine.evaluate(
            self._terms, [net], self.control(before), partial(self.value, cycle=before), known
        )
        return known[net]

    def control(self, cycle: int) -> Control:
        """The control bits in a cycle."""
        if -cycle >= len(self._controls):
            raise _TooShortError
        return self._controls[-cycle]

    def _named(self, bit: Bit, cycle: int) -> Function:
        machine = self._machine
        fixed = machine.fixed(self.control(cycle))
        if bit in fixed:
            return ONE if fixed[bit] else ZERO
        steady = bit in self._of_group and self._of_group[bit][0].steady
        if cycle < 0 and bit not in machine.known and not (steady or machine.roles.random.get(bit)):
            later = self._kept(bit, self.control(cycle))
            if later is not None:
                register, flipped = later
                return self.value(register, cycle + 1) ^ (ONE if flipped else ZERO)
            self.gone[bit, cycle] = None
        return self.symbol(bit, cycle)

    def symbol(self, bit: Bit, cycle: int) -> Function:
        """The variable of a source in a cycle."""
        terms = self._terms
        if bit in self._of_group:
            group, at = self._of_group[bit]
            shares = terms.group(group.name, None if group.steady else cycle)
            return terms.atom_of(shares[at])
        random = bit in self._machine.roles.random
        steady = self._machine.roles.random.get(bit, False)
        kind = Kind.RANDOM if random else Kind.PUBLIC
        name = self._machine.netlist.names[bit]
        return terms.atom_of(terms.variable(name, kind, None if steady else cycle))

    def _kept(self, bit: Bit, control: Control) -> tuple[Bit, bool] | None:
        """The shared register that has the bit of a source in the next cycle, and whether it has
        the complement. A share counts if all shares of its secret are then shares of another one,
        in their order."""
        copies = self._machine.copies(control)
        takers = copies.takers.get(bit, ())
        if bit not in self._of_group:
            return next(((taker, copies.taken[taker][1]) for taker in takers), None)
        group, at = self._of_group[bit]
        for taker in takers:
            other, place = self._of_group[taker]
            sources = tuple(copies.taken.get(one, (None,))[0] for one in other.bits)
            if place == at and sources == group.bits:
                return taker, copies.taken[taker][1]
        return None


class Window:
    """Cycles 0 and 1.

    Members
    -------
    before, after
        The value of each source in cycle 0, and in cycle 1.
    supports
        The variables of both values of each source.
    """

    def __init__(
        self, machine: Machine, terms: Terms, controls: tuple[Control, ...], after: Control
    ) -> None:
        self.controls, self._after_control = controls, after
        self._machine, self._terms = machine, terms
        self.past = Past(machine, terms, controls)
        sources = list(machine.netlist.sources)
        self.before = {bit: self.past.value(bit, 0) for bit in sources}
        self.nets = machine.evaluate(
            terms,
            [
                *machine.netlist.registers.values(),
                *(bit for group in machine.roles.outputs for bit in group.bits),
            ],
            controls[0],
            self.before.__getitem__,
        )
        registers = machine.netlist.registers
        self.after = {
            bit: self.nets[registers[bit]] if bit in registers else self._port(bit)
            for bit in sources
        }
        self._check_public()
        self.supports = {
            bit: terms.support(self.before[bit]) | terms.support(self.after[bit]) for bit in sources
        }

    def _port(self, bit: Bit) -> Function:
        fixed = self._machine.fixed(self._after_control)
        if bit in fixed:
            return ONE if fixed[bit] else ZERO
        return self.past.symbol(bit, 1)

    def _check_public(self) -> None:
        secret = ~self._terms.of_kind[Kind.PUBLIC]
        for bit in self._machine.known:
            if self._terms.support(self.after[bit]) & secret:
                raise InputError(
                    f"{self._machine.netlist.names[bit]} must not depend on shares or random bits, "
                    "as it is public"
                )

    @property
    def stalled(self) -> bool:
        """Whether nothing moves between the two cycles."""
        return self._machine.copies(self.controls[0]).stalled

    def next_class(self) -> Uniform:
        """What must be uniform for the hypothesis to hold in cycle 1."""
        machine = self._machine
        groups = [
            Sharing(group.name, tuple(self.after[bit] for bit in group.bits))
            for group in machine.roles.registers
        ]
        history = Past(machine, self._terms, (machine.controls[0], *self.controls[:-1]))
        for bit in machine.derived:
            history.value(bit, 0)
        bits: list[tuple[str, Function]] = []
        for group, cycle in self._gone_groups(history):
            groups.append(self._at(group, cycle))
        for bit, cycle in history.gone:
            if bit in machine.roles.random:
                name = machine.netlist.names[bit]
                bits.append((name, self.past.value(bit, cycle + 1)))
        groups += [self._at(group, 0) for group in machine.roles.inputs if group.steady]
        bits += [
            (machine.netlist.names[bit], self.before[bit])
            for bit, steady in machine.roles.random.items()
            if steady
        ]
        return Uniform(tuple(groups), tuple(bits))

    def _gone_groups(self, history: Past) -> Iterator[tuple[Group, int]]:
        roles = self._machine.roles
        cycles: dict[Bit, set[int]] = {}
        for bit, cycle in history.gone:
            cycles.setdefault(bit, set()).add(cycle + 1)
        for group in (*roles.inputs, *roles.registers):
            every = set().union(*(cycles.get(bit, ()) for bit in group.bits))
            yield from ((group, cycle) for cycle in sorted(every))

    def _at(self, group: Group, cycle: int) -> Sharing:
        return Sharing(group.name, tuple(self.past.value(bit, cycle) for bit in group.bits))

    def outputs(self) -> Uniform:
        """The outputs of cycle 0 that must be uniform."""
        return Uniform(
            tuple(
                Sharing(group.name, tuple(self.nets[bit] for bit in group.bits))
                for group in self._machine.roles.outputs
            ),
            (),
        )


def windows(machine: Machine, terms: Terms) -> Iterator[Window]:
    """All pairs of neighbouring cycles: one for each value of the control bits in them, and in the
    cycles that registers without a role go back to.

    Raises
    ------
    InputError
        If a register without a role depends on itself, or there are too many pairs.
    """
    active = [one for one in machine.controls if not machine.copies(one).stalled]
    depth = _depth(machine, active)
    most = _MOST_WINDOWS // len(machine.port_controls)
    several = list(islice(_histories(machine, active, depth), most + 1))
    if len(several) > most:
        raise InputError(
            f"control must leave at most {_MOST_WINDOWS} cases of neighbouring cycles,"
            " and leaves more"
        )
    for controls in several:
        for after in machine.port_controls:
            yield Window(machine, terms, controls, after)


def _histories(
    machine: Machine, active: Sequence[Control], depth: int
) -> Iterator[tuple[Control, ...]]:
    """The values of the control bits in cycle 0, in the cycle before, and so on, without those that
    control registers cannot have one after the other."""
    if depth == 0:
        yield from ((now,) for now in machine.controls)
        return
    for later in _histories(machine, active, depth - 1):
        yield from ((*later, one) for one in active if later[-1] in machine.later(one))


def _depth(machine: Machine, active: Sequence[Control]) -> int:
    """How many cycles before cycle 0 registers without a role depend on."""
    if machine.derived and not active:
        raise InputError("some register must take a new bit, but all keep theirs")
    for depth in range(_DEEPEST):
        try:
            for controls in _histories(machine, active, depth):
                trial = Past(machine, Terms(machine.roles.shares), controls)
                for bit in machine.derived:
                    trial.value(bit, 0)
        except _TooShortError:
            continue
        return depth
    raise InputError(_on_itself(machine))


def _on_itself(machine: Machine) -> str:
    """Which register without a role depends on itself."""
    reads = _reads(machine)
    for bit in machine.derived:
        seen: set[Bit] = set()
        stack = list(reads[bit])
        while stack:
            one = stack.pop()
            if one in reads and one not in seen:
                seen.add(one)
                stack.extend(reads[one])
        if bit in seen:
            return (
                f"register {machine.netlist.names[bit]} depends on itself, so it must be named "
                "in the spec, as a share or as public"
            )
    return f"pipelines must have at most {_DEEPEST} stages"


def _reads(machine: Machine) -> Mapping[Bit, frozenset[Bit]]:
    """The sources that each register without a role is made of."""
    cone: dict[Bit, frozenset[Bit]] = {bit: frozenset((bit,)) for bit in machine.netlist.sources}
    for gate in machine.netlist.gates:
        cone[gate.output] = frozenset().union(*(cone.get(bit, ()) for bit in gate.inputs))
    return {bit: cone.get(machine.netlist.registers[bit], frozenset()) for bit in machine.derived}
