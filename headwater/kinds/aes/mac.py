# SPDX-License-Identifier: Apache-2.0
"""The core of AES in CMAC (NIST SP 800-38B): a message goes in, and its tag comes out.

The words of a message are gathered in ``block`` and padded there, so that it is known whether a
block is the last one, and whole, before it enters the rounds. It enters in the last round of the
block before it, whose words are added to it. Behind the load a block of zeros gives L, of which K1
and K2 are made word by word as the last block takes one of them. A first block that is not the last
enters behind L at once; one that is also the last waits for L, for which the rounds pass once more.
"""

from __future__ import annotations

from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.core.naming import named
from headwater.kinds.aes.core import part
from headwater.kinds.aes.description import BLOCK_BITS
from headwater.kinds.aes.line import LineCore
from headwater.kinds.aes.line_widths import LINES
from headwater.kinds.aes.mac_facts import MacFacts

TWICE = 0x87
"""What a bit that leaves at the top adds as a block is doubled (section 6.1)."""


class MacLine(LineCore):
    """The words of the last block behind the rounds are the tag. They pass through ``block``. The
    core is idle when the whole tag has been taken."""

    facts: MacFacts
    has_setup = False

    def _make_control(self) -> None:
        super()._make_control()
        self.started = Signal()
        self.keyed = Signal()
        self.fresh = Signal(init=1)
        self.sealing = Signal()
        self.ending = Signal()
        words = self.facts.data_words
        self.filled = Signal(range(words + 1), init=self.facts.head_words)
        self.ended = Signal()
        self.padded = Signal()
        self.whole = Signal()
        self.data_fire = Signal()
        self.gathers = Signal()
        self.enters = Signal()
        self.is_last = Signal()
        self.control_registers += (
            self.started,
            self.keyed,
            self.fresh,
            self.sealing,
            self.ending,
            self.filled,
            self.ended,
            self.padded,
        )

    def _make_registers(self) -> None:
        super()._make_registers()
        self.subkey = self._register("subkey", BLOCK_BITS)

    comments: ClassVar = {
        "block": "words of the message; then those of the tag",
        "subkey": "L, the block of zeros behind the rounds",
        "round": "the number of the round, zero for the last one of a block; load words before",
        "full": "there is a word of the tag",
        "makes": "a word of the tag is made",
        "started": "the block of zeros has entered the rounds",
        "keyed": "L is there",
        "fresh": "no block of the message has entered the rounds",
        "sealing": "the last block of the message has entered the rounds",
        "ending": "the last word of the tag has been made",
        "filled": "words of the message that the block holds",
        "ended": "the last word of the message has been taken",
        "padded": "the one behind the message has been taken",
        "whole": "the message ends with the block, which takes K1 and no padding",
        "data_fire": "a word of the message is taken",
        "gathers": "a word enters the block",
        "enters": "a block of the message enters the rounds",
        "is_last": "the block that has been gathered is the last one",
        "data_word": "the bits of the message, a one behind its last bit, and zeros",
        "subkey_word": "a word of K1 or K2",
    }

    # --- control

    @property
    def _is_filled(self) -> Value:
        return self.filled == self.facts.data_words

    @property
    def _rounds_enable(self) -> Value:
        """Whether the rounds continue. A last round waits for a block of the message, and with a
        word of the tag for the one before it."""
        waits = Mux(self.sealing, self.full & ~self.word_taken, self.started & ~self._is_filled)
        return ~(self.last_round & waits)

    @property
    def word_taken(self) -> Value:
        """Whether the word of the tag is taken."""
        return self.full & (self.tag.ready if self.facts.waits else Const(1, 1))

    @property
    def keystream_word(self) -> Value:
        """The word of the tag; zero while there is none."""
        width = self.facts.tag_width
        return Mux(self.full, self.block[: self.architecture.radix][-width:], 0)

    @property
    def _makes_word(self) -> Value:
        """Whether a cycle of the rounds makes a word of the tag."""
        return self.sealing & self.moves & self.last_round & ~self.ending

    def _offer_words(self, m: Module) -> None:
        m.d.comb += [self.tag.valid.eq(self.full), self.tag.payload.eq(self.keystream_word)]
        last = self._in_round(self.facts.tag_words - 1)
        m.d.sync += self.ending.eq(self.ending | (self.makes & last))
        self.finished = self.word_taken & self.ending

    def _in_round(self, number: int) -> Value:
        """Whether this is the cycle of this number of a round."""
        return self.phase == number if isinstance(self.phase, Signal) else Const(1, 1)

    # --- message

    def _data_word(self, m: Module) -> Value:
        """A word of the message with the padding behind it. Behind the message zeros follow."""
        data, width = self.data_in, self.facts.data_width
        counted = data.payload & data.keep
        behind = Cat(data.keep[1:], Const(1, 1)) & ~data.keep
        one = Mux(self.padded, 0, 1 << width - 1)
        return named(m, "data_word", Mux(self.ended, one, counted | behind))

    def _gather(self, m: Module) -> None:
        data = self.data_in
        room = ~self.loading & ~self._is_filled & ~self.sealing
        valid = data.valid if self.facts.waits else Const(1, 1)
        m.d.comb += [
            data.ready.eq(room & ~self.ended),
            self.data_fire.eq(data.ready & valid),
            self.gathers.eq((room & self.ended) | self.data_fire),
            self.is_last.eq(self.ended & self._is_filled),
            self.whole.eq(self.ended & ~self.padded),
        ]
        word = self._data_word(m)
        with m.If(self.gathers):
            m.d.sync += [
                self.block.eq(Cat(word, self.block)[:BLOCK_BITS]),
                self.filled.eq(self.filled + 1),
                self.ended.eq(self.ended | data.last),
                self.padded.eq(self.ended | (data.last & ~data.keep[0])),
            ]

    # --- blocks

    def block_word(self) -> Value:
        """The word that enters in the last round: zeros for L, or the message with the block before
        it, and a subkey in the last block."""
        before = Mux(self.fresh, 0, self.made)
        key = Mux(self.is_last, self._subkey, 0)
        return Mux(self.enters, self._first_block_word ^ before ^ key, 0)

    def _control(self, m: Module) -> None:
        super()._control(m)
        m.d.comb += self.enters.eq(
            self.started & ~self.sealing & self._is_filled & (self.keyed | ~self.is_last)
        )
        self._subkey = named(m, "subkey_word", Mux(self.whole, self._doubled(1), self._doubled(2)))

    def _doubled(self, times: int) -> Value:
        """The word that is due of L, doubled once or twice: it and the highest bits of the next
        word, which for the last word are those that leave at the top."""
        radix, words = self.architecture.radix, self.facts.words_per_block
        following = part(self.subkey, 1 % words, radix)
        word = Cat(following[-times:], part(self.subkey, 0, radix))[:radix]
        added = self._reduction(following, times)
        last = Mux(self._in_round(words - 1), added[:radix], 0)
        if radix < len(added):
            above = self._reduction(part(self.subkey, 2, radix), times)[radix:]
            last |= Mux(self._in_round(words - 2), above, 0)
        return word ^ last

    @staticmethod
    def _reduction(word: Value, times: int) -> Value:
        """What the bits that leave at the top add to the lowest bits, beside taking the places of
        the lowest ones."""
        top, second = word[-1], word[-2]
        width = TWICE.bit_length() + times - 1
        if times == 1:
            return Mux(top, Const(TWICE ^ 1, width), 0)
        return Mux(top, Const(2 * TWICE ^ 2, width), 0) ^ Mux(second, Const(TWICE ^ 1, width), 0)

    def _move_block(self, m: Module) -> None:
        self._gather(m)
        last = self.moves & self.last_round
        if self.session.shifts_zeros:
            with m.If(self.loading):
                m.d.sync += self.block[self.facts.chained_bits :].eq(0)
        with m.If(last & self.started):
            turned = Mux(self.enters, self._first_block_word, self.made)
            with m.If(self.enters | self.sealing):
                m.d.sync += self.block.eq(self._turned(turned))
            with m.If(~self.keyed | (self.enters & self.is_last)):
                new = Mux(self.keyed, part(self.subkey, 0, self.architecture.radix), self.made)
                m.d.sync += self.subkey.eq(Cat(new, self.subkey)[:BLOCK_BITS])
        with m.If(last & self._round_over):
            m.d.sync += [self.started.eq(1), self.keyed.eq(self.started)]
            with m.If(self.enters):
                m.d.sync += [self.filled.eq(0), self.fresh.eq(0), self.sealing.eq(self.is_last)]


def mac_class(facts: MacFacts) -> type[MacLine]:
    """The class of the core."""
    made: type[MacLine] = type("AesMac", (MacLine, LINES[facts.architecture.radix]), {})
    return made
