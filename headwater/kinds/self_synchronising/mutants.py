# SPDX-License-Identifier: Apache-2.0
"""Cores of self-synchronising ciphers that break a promise, at least one for each promise."""

from __future__ import annotations

from collections.abc import Mapping

from amaranth.hdl import Cat, Module, Signal, Value

from headwater.kinds.self_synchronising.core import SelfSynchronisingCore, core_class
from headwater.prove.mutants import Mutant
from headwater.prove.session import session_mutants


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


class _OneBitOff(SelfSynchronisingCore):
    """The first bit of each word is not encrypted."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        with m.If(self.data_out.valid):
            m.d.comb += self.data_out.payload[0].eq(self.data_in.payload[0])
        return m


class _OtherText(SelfSynchronisingCore):
    """The plaintext feeds the cipher in place of the ciphertext."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        m.d.comb += self.ciphertext.eq(self.data_in.payload ^ self.text)
        return m


class _Forgetful(SelfSynchronisingCore):
    """Uses the present keystream even if the word before was not taken."""

    def _shown(self, made: Value) -> Value:
        return made


class _Bare(SelfSynchronisingCore):
    """Shows its output even while nothing is offered."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        m.d.comb += self.data_out.payload.eq(self.text)
        return m


class _Stained(SelfSynchronisingCore):
    """A bit of a register, once one, never becomes zero again."""

    @property
    def _stained(self) -> Signal:
        return self.key

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        bit = self._stained[-1]
        with m.If(bit):
            m.d.sync += bit.eq(1)
        return m


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "step": (_OtherCell, _OtherWord),
    "entering": (_KeyTurned, _KeyEnters),
    "setup": (_Hasty, _Sleepy),
    "text": (_OneBitOff, _OtherText),
    "session": session_mutants(core_class),
    "hold": (_Forgetful,),
    "silence": (_Bare,),
    "clear": (_Stained,),
}
"""For each promise cores that break it."""
