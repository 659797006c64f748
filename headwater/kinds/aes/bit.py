# SPDX-License-Identifier: Apache-2.0
"""AES at a bit a cycle: one S-box for block and round key, and no register for the key itself.

Block and round key are rings of 128 bits, the first bit on top. A pass moves both by 128 places: a
byte in eight cycles, a column in 32. (Compare J. Jean, A. Moradi, T. Peyrin and P. Sasdrich,
"Bit-Sliding", CHES 2017.) In the pass of a round

- a byte leaves the block in the order of ShiftRows: where the byte on top is not the one that is
  due, that one is four, eight or twelve bytes further on, and the byte on top takes its place (see
  `headwater.kinds.aes.byte`). With the last bit of a byte that enters, the S-box replaces it;
- behind each column that entered, but not in the last round, both rings stand for eight cycles, in
  which MixColumns turns the four bytes: a bit of each in a cycle;
- a bit gets its bit of the round key as it leaves the column that entered last. So the last column
  gets it in the next pass;
- a word of the round key enters with the word before it added. The first word gets its bytes from
  the S-box while they are on top, each in its first cycle.

Ten passes then turn the round key back to the key. In each, the last three words lose the words
before them, and in the next pass the first word loses what it got.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.algebra.word import IntegerWord
from headwater.cipher import aes_ofb
from headwater.core.naming import named
from headwater.kinds.aes.bit_facts import BitFacts
from headwater.kinds.aes.byte import DISTANCES
from headwater.kinds.aes.core import AesCircuit, part, parts
from headwater.kinds.aes.description import BLOCK_BITS

LAST_ROUND, BACK, BACK_AGAIN, WHITENING = 9, 10, 22, 31
"""Numbers of passes: 0 to 9 are rounds, 10 and 22 to 30 turn the key back, and in 31 the block gets
the key. The load is 30 and 31. So the low half of a number, or its complement, is that of the round
constant."""

_REDUCTION = aes_ofb.double(IntegerWord(1 << 7, 8)).value
"""What doubling adds to a byte whose highest bit leaves."""


class BitCore(AesCircuit):
    """AES-128-OFB. A bit of keystream is offered as it gets the last round key."""

    has_setup = False

    def __init__(self, facts: BitFacts) -> None:
        super().__init__(facts)
        self.bit_number = Signal(3)
        self.byte_number = Signal(4)
        self.mixing = Signal()
        self.pass_number = Signal(5, init=WHITENING - 1)
        self.control_registers = (self.bit_number, self.byte_number, self.mixing, self.pass_number)
        self.row, self.column = self.byte_number[:2], self.byte_number[2:]
        self.state = self._register("state", BLOCK_BITS)
        self.round_key = self._register("round_key", BLOCK_BITS)
        self.carries = self._register("carries", 4)
        self.count_enable = Signal()
        self.enable = Signal()
        self.moves = Signal()
        self.is_round = Signal()
        self.is_back = Signal()
        self.is_first = Signal()
        self._make_table()

    comments: ClassVar = {
        "keystream_valid": "a bit gets the last round key",
        "bit_number": "bits of a byte that have moved, or are mixed",
        "byte_number": "bytes of the pass that have moved",
        "mixing": "both rings stand, but for the column that is mixed",
        "pass_number": "of the pass: a round up to 9; the key is turned back in 10 and 22 to 30",
        "state": "the block, the oldest bit on top",
        "round_key": "the round key, the oldest bit on top",
        "carries": "of each byte of a column, the first bit of the sum that is doubled",
        "count_enable": "a cycle of the load or of a pass passes",
        "enable": "registers of block and key move",
        "moves": "both rings move by a place",
        "is_round": "the pass of a round",
        "is_back": "the first pass that turns the key back, where the last round ends",
        "is_first": "the first column of a pass",
        "crossing": "the bit that leaves the last column, with its bit of the round key",
        "from_4": "the byte that is due is four bytes from the top",
        "from_8": "the byte that is due is eight bytes from the top",
        "from_12": "the byte that is due is twelve bytes from the top",
        "due": "the bit after ShiftRows",
        "sub_in": "the byte that enters the block, or one of the last word of the round key",
        "replaces": "the S-box replaces the byte that enters",
        "reduces": "the reduction has a one at this bit",
        "expands": "the byte on top of the round key gets what the S-box gives",
        "constant_bit": "a bit of the round constant",
        "leaving": "the bit that leaves the round key",
        "untied": "the last three words of the round key lose the words before them",
        "tied": "a word that enters the round key gets the word before it, or loses it",
    }

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        """The circuit of the core."""
        m = Module()
        self._control(m)
        bits = self._crossed(m)
        due = self._due(m, bits)
        self.sub_byte: Value = self._byte_of_sbox(Cat(due, self.state[:7]))
        self.sub_out = self.substitute(m, self.sub_byte, "sub")
        self._move_block(m, bits, due)
        self._move_key(m)
        self.session.clear_at_once(m, self.secrets)
        last_word = self.ends_pass & self.pass_number[0]
        self.session.connect(m, last_word=last_word, registers=self.control_registers)
        return m

    @property
    def ends_pass(self) -> Value:
        """Whether this is the last place of a pass."""
        return self.bit_number.all() & self.byte_number.all() & ~self.mixing

    def _control(self, m: Module) -> None:
        """Count the places of passes, and eight cycles of MixColumns behind a column."""
        count_enable: Value = Const(1, 1)
        if self.facts.waits:
            goes_on = ~self.keystream.valid | self.keystream.ready
            count_enable = Mux(self.loading, self.load.valid, goes_on)
        m.d.comb += [
            self.is_round.eq(~self.pass_number[4] & ~self.is_back),
            self.is_back.eq(self.pass_number == BACK),
            self.is_first.eq(self.column == 0),
            self.count_enable.eq(count_enable),
            self.enable.eq(self.count_enable | self.session.emptying),
            self.moves.eq(self.enable & ~self.mixing),
        ]
        with m.If(self.count_enable):
            self._count(m)

    def _count(self, m: Module) -> None:
        mixes = self.is_round & (self.pass_number != LAST_ROUND) & self.row.all() & ~self.mixing
        m.d.sync += self.bit_number.eq(self.bit_number + 1)
        with m.If(self.bit_number.all()):
            m.d.sync += [
                self.byte_number.eq(self.byte_number + ~self.mixing),
                self.mixing.eq(mixes),
            ]
        with m.If(self.ends_pass):
            m.d.sync += self.pass_number.eq(Mux(self.is_back, BACK_AGAIN, self.pass_number + 1))

    def _crossed(self, m: Module) -> list[Value]:
        """The bits of the block, the one that leaves the last column with its bit of the round key.
        Where that is the last round key, it is offered."""
        bits = list(parts(self.state, 1))
        ends = self.is_back & self.is_first
        begins = (self.pass_number == WHITENING) & ~self.is_first
        added = self.is_round | ends | begins
        crossing = named(m, "crossing", bits[96] ^ (part(self.round_key, 96, 1) & added))
        bits[96] = crossing
        self._offer(m, ((self.pass_number == LAST_ROUND) & ~self.is_first) | ends, crossing)
        return bits

    def _due(self, m: Module, bits: list[Value]) -> Value:
        """The bit that is due in the order of ShiftRows. The one on top takes its place."""
        due: Value = bits[0]
        for places in (4, 8, 12):
            is_from = named(m, f"from_{places}", self._is_from(places))
            due = Mux(is_from, bits[8 * places], due)
            bits[8 * places] = Mux(is_from, bits[0], bits[8 * places])
        return named(m, "due", due)

    def _is_from(self, places: int) -> Value:
        """Whether the byte that is due is ``places`` bytes from the top."""
        bytes_due = [
            (self.row == row) & (self.column == column)
            for row, distances in enumerate(DISTANCES)
            for column, distance in enumerate(distances)
            if distance == places
        ]
        return self.is_round & reduce(or_, bytes_due)

    def _byte_of_sbox(self, byte: Value) -> Value:
        """The byte that the S-box reads: in the last cycle of a byte of the block that one; in the
        first cycle of a byte of the round key, the one that RotWord puts beside it."""
        rotated = Mux(self.row == 3, part(self.round_key, 9, 8), part(self.round_key, 13, 8))
        return Mux(self.bit_number[2], byte, rotated)

    def _move_block(self, m: Module, bits: list[Value], due: Value) -> None:
        """Move the block by a place, or mix the column that entered."""
        entering = [*bits[121:], Mux(self.loading, self.load_word, due)]
        replaces = named(m, "replaces", self.is_round & self.bit_number.all() & ~self.mixing)
        entering = [
            Mux(replaces, new, old)
            for new, old in zip(parts(self.sub_out, 1), entering, strict=True)
        ]
        moved = [*bits[1:121], *entering]
        for row, mixed in enumerate(self._mixed(m)):
            place = 103 + 8 * row
            moved[place] = Mux(self.mixing, mixed, moved[place])
        with m.If(self.moves):
            m.d.sync += self.state[32:].eq(Cat(*reversed(moved[:96])))
        with m.If(self.enable):
            m.d.sync += self.state[:32].eq(Cat(*reversed(moved[96:])))

    def _mixed(self, m: Module) -> Iterator[Value]:
        """A bit of each byte of MixColumns (section 5.1.3), the highest one first. The sum of a
        byte and the next one is doubled: its following bit is taken, and the reduction added."""
        tops = [part(self.state, 96 + 8 * row, 1) for row in range(4)]
        below = [part(self.state, 97 + 8 * row, 1) for row in range(4)]
        reduces = named(m, "reduces", _in_reduction(~self.bit_number))
        sums = [named(m, f"sum_{row}", tops[row] ^ tops[(row + 1) % 4]) for row in range(4)]
        for row in range(4):
            doubled = (below[row] ^ below[(row + 1) % 4]) & ~self.bit_number.all()
            doubled ^= self.carries[row] & reduces
            yield doubled ^ sums[(row + 1) % 4] ^ tops[(row + 3) % 4]
        with m.If(self.enable & (self.bit_number == 0)):
            m.d.sync += self.carries.eq(Cat(*sums))

    def _move_key(self, m: Module) -> None:
        """Move the round key by a place, and make the next one, or the one before."""
        is_key = ~self.is_back & ~self.loading
        expands = named(m, "expands", is_key & self.is_first & (self.bit_number == 0))
        back = self.is_back | (
            self.pass_number[4] & (self.pass_number != WHITENING) & ~self.loading
        )
        untied = named(m, "untied", back & (self.column == 1))
        tied = named(m, "tied", untied | (self.is_round & ~self.is_first))
        bits = list(parts(self.round_key, 1))
        for place, bit in enumerate(parts(self.sub_out, 1)):
            bits[place] = bits[place] ^ (bit & expands)
        bits[0] ^= self._constant_bit(m) & is_key
        leaving = named(m, "leaving", bits[0])
        entering = leaving ^ (bits[96] & tied)
        for place in (32, 64):
            bits[place] ^= part(self.round_key, place - 32, 1) & untied
        bits = [*bits[1:], Mux(self.loading, part(self.state, 0, 1), entering)]
        with m.If(self.moves):
            m.d.sync += self.round_key.eq(Cat(*reversed(bits)))

    def _constant_bit(self, m: Module) -> Value:
        """A bit of the round constant, in the first byte of a pass. The first eight constants are
        powers of x, the last two the reduction and its double."""
        index = self.pass_number[:4] ^ self.pass_number[4].replicate(4)
        place = ~self.bit_number
        power = ~index[3] & (place == index[:3])
        bit = power | (index[3] & _in_reduction((place - index[0])[:3]))
        return named(m, "constant_bit", (self.byte_number == 0) & bit)


def _in_reduction(place: Value) -> Value:
    """Whether the reduction has a one at a place, which is that of a power of x."""
    return reduce(or_, (place == bit for bit in range(8) if _REDUCTION >> bit & 1))
