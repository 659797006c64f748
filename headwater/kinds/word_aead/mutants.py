# SPDX-License-Identifier: Apache-2.0
"""Phelix cores that each break a promise."""

from __future__ import annotations

from collections.abc import Mapping

from amaranth.hdl import Const, Module, Mux, Value

from headwater.algebra.word import Wire
from headwater.cipher.phelix import State
from headwater.kinds.word_aead.core import WordAeadCore, core_class
from headwater.kinds.word_aead.keys import RoundKeys
from headwater.prove.mutants import Mutant
from headwater.prove.session import session_mutants


class _Hasty(WordAeadCore):
    """Starts the message one mixing too early."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        with m.If(self.mixing & self.block_ends & (self.count == 6) & ~self.abort):
            m.d.sync += self.count.eq(0)
        return m


class _Unnumbered(RoundKeys):
    """Omits the lengths."""

    def second(self, m: Module, place: int) -> Value:
        return super().second(m, place) ^ 1


class _OtherKeys(WordAeadCore):
    """One bit of the second keys is wrong."""

    def _make_registers(self) -> None:
        super()._make_registers()
        kept = self.session.keeps_secrets
        self.keys = _Unnumbered(self.words, self.constants["zeros"], kept=kept)


class _OtherBlock(WordAeadCore):
    """One operation of its half blocks uses a wrong word."""

    def make_half_block(self, wire: Wire, z: State, p: Value, k: Value) -> State:
        z0, z1, z2, z3, z4 = super().make_half_block(wire, z, p, k)
        return z0, z1, z2, z3, z4 ^ (z0 & 1)


class _Impatient(WordAeadCore):
    """Makes its blocks even if their output is not taken."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        with m.If(self.data_out.valid & ~self.abort):
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
    """One bit of the state, once one, never becomes zero again."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        with m.If(self.z[0][0]):
            m.d.sync += self.z[0][0].eq(1)
        return m


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "setup": (_Hasty,),
    "keys": (_OtherKeys,),
    "step": (_OtherBlock,),
    "session": session_mutants(core_class),
    "hold": (_Impatient,),
    "silence": (_Bare,),
    "clear": (_Stained,),
}
"""For each promise cores that break it."""
