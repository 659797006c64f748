# SPDX-License-Identifier: Apache-2.0
"""Matrix words that are selected a cycle before they are added.

With a round in stages, selecting one of sixteen words and adding it in the same cycle would take
longer than a stage.
"""

from __future__ import annotations

from collections.abc import Sequence

from amaranth.hdl import Module, Signal, Value

from headwater.kinds.block_stream.description import WORD_BITS
from headwater.kinds.block_stream.facts import BlockStreamFacts


class WordsAhead:
    """Registers for the matrix words that belong to the offered words of the buffer.

    While the buffer is empty they hold the words that a block begins with, which do not depend on
    its number.
    """

    def __init__(self, facts: BlockStreamFacts, *, kept: bool) -> None:
        lanes = facts.architecture.radix // WORD_BITS
        self.words = [
            Signal(WORD_BITS, name=f"added_{lane}", reset_less=kept) for lane in range(lanes)
        ]
        self.number = Signal(range(facts.words_per_block), name="ahead")
        """Which word is selected: the one behind the offered word, or the first one."""

    def take(
        self, m: Module, selected: Sequence[Value], *, moves: Value, counts: Value
    ) -> list[Signal]:
        """Take the selected words if the buffer moves, and count if another one is then offered;
        gives back the registers."""
        with m.If(moves):
            for register, word in zip(self.words, selected, strict=True):
                m.d.sync += register.eq(word)
        with m.If(counts):
            m.d.sync += self.number.eq(self.number + 1)
        return self.words
