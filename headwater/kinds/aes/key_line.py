# SPDX-License-Identifier: Apache-2.0
"""The round keys of AES in one line, made once behind the load.

The line moves by the width of a load word: as the key is loaded, and then as words of the round
keys are made behind it. So each key arrives at the round that adds it. Of the words that are made
in a cycle only the first is behind one that goes through the S-boxes: in which cycles follows from
the words that have passed, counted by those of a key. Where a round has a register behind its
S-boxes, these have one as well, and a move that makes words takes two cycles.
"""

from __future__ import annotations

from typing import Any, ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.algebra.word import choose
from headwater.cipher.aes import change_before
from headwater.cipher.aes256 import key_part
from headwater.cipher.aes_ofb import FIRST_CONSTANT, double
from headwater.core.naming import named
from headwater.kinds.aes.block import columns, joined
from headwater.kinds.aes.counter_words import OfferedWords
from headwater.kinds.aes.description import BLOCK_BITS
from headwater.kinds.aes.facts import AesFacts

_RING = 8
"""Round constants that are one bit: 01, 02 ... 80."""


class KeyLine(OfferedWords):
    """The load, and the round keys. Words are load words here: half a block, or a whole one."""

    facts: AesFacts
    cipher: Any
    """With a key of 128, 192 or 256 bits."""

    def __init__(self, facts: AesFacts) -> None:
        super().__init__(facts)
        width = self.architecture.load_width
        self.key_words, self.iv_words = self.cipher.key_bits // width, BLOCK_BITS // width
        self.taking_key = Signal(init=1)
        # Of two words of a key: whether it is the second one.
        self.key_place = Signal(
            range(self.key_words), name="odd" if self.key_words == 2 else "key_place"
        )
        constants = -(-facts.key_moves // self.key_words)
        self.doubles = constants > _RING
        self.constant = Signal(min(constants, _RING), init=FIRST_CONSTANT)
        places = (self.key_place,) if len(self.key_place) else ()
        self.control_registers = (self.taking_key, *places, self.constant)
        self.in_halves = facts.stages_per_round == 2
        if self.in_halves:
            self.second = Signal()
            self.control_registers += (self.second,)
            self.key_half = self._register("key_half", 32)
        keys = range(facts.rounds + 1)
        self.round_keys = [self._register(f"round_key_{number}", BLOCK_BITS) for number in keys]
        self.making_keys = Signal()
        self.key_enable = Signal()
        self.following_key = Signal(width)
        self.passes = self.load_fire if facts.waits else self.loading

    comments: ClassVar = {
        "taking_key": "words of the key are still to come",
        "odd": "the second half of the key, or of as many words of the round keys",
        "key_place": "words that have entered the line, modulo those of a key",
        "constant": "the round constant without top bits that are zero",
        "round_key_0": "round keys, the first one here once all are made",
        "second": "the S-boxes have given what the words that are made need",
        "key_half": "the word before those that are made, behind the S-boxes",
        "making_keys": "words of the round keys are made",
        "key_enable": "the round keys move",
        "following_key": "the words of the round keys that are made",
    }

    def _at(self, moves: int) -> Value:
        """Whether so many words have passed, modulo those of a key."""
        place = moves % self.key_words
        if self.key_words == 1:
            return Const(1, 1)
        if self.key_words == 2:
            return self.key_place if place else ~self.key_place
        return self.key_place == place

    @property
    def _makes_keys(self) -> Value:
        """Whether words of the round keys are made. In halves a register says so alone, as it
        enables all round keys."""
        return self.second if self.in_halves else ~self.loading & ~self.running

    @property
    def _following_place(self) -> Value:
        if self.key_words == 2:
            return ~self.key_place
        return Mux(self._at(self.key_words - 1), 0, self.key_place + 1)

    @property
    def _load_ends(self) -> Value:
        """Whether the load word is the last one."""
        last = ~self.taking_key
        return last & self._at(self.iv_words - 1) if self.iv_words > 1 else last

    @property
    def _keys_end(self) -> Value:
        """Whether the words that are made are the last ones: the constant is the last, which is
        36 where they double."""
        last = self.constant[1] & self.constant[2] if self.doubles else self.constant[-1]
        return self._at(self.iv_words + self.facts.key_moves - 1) & last

    def changes(self) -> list[str]:
        """What is done to the word before the one that is made, for each move of a key's length."""
        words, step = self.cipher.key_bits // 32, self.architecture.load_width // 32
        return [change_before(words + step * move, words) for move in range(self.key_words)]

    def _in_moves(self, *changes: str) -> Value:
        """Whether a move has one of these changes."""
        moves = [move for move, change in enumerate(self.changes()) if change in changes]
        if len(moves) == self.key_words:
            return Const(1, 1)
        return Cat(self._at(self.iv_words + move) for move in moves).any()

    def _move_round_keys(self, m: Module) -> None:
        loads = self.passes & self.taking_key
        m.d.comb += [
            self.making_keys.eq(self._makes_keys),
            self.key_enable.eq(self.session.emptying | loads | self.making_keys),
            self.following_key.eq(self._following_words(m)),
        ]
        with m.If(self.passes | self.making_keys):
            m.d.sync += self.key_place.eq(self._following_place)
        with m.If(self.passes):
            m.d.sync += self.taking_key.eq(self.taking_key & ~self._at(self.key_words - 1))
        with m.If(self.making_keys & self._at(self.iv_words - 1)):
            following = double(self.constant) if self.doubles else self.constant.rotate_left(1)
            m.d.sync += self.constant.eq(following)
        entering = named(m, "entering_key", Mux(self.loading, self.load_word, self.following_key))
        line = Cat(entering, *reversed(self.round_keys))
        with m.If(self.key_enable):
            for place, key in enumerate(reversed(self.round_keys)):
                m.d.sync += key.eq(line[BLOCK_BITS * place : BLOCK_BITS * (place + 1)])

    def _following_words(self, m: Module) -> Value:
        """The words behind those of a key's length (FIPS 197, section 5.2), so many as move."""
        before = [word for key in self.round_keys for word in columns(key)]
        before = before[-self.cipher.key_bits // 32 :]
        rotates = Const(1, 1)
        if "substituted" in self.changes():
            rotates = self._in_moves("rotated")
        constant = Cat(Mux(rotates, self.constant, 0), Const(0, 8 - len(self.constant)))
        core = key_part(before[-1], rotates, constant, lambda word: self._substituted(m, word))
        added = choose(self._in_moves("rotated", "substituted"), core, before[-1])
        words: list[Value] = []
        for place, word in enumerate(before[: self.architecture.load_width // 32]):
            words.append(named(m, f"w{place}", word ^ (words[-1] if words else added)))
        return joined(words)

    def _substituted(self, m: Module, word: Value) -> Value:
        """A word of the key behind the S-boxes, or, where a move takes two cycles, that of the
        cycle before. It is zero in all others."""
        substituted = self.substitute(m, word, "key_sub")
        if not self.in_halves:
            return substituted
        begins = ~self.loading & ~self.running & ~self.second
        m.d.sync += [self.second.eq(begins), self.key_half.eq(Mux(begins, substituted, 0))]
        return self.key_half
