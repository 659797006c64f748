# SPDX-License-Identifier: Apache-2.0
"""Timing and word order of the cores of AES-128-OFB."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headwater.cipher.aes_ofb import ROUNDS
from headwater.core.facts import BlockFacts
from headwater.kinds.aes_ofb.description import BLOCK_BITS, AesOfb


@dataclass(frozen=True)
class AesFacts(BlockFacts):
    """Timing and word order at one datapath width, which is also the width of all streams."""

    cipher: AesOfb

    @property
    def words_per_block(self) -> int:
        """Words of a block, of the key and of the IV; also the cycles of a round."""
        return BLOCK_BITS // self.architecture.radix

    @property
    def cycles_per_block(self) -> int:
        """Cycles from one block to the next: ten rounds. The first round key of the next block is
        added in the last round."""
        return ROUNDS * self.words_per_block

    @property
    def output_delay(self) -> int:
        """Cycles from making a word to offering it: zero for bytes."""
        return int(self.words_per_block < 16)

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first keystream word offered."""
        rounds_before = self.cycles_per_block - self.words_per_block
        return 2 * self.words_per_block + rounds_before + self.output_delay

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        delay = " + 1" * self.output_delay
        return f"(key_bits + iv_bits) / load_width + cycles_per_block - 128 / radix{delay}"

    def sheet(self) -> dict[str, Any]:
        """Cycles per block."""
        return {"cycles_per_block": self.cycles_per_block}

    @property
    def _cycles_to_zero(self) -> int:
        """Zeros pass first through the key ring, then through the state."""
        return 2 * self.words_per_block

    @property
    def load_order(self) -> str:
        """What the load words hold and in which order, as prose."""
        count, width = 2 * self.words_per_block, self.architecture.load_width
        order = f"{count} words of {width} bits: the key, then the IV, the first bit is the most "
        order += "significant"
        return order if self.waits else f"{order}; the words follow each other without a gap"

    @property
    def keystream_order(self) -> str:
        """What the keystream words hold and in which order, as prose."""
        count, radix = self.words_per_block, self.architecture.radix
        block = f"{count} of them in a row" if count > 1 else "one"
        return (
            f"words of {radix} bits, the first bit is the most significant; "
            f"{block} every {self.cycles_per_block} cycles; zero while valid is low"
        )
