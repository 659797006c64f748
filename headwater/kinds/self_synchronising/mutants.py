# SPDX-License-Identifier: Apache-2.0
"""Cores of self-synchronising ciphers that break a promise, at least one for each promise."""

from __future__ import annotations

from collections.abc import Mapping

from amaranth.hdl import Cat, Module, Value

from headwater.kinds.self_synchronising.core import SelfSynchronisingCore
from headwater.prove.mutants import Mutant, added, bare_bit, replaced, stained
from headwater.prove.session import SESSION_MUTANTS


class _OtherCell(SelfSynchronisingCore):
    """A cell reads one cell too many."""

    def make_cells(self, m: Module, read: dict[int, Value], place: int) -> dict[int, Value]:
        cells = super().make_cells(m, read, place)
        return {**cells, 9: cells[9] ^ (read[8] & read[3])}


class _OtherWord(SelfSynchronisingCore):
    """The last bit of each word of keystream is wrong."""

    def _shown(self, made: Value) -> Value:
        return super()._shown(Cat(made[:-1], ~made[-1]))


class _KeyTurned(SelfSynchronisingCore):
    """The key shifts in the wrong direction as its words come."""

    def _move_key(self, m: Module) -> None:
        super()._move_key(m)
        with m.If(self.key_enable):
            m.d.sync += self.key.eq(Cat(self.load.payload, self.key[: -self.radix]))


class _KeyEnters(SelfSynchronisingCore):
    """The words of the key also enter the cipher."""

    def _cross(self, m: Module) -> None:
        super()._cross(m)
        with m.If(self.loading):
            m.d.sync += self.c.eq(self.load.payload)


class _Hasty(SelfSynchronisingCore):
    """Starts one word before the end of the load."""

    def _reached(self, number: int) -> Value:
        return super()._reached(number - (number == self.facts.setup_cycles - 1))


class _Sleepy(SelfSynchronisingCore):
    """Takes the first words of the IV for words of the key."""

    def _reached(self, number: int) -> Value:
        return super()._reached(number + (number == self.facts.key_words - 1))


class _Forgetful(SelfSynchronisingCore):
    """Uses the present keystream even if the word before was not taken."""

    def _shown(self, made: Value) -> Value:
        return made


def _other_text(m: Module, core: SelfSynchronisingCore) -> None:
    """The plaintext feeds the cipher in place of the ciphertext."""
    m.d.comb += core.ciphertext.eq(core.data_in.payload ^ core.text)


def _bare(m: Module, core: SelfSynchronisingCore) -> None:
    """Shows its output even while nothing is offered."""
    m.d.comb += core.data_out.payload.eq(core.text)


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "step": (replaced(_OtherCell), replaced(_OtherWord)),
    "entering": (replaced(_KeyTurned), replaced(_KeyEnters)),
    "setup": (replaced(_Hasty), replaced(_Sleepy)),
    "text": (added(bare_bit), added(_other_text)),
    "session": SESSION_MUTANTS,
    "hold": (replaced(_Forgetful),),
    "silence": (added(_bare),),
    "clear": (stained(lambda core: core.key[-1]),),
}
