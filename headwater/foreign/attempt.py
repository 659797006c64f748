# SPDX-License-Identifier: Apache-2.0
"""A core driven with random keys and IVs, in each way that its ports allow, until its keystream is
found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from headwater.foreign.netlist import Netlist
from headwater.foreign.ports import Ports
from headwater.foreign.search import (
    RUNS,
    Match,
    Model,
    Reading,
    cycles_needed,
    draw,
    find,
    models,
    steps_needed,
)
from headwater.foreign.session import Plan, Trace, other_reset, plans, simulate
from headwater.foreign.settings import Phase
from headwater.kinds.stepped.runs import RunCipher

_SEED = 20


@dataclass(frozen=True)
class Attempt:
    """A core driven in one way."""

    netlist: Netlist
    plan: Plan
    bits: Mapping[str, Sequence[int]]
    """Key and IV as the ports number their bits."""
    trace: Trace
    cipher: RunCipher

    @cached_property
    def known(self) -> list[tuple[Reading, Model]]:
        """The description under each order of key and IV."""
        return self.models_of(self.cipher)

    def models_of(self, cipher: RunCipher) -> list[tuple[Reading, Model]]:
        """Another description of ports of the same widths under each order."""
        return list(models(cipher, self.bits, steps_needed(cipher, self.netlist, self.plan)))

    @cached_property
    def match(self) -> Match | None:
        """Where the keystream is."""
        return find(self.cipher, self.netlist, self.plan, self.trace, self.known)

    def match_of(self, cipher: RunCipher) -> Match | None:
        """Where the keystream of another description is."""
        return find(cipher, self.netlist, self.plan, self.trace, self.models_of(cipher))


def attempts(
    netlist: Netlist, cipher: RunCipher, ports: Ports, phases: tuple[Phase, ...], *, sure: bool
) -> Iterator[Attempt]:
    """The ways to drive a core, the likeliest first. Unless the level of the reset is ``sure``, the
    other one is tried, too."""
    ways = plans(ports, cipher, netlist, phases)
    if ports.reset and not sure:
        ways += [other_reset(plan) for plan in ways]
    for plan in ways:
        bits = draw(cipher, netlist, plan, _SEED)
        cycles = cycles_needed(cipher, plan)
        yield Attempt(netlist, plan, bits, simulate(netlist, plan, bits, RUNS, cycles), cipher)
