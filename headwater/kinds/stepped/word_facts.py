# SPDX-License-Identifier: Apache-2.0
"""What follows from a cipher of words and an architecture before any circuit is built."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.kinds.stepped.facts import SteppedFacts
from headwater.kinds.stepped.word_cipher import WordCipher


@dataclass(frozen=True)
class WordFacts(SteppedFacts):
    """Timing and word order of the core of a word cipher."""

    cipher: WordCipher

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        return "lanes * load_steps / load_width + blank_steps"

    @property
    def _cycles_to_zero(self) -> int:
        """Those of the registers; a memory has a word zeroed in each."""
        return max(self.timeline.load_cycles, *(one.words for one in self.cipher.memories), 0)

    @property
    def clear_effect(self) -> str:
        """What holds once the clear cycles are over."""
        return "state and memories are zero" if self.cipher.memories else super().clear_effect

    @property
    def load_order(self) -> str:
        """What the load words hold and in which order, as prose."""
        steps = self.timeline.load_steps_per_cycle
        order = f"{self.timeline.load_cycles} words of {self.architecture.load_width} bits: "
        if self.timeline.load_cycles == 1:
            order = f"one word of {self.architecture.load_width} bits: "
        order += self.cipher.lane_names
        if steps > 1:
            order += f"; {steps} at a time, the first one in the most significant place"
        return order if self.waits else f"{order}; the words follow each other without a gap"

    def load_words(
        self, key: bytes, iv: bytes, iv_bits: int | None = None, *, block: int = 0
    ) -> list[int]:
        """The words of a load."""
        assert block == 0
        lanes = self.cipher.load_lanes(key, iv, iv_bits)
        steps = self.timeline.load_steps_per_cycle
        entering = [
            sum(bit << lane for lane, bit in enumerate(bits)) for bits in zip(*lanes, strict=True)
        ]
        words = []
        for first in range(0, len(entering), steps):
            word = 0
            for one in entering[first : first + steps]:
                word = word << len(lanes) | one
            words.append(word)
        return words
