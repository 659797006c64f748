# SPDX-License-Identifier: Apache-2.0
"""A cipher that goes in rounds: the states that follow each other in its first block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from headwater.algebra.word import IntegerWord, Wire, Word, unnamed
from headwater.cipher.description import Cipher
from headwater.kinds.registry import further_part


class Step(Protocol):
    """What a round makes of the words of a state."""

    def __call__(self, wire: Wire, words: Sequence[Word], number: int) -> Sequence[Word]:
        """The words behind round ``number``, counted from 0, in any reading of words."""


@dataclass(frozen=True)
class Rounds:
    """The rounds of a cipher from a session's beginning on.

    Members
    -------
    names, width
        The words of a state, and the bits of each.
    count
        How many rounds there are.
    begin
        ``begin(key, iv)`` is the state before the first round, as numbers, from bytes.
    step
        A round.
    """

    names: tuple[str, ...]
    width: int
    count: int
    begin: Callable[[bytes, bytes], Sequence[int]]
    step: Step

    @property
    def bits(self) -> int:
        """Bits of a state."""
        return len(self.names) * self.width

    def behind(self, words: Sequence[int], number: int) -> list[int]:
        """The words behind a round, as numbers."""
        held = [IntegerWord(one, self.width) for one in words]
        return [word.value for word in self.step(unnamed, held, number)]

    def states(self, key: bytes, iv: bytes) -> list[list[int]]:
        """The words before the first round, and behind each."""
        states = [[*self.begin(key, iv)]]
        for number in range(self.count):
            states.append(self.behind(states[-1], number))
        return states


def rounds_of(cipher: Cipher) -> Rounds | None:
    """The rounds of a cipher whose kind has a file ``rounds.py``; None of any other."""
    part = further_part(cipher, "rounds")
    rounds: Rounds | None = part.rounds_of(cipher) if part else None
    return rounds


def words_of(data: bytes, width: int) -> list[int]:
    """Bytes as words of ``width`` bits, the first byte of each lowest."""
    size = width // 8
    return [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]
