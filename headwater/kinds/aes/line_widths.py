# SPDX-License-Identifier: Apache-2.0
"""The datapaths of AES with a key of any length: a byte, a column or a round a cycle."""

from __future__ import annotations

from typing import Any

from amaranth.hdl import Cat, Module, Mux, Value

from headwater.algebra.word import choose
from headwater.cipher.aes256 import key_part
from headwater.core.naming import named
from headwater.kinds.aes.block import BlockDatapath, joined
from headwater.kinds.aes.byte import ByteDatapath
from headwater.kinds.aes.column import ColumnDatapath
from headwater.kinds.aes.core import part, parts
from headwater.kinds.aes.description import BLOCK_BITS
from headwater.kinds.aes.line import LineCore


class NarrowLine(LineCore):
    """Where a round takes several cycles."""

    def _sources(self, *places: int) -> tuple[Value, ...]:
        """The words of line or ring at these places of which the next one is made: the first from
        the ring in the last round, the others in the cycles of its first column."""
        radix, first = self.architecture.radix, self._in_column(0)
        wholes = (self.last_round, *(self.last_round & first for _ in places[1:]))
        return tuple(
            Mux(whole, part(self.first_key, place, radix), part(self.round_key, place, radix))
            for whole, place in zip(wholes, places, strict=True)
        )

    def _in_column(self, number: int) -> Value:
        """Whether the word that is made belongs to the column of this number of its round."""
        return self.phase[-2:] == number

    def _changes(self, m: Module) -> Value:
        """Whether the word before the one that is made goes through the S-boxes."""
        here = [self.changed_at(m, place) & self._in_column(place) for place in (0, 2)]
        return named(m, "changes", here[0] | here[1])

    def _append(self, m: Module, word: Value) -> None:
        """Append a word to the line. Behind the last round the other words are those of the key."""
        radix, renews = self.architecture.radix, self.last_round & self._round_over
        kept = len(self.round_key) // radix - self.facts.words_per_block
        anew = {
            place: Mux(
                renews, self._first_key_word(place + 1), part(self.round_key, place + 1, radix)
            )
            for place in range(kept)
        }
        self._shift(m, self.round_key, anew, word, radix)


class LineBytes(NarrowLine, ByteDatapath):
    """At a byte a cycle."""

    def _key_word(self, m: Module) -> Value:
        end = len(self.round_key) // 8
        oldest, above, next_row, first_row = self._sources(0, end - 4, end - 3, end - 7)
        rotates, constant = self.rotation(m)
        rotated = Mux(self.phase[:2] == 3, first_row, next_row)
        above = named(m, "newest", above)
        core = self.substitute(m, choose(rotates, rotated, above), "key_sub")
        core ^= Mux(self.phase[:2] == 0, constant, 0)
        word = named(m, "key_word", oldest ^ Mux(self._changes(m), core, above))
        self._append(m, word)
        return part(self.round_key, 0, 8)


class LineColumns(NarrowLine, ColumnDatapath):
    """At a column a cycle."""

    def _key_word(self, m: Module) -> Value:
        oldest, newest = self._sources(0, self.key_words - 1)
        newest = named(m, "newest", newest)
        core = key_part(newest, *self.rotation(m), lambda word: self.substitute(m, word, "key_sub"))
        word = named(m, "key_word", oldest ^ Mux(self._changes(m), core, newest))
        self._append(m, word)
        return part(self.round_key, 0, 32)


class LineBlocks(LineCore, BlockDatapath):
    """At a round a cycle. Of the four words that a round makes at most one goes through S-boxes, so
    that there are four of them for all."""

    @property
    def round_key_bits(self) -> int:
        """As many as the key has."""
        return self.cipher.key_bits

    @property
    def _added_key(self) -> Value:
        return part(self.round_key, 0, BLOCK_BITS)

    def _datapath(self, m: Module) -> None:
        present = named(m, "present_key", Mux(self.last_round, self.first_key, self.round_key))
        m.d.comb += [
            self.entering.eq(self._entering_word(m, self._made(m))),
            self.following_key.eq(self._following_words(m, list(parts(present, 32)))),
        ]
        with m.If(self.enable):
            m.d.sync += [
                self.state.eq(self.entering),
                self.round_key.eq(Cat(self.following_key, present)[: len(present)]),
            ]

    def _following_words(self, m: Module, before: list[Value]) -> Value:
        """The four words behind those of a key's length. The S-boxes take the last word, or where
        the third of the four is one behind them, the second, which is a sum."""
        at_start, in_middle = self.changed_at(m, 0), self.changed_at(m, 2)
        second = before[1] ^ before[0] ^ before[-1]
        newest = named(m, "newest", choose(in_middle, second, before[-1]))
        core = key_part(newest, *self.rotation(m), lambda word: self.substitute(m, word, "key_sub"))
        w0 = named(m, "w0", before[0] ^ choose(at_start, core, before[-1]))
        w1 = named(m, "w1", before[1] ^ w0)
        w2 = named(m, "w2", before[2] ^ choose(in_middle, core, w1))
        return joined((w0, w1, w2, named(m, "w3", before[3] ^ w2)))


LINES: dict[int, type[Any]] = {8: LineBytes, 32: LineColumns, 128: LineBlocks}
"""By width of the datapath."""
