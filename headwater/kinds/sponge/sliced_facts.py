# SPDX-License-Identifier: Apache-2.0
"""Timing of an Ascon core that makes a round slice by slice."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.kinds.sponge.description import RATE_BITS, WORD_BITS
from headwater.kinds.sponge.facts import SpongeFacts
from headwater.kinds.sponge.lanes import Lane


@dataclass(frozen=True)
class SlicedFacts(SpongeFacts):
    """Timing of a core whose cycle moves a slice of each word. A word of a stream has several."""

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """The words of the state."""
        width = self.architecture.radix
        return tuple(Lane(width, rotations) for rotations in self.cipher.rotations)

    @property
    def slices(self) -> int:
        """Slices of a word of the state."""
        return WORD_BITS // self.architecture.radix

    @property
    def parts(self) -> int:
        """Slices of a word of the message or the tag, each of which takes a cycle."""
        return self.word_bits // self.architecture.radix

    @property
    def round_cycles(self) -> int:
        """Cycles of a round."""
        return max(lane.cycles for lane in self.lanes)

    @property
    def long_cycles(self) -> int:
        """Cycles of the permutation before and after a message."""
        return self.cipher.long_rounds * self.round_cycles

    @property
    def short_cycles(self) -> int:
        """Cycles of the permutation between two blocks."""
        return self.cipher.short_rounds * self.round_cycles

    @property
    def first_short_number(self) -> int:
        """The number of the first round between two blocks."""
        return self.cipher.long_rounds - self.cipher.short_rounds

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first data word taken, with its last
        slice."""
        return super().setup_cycles + self.parts - 1

    def message_cycles(self, bits: int) -> int:
        """Cycles from the first word of a text of ``bits`` bits, with its last slice, to the
        tag."""
        return super().message_cycles(bits) - (self.parts - 1)

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        rounds = f"{self.cipher.long_rounds} * {self.round_cycles} (cycles of a round)"
        slices = f" + {self.parts - 1} (slices before the last of a word)" * (self.parts > 1)
        return f"256 / load_width + {rounds}{slices}"

    @property
    def _cycles_to_zero(self) -> int:
        """Zeros are shifted through the words below S4, or into S0, and then through a window."""
        passes = (1, 4, 3, 2, 1)
        return max(
            number * self.slices + -(-lane.window // lane.width)
            for number, lane in zip(passes, self.lanes, strict=True)
        )

    def words_in(self, cycles: int) -> int:
        """Words of text that keep a power measurement busy for at least ``cycles`` cycles: whole
        blocks."""
        block = RATE_BITS // self.architecture.radix + self.short_cycles
        return -(-cycles // block) * self.words

    def sheet(self) -> dict[str, int]:
        """Cycles of a round, and flip-flops beside the state."""
        return {
            "round_cycles": self.round_cycles,
            "window_bits": sum(lane.window for lane in self.lanes),
        }
