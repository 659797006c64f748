# SPDX-License-Identifier: Apache-2.0
"""The core of a tag of windows behind the first one, which are as long as the tag."""

from __future__ import annotations

from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.core.naming import named
from headwater.core.toeplitz import ToeplitzProduct
from headwater.kinds.telephony.core import OverWords
from headwater.kinds.telephony.description import WORD_BITS
from headwater.kinds.telephony.facts import TelephonyFacts
from headwater.kinds.telephony.window import one_is_left, with_one
from headwater.kinds.telephony.windows_behind import WindowsBehind


class WindowsBehindCore(OverWords):
    """Adds up windows into the keystream, from its last words and the present one: 32 in a cycle.

    The first words of the keystream move through ``older`` into ``sum``, until both are full. The
    one behind the message is as in `headwater.kinds.telephony.window`. The words of the tag leave
    at the top of the sum, which moves up by a word when one is taken, as does ``older``. The core
    is idle when the last one has been taken.
    """

    def __init__(self, facts: TelephonyFacts) -> None:
        super().__init__(facts)
        assert isinstance(facts.mode, WindowsBehind)
        self.bits = facts.mode.mac_bits
        self.older = self._content(self.bits, "older")
        self.sum = self._content(self.bits, "sum")
        self.place = Signal(range(facts.gathered_words))
        self.primed = Signal()
        self.sending = Signal()
        self.one_left = Signal()
        self.gather = Signal()
        self.tag_taken = Signal()
        self.advance = Signal()
        self._add(
            contents=(self.older, self.sum),
            progress=(self.place, self.primed, self.sending, self.one_left),
        )
        last = self.place == self.bits // WORD_BITS - 1 if self.bits > WORD_BITS else Const(1, 1)
        self.finished = self.tag_taken & last

    comments: ClassVar = {
        "older": "the keystream words before the present one",
        "sum": "the sum of the windows so far; then the words of the tag that are left, on top",
        "place": "words that were gathered, or words of the tag that were taken",
        "primed": "sum and window have all their words",
        "sending": "the tag is offered",
        "one_left": "the window of the one bit behind the message is still to be added",
        "gather": "a word of the first windows is taken from the keystream",
        "tag_taken": "a word of the tag is taken",
        "advance": "the window moves on by a word",
        "message": "the data word, with the one bit behind the message",
    }

    @property
    def word_taken(self) -> Value:
        """Whether the window moves on."""
        return self.advance

    def _count_message(self, m: Module) -> None:
        m.d.sync += [
            self.primed.eq(self.primed | (self.gather & self.place.all())),
            self.sending.eq(self.sending | (self.data_fire & self.data_in.last)),
            self.one_left.eq(Mux(self.sending, self.one_left, one_is_left(self.data_in))),
        ]
        with m.If(self.gather | self.tag_taken):
            m.d.sync += self.place.eq(self.place + 1)

    def _offer_message(self, m: Module) -> None:
        data, word = self.data_in, self.word
        message = with_one(m, data)
        taken_in = ToeplitzProduct(m).product(message, Cat(word, self.older)[1:], self.bits)
        taken_in = named(m, "taken_in", taken_in)
        top = self.sum[-WORD_BITS:] ^ Mux(self.one_left, self.older[-WORD_BITS:], 0)
        m.d.comb += [
            self.gather.eq(self.running & ~self.primed),
            data.ready.eq(self.primed & ~self.sending),
            self.data_fire.eq(data.ready & data.valid),
            self.tag.valid.eq(self.sending),
            self.tag.payload.eq(Mux(self.sending, top, 0)),
            self.tag_taken.eq(self.tag.valid & self.tag.ready),
            self.advance.eq((self.data_fire & data.keep[-1]) | self.gather | self.tag_taken),
        ]
        with m.If(self.advance | ~self.running):
            m.d.sync += self.older.eq(Cat(word, self.older)[: self.bits])
        moved = Cat(self.older[-WORD_BITS:], self.sum)[: self.bits]
        with m.If(self.data_fire):
            m.d.sync += self.sum.eq(self.sum ^ taken_in)
        with m.Elif(self.gather | self.tag_taken | ~self.running):
            m.d.sync += self.sum.eq(moved)
