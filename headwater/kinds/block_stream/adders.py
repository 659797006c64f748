# SPDX-License-Identifier: Apache-2.0
"""The adders of a quarter round, and which of them can also add to which of its words.

The quarter round is read with words that hand their additions to somebody who knows the adders.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

from headwater.algebra.word import IntegerWord, Word, add, concatenate, unnamed

Addition = Callable[["AddedWord", "AddedWord"], "AddedWord"]
"""Makes the next addition of a quarter round."""

_WORDS, _BITS = 4, 32


class AddedWord:
    """A word of a quarter round, and how many additions in a row made it. What is added to it,
    ``addition`` adds."""

    def __init__(self, value: Word, addition: Addition, sums: int = 0) -> None:
        self.value, self.addition, self.sums = value, addition, sums

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, place: int | slice) -> AddedWord:
        return AddedWord(self.value[place], self.addition, self.sums)

    def __xor__(self, other: AddedWord) -> AddedWord:
        sums = max(self.sums, other.sums)
        return AddedWord(self.value ^ other.value, self.addition, sums)


@add.register
def _add_word(left: AddedWord, right: AddedWord) -> AddedWord:
    made = left.addition(left, right)
    return AddedWord(made.value, made.addition, max(left.sums, right.sums) + 1)


@concatenate.register
def _concatenate_words(lowest: AddedWord, *higher: AddedWord) -> AddedWord:
    joined = concatenate(lowest.value, *(word.value for word in higher))
    sums = max(word.sums for word in (lowest, *higher))
    return AddedWord(joined, lowest.addition, sums)


def additions_in_a_row(quarter_round: Callable[..., tuple[Word, ...]]) -> int:
    """The most additions of a quarter round each of which reads the one before."""

    def made(left: AddedWord, right: AddedWord) -> AddedWord:
        return AddedWord(add(left.value, right.value), made)

    words = [AddedWord(IntegerWord(0, _BITS), made) for _ in range(_WORDS)]
    return max(word.sums for word in quarter_round(unnamed, *words))


def adders_of_words(quarter_round: Callable[..., tuple[Word, ...]]) -> tuple[int, ...]:
    """For each word of a quarter round the number of an adder that can add to it, chosen so that
    the most adders have this very word as an operand anyway. Empty where there are fewer adders
    than words."""
    operands: list[tuple[AddedWord, AddedWord]] = []

    def note(left: AddedWord, right: AddedWord) -> AddedWord:
        operands.append((left, right))
        return AddedWord(add(left.value, right.value), note)

    words = [AddedWord(IntegerWord(0, _BITS), note) for _ in range(_WORDS)]
    quarter_round(unnamed, *words)

    def kept(adders: tuple[int, ...]) -> int:
        return sum(word in operands[adder] for word, adder in zip(words, adders, strict=True))

    return max(permutations(range(len(operands)), _WORDS), key=kept, default=())
