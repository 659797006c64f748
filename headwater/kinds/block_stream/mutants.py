# SPDX-License-Identifier: Apache-2.0
"""Cores of block stream ciphers that break a promise, at least one for each promise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from amaranth.hdl import Module, Signal, Value

from headwater.algebra.word import Wire, rotate_left
from headwater.kinds.block_stream.core import BlockStreamCore
from headwater.kinds.block_stream.description import BlockStreamCipher, Word
from headwater.kinds.block_stream.facts import BlockStreamFacts
from headwater.kinds.block_stream.shared_addition import SharedAdders
from headwater.prove.mutants import (
    Mutant,
    added,
    only,
    other_cipher,
    replaced,
    stained,
    with_part,
)
from headwater.prove.session import SESSION_MUTANTS

Words = Sequence[Word]


def _other_rotation(facts: BlockStreamFacts) -> BlockStreamCipher:
    """One word of a quarter round is rotated by one bit too many."""

    def quarter_round(wire: Wire, *words: Word) -> tuple[Word, Word, Word, Word]:
        first, *others = facts.cipher.quarter_round(wire, *words)
        return (rotate_left(first, 1), *others)

    return replace(facts.cipher, quarter_round=quarter_round)


def _first_kind_only(facts: BlockStreamFacts) -> BlockStreamCipher:
    """The words do not move to where rounds of the second kind read them."""
    return replace(facts.cipher, second_round=facts.cipher.first_round)


def _rounds_missing(facts: BlockStreamFacts) -> BlockStreamCipher:
    """One double round is missing."""
    return replace(facts.cipher, rounds=facts.cipher.rounds - 2)


def _key_turned(facts: BlockStreamFacts) -> BlockStreamCipher:
    """The first two words of the key are swapped."""

    def matrix(constants: Words, key: Words, nonce: Words, number: Words) -> list[Word]:
        return facts.cipher.matrix(constants, [key[1], key[0], *key[2:]], nonce, number)

    return replace(facts.cipher, matrix=matrix)


def _forgetful(m: Module, core: BlockStreamCore) -> None:
    """One bit of the nonce is not kept while words are loaded."""
    with m.If(core.load_fire & ~core.abort):
        m.d.sync += core.nonce[-1].eq(0)


def _stuck(m: Module, core: BlockStreamCore) -> None:
    """Every block has the number of the first block."""
    m.d.comb += core.following.eq(core.counter)


class _Repeating(BlockStreamCore):
    """The matrix word added belongs to another keystream word."""

    def _given(self, m: Module, matrix: Sequence[Value], word: Signal) -> list[Value]:
        return super()._given(m, [*matrix[1:], matrix[0]], word)


def _withdrawing(m: Module, core: BlockStreamCore) -> None:
    """The key moves on when a word is not taken."""
    with m.If(core.keystream.valid & ~core.keystream.ready):
        m.d.sync += core.key.eq(~core.key)


def _bare(m: Module, core: BlockStreamCore) -> None:
    """Shows a bit of the state while nothing is offered."""
    with m.If(~core.keystream.valid):
        m.d.comb += core.keystream.payload.eq(core.state[0])


def _restless(m: Module, core: BlockStreamCore) -> None:
    """A register between two stages goes on while the core waits."""
    assert core.stages
    register = next(iter(core.stages.registers.values()))
    with m.If(~core.enable):
        m.d.sync += register.eq(~register)


def _same_word(m: Module, core: BlockStreamCore) -> None:
    """The word that was selected first is added to all words."""
    assert core.ahead
    m.d.sync += core.ahead.words[0].eq(core.ahead.words[0])


class _Unswitched(SharedAdders):
    """One operand of the last adder is that of the round while a block is given, too."""

    def switched(self, left: Value, right: Value, word: Value, first: Value) -> tuple[Value, Value]:
        one, other = super().switched(left, right, word, first)
        return one, right if len(self.made) == max(self.others) else other


class _Switched(SharedAdders):
    """The first adder adds a word of the matrix in a round, too."""

    def switched(self, left: Value, right: Value, word: Value, first: Value) -> tuple[Value, Value]:
        return super().switched(left, right, word, first) if self.made else (word, first)


def _shares_adders(facts: BlockStreamFacts) -> bool:
    return facts.shares_adders


def _selects_ahead(facts: BlockStreamFacts) -> bool:
    return facts.selects_ahead


def _stages_wait(facts: BlockStreamFacts) -> bool:
    return facts.stages > 1 and facts.waits


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "setup": (other_cipher(_rounds_missing),),
    "load": (added(_forgetful),),
    "step": (
        other_cipher(_other_rotation),
        other_cipher(_first_kind_only),
        only(_stages_wait, added(_restless)),
        only(_shares_adders, with_part("adders", _Switched)),
    ),
    "renew": (other_cipher(_key_turned), added(_stuck)),
    "words": (
        replaced(_Repeating),
        only(_selects_ahead, added(_same_word)),
        only(_shares_adders, with_part("adders", _Unswitched)),
    ),
    "session": SESSION_MUTANTS,
    "hold": (added(_withdrawing),),
    "silence": (added(_bare),),
    "clear": (stained(lambda core: core.key[0]),),
}
