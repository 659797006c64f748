# SPDX-License-Identifier: Apache-2.0
"""What all cores of the Salsa20 family have: key, nonce and the number of the first block, as they
are loaded, and the matrix made of them.

Where the key of the blocks is derived, the first rounds behind the load make it. It replaces the
key that was loaded, and the core is where it was behind the load.
"""

from __future__ import annotations

from collections.abc import Sequence

from amaranth.hdl import Cat, Module, Mux, Signal, Value

from headwater.algebra.word import add
from headwater.core.component import Core
from headwater.core.naming import named
from headwater.kinds.block_stream.description import WORD_BITS, BlockStreamCipher
from headwater.kinds.block_stream.facts import BlockStreamFacts


class LoadedCore(Core):
    """A core that keeps key and nonce in their registers; subclasses arrange the rounds."""

    cipher: BlockStreamCipher
    facts: BlockStreamFacts

    def __init__(self, facts: BlockStreamFacts) -> None:
        super().__init__(facts)
        cipher, kept = self.cipher, self.session.keeps_secrets
        self.key = Signal(cipher.key_bits, reset_less=kept)
        self.nonce = Signal(cipher.iv_bits[-1], reset_less=kept)
        self.counter = Signal(cipher.counter_bits, reset_less=kept)
        self.constants = {
            f"CONSTANT_{number}": Signal(WORD_BITS, name=f"CONSTANT_{number}", init=value)
            for number, value in enumerate(cipher.constants[cipher.key_bits])
        }
        self.loaded = Signal(range(facts.load_cycles))
        self.derived = Signal(name="derived") if cipher.derivation else None
        self.derives = Signal()

    def _load(self, m: Module) -> None:
        """Key, nonce and number form one shift register while loading; in idle zeros enter it."""
        with m.If(self.load_fire):
            m.d.sync += self.loaded.eq(self.loaded + 1)
        shifts = self.load_fire | self.session.emptying if self.facts.waits else self.loading
        seed = Cat(self.key, self.nonce, self.counter)
        with m.If(shifts):
            m.d.sync += seed.eq(Cat(seed[len(self.load_word) :], self.load_word))

    def _matrix(self, counter: Value) -> list[Value]:
        """The matrix of the block with number ``counter``."""
        constants = iter(self.constants.values())
        return self.cipher.begin(
            words_of(self.key), words_of(self.nonce), words_of(counter), lambda _: next(constants)
        )

    def _begun_with(self, matrix: Sequence[Value]) -> list[Value]:
        """What the rounds begin with: the matrix of a block, or that of the key's derivation."""
        if self.derived is None:
            return list(matrix)
        constants = iter(self.constants.values())
        of_key = self.cipher.begin_key(
            words_of(self.key), words_of(self.nonce), lambda _: next(constants)
        )
        return [
            word if same(word, other) else Mux(self.derived, word, other)
            for word, other in zip(matrix, of_key, strict=True)
        ]

    def _with_key(self, condition: Value) -> Value:
        """A condition, once the blocks have their key."""
        return condition if self.derived is None else condition & self.derived

    def _derive(self, m: Module, finished: Value, after: Sequence[Value]) -> None:
        """The words after the first rounds become the key."""
        if self.derived is not None:
            m.d.comb += self.derives.eq(finished & ~self.derived & ~self.loading)
            with m.If(self.derives):
                m.d.sync += [self.key.eq(Cat(*self.cipher.derived(after))), self.derived.eq(1)]


def sums_of(m: Module, words: Sequence[Value], given: Sequence[Value]) -> list[Value]:
    """The keystream words: those of a block with those of its first matrix added."""
    return [
        named(m, f"out_{lane}", add(one, other))
        for lane, (one, other) in enumerate(zip(words, given, strict=True))
    ]


def words_of(value: Value) -> list[Value]:
    """The words of a value, the lowest one first."""
    return [value[place : place + WORD_BITS] for place in range(0, len(value), WORD_BITS)]


def same(one: Value, other: Value) -> bool:
    """Whether two values are the same expression."""
    return repr(one) == repr(other)
