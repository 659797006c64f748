# SPDX-License-Identifier: Apache-2.0
"""Cores of block stream ciphers that break a promise, at least one for each promise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from amaranth.hdl import Module, Signal, Value

from headwater.algebra.word import Wire, rotate_left
from headwater.core.architecture import Architecture
from headwater.kinds.block_stream.core import BlockStreamCore, core_class
from headwater.kinds.block_stream.description import BlockStreamCipher, Word
from headwater.prove.mutants import Mutant, replacing
from headwater.prove.session import session_mutants


def _other_rotation(cipher: BlockStreamCipher, architecture: Architecture) -> BlockStreamCore:
    """One word of a quarter round is rotated by one bit too many."""

    def quarter_round(wire: Wire, *words: Word) -> tuple[Word, Word, Word, Word]:
        first, *others = cipher.quarter_round(wire, *words)
        return (rotate_left(first, 1), *others)

    return BlockStreamCore(replace(cipher, quarter_round=quarter_round), architecture)


def _first_kind_only(cipher: BlockStreamCipher, architecture: Architecture) -> BlockStreamCore:
    """The words do not move to where rounds of the second kind read them."""
    changed = replace(cipher, second_round=cipher.first_round)
    return BlockStreamCore(changed, architecture)


def _rounds_missing(cipher: BlockStreamCipher, architecture: Architecture) -> BlockStreamCore:
    """One double round is missing."""
    core = BlockStreamCore(cipher, architecture)
    core.facts = replace(core.facts, cipher=replace(cipher, rounds=cipher.rounds - 2))
    return core


def _key_turned(cipher: BlockStreamCipher, architecture: Architecture) -> BlockStreamCore:
    """The first two words of the key are swapped."""

    def matrix(
        constants: Sequence[Word],
        key: Sequence[Word],
        nonce: Sequence[Word],
        number: Sequence[Word],
    ) -> list[Word]:
        return cipher.matrix(constants, [key[1], key[0], *key[2:]], nonce, number)

    return BlockStreamCore(replace(cipher, matrix=matrix), architecture)


_other = replacing(core_class)
"""The core with some of its methods replaced."""


class _Stuck(BlockStreamCore):
    """Every block has the number of the first block."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        m.d.comb += self.following.eq(self.counter)
        return m


class _Repeating(BlockStreamCore):
    """The matrix word added belongs to another keystream word."""

    def _given(self, m: Module, matrix: Sequence[Value], word: Signal) -> list[Value]:
        return super()._given(m, [*matrix[1:], matrix[0]], word)


class _Withdrawing(BlockStreamCore):
    """The key moves on when a word is not taken."""

    def _load(self, m: Module) -> None:
        super()._load(m)
        with m.If(self.keystream.valid & ~self.keystream.ready):
            m.d.sync += self.key.eq(~self.key)


class _Bare(BlockStreamCore):
    """Shows its output even while nothing is offered."""

    def _offer(
        self, m: Module, valid: Value, made: Sequence[Value], given: Sequence[Value]
    ) -> None:
        super()._offer(m, valid, made, given)
        with m.If(~self.keystream.valid):
            m.d.comb += self.keystream.payload.eq(made[0])


class _Stained(BlockStreamCore):
    """One bit of the key, once one, never becomes zero again."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        with m.If(self.key[0]):
            m.d.sync += self.key[0].eq(1)
        return m


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "setup": (_rounds_missing,),
    "step": (_other_rotation, _first_kind_only),
    "renew": (_key_turned, _other(_Stuck)),
    "words": (_other(_Repeating),),
    "session": session_mutants(core_class),
    "hold": (_other(_Withdrawing),),
    "silence": (_other(_Bare),),
    "clear": (_other(_Stained),),
}
"""For each promise cores that break it."""
