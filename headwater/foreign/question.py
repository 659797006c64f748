# SPDX-License-Identifier: Apache-2.0
"""What is asked of a cycle of a core: does it make the steps of the description?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from headwater.foreign.meanings import StateMap, Term
from headwater.foreign.netlist import Netlist
from headwater.foreign.search import RUNS
from headwater.kinds.stepped.runs import Place, RunCipher

_ONES = (1 << RUNS) - 1


@dataclass(frozen=True)
class Question:
    """What is compared: one cycle of a core in some of its control states."""

    netlist: Netlist
    cipher: RunCipher
    map: StateMap
    cycles: Sequence[int]
    """Cycles of the trace, whose control states and inputs are taken."""
    ports: Mapping[tuple[str, int], Term]
    """By output bit, what it gives."""
    nonzero: tuple[tuple[str, ...], ...] = ()
    """Registers that are not zero together: states in which they are do not count."""
    constant: Mapping[Place, int] = field(default_factory=dict)
    """Stages of the description that never change in these cycles, and what they hold."""

    pinned: tuple[Place, ...] = ()
    """Stages of the description that are the same in all runs and in no flip-flop: they are what
    they are in the cycle, and what becomes of them is not asked."""

    @property
    def radix(self) -> int:
        """Steps of a cycle."""
        return self.map.alignment.radix

    @property
    def first_step(self) -> int:
        """The first step that is made: that of the first of the cycles, or of the one before."""
        return max(0, self.map.alignment.step_at(self.cycles[0]) - self.earlier)

    @property
    def earlier(self) -> int:
        """Steps that are made before those of the cycle, where flip-flops are functions of the
        state before, or output is what the steps before it made."""
        held = {term for one in self.map.meanings.values() for term in one.terms}
        before = any(term[2] < 0 and term not in held for term in self.ports.values())
        return self.radix if self.map.derived or before else 0

    def held_at(self, cycle: int) -> list[int]:
        """What the pinned stages are in all runs before the steps of a cycle."""
        alignment = self.map.alignment
        state = alignment.model.states[max(0, alignment.step_at(cycle) - self.earlier)]
        return [state[place] for place in self.pinned]

    @property
    def furthest(self) -> int:
        """Steps that are made at most."""
        terms = [term for one in self.map.meanings.values() for term in one.terms]
        later = [later for _, _, later in (*terms, *self.ports.values())]
        return self.earlier + self.radix + max([0, *later]) + 1


def pinned(
    state_map: StateMap, cycles: Sequence[int], asked: Callable[[str], bool]
) -> tuple[Place, ...]:
    """State bits that are the same whatever key and IV are, and that no flip-flop is known to hold,
    such as the upper ones of a counter that a session does not reach; of those registers that are
    ``asked`` for."""
    alignment, held = state_map.alignment, state_map.places()
    states = [alignment.model.states[alignment.step_at(cycle)] for cycle in cycles]
    return tuple(
        place
        for place in states[0]
        if asked(place[0])
        and place not in held
        and all(state[place] in (0, _ONES) for state in states)
    )
