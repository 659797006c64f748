# SPDX-License-Identifier: Apache-2.0
"""Timing and word order of cores whose keystream is blocks."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from headwater.core.architecture import Architecture
from headwater.core.facts import BlockFacts
from headwater.kinds.block_stream.adders import additions_in_a_row
from headwater.kinds.block_stream.description import (
    BLOCK_BITS,
    PIPELINE,
    BlockStreamCipher,
    stages_of,
)

_CYCLES_OF_A_ROUND = {"double": Fraction(1, 2), "round": Fraction(1), "quarter": Fraction(4)}
"""In the other folds, a cycle for each stage."""


@dataclass(frozen=True)
class BlockStreamFacts(BlockFacts):
    """Timing and word order of a core of the Salsa20 family."""

    cipher: BlockStreamCipher

    @property
    def buffered(self) -> bool:
        """Whether a finished block moves to a buffer while the next one is made."""
        return self.architecture["buffer"] == "block"

    @property
    def shares_adders(self) -> bool:
        """Whether the adders of the rounds add the first matrix, too."""
        return self.architecture["addition"] == "shared"

    @property
    def round_cycles(self) -> int:
        """Cycles that the rounds of a block take."""
        cycles = _CYCLES_OF_A_ROUND.get(self.architecture["fold"], self.stages)
        return int(self.cipher.rounds * cycles)

    @property
    def stages(self) -> int:
        """Stages of a round, each with a block of its own."""
        return stages_of(self.architecture["fold"])

    @property
    def renewals(self) -> tuple[int, ...]:
        """The cycles, of those that a block takes, at whose end a new block begins: one for each
        stage. They are a cycle more than the rounds apart, so that each block meets a stage that is
        free; only the last ones are nearer."""
        apart = self.cipher.rounds + 1 if self.stages > 1 else self.round_cycles
        return tuple((number * apart - 1) % self.round_cycles for number in range(self.stages))

    @property
    def words_per_block(self) -> int:
        """Keystream words of a block."""
        return BLOCK_BITS // self.architecture.radix

    @property
    def selects_ahead(self) -> bool:
        """Whether the matrix word to add is selected a cycle before: where stages are shorter than
        selection and addition in a row."""
        return self.stages > 1 and self.words_per_block > 1

    @property
    def fills_empty(self) -> bool:
        """Whether a block of stages waits until the buffer is empty, so that no stage waits for the
        reader's ready. The words of a block are then given before the next one is finished."""
        nearest = self.cipher.rounds + 1 - self.stages
        return self.stages > 1 and self.words_per_block < nearest

    @property
    def cycles_per_block(self) -> int:
        """Cycles from block to block if every word is taken at once."""
        if self.buffered:
            return max(self.round_cycles // self.stages, self.words_per_block)
        return self.round_cycles + self.words_per_block

    @property
    def load_cycles(self) -> int:
        """Words of a load."""
        return self.cipher.load_bits // self.architecture.load_width

    @property
    def begin_cycles(self) -> int:
        """Cycles that make the first matrix from the load."""
        return 1 if self.buffered else self.words_per_block

    @property
    def setup_rounds(self) -> int:
        """How often the rounds of a block are made before there is keystream."""
        return 2 if self.cipher.derivation else 1

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first keystream word offered."""
        return self.load_cycles + self.setup_rounds * (self.begin_cycles + self.round_cycles)

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        begin = "1" if self.buffered else "512 / radix"
        rounds = f"{begin} + {self._round_formula}"
        if self.setup_rounds > 1:
            rounds = f"{self.setup_rounds} * ({rounds})"
        return f"(key_bits + iv_bits + counter_bits) / load_width + {rounds}"

    @property
    def _round_formula(self) -> str:
        return {"double": "rounds / 2", "round": "rounds", "quarter": "4 * rounds"}.get(
            self.architecture["fold"], f"{self.stages} * rounds"
        )

    @property
    def block_formula(self) -> str:
        """How `cycles_per_block` follows from other entries of the data sheet."""
        rounds = self._round_formula if self.stages == 1 else "rounds"
        if self.buffered:
            return f"the larger of {rounds} and 512 / radix"
        return f"{rounds} + 512 / radix"

    def keystream_cycles(self, bits: int) -> int:
        """Cycles from the first keystream word to the one that completes ``bits``, both counted.
        Blocks of stages are not evenly spaced."""
        words = -(-bits // self.architecture.radix)
        blocks, rest = divmod(words - 1, self.words_per_block)
        if not words or self.stages == 1:
            return super().keystream_cycles(bits)
        apart = self.cipher.rounds + 1
        gaps = (*[apart] * (self.stages - 1), self.round_cycles - (self.stages - 1) * apart)
        passed = (max(gaps[block % self.stages], self.words_per_block) for block in range(blocks))
        return sum(passed) + rest + 1

    def sheet(self) -> dict[str, Any]:
        """Cycles per block, and the effect of `clear`."""
        effect = f"after clear_cycles {self.clear_effect}"
        return {
            "cycles_per_block": self.cycles_per_block,
            "block_formula": self.block_formula,
            **({} if self.clear_cycles is None else {"clear_effect": effect}),
        }

    @property
    def _cycles_to_zero(self) -> int:
        """Zeros replace the load, and the matrix of the zero load replaces the state, at once or
        word by word."""
        if self.buffered:
            return max(self.load_cycles + self.stages, self.words_per_block)
        return self.load_cycles + self.words_per_block

    @property
    def clear_effect(self) -> str:
        """What holds once the clear cycles are over."""
        if self.architecture.clear == "instant":
            return "every bit of state is zero"
        return "no bit of key, nonce, block number or keystream is left, the state holds constants"

    @property
    def load_order(self) -> str:
        """What the load words hold and in which order, as prose."""
        count = self.load_cycles
        order = (
            f"{count} word{'s' * (count > 1)} of {self.architecture.load_width} bits: the key, "
            f"the nonce, then the number of the first block ({self.cipher.counter_bits} bits), "
            "each the first bit or lowest bit first, the first bit in payload bit 0"
        )
        return order if self.waits else f"{order}; the words follow each other without a gap"

    @property
    def keystream_order(self) -> str:
        """What the keystream words hold and in which order, as prose."""
        return f"{super().keystream_order}; {self.words_per_block} for each block"

    def load_words(
        self, key: bytes, iv: bytes, iv_bits: int | None = None, *, block: int = 0
    ) -> list[int]:
        """The words of a load."""
        key_string, iv_string = self.cipher.input_bits(key, iv, iv_bits)
        counter = [block >> place & 1 for place in range(self.cipher.counter_bits)]
        return self.cut([*key_string, *iv_string, *counter])


class PipelineFacts(BlockStreamFacts):
    """Timing of a core with all rounds in a row: a block leaves in every cycle."""

    @property
    def stages(self) -> int:
        """Stages of each round, with an addition in each."""
        return additions_in_a_row(self.cipher.quarter_round)

    @property
    def cycles_per_block(self) -> int:
        """A block is a word, and each cycle has one."""
        return 1

    @property
    def block_formula(self) -> str:
        """It follows from nothing."""
        return "1"

    def keystream_cycles(self, bits: int) -> int:
        """Cycles from the first keystream word to the one that completes ``bits``, both counted."""
        return -(-bits // self.architecture.radix)

    @property
    def _cycles_to_zero(self) -> int:
        """Zeros replace the load, and their matrix goes through all stages and is added."""
        return self.load_cycles + self.round_cycles + 1


def facts_of_fold(cipher: BlockStreamCipher, architecture: Architecture) -> BlockStreamFacts:
    """The facts of a core, by how its rounds are arranged."""
    made = PipelineFacts if architecture["fold"] == PIPELINE else BlockStreamFacts
    return made(cipher, architecture)
