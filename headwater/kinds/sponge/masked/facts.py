# SPDX-License-Identifier: Apache-2.0
"""What follows from a sponge and an architecture for a core in two shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.shares import SHARES, WordsInShares, stream_in_shares
from headwater.core.streams import Stream
from headwater.kinds.sponge.description import STATE_WORDS, WORD_BITS, SpongeAead
from headwater.kinds.sponge.facts import SpongeFacts
from headwater.kinds.sponge.masked.shared_word import products_of_a_round

CYCLES_PER_ROUND = 2
"""In the first one products of different shares are masked, in the second the round is made."""


@dataclass(frozen=True)
class MaskedSpongeFacts(WordsInShares, SpongeFacts):
    """Timing, words and ports of a core whose key, nonce, state, text and tag are in two shares."""

    @property
    def long_cycles(self) -> int:
        """Cycles of the permutation before and after a message."""
        return CYCLES_PER_ROUND * self.cipher.long_rounds

    @property
    def short_cycles(self) -> int:
        """Cycles of the permutation between two blocks."""
        return CYCLES_PER_ROUND * self.cipher.short_rounds

    @property
    def first_short_number(self) -> int:
        """The number of the first round between two blocks."""
        return self.cipher.long_rounds - self.cipher.short_rounds

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        return f"{super().setup_formula} * {CYCLES_PER_ROUND}"

    @cached_property
    def fresh_bits(self) -> int:
        """Bits of the port ``fresh``: one for each product of a round, and not less than one for
        each bit of the state and of a load word, which get new masks in other cycles."""
        products = WORD_BITS * products_of_a_round(self.cipher)
        return max(products, STATE_WORDS * WORD_BITS + self.architecture.load_width)

    @property
    def clear_effect(self) -> str:
        """What holds once the clear cycles are over."""
        return "the shares of every bit of state are equal, and random"

    @property
    def port_meanings(self) -> dict[str, str]:
        """The meaning of every stream and of every other port, by name."""
        fresh = {"fresh": "uniform random bits, new in each cycle, known to nobody"}
        return super().port_meanings | fresh

    def sheet(self) -> dict[str, Any]:
        """Entries of the data sheet."""
        return {
            **super().sheet(),
            "shares": SHARES,
            "fresh_bits_per_cycle": self.fresh_bits,
            "cycles_per_round": CYCLES_PER_ROUND,
        }

    @cached_property
    def _plain(self) -> SpongeFacts:
        """The same of a core without shares, whose words these are the shares of."""
        return SpongeFacts(self.cipher, self.architecture)

    @property
    def streams_in_one(self) -> Mapping[str, Stream]:
        """The streams as a core without shares has them."""
        return self._plain.streams

    @cached_property
    def streams(self) -> Mapping[str, Stream]:
        """The streams of the core by name, the load first; words have both shares side by side."""
        return {name: stream_in_shares(stream) for name, stream in self.streams_in_one.items()}

    def load_words(
        self, key: bytes, iv: bytes, iv_bits: int | None = None, *, block: int = 0
    ) -> list[int]:
        """The words of a load for simulations: the masks are irregular, but the same in each
        call."""
        words = self._plain.load_words(key, iv, iv_bits, block=block)
        return self.shared(words)


def facts_of_shares(cipher: Cipher, architecture: Architecture) -> MaskedSpongeFacts:
    """The facts of a core in shares."""
    assert isinstance(cipher, SpongeAead)
    return MaskedSpongeFacts(cipher, architecture)
