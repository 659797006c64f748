# SPDX-License-Identifier: Apache-2.0
"""What follows from a cipher and an architecture before any circuit is built."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.cipher.description import ShiftRegisterCipher
from headwater.core.architecture import Architecture
from headwater.core.loading import cycles_to_zero, load_plan


@dataclass(frozen=True)
class CoreFacts:
    """Timing and word order of one cipher's core at one architecture."""

    cipher: ShiftRegisterCipher
    architecture: Architecture

    @property
    def load_cycles(self) -> int:
        """Load words that carry key and IV."""
        return self.cipher.load_cycles(self.architecture.load_width)

    @property
    def blank_cycles(self) -> int:
        """Cycles between the last load word and the first keystream word."""
        return self.cipher.blank_steps // self.architecture.radix

    @property
    def steps_ahead(self) -> int:
        """Steps that the output is read ahead of the state: the blank steps left over."""
        return self.cipher.blank_steps % self.architecture.radix

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first keystream word offered."""
        return self.cipher.setup_cycles(self.architecture.radix, self.architecture.load_width)

    @property
    def waits(self) -> bool:
        """Whether the keystream waits for its reader, and the load for gaps between its words."""
        return self.architecture.stall == "stream"

    @property
    def clear_cycles(self) -> int | None:
        """Cycles from ``clear`` until every bit of state is zero; None if it is not offered.

        The clear cycle itself is counted, and the register that holds a waiting keystream word
        follows the phase by one cycle.
        """
        match self.architecture.clear:
            case "shift":
                plan = load_plan(self.cipher, self.architecture.load_width)
                return 1 + cycles_to_zero(plan)
            case "instant":
                return 1
            case _:
                return None

    @property
    def load_order(self) -> str:
        """What the load words hold, in words."""
        width, bits = self.architecture.load_width, self.cipher.load_bits
        order = (
            f"{self.load_cycles} words of {width} bits: {self.cipher.key_bits} key bits, then "
            f"{self.cipher.iv_bits[-1]} IV bits, the first bit in payload bit 0"
        )
        spare = self.load_cycles * width - bits
        if spare:
            order += f"; the lowest {spare} bits of the first word are ignored"
        return order if self.waits else f"{order}; the words follow each other without a gap"

    @property
    def keystream_order(self) -> str:
        """What the keystream words hold, in words."""
        order = f"words of {self.architecture.radix} bits, the oldest bit in payload bit 0"
        return order if self.waits else f"{order}; not masked while valid is low"
