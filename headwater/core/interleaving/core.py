# SPDX-License-Identifier: Apache-2.0
"""A core in which several sessions take turns.

Leiserson and Saxe, "Retiming synchronous circuitry", Algorithmica 6, 1991: with K registers in the
place of each, a circuit is K circuits, one of which acts in each cycle, and the registers can be
moved along the logic as long as each way from place to place has K of them. Reset is an input as
any other: it acts on the session whose turn it is.
"""

from __future__ import annotations

from collections.abc import Mapping

from amaranth.hdl import Module, Mux, ResetSignal, Signal, Value
from amaranth.lib.wiring import Flow, In, Member, Out

from headwater.core.component import Core
from headwater.core.function import FunctionCollection
from headwater.core.interleaving.facts import InterleavedFacts
from headwater.core.interleaving.rebuilt import Rebuilt
from headwater.core.interleaving.staged import Staged, staged


class InterleavedCore(Core):
    """A plain core for several sessions, each of which acts as that core does.

    Members
    -------
    turn : Out
        The session that all other ports belong to in this cycle. It is 0 in a reset.
    """

    facts: InterleavedFacts

    def __init__(self, facts: InterleavedFacts) -> None:
        super().__init__(facts)
        self.plain = self.make_plain()
        """The core whose sessions these are; it is no part of the circuit."""
        self.constants = self.plain.constants
        self.secrets: tuple[Signal, ...] = self.plain.secrets

    def make_plain(self) -> Core:
        """A plain core."""
        core: Core = self.facts.core_class(self.facts.plain)
        return core

    def _ports_beside(self) -> Mapping[str, Member]:
        return {"turn": Out(range(self.facts.count))}

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        return {"turn": "the session that all other ports belong to"} | self.plain.notes

    def elaborate(self, platform: object) -> Module:
        """The circuit of the core."""
        m = Module()
        self.staged = self._shortest(platform if isinstance(platform, FunctionCollection) else None)
        self.rebuilt = Rebuilt(self.staged, self._inputs())
        self.rebuilt.build(m, signals(self, Out))
        self._take_turns(m)
        return m

    def _inputs(self) -> dict[str, Value]:
        """The inputs of a session, by name."""
        constants = {signal.name: signal for signal in self.constants.values()}
        return {**signals(self, In), "rst": ResetSignal(), **constants}

    def _take_turns(self, m: Module) -> None:
        last = self.facts.count - 1
        m.d.sync += self.turn.eq(Mux(self.turn == last, 0, self.turn + 1))

    def _shortest(self, functions: FunctionCollection | None) -> Staged:
        """The stages of the plain core. Its functions, if they are collected, stay whole where
        stages within them would make no period shorter."""
        opened = self._staged(None, self.plain)
        if functions is None:
            return opened
        whole = self._staged(FunctionCollection(of_several=True), self.make_plain())
        if max(whole.schedule.period) > max(opened.schedule.period):
            return opened
        return self._staged(functions, self.plain)

    def _staged(self, functions: FunctionCollection | None, plain: Core) -> Staged:
        constants = {signal.name: signal for signal in plain.constants.values()}
        ports = signals(plain, In) | signals(plain, Out) | constants
        return staged(plain, ports, frozenset(constants), functions, self.facts.count)


def signals(core: Core, flow: Flow) -> dict[str, Signal]:
    """The inputs or the outputs of a core, by name."""
    return {
        signal.name: signal
        for _, member, signal in core.signature.flatten(core)
        if member.flow is flow and isinstance(signal, Signal)
    }
