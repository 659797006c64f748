# SPDX-License-Identifier: Apache-2.0
"""The core of 128-EIA3: the message selects windows of the keystream."""

from __future__ import annotations

from typing import Any, ClassVar

from amaranth.hdl import Cat, Module, Mux, Signal, Value

from headwater.core.naming import named
from headwater.core.toeplitz import ToeplitzProduct
from headwater.kinds.telephony.core import OverWords
from headwater.kinds.telephony.description import TAG_BITS, WORD_BITS
from headwater.kinds.telephony.facts import TelephonyFacts


def with_one(m: Module, data: Any) -> Signal:
    """A data word, with the one bit behind the message where the word has room for it."""
    # Shifted down with its top bit doubled: an empty word then has no end behind its ones.
    one = ~data.keep & Cat(data.keep[1:], data.keep[-1])
    return named(m, "message", data.payload & data.keep | one)


def one_is_left(data: Any) -> Value:
    """Whether a word is full or empty, so that this bit is behind it."""
    return data.keep[0] | ~data.keep[-1]


class WindowCore(OverWords):
    """Adds up windows into the keystream, from its last word and the present one: 32 in a cycle.

    A one is appended to the message. It is in the last word, unless that is full or empty: then its
    window is the older word alone, which is added to the tag as it leaves. The core is idle when
    the tag has been taken.
    """

    def __init__(self, facts: TelephonyFacts) -> None:
        super().__init__(facts)
        self.older = self._content(WORD_BITS, "older")
        self.sum = self._content(TAG_BITS, "sum")
        self.primed = Signal()
        self.sending = Signal()
        self.one_left = Signal()
        self.advance = Signal()
        self._add(
            contents=(self.older, self.sum), progress=(self.primed, self.sending, self.one_left)
        )
        self.finished = self.sending & self.tag.ready

    comments: ClassVar = {
        "older": "the keystream word before the present one",
        "sum": "the sum of the windows so far",
        "primed": "the window has both its words",
        "sending": "the tag is offered",
        "one_left": "the window of the one bit behind the message is still to be added",
        "advance": "the window moves on by a word",
        "message": "the data word, with the one bit behind the message",
    }

    @property
    def word_taken(self) -> Value:
        """Whether the window moves on."""
        return self.advance

    def _count_message(self, m: Module) -> None:
        m.d.sync += [
            self.primed.eq(self.running),
            self.sending.eq(self.sending | (self.data_fire & self.data_in.last)),
            self.one_left.eq(Mux(self.sending, self.one_left, one_is_left(self.data_in))),
        ]

    def _offer_message(self, m: Module) -> None:
        data, word = self.data_in, self.word
        message = with_one(m, data)
        taken_in = ToeplitzProduct(m).product(message, Cat(word, self.older)[1:], TAG_BITS)
        taken_in = named(m, "taken_in", taken_in)
        m.d.comb += [
            data.ready.eq(self.primed & ~self.sending),
            self.data_fire.eq(data.ready & data.valid),
            self.advance.eq((self.data_fire & data.keep[-1]) | (self.running & ~self.primed)),
            self.tag.valid.eq(self.sending),
            self.tag.payload.eq(
                Mux(self.sending, self.sum ^ word ^ Mux(self.one_left, self.older, 0), 0)
            ),
        ]
        with m.If(self.advance | ~self.running):
            m.d.sync += self.older.eq(word)
        with m.If(self.data_fire | ~self.running):
            m.d.sync += self.sum.eq(Mux(self.running, self.sum ^ taken_in, 0))
