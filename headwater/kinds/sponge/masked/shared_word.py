# SPDX-License-Identifier: Apache-2.0
"""A reading of a description's words: in two shares.

What is linear is made of each share by itself. A product of two words is a gadget, whose factors
must have no bit in common: its terms of different shares would show both shares of this bit. Where
factors have bits ``c`` in common, the product is split, as bits are their own squares::

    (a + c) (b + c) = a (b + c) + (b + 1) c
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce

from amaranth.hdl import Cat, Const, Module, Signal, Value

from headwater.algebra.word import concatenate, unnamed
from headwater.core.naming import Naming
from headwater.errors import InputError
from headwater.kinds.sponge.description import STATE_WORDS, WORD_BITS, SpongeAead

Pair = tuple[Value, Value]
"""Both shares of a word."""
Multiply = Callable[[Pair, Pair], Pair]
"""Makes the shares of a product of two words that have no bit in common."""
Source = tuple[str, int]
"""A register, and by how many places its bits are moved down."""


@dataclass(frozen=True)
class SharedWord:
    """A word in two shares."""

    shares: Pair
    multiply: Multiply
    sources: Mapping[Source, Pair]
    """What it is the sum of, by source."""
    inverted: bool = False
    """Whether ones are added to the sources."""
    public: Value | None = None
    """A public word that is added, too. It has no part in a gadget: what it is multiplied with is
    added behind, so that it may be another one in the cycle that the gadget's terms are made in."""
    linear: bool = True
    """Whether it is such a sum, and may be a factor: no product is in it."""

    @classmethod
    def of(cls, register: tuple[Signal, Signal], name: str, multiply: Multiply) -> SharedWord:
        """What a register holds."""
        return cls(register, multiply, {(name, 0): register})

    def __len__(self) -> int:
        return len(self.shares[0])

    def __getitem__(self, place: slice) -> SharedWord:
        low, high, _ = place.indices(len(self))
        return replace(
            self,
            shares=_cut(self.shares, low, high),
            sources={
                (name, at + low): _cut(pair, low, high) for (name, at), pair in self.sources.items()
            },
            public=None if self.public is None else self.public[low:high],
        )

    def __invert__(self) -> SharedWord:
        shares = ~self.shares[0], self.shares[1]
        return replace(self, shares=shares, inverted=not self.inverted)

    def __xor__(self, other: SharedWord | Value) -> SharedWord:
        if isinstance(other, Value):
            return self._with_public(other)
        both = {**self.sources, **other.sources}
        made = SharedWord(
            _added(self.shares, other.shares),
            self.multiply,
            {one: both[one] for one in both if (one in self.sources) != (one in other.sources)},
            self.inverted != other.inverted,
            self.public,
            self.linear and other.linear,
        )
        return made if other.public is None else replace(made, public=made._publicly(other.public))

    def _with_public(self, public: Value) -> SharedWord:
        """A public word is added to share 0."""
        shares = self.shares[0] ^ public, self.shares[1]
        return replace(self, shares=shares, public=self._publicly(public))

    def _publicly(self, public: Value) -> Value:
        return public if self.public is None else self.public ^ public

    def __and__(self, other: SharedWord) -> SharedWord:
        """The product, of one gadget or of two, and of what is public."""
        if not (self.linear and other.linear):
            raise InputError("round of a masked core must have products of sums, not of products")
        left, right = (word._sum(word.sources, inverted=word.inverted) for word in (self, other))
        product = left._split_times(right)
        if other.public is not None:
            product ^= left._masked_by(other.public)
        if self.public is not None:
            product ^= right._masked_by(self.public)
        if self.public is not None and other.public is not None:
            product = product._with_public(self.public & other.public)
        return product

    def _split_times(self, other: SharedWord) -> SharedWord:
        """The product of words without what is public; see the head of this file."""
        both = [one for one in self.sources if one in other.sources]
        if not both:
            return self._times(other)
        common = self._sum(both, inverted=False)
        own, rest = (
            word._sum([one for one in word.sources if one not in both], inverted=word.inverted)
            for word in (self, other)
        )
        return own._times(rest ^ common) ^ (~rest)._times(common)

    def _sum(self, sources: Collection[Source], *, inverted: bool) -> SharedWord:
        """The sum of some of the sources, without what is public."""
        if self.public is None and sources == self.sources.keys() and inverted == self.inverted:
            return self
        some = {one: self.sources[one] for one in sources}
        zero = Const(0, len(self))
        first, second = reduce(_added, some.values()) if some else (zero, zero)
        made = SharedWord((first, second), self.multiply, some)
        return ~made if inverted else made

    def _times(self, other: SharedWord) -> SharedWord:
        """The product of words without common sources; of ones or zeros without a gadget."""
        if self.sources:
            shares = self.multiply(self.shares, other.shares)
            return SharedWord(shares, self.multiply, {}, linear=False)
        return other if self.inverted else other ^ other

    def _masked_by(self, public: Value) -> SharedWord:
        """The product with a public word."""
        shares = self.shares[0] & public, self.shares[1] & public
        return SharedWord(shares, self.multiply, {}, linear=False)


