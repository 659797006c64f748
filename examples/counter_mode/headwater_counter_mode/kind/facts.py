# SPDX-License-Identifier: Apache-2.0
"""Timing and streams of the core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headwater.core.facts import BlockFacts
from headwater_counter_mode.kind.description import CounterModeCipher


@dataclass(frozen=True)
class CounterModeFacts(BlockFacts):
    """A round takes a cycle, and so does the word of a block when it is taken."""

    cipher: CounterModeCipher

    @property
    def load_cycles(self) -> int:
        """Words of a load."""
        return (self.cipher.key_bits + self.cipher.block_bits) // self.architecture.load_width

    @property
    def words_per_block(self) -> int:
        """One."""
        return 1

    @property
    def cycles_per_block(self) -> int:
        """Cycles from block to block."""
        return self.cipher.rounds + 1

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first keystream word offered."""
        return self.load_cycles + self.cipher.rounds

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        return "(key_bits + iv_bits) / load_width + rounds"

    @property
    def _cycles_to_zero(self) -> int:
        """An idle core shifts zeros in, like words of a load."""
        return self.load_cycles

    @property
    def load_order(self) -> str:
        """What the load words hold and in which order, as prose."""
        return (
            f"{self.load_cycles} words of {self.architecture.load_width} bits: the key, then the "
            "IV, the first bit in payload bit 0"
        )

    def sheet(self) -> dict[str, Any]:
        """Rounds, and cycles per block."""
        return {"rounds": self.cipher.rounds, "cycles_per_block": self.cycles_per_block}
