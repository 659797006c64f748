# SPDX-License-Identifier: Apache-2.0
"""AES at a round a cycle: 16 S-boxes for the state and four for the key."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from amaranth.hdl import Cat, Module, Mux, Signal, Value

from headwater.algebra.word import IntegerWord
from headwater.cipher import aes_ofb
from headwater.cipher.aes_ofb import FIRST_CONSTANT, Block
from headwater.core.function import FunctionNaming
from headwater.core.naming import Naming, named
from headwater.kinds.aes.core import AesCore, RegisteredOutput, parts
from headwater.kinds.aes.description import BLOCK_BITS


class BlockDatapath(AesCore):
    """The round key is made one cycle before it is added."""

    def _make_registers(self) -> None:
        super()._make_registers()
        self.state = self._register("state", BLOCK_BITS)
        self.round_key = self._register("round_key", self.round_key_bits)
        self.entering = Signal(BLOCK_BITS, name=self.state_in)
        self.following_key = Signal(BLOCK_BITS)

    comments: ClassVar = {
        "first_key": "the key",
        "state": "the block behind a round, its round key added",
        "round_key": "the key of this round",
    }

    @property
    def round_key_bits(self) -> int:
        """Bits of the register for round keys: one of them."""
        return BLOCK_BITS

    @property
    @abstractmethod
    def _added_key(self) -> Value:
        """What is added to the block behind this round."""

    def _made(self, m: Module) -> Value:
        """The block behind this round."""
        substituted = self.substitute(m, self.state, "sub")
        shifted = aes_ofb.shift_rows(columns(substituted))
        mixed = joined(
            tuple(
                named(m, f"mixed_{number}", aes_ofb.mix_column(word, FunctionNaming(m)))
                for number, word in enumerate(shifted)
            )
        )
        return Mux(self.last_round, joined(shifted), mixed) ^ self._added_key


class BlockCore(BlockDatapath, RegisteredOutput):
    """AES-128-OFB.

    The key of the last round has the first round key added to it: the sum of it and the state is
    then also the start of the next block. ``round_key`` is stored with those bits inverted that are
    one in round key 1 of the zero key, so that the zeros of ``clear`` leave zeros there.
    """

    def _make_registers(self) -> None:
        super()._make_registers()
        self.inverted = Signal(BLOCK_BITS, name="INVERTED", init=_round_key_1_of_zero())
        self.constants = {"inverted": self.inverted}

    comments: ClassVar = {"round_key": "the key of this round, some bits inverted"}

    @property
    def _added_key(self) -> Value:
        return self.round_key ^ self.inverted

    def _datapath(self, m: Module) -> None:
        self._offer(m, self.made, self.state ^ self.first_key)
        m.d.comb += [
            self.entering.eq(self._entering(m)),
            self.following_key.eq(self._following_key(m)),
        ]
        added = Mux(self.last_but_one, self.first_key, 0)
        with m.If(self.enable):
            m.d.sync += [
                self.state.eq(self.entering),
                self.round_key.eq(self.following_key ^ added ^ self.inverted),
            ]

    def _entering(self, m: Module) -> Value:
        return Mux(self.loading, self.load_word ^ self.first_key, self._made(m))

    def _following_key(self, m: Module) -> Value:
        present = Mux(self.last_round, self.first_key, self.round_key ^ self.inverted)
        key = aes_ofb.next_round_key(
            columns(named(m, "present_key", present)),
            self.following_constant,
            lambda word: self.substitute(m, word, "key_sub"),
            Naming(m),
        )
        return joined(key)


def columns(block: Value) -> Block:
    """The four columns of a block."""
    return tuple(parts(block, 32))


def joined(columns: Sequence[Value]) -> Value:
    """The block of four columns."""
    return Cat(*reversed(columns))


def _round_key_1_of_zero() -> int:
    zero = aes_ofb.block_of(bytes(16))
    constant = IntegerWord(FIRST_CONSTANT, 8)
    key = aes_ofb.next_round_key(zero, constant, aes_ofb.substitute_word, lambda word: word)
    return int.from_bytes(aes_ofb.bytes_of_block(key), "big")
