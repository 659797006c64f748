# SPDX-License-Identifier: Apache-2.0
"""Cores that break what sessions in turn promise."""

from __future__ import annotations

from collections.abc import Mapping

from amaranth.hdl import Const, Module, Value
from amaranth.hdl._nir import Value as Nets

from headwater.core.interleaving.core import InterleavedCore
from headwater.core.interleaving.rebuilt import Rebuilt
from headwater.prove.mutants import Mutant, added, replaced


class _Short(Rebuilt):
    """The row of one register is a cycle short, so that its session meets another."""

    def _value(self, m: Module, nets: Nets, stage: int) -> Value:
        first = nets[0]
        short = not first.is_const and first.cell == self._graph.registers[0]
        return super()._value(m, nets, stage - (short and stage > self._made_in(first)))


class _Crossed(InterleavedCore):
    """Its rows are of `_Short`."""

    rebuilt_class = _Short


class _Unreset(InterleavedCore):
    """Sessions do not see the reset."""

    def _inputs(self) -> dict[str, Value]:
        return {**super()._inputs(), "rst": Const(0, 1)}


def _ready_at_once(m: Module, core: InterleavedCore) -> None:
    """Load words seem to be taken in every cycle."""
    m.d.comb += core.load.ready.eq(1)


class _Still(InterleavedCore):
    """The number of the session stays 0."""

    def _take_turns(self, m: Module) -> None:
        m.d.sync += self.turn.eq(0)


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "turns": (replaced(_Crossed), replaced(_Unreset), added(_ready_at_once)),
    "turn": (replaced(_Still),),
}
