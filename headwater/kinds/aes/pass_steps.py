# SPDX-License-Identifier: Apache-2.0
"""A pass of AES at a bit a cycle as sixteen steps of bytes, for proofs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, reduce
from operator import or_

from amaranth.hdl import Cat, Const, Mux, Value

from headwater.kinds.aes.bit import BACK, BACK_AGAIN, LAST_ROUND, WHITENING
from headwater.kinds.aes.places import SHIFTED

BYTES = 16
_LAST_COLUMN = 12
"""Its first byte."""

Bytes = Sequence[Value]
"""Bytes of a block or a round key, the one on top first."""


@dataclass(frozen=True)
class Tasks:
    """What is done in a pass, each a bit."""

    substitutes: Value
    """A round: ShiftRows, SubBytes, and the next round key."""
    expands: Value
    """The first word of the round key gets what the S-box gives."""
    unties: Value
    """The other words of the round key lose the words before them."""
    adds_last: Value
    """The last column gets the round key that the pass begins with."""
    adds: Value
    """The other columns get the one that it makes."""


def tasks_of(number: Value) -> Tasks:
    """Those of a pass, by its number."""
    rounds, back = range(LAST_ROUND + 1), range(BACK_AGAIN, WHITENING)

    def among(*numbers: int) -> Value:
        return reduce(or_, (number == one for one in numbers))

    return Tasks(
        substitutes=among(*rounds),
        expands=among(*rounds, *back, WHITENING),
        unties=among(BACK, *back),
        adds_last=among(*rounds, BACK),
        adds=among(*rounds, WHITENING),
    )


@cache
def _distance(step: int) -> int:
    """How far from the top the byte is that is due in a step of a round."""
    ring: list[int | None] = list(range(BYTES))
    for due in SHIFTED[:step]:
        ring[ring.index(due)] = ring[0]
        ring = [*ring[1:], None]
    return ring.index(SHIFTED[step])


@dataclass(frozen=True)
class Step:
    """A step of a pass on the bytes of block and round key, the byte on top first. A byte leaves
    each of them and one enters."""

    number: int
    tasks: Tasks
    block: Bytes
    key: Bytes

    @property
    def crossing(self) -> Value:
        """The byte that leaves the last column, with its byte of the round key."""
        adds = self.tasks.adds if self.number >= 4 else self.tasks.adds_last
        return self.block[_LAST_COLUMN] ^ (self.key[_LAST_COLUMN] & adds.replicate(8))

    @property
    def due(self) -> Value:
        """The byte that enters the block, before SubBytes."""
        distance = _distance(self.number)
        byte = self.crossing if distance == _LAST_COLUMN else self.block[distance]
        return Mux(self.tasks.substitutes, byte, self.block[0])

    @property
    def rotated(self) -> Value:
        """The byte that RotWord puts beside the one on top of the round key, in the first word."""
        row = self.number % 4
        return self.key[_LAST_COLUMN + (row + 1) % 4 - row]

    def block_behind(self, entering: Value) -> list[Value]:
        """The bytes of the block behind the step."""
        block, distance = list(self.block), _distance(self.number)
        block[_LAST_COLUMN] = self.crossing
        if distance:
            block[distance] = Mux(self.tasks.substitutes, block[0], block[distance])
        return [*block[1:], entering]

    def key_behind(self, gained: Value) -> list[Value]:
        """The bytes of the round key behind the step; a byte of the first word has ``gained`` what
        the S-box gives."""
        key, column = list(self.key), self.number // 4
        tied = self.tasks.substitutes if column else Const(0, 1)
        if column == 0:
            key[0] = key[0] ^ (gained & self.tasks.expands.replicate(8))
        if column == 1:
            tied = tied | self.tasks.unties
            for place in (4, 8):
                key[place] ^= self.key[place - 4] & self.tasks.unties.replicate(8)
        return [*key[1:], key[0] ^ (key[_LAST_COLUMN] & tied.replicate(8))]


def string_of(octets: Bytes) -> Value:
    """Bytes as one value, the first on top."""
    return Cat(*reversed(octets))
