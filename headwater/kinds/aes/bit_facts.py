# SPDX-License-Identifier: Apache-2.0
"""Timing of AES at a bit a cycle."""

from __future__ import annotations

from typing import Any

from headwater.kinds.aes.description import BLOCK_BITS
from headwater.kinds.aes.facts import AesFacts

COLUMNS = 4
MIXING_CYCLES = 8
"""Cycles of MixColumns of a column."""


class BitFacts(AesFacts):
    """Timing of AES-128-OFB where the key is not kept, but turned back behind each block."""

    output_delay = 0

    @property
    def cycles_per_block(self) -> int:
        """Cycles from one block to the next: passes of the rounds, of which all but the last one
        mix four columns, one between, and passes that turn the key back."""
        mixing = (self.rounds - 1) * COLUMNS * MIXING_CYCLES
        return (2 * self.rounds + 1) * BLOCK_BITS + mixing

    def sheet(self) -> dict[str, Any]:
        """Cycles per block, and what is given up for so few registers."""
        back = self.rounds * BLOCK_BITS
        return super().sheet() | {
            "key_kept": "no; behind each block the last round key is turned back to the key, in "
            f"{back} of its cycles"
        }

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first keystream word offered: the load, all
        rounds but the last, and a column."""
        before = (self.rounds - 1) * (BLOCK_BITS + COLUMNS * MIXING_CYCLES)
        return self.load_cycles + before + BLOCK_BITS // COLUMNS

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        return f"(key_bits + iv_bits) / load_width + {self.setup_cycles - self.load_cycles}"
