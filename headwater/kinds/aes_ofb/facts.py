# SPDX-License-Identifier: Apache-2.0
"""Timing and word order of the cores of AES-128-OFB."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headwater.cipher.aes_ofb import ROUNDS
from headwater.core.facts import Facts
from headwater.kinds.aes_ofb.description import BLOCK_BITS, AesOfb


@dataclass(frozen=True)
class AesFacts(Facts):
    """Those of one width of the datapath, which all words have."""

    cipher: AesOfb

    @property
    def words_per_block(self) -> int:
        """Words of a block, of the key and of the IV; cycles of a round."""
        return BLOCK_BITS // self.architecture.radix

    @property
    def cycles_per_block(self) -> int:
        """Cycles from a block to the next: ten rounds. The first round key is added, and the
        key begun anew, in the last of them."""
        return ROUNDS * self.words_per_block

    @property
    def bits_per_cycle(self) -> float:
        """Keystream bits per clock cycle, in steady state."""
        return BLOCK_BITS / self.cycles_per_block

    @property
    def output_delay(self) -> int:
        """Cycles from a word's calculation to its offer: a byte is offered as it is made."""
        return int(self.words_per_block < 16)

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first keystream word offered."""
        rounds_before = self.cycles_per_block - self.words_per_block
        return 2 * self.words_per_block + rounds_before + self.output_delay

    @property
    def setup_formula(self) -> str:
        """How they follow from other entries of the data sheet."""
        delay = " + 1" * self.output_delay
        return f"(key_bits + iv_bits) / load_width + cycles_per_block - 128 / radix{delay}"

    def sheet(self) -> dict[str, Any]:
        """What the core needs for a block."""
        return {"cycles_per_block": self.cycles_per_block}

    @property
    def clear_cycles(self) -> int | None:
        """Cycles from ``clear`` until every bit of state is zero; None if it is not offered.

        After the clear cycle zeros pass through the key that is kept, then through the others.
        """
        passes = {"shift": 2 * self.words_per_block, "instant": 0}
        clear = self.architecture.clear
        return 1 + passes[clear] if clear in passes else None

    @property
    def load_order(self) -> str:
        """What the load words hold, in words."""
        count, width = 2 * self.words_per_block, self.architecture.load_width
        order = f"{count} words of {width} bits: the key, then the IV, the first bit is the most "
        order += "significant"
        return order if self.waits else f"{order}; the words follow each other without a gap"

    @property
    def keystream_order(self) -> str:
        """What the keystream words hold, in words."""
        count, radix = self.words_per_block, self.architecture.radix
        block = f"{count} of them in a row" if count > 1 else "one"
        return (
            f"words of {radix} bits, the first bit is the most significant; "
            f"{block} every {self.cycles_per_block} cycles; zero while valid is low"
        )

    def load_words(
        self, key: bytes, iv: bytes, iv_bits: int | None = None, *, block: int = 0
    ) -> list[int]:
        """The words of a load."""
        assert block == 0
        self.cipher.input_bits(key, iv, iv_bits)
        data, size = key + iv, self.architecture.load_width // 8
        return [
            int.from_bytes(data[place : place + size], "big") for place in range(0, len(data), size)
        ]

    def keystream_cycles(self, bits: int) -> int:
        """Cycles from the first keystream word to the one that ends so many bits, both counted."""
        words = -(-bits // self.architecture.radix)
        if not words:
            return 0
        blocks, rest = divmod(words - 1, self.words_per_block)
        return blocks * self.cycles_per_block + rest + 1

    def words_in(self, cycles: int) -> int:
        """Keystream words to take so that power is measured over that many cycles, or a few more:
        whole blocks, and the word that follows them, so that all rounds count alike."""
        return -(-cycles // self.cycles_per_block) * self.words_per_block + 1