def _added(left: Pair, right: Pair) -> Pair:
    """The sum of two words; zeros are not printed."""
    first, second = (
        own if isinstance(more, Const) else more if isinstance(own, Const) else own ^ more
        for own, more in zip(left, right, strict=True)
    )
    return first, second


def _cut(pair: Pair, low: int, high: int) -> Pair:
    return pair[0][low:high], pair[1][low:high]


@concatenate.register
def _concatenate(lowest: SharedWord, *higher: SharedWord) -> SharedWord:
    """One word of several. It may be a factor if all have the same sources, moved by as much."""
    pieces, moved, begin = (lowest, *higher), [], 0
    for word in pieces:
        moved.append({(name, at - begin): pair for (name, at), pair in word.sources.items()})
        begin += len(word)
    alike = all(
        word.linear and word.inverted == lowest.inverted and sources.keys() == moved[0].keys()
        for word, sources in zip(pieces, moved, strict=True)
    )
    shares = _joined([word.shares for word in pieces])
    if not alike:
        return SharedWord(shares, lowest.multiply, {}, linear=False)
    sources = {one: _joined([each[one] for each in moved]) for one in moved[0]}
    zeros = [Const(0, len(word)) if word.public is None else word.public for word in pieces]
    public = None if all(word.public is None for word in pieces) else Cat(*zeros)
    return SharedWord(shares, lowest.multiply, sources, lowest.inverted, public)


def _joined(pairs: Iterable[Pair]) -> Pair:
    first, second = (Cat(*words) for words in zip(*pairs, strict=True))
    return first, second


class SharedNaming:
    """The `wire` argument of a description that is read with words in shares: each share has a
    signal of its own, with its number behind the name."""

    def __init__(self, m: Module) -> None:
        self._wires = [Naming(m, f"_share{share}") for share in (0, 1)]

    def __call__(self, value: SharedWord, name: str = "") -> SharedWord:
        """The same word, named."""
        name = name or Signal(src_loc_at=1).name
        first, second = (
            wire(word, name) for wire, word in zip(self._wires, value.shares, strict=True)
        )
        return replace(value, shares=(first, second))


def products_of_a_round(cipher: SpongeAead) -> int:
    """How many words of products a round in shares has."""
    count = 0

    def multiply(left: Pair, right: Pair) -> Pair:  # noqa: ARG001
        nonlocal count
        count += 1
        return left

    s0, s1, s2, s3, s4 = (
        SharedWord.of((Signal(WORD_BITS), Signal(WORD_BITS)), f"s{place}", multiply)
        for place in range(STATE_WORDS)
    )
    cipher.permutation_round(unnamed, (s0, s1, s2, s3, s4), cipher.round_constant(Signal(4)))
    return count
