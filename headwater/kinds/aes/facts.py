# SPDX-License-Identifier: Apache-2.0
"""Timing and word order of the cores of AES."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headwater.core.facts import BlockFacts, counted
from headwater.kinds.aes.description import BLOCK_BITS


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
    def is_pipelined(self) -> bool:
        """Whether all rounds are there, in a row."""
        return self.architecture["rounds"] != "1"

    @property
    def stages_per_round(self) -> int:
        """Registers of a block in each round of a row."""
        return 2 if self.architecture["rounds"] == "halves" else 1

    @property
    def stages(self) -> int:
        """Registers that a block passes in a row of rounds: one before them, then those of each."""
        return 1 + self.rounds * self.stages_per_round

    @property
    def key_moves(self) -> int:
        """Moves of the line of round keys of a row as these are made, so many bits as a load word
        has in each."""
        key_bits: int = self.cipher.key_bits
        return ((self.rounds + 1) * BLOCK_BITS - key_bits) // self.architecture.load_width

    @property
    def key_cycles(self) -> int:
        """Cycles in which the round keys of a row are made. Where a round has two registers, a move
        takes two."""
        return self.key_moves * self.stages_per_round

    @property
    def cycles_per_block(self) -> int:
        """Cycles from one block to the next: its rounds, or one where they are in a row. The first
        round key of the next block is added in the last one."""
        return 1 if self.is_pipelined else self.rounds * self.words_per_block

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
        """Cycles from the first load word taken to the first keystream word offered. With all
        rounds in a row these are the load, those in which round keys are made, and one for each
        stage."""
        if self.is_pipelined:
            return self.load_cycles + self.key_cycles + self.stages
        return self.load_cycles + self._cycles_before

    @property
    def _cycles_before(self) -> int:
        """Cycles between the load and the first word."""
        return self.cycles_per_block - self.words_per_block + self.output_delay

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        load = f"({self._loaded}) / load_width"
        if self.is_pipelined:
            return f"{load} + {self.key_cycles + self.stages}"
        return f"{load} + {self._formula_before}"

    @property
    def _loaded(self) -> str:
        """The bits that are loaded, for a formula."""
        return "key_bits + iv_bits"

    @property
    def _formula_before(self) -> str:
        """Cycles between the load and the first word, for a formula."""
        return "cycles_per_block - 128 / radix" + " + 1" * self.output_delay

    def sheet(self) -> dict[str, Any]:
        """Cycles per block."""
        return {"cycles_per_block": self.cycles_per_block}

    @property
    def _cycles_to_zero(self) -> int:
        """Zeros pass first through the key ring, then through the state; with all rounds in a row
        through their keys."""
        if self.is_pipelined:
            return (self.rounds + 1) * BLOCK_BITS // self.architecture.load_width
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
        pace = "in every cycle" if self.is_pipelined else f"every {self.cycles_per_block} cycles"
        return (
            f"words of {counted(radix, 'bit')}, the first bit is the most significant; "
            f"{block} {pace}; zero while valid is low"
        )


@dataclass(frozen=True)
class CounterFacts(AesFacts):
    """Timing and word order of AES-256 in counter mode."""

    output_delay = 1
    """Cycles from making a word to offering it."""


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
    def _cycles_before(self) -> int:
        return self.cycles_per_block + self.output_delay

    @property
    def _formula_before(self) -> str:
        return "cycles_per_block + 1"


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
