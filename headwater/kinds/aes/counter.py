# SPDX-License-Identifier: Apache-2.0
"""Cores of AES-256 in counter mode with one round: the key, the rounds, the counter, the words.

The rounds are those of `headwater.kinds.aes.core`, on datapaths of the same widths. In the last
one the next counter block enters as the words of this block leave.

The key is twice as long as a block, so its ring turns once in two rounds: its first half is at the
head in rounds of even number, and in the last one. Round 1 takes its key from there, and puts the
whole key where the keys of the other rounds are made. Every other of these keys has RotWord and a
round constant, of which seven are needed: one bit that goes round.

A word of keystream waits in ``hold`` until it is used. Then the last round waits for it.
"""

from __future__ import annotations

from typing import Any, ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.cipher.aes256 import next_half
from headwater.cipher.aes_ofb import FIRST_CONSTANT
from headwater.core.naming import Naming, named
from headwater.kinds.aes.block import BlockDatapath, columns, joined
from headwater.kinds.aes.byte import ByteDatapath
from headwater.kinds.aes.column import ColumnDatapath
from headwater.kinds.aes.core import AesCore, part
from headwater.kinds.aes.counter_words import CONSTANTS, CounterWords
from headwater.kinds.aes.description import BLOCK_BITS


class CounterCore(CounterWords, AesCore):
    """AES-256 in counter mode, a round after the other."""

    state_in = "state_in"

    def _make_control(self) -> None:
        super()._make_control()
        self.odd = Signal()
        self.constant = Signal(CONSTANTS, init=FIRST_CONSTANT)
        self.following_constant = Signal(CONSTANTS)
        self.full = Signal()
        self.rotates = ~self.odd
        self.makes = Signal()
        self.made: Value = Const(0, self.architecture.radix)
        """The word that the round makes."""
        self.control_registers = (*self.control_registers[:-1], self.odd, self.constant, self.full)

    def _make_registers(self) -> None:
        super()._make_registers()
        self.counter = self._register("counter", BLOCK_BITS)
        self.hold = self._register("hold", self.architecture.radix)

    comments: ClassVar = {
        "first_key": "the key, the word that is due on top",
        "state_in": "what enters the state",
        "odd": "a round of odd number, or the second half of the key",
        "constant": "the round constant without its top bit, which is zero",
        "last_but_one": "round 13",
        "counter": "the next counter block",
        "hold": "the keystream word that is next",
        "full": "there is a keystream word",
        "makes": "a keystream word is made",
    }

    @property
    def first_round(self) -> Value:
        """Whether this is round 1."""
        return self.odd & self.constant[0] & ~self.loading

    # --- control

    @property
    def _rounds_enable(self) -> Value:
        """Whether the rounds continue: not while a word is made and the one before it waits."""
        return ~(self.last_round & self.full) | self.word_taken

    @property
    def _last_but_one(self) -> Value:
        return self.odd & self.constant[-1]

    @property
    def added_constant(self) -> Value:
        """The round constant where a word of the round key is made with it, else zero."""
        return Cat(Mux(self.rotates, self.constant, 0), Const(0, 1))

    @property
    def _following_constant(self) -> Value:
        """Changes behind the rounds of even number."""
        changes = ~(self.odd | self.loading)
        return Mux(changes, self.constant.rotate_left(1), self.constant)

    def _control(self, m: Module) -> None:
        super()._control(m)
        m.d.comb += self.makes.eq(self.count_enable & self.last_round & ~self.loading)
        m.d.sync += self.full.eq(self.makes | (self.full & ~self.word_taken))
        self._move_counter(m)
        self._offer_words(m)

    def _count(self, m: Module) -> None:
        """The key is loaded as its halves are due in the rounds: the first one where ``odd`` is
        zero."""
        super()._count(m)
        with m.If(self._round_over):
            m.d.sync += [self.odd.eq(~self.odd), self.taking_key.eq(self.taking_key & ~self.odd)]

    @property
    def keystream_word(self) -> Value:
        """The word that is next; zero while there is none."""
        return Mux(self.full, self.hold, 0)

    # --- counter blocks

    def _move_counter(self, m: Module) -> None:
        """The counter block turns in the last round, when its words enter the state, and counts in
        the first one."""
        with m.If(self.enable & self.last_round):
            m.d.sync += self.counter.eq(Cat(self._block_word, self.counter)[:BLOCK_BITS])
        with m.If(self.count_enable & self._round_over & self.first_round):
            self._count_block(m)

    @property
    def _block_word(self) -> Value:
        """The word of the next counter block that enters the state. A mark enters with the first
        byte of the IV."""
        one = self.load.valid if self.session.shifts_zeros else Const(1, 1)
        loaded = self._marked(one & ~self.phase.any())
        return Mux(self.loading, loaded, part(self.counter, 0, self.architecture.radix))

    # --- rounds

    def _entering_word(self, m: Module, made: Value) -> Value:
        self.made = made = made if isinstance(made, Signal) else named(m, "made", made)
        with m.If(self.makes | self.loading):
            m.d.sync += self.hold.eq(Mux(self.loading, 0, made))
        begun = self._block_word ^ self._first_key_word(0)
        return Mux(self.last_round, begun, made)

    def _append_key_word(self, m: Module, expanded: Value) -> Value:
        """Append a word to the round key: in the load and in round 1 that of the key's second half.
        That of the first half then enters in the middle."""
        middle, radix = self.facts.words_per_block, self.architecture.radix
        anew = self.loading | self.first_round
        word = named(m, "key_word", Mux(anew, self._first_key_word(0), expanded))
        first_half = Mux(anew, self._first_key_word(middle), part(self.round_key, middle, radix))
        self._shift(m, self.round_key, {middle - 1: first_half}, word, radix)
        return word


class CounterBytes(CounterCore, ByteDatapath):
    """At a byte a cycle."""

    def _key_word(self, m: Module) -> Value:
        return self._append_key_word(m, self._expanded_byte(m))


class CounterColumns(CounterCore, ColumnDatapath):
    """At a column a cycle."""

    def _key_word(self, m: Module) -> Value:
        return self._append_key_word(m, self._expanded_word(m))


class CounterBlocks(CounterCore, BlockDatapath):
    """At a round a cycle. The key of the next round is made from those of this one and the one
    before."""

    def _make_control(self) -> None:
        super()._make_control()
        self.rotates = self.odd

    def _make_registers(self) -> None:
        super()._make_registers()
        self.older_key = self._register("older_key", BLOCK_BITS)

    comments: ClassVar = {"older_key": "the key of the round before"}

    @property
    def _added_key(self) -> Value:
        return self.round_key

    def _datapath(self, m: Module) -> None:
        following = next_half(
            columns(self.older_key),
            columns(self.round_key)[-1],
            self.rotates,
            self.added_constant,
            lambda word: self.substitute(m, word, "key_sub"),
            Naming(m),
        )
        m.d.comb += [
            self.entering.eq(self._entering_word(m, self._made(m))),
            self.following_key.eq(joined(following)),
        ]
        begins = self.last_round
        with m.If(self.enable):
            m.d.sync += [
                self.state.eq(self.entering),
                self.round_key.eq(Mux(begins, self._first_key_word(1), self.following_key)),
                self.older_key.eq(Mux(begins, self._first_key_word(0), self.round_key)),
            ]


COUNTER_CORES: dict[int, type[Any]] = {
    8: CounterBytes,
    32: CounterColumns,
    128: CounterBlocks,
}
"""By width of the datapath."""
