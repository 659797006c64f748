# SPDX-License-Identifier: Apache-2.0
"""Cores of AES-128-OFB that each break one promise."""

from __future__ import annotations

from collections.abc import Mapping

from amaranth.hdl import Const, Module, Value

from headwater.kinds.aes_ofb.core import AesCircuit, AesCore
from headwater.kinds.aes_ofb.facts import AesFacts
from headwater.prove.mutants import Mutant, only, replaced, stained
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


class _OtherBox(AesCircuit):
    """One bit of the S-box is inverted."""

    def substitute(self, m: Module, word: Value, prefix: str) -> Value:
        return super().substitute(m, word, prefix) ^ 1


class _OtherKey(AesCore):
    """One bit of the first round key is inverted where a round adds it."""

    def _first_key_word(self, place: int) -> Value:
        return super()._first_key_word(place) ^ 1


class _OtherTurn(AesCore):
    """The first round key loses a bit as it turns."""

    def _turn_first_key(self, m: Module) -> None:
        super()._turn_first_key(m)
        with m.If(self.enable):
            m.d.sync += self.first_key[0].eq(0)


class _Inverted(AesCore):
    """One bit of each word of keystream is inverted."""

    def _offer(self, m: Module, valid: Value, word: Value) -> None:
        super()._offer(m, valid, word ^ 1)


def _is_narrow(facts: AesFacts) -> bool:
    """Whether a round takes several cycles."""
    return facts.words_per_block > 1


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "setup": (replaced(_Short),),
    "session": SESSION_MUTANTS,
    "hold": (replaced(_Hasty),),
    "silence": (replaced(_Bare),),
    "clear": (stained(lambda core: core.first_key[0]),),
    "sbox": (replaced(_OtherBox),),
    "load": (replaced(_OtherTurn),),
    "round": (replaced(_OtherBox), replaced(_OtherTurn), only(_is_narrow, replaced(_OtherKey))),
    "output": (replaced(_Inverted),),
}
