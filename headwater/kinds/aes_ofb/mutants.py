# SPDX-License-Identifier: Apache-2.0
"""Cores of AES-128-OFB that each break one promise."""

from __future__ import annotations

from collections.abc import Mapping

from amaranth.hdl import Const, Module, Value

from headwater.kinds.aes_ofb.core import AesCore
from headwater.prove.mutants import Mutant, replaced, stained
from headwater.prove.session import SESSION_MUTANTS


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


class _OtherBox(AesCore):
    """One bit of the S-box is inverted."""

    def substitute(self, m: Module, word: Value, prefix: str) -> Value:
        return super().substitute(m, word, prefix) ^ 1


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "setup": (replaced(_Short),),
    "session": SESSION_MUTANTS,
    "hold": (replaced(_Hasty),),
    "silence": (replaced(_Bare),),
    "clear": (stained(lambda core: core.first_key[0]),),
    "sbox": (replaced(_OtherBox),),
    "round": (replaced(_OtherBox),),
}
