# SPDX-License-Identifier: Apache-2.0
"""VEST cores that break a promise, several for each promise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from amaranth.hdl import Module, Mux, Value

from headwater.cipher.vest import SEAL_ROUNDS
from headwater.core.architecture import Architecture
from headwater.kinds.vest.authenticated import VestAeadCore
from headwater.kinds.vest.base import VestBase
from headwater.kinds.vest.core import core_class
from headwater.kinds.vest.description import VestCipher
from headwater.prove.mutants import Mutant, mixed
from headwater.prove.session import session_mutants


def other_vest(mixin: type, *, authenticates: bool | None = None) -> Mutant:
    """A core with methods replaced by ``mixin``'s; for one kind of cipher if told which."""

    def made(cipher: VestCipher, architecture: Architecture) -> VestBase | None:
        kind = core_class(cipher, architecture)
        if authenticates not in (None, kind is VestAeadCore):
            return None
        made_for = cipher.with_parameters(architecture.options)
        mutant: VestBase = mixed(mixin, kind)(made_for, architecture)
        return mutant

    return made


class _Short(VestBase):
    """Ends a seal one round too early."""

    def _is_at(self, number: int) -> Value:
        return super()._is_at(number - (number == SEAL_ROUNDS - 1))


class _OtherSeal(VestBase):
    """The constant after the IV is missing in one round of its seal."""

    def _follow(self, m: Module) -> None:
        super()._follow(m)
        with m.If(self.seals_iv):
            m.d.sync += self.seals_iv.eq(1)


class _Deaf(VestBase):
    """One bit of the input is lost."""

    def _enter(self, m: Module) -> None:
        super()._enter(m)
        with m.If(self.absorbing):
            m.d.comb += self.entering[7].eq(0)


class _OtherFunction(VestBase):
    """One entry of one function of the core is changed."""

    def _make_registers(self) -> None:
        tables = self.tables
        row = tables.rows[-1]
        changed = replace(row, function=row.function ^ 1)
        self.tables = replace(tables, rows=(*tables.rows[:-1], changed))
        super()._make_registers()
        self.tables = tables


class _Unturned(VestBase):
    """The key turns by two bits in a round."""

    def _move_key(self, m: Module) -> None:
        super()._move_key(m)
        with m.If(self.keying):
            m.d.sync += self.key.eq(self.key.rotate_right(2))


class _Forgetful(VestBase):
    """A word that waits for its reader changes."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        core: Any = self
        with m.If(self.running):
            m.d.sync += core.hold.eq(~core.hold)
        return m


class _Hasty(VestAeadCore):
    """Moves on in the tag even if its words are not taken."""

    def _move(self, m: Module) -> None:
        super()._move(m)
        with m.If(self.tagging):
            m.d.comb += self.second_enable.eq(1)


class _Bare(VestBase):
    """Shows its output even while nothing is offered."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        core: Any = self
        if isinstance(self, VestAeadCore):
            m.d.comb += core.tag.payload.eq(self.second.state.core[: len(core.tag.payload)])
        else:
            m.d.comb += core.keystream.payload.eq(Mux(self.step, core.hold, self.key))
        return m


class _Stained(VestBase):
    """One bit of the key, once one, never becomes zero again."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        with m.If(self.key[0]):
            m.d.sync += self.key[0].eq(1)
        return m


class _Cipherbound(VestAeadCore):
    """Authenticates its input even if that is ciphertext."""

    def _cross(self, m: Module, mask: Value) -> Value:
        plain = super()._cross(m, mask)
        with m.If(self.data_fire & self.data_in.keep):
            m.d.comb += self.authenticated_byte.eq(self.data_in.payload ^ self.data_in.ad)
        return plain


class _Lazy(VestAeadCore):
    """The first state does not move in a message."""

    def _move(self, m: Module) -> None:
        super()._move(m)
        with m.If(self.running):
            m.d.comb += self.first_enable.eq(0)


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "setup": (other_vest(_Short), other_vest(_OtherSeal), other_vest(_Deaf)),
    "step": (other_vest(_OtherFunction), other_vest(_Unturned)),
    "message": (other_vest(_Cipherbound), other_vest(_Lazy)),
    "session": session_mutants(core_class),
    "hold": (other_vest(_Forgetful, authenticates=False), other_vest(_Hasty, authenticates=True)),
    "silence": (other_vest(_Bare),),
    "clear": (other_vest(_Stained),),
}
"""For each promise cores that break it."""
