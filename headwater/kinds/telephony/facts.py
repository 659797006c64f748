# SPDX-License-Identifier: Apache-2.0
"""What follows from a mode of mobile telephony and an architecture before any circuit is built."""

from __future__ import annotations

from dataclasses import dataclass, replace

from headwater.core.facts import Facts
from headwater.core.streams import Stream
from headwater.kinds.stepped.word_facts import WordFacts
from headwater.kinds.telephony.description import (
    WORD_BITS,
    EvaluationIntegrity,
    Integrity,
    WordMode,
)
from headwater.kinds.telephony.windows_behind import WindowsBehind


@dataclass(frozen=True)
class TelephonyFacts(WordFacts):
    """Timing and word order of a mode's core: those of the base cipher, and what the mode adds.
    ``cipher`` is the base cipher in the form that the architecture selects."""

    mode: WordMode

    @property
    def stated_iv_bits(self) -> int:
        """Length of the mode's IV; the base cipher has another one."""
        return self.mode.iv_bits[-1]

    @property
    def word_cycles(self) -> int:
        """Cycles that a word of the message takes."""
        if isinstance(self.mode, EvaluationIntegrity):
            return WORD_BITS // int(self.architecture["digit"])
        return 1

    @property
    def gathered_words(self) -> int:
        """Keystream words that are taken before the message."""
        return self.mode.gathered_words

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first in which data is taken."""
        return super().setup_cycles + self.gathered_words

    @property
    def setup_formula(self) -> str:
        """How the setup's cycles follow from other entries of the data sheet."""
        formula = super().setup_formula
        return f"{formula} + {self.gathered_words}" if self.gathered_words else formula

    @property
    def bits_per_cycle(self) -> float:
        """Message bits per clock cycle, in steady state."""
        return self.architecture.radix / self.word_cycles

    @property
    def _cycles_to_zero(self) -> int:
        """Cycles until the mode's words and digits have been shifted out by zeros."""
        return max(super()._cycles_to_zero, self.gathered_words, self.word_cycles - 1)

    @property
    def load_order(self) -> str:
        """What the load words hold and in which order, as prose."""
        return ". ".join(filter(None, (super().load_order, self.mode.load_rule)))

    def _streams_beside(self) -> tuple[Stream, ...]:
        """The message, and the output text or the tag."""
        data, other = message_and_text(self, self.mode.text_unit)
        if not isinstance(self.mode, Integrity | WindowsBehind):
            return data, other
        first = "the first bit is the most significant"
        bits = self.mode.default_tag_bits
        words = "one word" if bits == WORD_BITS else f"{bits // WORD_BITS} words"
        tag = Stream(
            name="tag",
            direction="output",
            width=WORD_BITS,
            top_first=True,
            bits=bits,
            order=f"{words} of {WORD_BITS} bits, {first}",
        )
        return data, tag

    def load_words(
        self, key: bytes, iv: bytes, iv_bits: int | None = None, *, block: int = 0
    ) -> list[int]:
        """The words of a load: those of the base cipher, whose IV is formed from the mode's."""
        assert iv_bits in (None, *self.mode.iv_bits)
        return super().load_words(*self.mode.base_inputs(key, iv), block=block)

    def message_cycles(self, bits: int) -> int:
        """Cycles from the first data word taken to the tag, or to the end where there is none. An
        evaluation over GF(2^64) needs whole blocks, one cycle to change to Q, two for the words of
        Q, and one block for the length."""
        words = -(-bits // self.architecture.radix)
        if not isinstance(self.mode, EvaluationIntegrity):
            return max(1, words)
        blocks = -(-words // 2)
        return max(1, 2 * blocks * self.word_cycles) + 3 + 2 * self.word_cycles


def message_and_text(facts: Facts, unit: int) -> tuple[Stream, Stream]:
    """The streams of a message of units of so many bits, and of the other text."""
    first, width = "the first bit is the most significant", facts.architecture.radix
    message = (
        f"words of {width} bits, {first}; `last` marks the last word, whose `keep` has a "
        f"one for each {'bit' if unit == 1 else 'byte'} that counts, from the top, and is all "
        "ones in every other word; an empty message is one word with no ones"
    )
    text = (
        f"words of {width} bits, one for each of data_in, with its `keep` and `last`; bits "
        "that do not count are zero"
    )
    data, other = facts.text_streams(width, message, text, top_first=True, keep_bits=unit)
    return data, replace(other, gives_empty_words=True)
