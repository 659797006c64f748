# SPDX-License-Identifier: Apache-2.0
"""The first matrix added by the adders of the rounds.

Where a whole block is given in a cycle of its own, no round is made in it. Multiplexers then give
adders of the quarter rounds a word of the block and one of its first matrix, instead of the
operands of a round. An operand that is the word itself in a round, too, needs no multiplexer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from amaranth.hdl import Const, Module, Mux, Signal, Value

from headwater.algebra.word import Wire, add
from headwater.core.naming import Naming
from headwater.kinds.block_stream.adders import AddedWord, adders_of_words
from headwater.kinds.block_stream.description import BlockStreamCipher
from headwater.kinds.block_stream.folding import rounds_of_cycle


@dataclass
class SharedAdders:
    """The adders of a quarter round, some of which add other words in cycles that are idle."""

    idle: Value
    others: Mapping[int, tuple[Value, Value]]
    """By number of an adder a word of the block, and the word of its first matrix."""
    made: list[AddedWord] = field(default_factory=list)
    """What the adders make, in their order."""

    def add(self, left: AddedWord, right: AddedWord) -> AddedWord:
        """The next addition of a round."""
        one, two = left.value, right.value
        if other := self.others.get(len(self.made)):
            one, two = self.switched(one, two, *other)
        self.made.append(AddedWord(add(one, two), self.add))
        return self.made[-1]

    def switched(self, left: Value, right: Value, word: Value, first: Value) -> tuple[Value, Value]:
        """The operands of an adder: ``left`` and ``right`` in a round, else ``word`` and
        ``first``. The word goes to its own side; a multiplexer of equal inputs is none."""
        one, other = (first, word) if right is word else (word, first)
        return Mux(self.idle, one, left), Mux(self.idle, other, right)


def shared_round(
    m: Module,
    cipher: BlockStreamCipher,
    state: Sequence[Signal],
    first: Sequence[Value],
    idle: Value,
    adders: type[SharedAdders],
) -> tuple[list[Value], list[Value]]:
    """What the state becomes in a round; and, in a cycle that is ``idle``, the sums of its words
    and the ``first`` ones."""
    where: dict[int, tuple[SharedAdders, int]] = {}
    for quarter in cipher.first_round:
        numbers = dict(zip(quarter, adders_of_words(cipher.quarter_round), strict=True))
        group = adders(
            idle, {adder: (state[place], first[place]) for place, adder in numbers.items()}
        )
        where |= {place: (group, adder) for place, adder in numbers.items()}
    words = [AddedWord(word, where[place][0].add) for place, word in enumerate(state)]
    becomes, _ = rounds_of_cycle(
        lambda suffix: _naming_words(Naming(m, suffix)), cipher, "round", words, Const(0, 1)
    )
    sums = [group.made[adder].value for _, (group, adder) in sorted(where.items())]
    return [word.value for (word,) in becomes], sums


def _naming_words(wire: Wire) -> Wire:
    """The wire that puts the named value into the word, so that a sum is the signal that the round
    reads."""

    def call(value: AddedWord, name: str = "") -> AddedWord:
        value.value = wire(value.value, name or Signal(src_loc_at=1).name)
        return value

    return call
