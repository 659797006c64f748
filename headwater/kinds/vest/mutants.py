# SPDX-License-Identifier: Apache-2.0
"""VEST cores that break a promise, several for each promise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from amaranth.hdl import Module, Mux, Value

from headwater.cipher.vest import SEAL_ROUNDS
from headwater.kinds.vest.authenticated import VestAeadCore
from headwater.kinds.vest.core import VestBase
from headwater.kinds.vest.keystream import VestCore
from headwater.prove.mutants import Mutant, added, only, replaced, stained
from headwater.prove.session import SESSION_MUTANTS


class _Short(VestBase):
    """Ends a seal one round too early."""

    def _is_at(self, number: int) -> Value:
        return super()._is_at(number - (number == SEAL_ROUNDS - 1))


class _OtherFunction(VestBase):
    """One entry of one function of the core is changed."""

    def _make_registers(self) -> None:
        tables = self.tables
        row = tables.rows[-1]
        changed = replace(row, function=row.function ^ 1)
        self.tables = replace(tables, rows=(*tables.rows[:-1], changed))
        super()._make_registers()
        self.tables = tables


def _other_seal(m: Module, core: VestBase) -> None:
    """The constant after the IV is missing in one round of its seal."""
    with m.If(core.seals_iv & ~core.abort):
        m.d.sync += core.seals_iv.eq(1)


def _deaf(m: Module, core: VestBase) -> None:
    """One bit of the input is lost."""
    with m.If(core.absorbing):
        m.d.comb += core.entering[7].eq(0)


def _unturned(m: Module, core: VestBase) -> None:
    """The key turns by two bits in a round."""
    with m.If(core.keying & ~core.session.cleared):
        m.d.sync += core.key.eq(core.key.rotate_right(2))


def _forgetful(m: Module, core: VestCore) -> None:
    """A word that waits for its reader changes."""
    with m.If(core.running):
        m.d.sync += core.hold.eq(~core.hold)


def _hasty(m: Module, core: VestAeadCore) -> None:
    """Moves on in the tag even if its words are not taken."""
    with m.If(core.tagging):
        m.d.comb += core.second_enable.eq(1)


def _bare(m: Module, core: VestCore | VestAeadCore) -> None:
    """Shows its output even while nothing is offered."""
    if isinstance(core, VestAeadCore):
        m.d.comb += core.tag.payload.eq(core.second.state.core[: len(core.tag.payload)])
    else:
        m.d.comb += core.keystream.payload.eq(Mux(core.step, core.hold, core.key))


def _cipherbound(m: Module, core: VestAeadCore) -> None:
    """Authenticates its input even if that is ciphertext."""
    with m.If(core.data_fire & core.data_in.keep):
        m.d.comb += core.authenticated_byte.eq(core.data_in.payload ^ core.data_in.ad)


def _lazy(m: Module, core: VestAeadCore) -> None:
    """The first state does not move in a message."""
    with m.If(core.running):
        m.d.comb += core.first_enable.eq(0)


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "setup": (replaced(_Short), added(_other_seal), added(_deaf)),
    "step": (replaced(_OtherFunction), added(_unturned)),
    "message": (added(_cipherbound), added(_lazy)),
    "session": SESSION_MUTANTS,
    "hold": (
        only(lambda facts: not facts.authenticates, added(_forgetful)),
        only(lambda facts: facts.authenticates, added(_hasty)),
    ),
    "silence": (added(_bare),),
    "clear": (stained(lambda core: core.key[0]),),
}
