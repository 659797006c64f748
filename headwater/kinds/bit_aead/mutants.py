# SPDX-License-Identifier: Apache-2.0
"""Cores of bit-wise AEAD ciphers that each break one promise."""

from __future__ import annotations

from collections.abc import Mapping

from amaranth.hdl import Module, Value

from headwater.kinds.bit_aead.core import BitAeadCore
from headwater.kinds.stepped import mutants as stepped
from headwater.prove.mutants import Mutant, replaced


class _Bare(BitAeadCore):
    """Shows its accumulator before it offers the tag."""

    def _offer(self, m: Module, output: Value) -> None:
        super()._offer(m, output)
        payload = self.tag.payload
        m.d.comb += payload.eq(self.state[self.cipher.authenticator][: len(payload)])


class _OneBitOff(BitAeadCore):
    """Encrypts the first bit of each word incorrectly."""

    def _cross(self, m: Module, encrypting: Value) -> None:
        super()._cross(m, encrypting ^ 1)


class _OtherBitEnters(BitAeadCore):
    """The first bit that enters the authenticator is wrong."""

    def _enter(self, m: Module, authenticating: Value) -> None:
        super()._enter(m, authenticating ^ 1)


class _BitStaysZero(BitAeadCore):
    """The first bit of the accumulator is always zero."""

    def _move_register(self, m: Module, name: str, value: Value) -> None:
        super()._move_register(m, name, value)
        if name == self.cipher.authenticator:
            with m.If(self.authenticating):
                m.d.sync += self.state[name][0].eq(0)


class _LineStands(BitAeadCore):
    """The first sum that is made ahead stays as it is when a word enters."""

    def _move_register(self, m: Module, name: str, value: Value) -> None:
        super()._move_register(m, name, value)
        if name == self.cipher.authenticator and self.line_ahead:
            first = self.line_ahead.register[0]
            with m.If(self.shifts):
                m.d.sync += first.eq(first)


class _TagTurned(BitAeadCore):
    """The tag is sent rotated by one place."""

    def _offer(self, m: Module, output: Value) -> None:
        super()._offer(m, output)
        authenticator = self.state[self.cipher.authenticator]
        with m.If(self.sending):
            m.d.comb += self.tag.payload.eq(authenticator[1 : 1 + len(self.tag.payload)])


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    **stepped.MUTANTS,
    "silence": (replaced(_Bare),),
    "data": (replaced(_OneBitOff),),
    "plain": (replaced(_OtherBitEnters),),
    "accumulate": (replaced(_BitStaysZero),),
    "line": (replaced(_LineStands),),
    "tag": (replaced(_TagTurned),),
}
