# SPDX-License-Identifier: Apache-2.0
"""The core of UIA2 and 128-EIA1: the message is evaluated as a polynomial."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal, Value

from headwater.kinds.telephony.core import OverWords
from headwater.kinds.telephony.description import WORD_BITS
from headwater.kinds.telephony.facts import TelephonyFacts
from headwater.kinds.telephony.polynomial_value import PolynomialValue


class EvaluationCore(OverWords):
    """Evaluates the message at a point that the keystream gives, some bits of it in a cycle.

    The first two words of the keystream are the point P. After the message the cipher moves again:
    the next two words are Q, which replaces P, and the third is added to the tag. The core is idle
    when the tag has been taken. Messages are shorter than 2^32 bits.
    """

    def __init__(self, facts: TelephonyFacts) -> None:
        super().__init__(facts)
        digit = int(self.architecture["digit"])
        self.value = PolynomialValue(digit, self._content)
        self.gathered = Signal(2)
        self.left = Signal(WORD_BITS // digit - 1)
        self.ending = Signal()
        self.at_length = Signal()
        self.sending = Signal()
        self.whole_words = Signal(27)
        self.rest_bits = Signal(5)
        self.gather = Signal()
        self.due = Signal()
        self.change = Signal()
        marks = (self.gathered, self.ending, self.at_length, self.sending, self.value.odd)
        left = (self.left,) if len(self.left) else ()
        self._add(
            contents=self.value.registers,
            progress=(*marks, self.whole_words, self.rest_bits, *left),
        )
        self.finished = self.tag.valid & self.tag.ready

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        return (
            super().notes
            | PolynomialValue.notes
            | {
                "gathered": "words of P, or of Q, that have been taken, as ones",
                "left": "digits of the data word that are still to be taken in, as ones",
                "ending": "the last data word was taken",
                "at_length": "the block that holds the length is due",
                "sending": "the block of the length has been taken in, and the tag is next",
                "whole_words": "32-bit words of the message",
                "rest_bits": "bits of the message beyond its whole words",
                "gather": "a word of P or Q is taken from the keystream",
                "due": "the next word of the message can be taken in",
                "change": "Q takes the place of P",
            }
        )

    @property
    def word_taken(self) -> Value:
        """Whether the keystream word becomes a part of the point."""
        return self.gather

    @property
    def _closing(self) -> Value:
        return self.due & self.ending & ~self.sending

    def _count_message(self, m: Module) -> None:
        odd = self.value.odd
        m.d.sync += [
            self.ending.eq(self.ending | (self.data_fire & self.data_in.last)),
            self.at_length.eq(self.at_length | self.change),
            self.sending.eq(self.sending | (self._closing & self.at_length & odd)),
            odd.eq(odd ^ self.value.starts),
            self.left.eq(Mux(self.value.starts, ~0, self.left[1:])),
        ]
        with m.If(self.gather | self.change):
            m.d.sync += self.gathered.eq(Mux(self.change, 0, Cat(1, self.gathered[0])))
        with m.If(self.data_fire):
            m.d.sync += [
                self.whole_words.eq(self.whole_words + self.data_in.keep[0]),
                self.rest_bits.eq(_ones_on_top(self.data_in.keep)),
            ]

    def _offer_message(self, m: Module) -> None:
        data, word, value = self.data_in, self.word, self.value
        length = Cat(self.rest_bits, self.whole_words)
        closing = Mux(self.at_length & value.odd, length, 0)
        m.d.comb += [
            self.due.eq(self.gathered[1] & ~self.left.any()),
            self.gather.eq(self.running & ~self.gathered[1]),
            data.ready.eq(self.due & ~self.ending),
            self.data_fire.eq(data.ready & data.valid),
            self.change.eq(self._closing & ~value.odd & ~self.at_length),
            value.starts.eq((self.data_fire & data.keep[-1]) | (self._closing & ~self.change)),
            value.entering.eq(Mux(self.ending, closing, data.payload & data.keep)),
        ]
        value.connect(m, word, running=self.running, gather=self.gather, goes_on=self.left.any())
        m.d.comb += [
            self.tag.valid.eq(self.sending & self.due),
            self.tag.payload.eq(Mux(self.tag.valid, value.value[WORD_BITS:] ^ word, 0)),
        ]


def _ones_on_top(keep: Value) -> Value:
    """The number of ones of ``keep``, modulo its width, if all ones are above the zeros. Bit n
    tells whether an odd number of marks at multiples of 2^n is reached."""
    width = len(keep)
    return Cat(
        Cat(keep[width - reached] for reached in range(1 << bit, width + 1, 1 << bit)).xor()
        for bit in range((width - 1).bit_length())
    )
