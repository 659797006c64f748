# SPDX-License-Identifier: Apache-2.0
"""What follows from a cipher and an architecture for a core in two shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.facts import Facts, counted
from headwater.core.shares import SHARES, WordsInShares
from headwater.core.streams import Stream
from headwater.kinds.stepped.masked.plan import Plan, plan_of
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher


@dataclass(frozen=True)
class MaskedFacts(WordsInShares, Facts):
    """Timing, words and ports of a core whose key, state and keystream are in two shares.

    The load takes the whole state that key and IV give, constants too, as every bit of the state
    must have a random mask before the first product. A word has ``radix`` bits of each share.
    """

    cipher: ShiftRegisterCipher

    @cached_property
    def plan(self) -> Plan:
        """How the step is made."""
        return plan_of(self.cipher, self.architecture.radix)

    @property
    def load_cycles(self) -> int:
        """Load words."""
        bits = sum(register.length for register in self.cipher.registers)
        return -(-bits // self.architecture.radix)

    @property
    def blank_moves(self) -> int:
        """Times that the state moves between the last load word and the first keystream word."""
        return self.cipher.blank_steps // self.architecture.radix

    @property
    def counted(self) -> int:
        """How far the core counts: load words, then moves of the setup."""
        return self.load_cycles + self.blank_moves

    @property
    def cycles_per_move(self) -> int:
        """Cycles from one move of the state to the next, in which products are made."""
        return 1 + self.plan.waits

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to ``setup_ends``."""
        return self.load_cycles + self.blank_moves * self.cycles_per_move + self.plan.waits

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        plain = "ceil(all register bits / radix) + blank_steps / radix"
        if not self.plan.waits:
            return plain
        return f"{plain} * {self.cycles_per_move} + {self.plan.waits}"

    @property
    def bits_per_cycle(self) -> float:
        """Keystream bits per clock cycle, in steady state."""
        return self.architecture.radix / self.cycles_per_move

    def keystream_cycles(self, bits: int) -> int:
        """Cycles from the first keystream word to the one that completes ``bits``, both counted."""
        words = -(-bits // self.architecture.radix)
        return (words - 1) * self.cycles_per_move + 1 if words else 0

    def words_in(self, cycles: int) -> int:
        """Keystream words that keep a power measurement busy for at least ``cycles`` cycles."""
        return cycles // self.cycles_per_move + 1

    @property
    def fresh_bits(self) -> int:
        """Bits of the port ``fresh``."""
        return self.product_masks

    @property
    def product_masks(self) -> int:
        """Those of them that the products of a step take, the lowest."""
        if self.plan.fresh_free:
            return 0
        return self.architecture.radix * sum(1 + one.refreshed for one, _ in self.plan.gadgets)

    def share_names(self, register: str) -> tuple[str, str]:
        """The names of both shares of a register."""
        return f"{register}_share0", f"{register}_share1"

    @property
    def word_counts(self) -> str | None:
        """The name of the net that is one where a load word is not made zeros, which enter an idle
        core; None if it never is."""
        if self.architecture.clear != "shift":
            return None
        return "word_counts" if self.waits else "load_fire"

    @property
    def _cycles_to_zero(self) -> int:
        return self.load_cycles

    @property
    def clear_effect(self) -> str:
        """What holds once the clear cycles are over."""
        return "every bit of both shares of the state is zero"

    @property
    def load_order(self) -> str:
        """What the load words hold and in which order, as prose."""
        radix, names = self.architecture.radix, [one.name for one in self.cipher.registers]
        order = ", ".join(reversed(names))
        spare = self.load_cycles * radix - sum(one.length for one in self.cipher.registers)
        told = f"; the first word begins with {spare} that are ignored" * (spare > 0)
        gap = "; the words follow each other without a gap" * (not self.waits)
        return (
            f"{self.load_cycles} words of the state that key and IV give: share 0 in the lower "
            f"{radix}, share 1 in the upper {radix} payload bits; each bit, constants too, has a "
            f"random mask; registers {order}, the oldest stage first{told}{gap}"
        )

    @property
    def keystream_order(self) -> str:
        """What the keystream words hold and in which order, as prose."""
        radix = self.architecture.radix
        return (
            f"words of {counted(radix, 'bit')}: share 0 in the lower {radix}, share 1 in the "
            f"upper {radix} payload bits, the oldest bit lowest; their sum is the keystream"
        )

    @property
    def port_meanings(self) -> dict[str, str]:
        """The meaning of every stream and of every other port, by name."""
        fresh = {"fresh": "uniform random bits, new in each cycle, known to nobody"}
        return super().port_meanings | (fresh if self.fresh_bits else {})

    def sheet(self) -> dict[str, Any]:
        """Entries of the data sheet."""
        return {
            **super().sheet(),
            "shares": SHARES,
            "fresh_bits_per_cycle": self.fresh_bits,
            "cycles_per_step": self.cycles_per_move,
            "product_latency": self.plan.latency,
        }

    def _streams_beside(self) -> tuple[Stream, ...]:
        keystream = Stream(
            name="keystream",
            direction="output",
            width=SHARES * self.architecture.radix,
            order=self.keystream_order,
            waits=self.waits,
        )
        return (keystream,)

    @cached_property
    def streams(self) -> Mapping[str, Stream]:
        """The streams of the core by name, the load first."""
        load = Stream(
            name="load",
            direction="input",
            width=SHARES * self.architecture.radix,
            order=self.load_order,
        )
        return {stream.name: stream for stream in (load, *self._streams_beside())}

    def state_words(self, key: bytes, iv: bytes, iv_bits: int | None = None) -> list[int]:
        """The words of the state that key and IV give, without shares: what the two shares of each
        load word must add up to."""
        loaded = self.cipher.loaded_state(*self.cipher.input_bits(key, iv, iv_bits))
        bits = [
            bit for register in reversed(self.cipher.registers) for bit in loaded[register.name]
        ]
        radix = self.architecture.radix
        bits = [0] * (self.load_cycles * radix - len(bits)) + bits
        return [
            sum(bit << place for place, bit in enumerate(bits[at : at + radix]))
            for at in range(0, len(bits), radix)
        ]

    def load_words(
        self, key: bytes, iv: bytes, iv_bits: int | None = None, *, block: int = 0
    ) -> list[int]:
        """The words of a load for simulations: the masks are irregular, but the same in each
        call."""
        assert block == 0
        return self.shared(self.state_words(key, iv, iv_bits))


def facts_of_shares(cipher: Cipher, architecture: Architecture) -> MaskedFacts:
    """The facts of a core in shares."""
    assert isinstance(cipher, ShiftRegisterCipher)
    return MaskedFacts(cipher, architecture)
