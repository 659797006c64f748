# SPDX-License-Identifier: Apache-2.0
"""What the cores of the 256-bit modes with a hash share, and all of those of integrity."""

from __future__ import annotations

from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.core.naming import named
from headwater.kinds.telephony.block_facts import BlockModeFacts
from headwater.kinds.telephony.core import TelephonyCore, turned
from headwater.kinds.telephony.hash_facts import HashFacts
from headwater.kinds.telephony.hash_value import DEGREE, HashValue

LENGTH_BITS = 29
"""Bits of a length in bytes."""


class HashingCore(TelephonyCore):
    """Takes the message into a hash, block by block.

    A block is one word or more. Behind the last word of the message the rest of its block is zero;
    then Q takes the place of H as the point, and the block of the lengths is taken in. The tag is
    the value of the hash plus P. The core is idle when the whole tag has been taken.
    """

    facts: HashFacts | BlockModeFacts

    def __init__(self, facts: HashFacts | BlockModeFacts) -> None:
        super().__init__(facts)
        self.words = facts.block_words
        digit, width = int(self.architecture["digit"]), self.architecture.radix
        self.value = HashValue(digit, width, self._content)
        self.gathered = Signal(facts.gathered_words)
        self.place = Signal(range(self.words))
        self.left = Signal(facts.word_cycles - 1)
        self.ending = Signal()
        self.at_length = Signal()
        self.sending = Signal()
        self.gather = Signal()
        self.due = Signal()
        self.change = Signal()
        self.fills = Signal()
        self.tag_taken = Signal()
        self.ciphered = Signal(width)
        self.bytes = Signal((width // 8).bit_length())
        self.keystream_used = Signal()
        self._add(
            contents=(*self.value.registers, *self._keys()),
            progress=(*self._flags(), *self._lengths()),
        )
        self.finished = self.tag_taken & self.block_over

    def _keys(self) -> tuple[Signal, ...]:
        """Registers of keys of the hash, besides the point."""
        return ()

    def _lengths(self) -> tuple[Signal, ...]:
        """The registers of the lengths in bytes; that of the text, if there is one, first."""
        self.ad_bytes = Signal(LENGTH_BITS)
        return (self.ad_bytes,)

    def _flags(self) -> tuple[Signal, ...]:
        there = (self.gathered, self.place, self.left, self.ending, self.at_length, self.sending)
        return tuple(flag for flag in there if len(flag))

    comments: ClassVar = {
        **HashValue.notes,
        "gathered": "words of the hash's keys that have been taken from the keystream, as ones",
        "place": "words of the block, or of the tag, that are over",
        "left": "digits of the word that are still to be taken in, as ones",
        "ending": "the last data word was taken",
        "at_length": "the block that holds the lengths is due",
        "sending": "the block of the lengths has been taken in, and the tag is next",
        "ad_bytes": "bytes that are authenticated and not encrypted",
        "gather": "a word of the hash's keys is taken from the keystream",
        "due": "the next word can be taken in",
        "fills": "a word of zeros, or of the lengths, is taken in",
        "keystream_used": "a keystream word is used, other than by the hash's keys",
        "change": "the point changes to Q",
        "bytes": "bytes of the data word that count",
        "ciphered": "the bytes of the data word that are taken into the hash",
    }

    @property
    def word_taken(self) -> Value:
        """Whether the keystream word is used."""
        return self.gather | self.keystream_used

    @property
    def block_over(self) -> Value:
        """Whether this is the last word of a block, or of the tag."""
        return self.place == self.words - 1 if self.words > 1 else Const(1, 1)

    @property
    def in_block(self) -> Value:
        """Whether some words of a block are over, and some are not."""
        return self.place.any()

    def _must_fill(self) -> Value:
        """Whether the rest of the block is zero."""
        return self.in_block & self.ending

    # --- control

    def _count_message(self, m: Module) -> None:
        starts, changes = self.value.starts, self._gathers_again
        m.d.sync += [
            self.ending.eq(self.ending | (self.data_fire & self.data_in.last)),
            self.at_length.eq(self.at_length | self.change),
            self.sending.eq(self.sending | (self.fills & self.at_length & self.block_over)),
            self.left.eq(Mux(starts, ~0, self.left[1:])),
        ]
        with m.If(starts | self.tag_taken):
            m.d.sync += self.place.eq(self.place + 1)
        if changes:
            with m.If(self.gather | self.change):
                m.d.sync += self.gathered.eq(Mux(self.change, 0, Cat(1, self.gathered[:-1])))
        else:
            with m.If(self.gather):
                m.d.sync += self.gathered.eq(Cat(1, self.gathered[:-1]))
        with m.If(self.data_fire):
            self._count_bytes(m)

    _gathers_again = True
    """Whether the words of Q are gathered behind the message."""

    def _count_bytes(self, m: Module) -> None:
        m.d.sync += self.ad_bytes.eq(self.ad_bytes + self.bytes)

    def _offer_message(self, m: Module) -> None:
        m.d.comb += self.bytes.eq(_ones_on_top(self.data_in.keep))
        self._offer_text(m)
        counts = self.data_in.keep[-1] | self.in_block
        m.d.comb += [
            self.due.eq(self.gathered[-1] & ~self.left.any()),
            self.gather.eq(self.with_word(self.running & ~self.gathered[-1])),
            self.change.eq(self.due & self.ending & ~self.in_block & ~self.at_length),
            self.fills.eq(self.due & ~self.sending & (self._must_fill() | self.at_length)),
            self.value.starts.eq((self.data_fire & counts) | self.fills),
            self.value.block_ends.eq(self._last_digit),
            self.value.entering.eq(
                Mux(self.fills, self._filling(m), turned(self.ciphered & self.kept_bits))
            ),
        ]
        self._offer_tag(m)
        self._move_keys(m)
        self.value.connect(m, running=self.running, goes_on=self.left.any(), leaves=self.tag_taken)

    def _offer_text(self, m: Module) -> None:
        data = self.data_in
        m.d.comb += [
            data.ready.eq(self.due & ~self.ending),
            self.data_fire.eq(data.ready & data.valid),
            self.ciphered.eq(data.payload),
        ]

    @property
    def _last_digit(self) -> Value:
        """Whether the digit of this cycle is the last of its block. While digits of a word are
        left, the word itself already counts as over."""
        if not len(self.left):
            return self.block_over
        return self.left == 1 if self.words == 1 else (self.left == 1) & ~self.place.any()

    def _filling(self, m: Module) -> Value:
        """A word of the block of the lengths, that of the text first; zeros before it is due. Each
        length has the lower half of 64 bits."""
        text, data = (Cat(Const(0, 3), count) for count in (self._text_length, self.ad_bytes))
        if self.words == 1:
            lengths: Value = Cat(text, Const(0, 32), data)
        else:
            *places, upper, second = self.place
            length: Value = Mux(second, data, text)
            for number, place in reversed(list(enumerate(places))):
                half = len(length) // 2
                part = Mux(place, length[half:], length[:half])
                length = named(m, f"length_part_{number}", part)
            lengths = Mux(upper, 0, length)
        return Mux(self.at_length, lengths, 0)

    @property
    def _text_length(self) -> Value:
        """The length in bytes of the text that is encrypted."""
        return Const(0, LENGTH_BITS)

    # --- keys and tag

    def _offer_tag(self, m: Module) -> None:
        low = self.value.operand[: self.architecture.radix]
        m.d.comb += [
            self.tag.valid.eq(self._tag_there),
            self.tag.payload.eq(Mux(self.tag.valid, turned(low ^ self._last_key()), 0)),
            self.tag_taken.eq(self.tag.valid & self.tag.ready),
        ]
        m.d.comb += self.keystream_used.eq(self._uses_keystream)

    @property
    def _uses_keystream(self) -> Value:
        """Whether a keystream word is used, other than by the point."""
        return self.tag_taken

    @property
    def _tag_there(self) -> Value:
        """Whether a word of the tag, and that of P, are there."""
        return self.with_word(self.sending & self.due)

    def _last_key(self) -> Value:
        """The word of P that is added to that of the tag, its first byte the lowest one."""
        return turned(self.word)

    def _move_keys(self, m: Module) -> None:
        """Words of the keystream become the point. While the core is not running they are zero."""
        point = self.value.point
        with m.If(self.gather | ~self.running):
            m.d.sync += point.eq(Cat(point, turned(self.word))[-DEGREE:])


def _ones_on_top(keep: Value) -> Value:
    """The number of ones of ``keep``, all of which are above its zeros: the place of the last one,
    counted from the top."""
    width = len(keep)
    last = [
        keep[width - count] & (~keep[width - count - 1] if count < width else 1)
        for count in range(1, width + 1)
    ]
    return Cat(
        Cat(mark for count, mark in enumerate(last, start=1) if count >> bit & 1).any()
        for bit in range(width.bit_length())
    )
