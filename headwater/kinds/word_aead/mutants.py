# SPDX-License-Identifier: Apache-2.0
"""Phelix cores that break a promise, for its proofs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from amaranth.hdl import Const, Module, Mux, Value

from headwater.algebra.word import Wire
from headwater.cipher.phelix import State
from headwater.core.architecture import Architecture
from headwater.kinds.word_aead.core import WordAeadCore
from headwater.kinds.word_aead.description import WordAead
from headwater.kinds.word_aead.keys import RoundKeys


class _Hasty(WordAeadCore):
    """Goes on to the message one mixing too early."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        with m.If(self.mixing & self.block_ends & (self.count == 6) & ~self.drop):
            m.d.sync += self.count.eq(0)
        return m


class _Unnumbered(RoundKeys):
    """Without the lengths."""

    def second(self, m: Module, place: int) -> Value:
        return super().second(m, place) ^ 1


class _OtherKeys(WordAeadCore):
    """Its second keys are wrong in a bit."""

    def _make_registers(self) -> None:
        super()._make_registers()
        kept = self.architecture.clear != "instant"
        self.keys = _Unnumbered(self.words, self.constants["zeros"], kept=kept)


class _OtherBlock(WordAeadCore):
    """One operation of its half blocks has another word."""

    def make_half_block(self, wire: Wire, z: State, p: Value, k: Value) -> State:
        z0, z1, z2, z3, z4 = super().make_half_block(wire, z, p, k)
        return z0, z1, z2, z3, z4 ^ (z0 & 1)


class _Impatient(WordAeadCore):
    """Makes its blocks whether the words are taken or not."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        with m.If(self.data_out.valid & ~self.drop):
            m.d.sync += self.z[4].eq(~self.z[4])
        return m


class _Bare(WordAeadCore):
    """Shows a bit of the keystream when nothing is offered."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        with m.If(~self.tag.valid):
            m.d.comb += self.tag.payload.eq(Mux(self.running, self.z[4], Const(0)))
        return m


class _Stained(WordAeadCore):
    """One bit of the state, once it is one, is never zero again."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        with m.If(self.z[0][0]):
            m.d.sync += self.z[0][0].eq(1)
        return m


Mutant = Callable[[WordAead, Architecture], WordAeadCore]

MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "setup": (_Hasty,),
    "keys": (_OtherKeys,),
    "step": (_OtherBlock,),
    "hold": (_Impatient,),
    "silence": (_Bare,),
    "clear": (_Stained,),
}
"""For each promise cores that break it."""
