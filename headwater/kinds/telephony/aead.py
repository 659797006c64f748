# SPDX-License-Identifier: Apache-2.0
"""The core of the 256-bit modes that cipher and authenticate."""

from __future__ import annotations

from typing import ClassVar

from amaranth.hdl import Cat, Module, Mux, Signal, Value

from headwater.core.naming import named
from headwater.kinds.telephony.core import turned
from headwater.kinds.telephony.hash_value import DEGREE
from headwater.kinds.telephony.hashing import LENGTH_BITS, HashingCore


class AeadCore(HashingCore):
    """Takes associated data into the hash as well as the text that is ciphertext. H, Q and P are
    the first three blocks of the keystream; the text follows them.

    Decrypted text leaves before the tag is known.
    """

    comments: ClassVar = {
        "last_point": "Q, which becomes the point behind the message",
        "pad": "P, which is added to the tag",
        "text_bytes": "bytes that are encrypted",
        "ad_block": "the block that has begun is one of associated data",
        "text_here": "the word at the input is text that can be taken",
    }
    _gathers_again = False

    def _keys(self) -> tuple[Signal, ...]:
        self.last_point = self._content(DEGREE, "last_point")
        self.pad = self._content(DEGREE, "pad")
        return self.last_point, self.pad

    def _lengths(self) -> tuple[Signal, ...]:
        self.text_bytes = Signal(LENGTH_BITS)
        return (self.text_bytes, *super()._lengths())

    def _flags(self) -> tuple[Signal, ...]:
        self.ad_block = Signal()
        own = (self.ad_block,) if self.words > 1 else ()
        return (*super()._flags(), *own)

    def _must_fill(self) -> Value:
        """The rest of a block is zero behind the last word of the message, and where a block of
        associated data has begun and a text is next."""
        text_next = self.ad_block & self.data_in.valid & ~self.data_in.ad
        return self.in_block & (self.ending | text_next)

    def _count_message(self, m: Module) -> None:
        super()._count_message(m)
        if self.words > 1:
            with m.If(self.data_fire):
                m.d.sync += self.ad_block.eq(self.data_in.ad)

    def _count_bytes(self, m: Module) -> None:
        with m.If(self.data_in.ad):
            m.d.sync += self.ad_bytes.eq(self.ad_bytes + self.bytes)
        with m.Else():
            m.d.sync += self.text_bytes.eq(self.text_bytes + self.bytes)

    def _offer_text(self, m: Module) -> None:
        data, out = self.data_in, self.data_out
        text = named(m, "text", (data.payload ^ self.word) & self.kept_bits)
        takes = named(m, "takes", self.due & ~self.ending & ~self._must_fill())
        has_text = ~data.ad & data.keep[-1]
        here = named(m, "text_here", self.with_word(takes & data.valid & has_text))
        self.text_fire = named(m, "text_fire", here & out.ready)
        m.d.comb += [
            data.ready.eq(takes & (self.with_word(out.ready) | ~has_text)),
            self.data_fire.eq(data.ready & data.valid),
            self.ciphered.eq(Mux(data.ad | self.decrypts, data.payload, text)),
            out.valid.eq(here),
            out.payload.eq(Mux(here, text, 0)),
            out.keep.eq(Mux(data.ad, 0, data.keep)),
            out.last.eq(data.last),
        ]

    @property
    def _text_length(self) -> Value:
        return self.text_bytes

    @property
    def _uses_keystream(self) -> Value:
        return self.text_fire

    @property
    def _tag_there(self) -> Value:
        return self.sending & self.due

    def _last_key(self) -> Value:
        return self.pad[: self.architecture.radix]

    def _move_keys(self, m: Module) -> None:
        """Words of the keystream move down through all keys. The words of P leave with the tag."""
        width, point = self.architecture.radix, self.value.point
        line = Cat(point, self.last_point, self.pad, turned(self.word))[width:]
        moves = self.gather | ~self.running
        with m.If(moves | self.change):
            m.d.sync += point.eq(Mux(self.change, self.last_point, line[:DEGREE]))
        with m.If(moves):
            m.d.sync += self.last_point.eq(line[DEGREE : 2 * DEGREE])
        with m.If(moves | self.tag_taken):
            m.d.sync += self.pad.eq(line[2 * DEGREE :])
