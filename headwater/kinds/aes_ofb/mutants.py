# SPDX-License-Identifier: Apache-2.0
"""Cores of AES-128-OFB that each break one promise."""

from __future__ import annotations

from collections.abc import Mapping

from amaranth.hdl import Const, Module, Value

from headwater.kinds.aes_ofb.base import AesCore
from headwater.kinds.aes_ofb.core import core_class
from headwater.prove.mutants import Mutant, replacing
from headwater.prove.session import session_mutants

other_aes = replacing(core_class)
"""The core with some of its methods replaced."""


class _Short(AesCore):
    """Makes one round too few."""

    @property
    def _last_but_one(self) -> Value:
        return self.constant[7]


class _Hasty(AesCore):
    """Continues even if its words are not taken."""

    @property
    def _rounds_enable(self) -> Value:
        return Const(1, 1)


class _Bare(AesCore):
    """Shows its output even while nothing is offered."""

    def _offer(self, m: Module, valid: Value, word: Value) -> None:
        super()._offer(m, valid, word)
        m.d.comb += self.keystream.payload.eq(word)


class _Stained(AesCore):
    """One bit of the key, once one, never becomes zero again."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        with m.If(self.first_key[0]):
            m.d.sync += self.first_key[0].eq(1)
        return m


class _OtherBox(AesCore):
    """One bit of the S-box is inverted."""

    def substitute(self, m: Module, word: Value, prefix: str) -> Value:
        return super().substitute(m, word, prefix) ^ 1


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "setup": (other_aes(_Short),),
    "session": session_mutants(core_class),
    "hold": (other_aes(_Hasty),),
    "silence": (other_aes(_Bare),),
    "clear": (other_aes(_Stained),),
    "sbox": (other_aes(_OtherBox),),
    "round": (other_aes(_OtherBox),),
}
"""For each promise cores that break it."""
