# SPDX-License-Identifier: Apache-2.0
"""Timing and word order of the cores of AES."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headwater.core.facts import BlockFacts, counted
from headwater.kinds.aes_ofb.description import BLOCK_BITS


@dataclass(frozen=True)
class AesFacts(BlockFacts):
    """Timing and word order of AES at one datapath width, which is also the width of all
    streams."""

    @property
    def rounds(self) -> int:
        """Rounds of a block: ten, twelve or fourteen (FIPS 197, section 5)."""
        return self.cipher.key_bits // 32 + 6

    @property
    def key_blocks(self) -> int:
        """Length of the key in blocks."""
        return self.cipher.key_bits // BLOCK_BITS

    @property
    def words_per_block(self) -> int:
        """Words of a block and of the IV; also the cycles of a round."""
        return BLOCK_BITS // self.architecture.radix

    @property
    def cycles_per_block(self) -> int:
        """Cycles from one block to the next: its rounds. The first round key of the next block is
        added in the last one."""
        return self.rounds * self.words_per_block

    @property
    def load_cycles(self) -> int:
        """Words of a load."""
        return (self.key_blocks + 1) * self.words_per_block

    @property
    def output_delay(self) -> int:
        """Cycles from making a word to offering it: zero for bytes."""
        return int(self.words_per_block < 16)

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first keystream word offered."""
        rounds_before = self.cycles_per_block - self.words_per_block
        return self.load_cycles + rounds_before + self.output_delay

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
        return self.load_cycles

    @property
    def load_order(self) -> str:
        """What the load words hold and in which order, as prose."""
        count, width = self.load_cycles, self.architecture.load_width
        order = f"{count} words of {counted(width, 'bit')}: the key, then the IV, the first bit is "
        order += "the most significant"
        return order if self.waits else f"{order}; the words follow each other without a gap"

    @property
    def keystream_order(self) -> str:
        """What the keystream words hold and in which order, as prose."""
        count, radix = self.words_per_block, self.architecture.radix
        block = f"{count} of them in a row" if count > 1 else "one"
        return (
            f"words of {counted(radix, 'bit')}, the first bit is the most significant; "
            f"{block} every {self.cycles_per_block} cycles; zero while valid is low"
        )


@dataclass(frozen=True)
class CounterFacts(AesFacts):
    """Timing and word order of AES-256 in counter mode."""

    @property
    def is_pipelined(self) -> bool:
        """Whether all rounds are there, in a row."""
        return self.architecture["rounds"] != "1"

    @property
    def cycles_per_block(self) -> int:
        """Cycles from one block to the next: its rounds, or one."""
        return 1 if self.is_pipelined else super().cycles_per_block

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first keystream word offered. With all
        rounds in a row these are the load, a cycle for each round key but the first two, and one
        for each stage."""
        keys, stages = self.rounds - 1, self.rounds + 1
        return self.load_cycles + keys + stages if self.is_pipelined else super().setup_cycles

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        if self.is_pipelined:
            return f"(key_bits + iv_bits) / load_width + {2 * self.rounds}"
        return super().setup_formula

    @property
    def _cycles_to_zero(self) -> int:
        """Zeros pass through the key ring, then through the state; with all rounds in a row through
        their keys."""
        return self.rounds + 1 if self.is_pipelined else super()._cycles_to_zero

    @property
    def output_delay(self) -> int:
        """Cycles from making a word to offering it."""
        return 1


@dataclass(frozen=True)
class LineFacts(AesFacts):
    """Timing and word order of AES with a key of any length. A round of its own, without keystream,
    stands between the load and the first block."""

    output_delay = 1
    """Cycles from making a word to offering it."""

    @property
    def chained_bits(self) -> int:
        """Bits that are loaded behind the key: the IV, or what stands before a message."""
        return self.cipher.iv_bits[-1]

    @property
    def load_cycles(self) -> int:
        """Words of a load."""
        return (self.cipher.key_bits + self.chained_bits) // self.architecture.load_width

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first keystream word offered."""
        return self.load_cycles + self.cycles_per_block + self.output_delay

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        return "(key_bits + iv_bits) / load_width + cycles_per_block + 1"


class Pace:
    """When the words of keystream of AES leave their register, as early as may be. Cycles are
    counted from the one in which the first word is there.

    A word is made in the cycle before it is there, and only when the word before it has left. The
    last word of a block and the first of the next are at least the other rounds apart.
    """

    def __init__(self, facts: AesFacts) -> None:
        self._words = facts.words_per_block
        self._between = facts.cycles_per_block - self._words
        self._made, self._count = -1, 0

    def take(self, earliest: int) -> int:
        """The cycle in which the next word leaves, if nothing takes it before ``earliest``."""
        left = max(self._made + 1, earliest)
        self._count += 1
        begins = self._between * (self._count % self._words == 0)
        self._made = max(self._made + 1 + begins, left)
        return left
