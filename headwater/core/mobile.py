# SPDX-License-Identifier: Apache-2.0
"""Cores of the modes of mobile telephony: key and IV in, then one message through them."""

from __future__ import annotations

from typing import Any

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib.wiring import In, Out, Signature

from headwater.cipher.mobile import (
    TAG_BITS,
    WORD_BITS,
    Confidentiality,
    EvaluationIntegrity,
    MobileMode,
    WindowIntegrity,
)
from headwater.cipher.stepped import SteppedCipher
from headwater.cipher.word_cipher import WordCipher
from headwater.core.architecture import Architecture
from headwater.core.facts import CoreFacts
from headwater.core.mobile_facts import MobileFacts
from headwater.core.polynomial_value import PolynomialValue
from headwater.core.toeplitz import ToeplitzProduct
from headwater.core.word_core import WordSteps
from headwater.core.words import named


def kind_of(mode: MobileMode) -> type[ConfidentialityCore | WindowCore | EvaluationCore]:
    """What the core of a mode is."""
    match mode:
        case Confidentiality():
            return ConfidentialityCore
        case WindowIntegrity():
            return WindowCore
        case EvaluationIntegrity():
            return EvaluationCore
    raise TypeError(f"{type(mode).__name__} has no core")


def _text_stream(**beside: Any) -> Signature:
    text = {"payload": Out(WORD_BITS), "keep": Out(WORD_BITS), "last": Out(1)}
    return Signature({**text, "valid": Out(1), "ready": In(1), **beside})


def _tag_stream() -> Signature:
    return Signature({"payload": Out(TAG_BITS), "valid": Out(1), "ready": In(1)})


class MobileCore(WordSteps):
    """A mode around the registers and the control of its cipher.

    Registers of the mode hold zeros or become zero while the cipher is not running, so every
    message begins alike, and `clear` needs nothing more.

    Members
    -------
    load, clear
        See `CipherCore`.
    data_in : In(stream of 32-bit words)
        The message, its first bit on top. ``last`` marks the last word; only in it may the bits be
        fewer: ``keep`` has a one for each bit that counts, from the top, and all ones in every
        other word.
    """

    facts: MobileFacts

    def __init__(
        self, mode: MobileMode, architecture: Architecture, members: dict[str, Any]
    ) -> None:
        self.mode = mode
        base = mode.base.formed(architecture.options)
        super().__init__(base, architecture, {"data_in": In(_text_stream()), **members})
        self.take = Signal()
        self.word: Value = Const(0, WORD_BITS)
        self._kept = architecture.clear != "instant"

    def _facts_of(self, cipher: SteppedCipher, architecture: Architecture) -> CoreFacts:  # type: ignore[override]
        assert isinstance(cipher, WordCipher)
        return MobileFacts(cipher, architecture, self.mode)

    @property
    def progress(self) -> tuple[Signal, ...]:
        """The mode's own registers of control, zero in idle."""
        return ()

    @property
    def _control_registers(self) -> tuple[Signal, ...]:
        return *super()._control_registers, *self.progress

    @property
    def contents(self) -> tuple[Signal, ...]:
        """The mode's own registers that hold bits of the keystream or of the message."""
        return ()

    @property
    def notes(self) -> dict[str, str]:
        """What the signals of the core are, by name, for comments in the Verilog."""
        return super().notes | {
            "running": "the setup of the cipher is over",
            "take": "a data word is taken",
        }

    def _content(self, bits: int, name: str) -> Signal:
        return Signal(bits, name=name, reset_less=self._kept)

    def elaborate(self, platform: object) -> Module:
        """The circuit, as Amaranth asks for it."""
        m = super().elaborate(platform)
        if self.architecture.clear == "instant":
            with m.If(self._clear):
                m.d.sync += [register.eq(0) for register in self.contents]
        return m


class ConfidentialityCore(MobileCore):
    """Encrypts and decrypts: a word of the message for each word of the keystream.

    Members
    -------
    data_in
        See `MobileCore`.
    data_out : Out(stream of 32-bit words)
        The other text, in the same places, other bits zero. The core is idle when its last word
        has been taken.
    """

    def __init__(self, mode: MobileMode, architecture: Architecture) -> None:
        super().__init__(mode, architecture, {"data_out": Out(_text_stream())})

    @property
    def _word_taken(self) -> Value:
        return self.take

    @property
    def _finished(self) -> Value:
        return self.take & self.data_in.last

    def _offer(self, m: Module, output: Value) -> None:
        data, out = self.data_in, self.data_out
        self.word = self._word(m, output)
        text = named(m, "text", (data.payload ^ self.word) & data.keep)
        m.d.comb += [
            out.valid.eq(self.running & data.valid),
            data.ready.eq(self.running & out.ready),
            self.take.eq(out.valid & out.ready),
            out.payload.eq(Mux(out.valid, text, 0)),
            out.keep.eq(data.keep),
            out.last.eq(data.last),
        ]


class WindowCore(MobileCore):
    """Adds up windows into the keystream, of its last word and the present one: 32 in a cycle.

    Behind the message a one is added to it. It finds room in the last word, unless that is full or
    empty: then its window is the older word alone, which is added to the tag as it leaves.

    Members
    -------
    data_in
        See `MobileCore`.
    tag : Out(stream of one 32-bit word)
        The tag, its first bit on top. The core is idle when it has been taken.
    """

    def __init__(self, mode: MobileMode, architecture: Architecture) -> None:
        super().__init__(mode, architecture, {"tag": Out(_tag_stream())})
        self.older = self._content(WORD_BITS, "older")
        self.sum = self._content(TAG_BITS, "sum")
        self.primed = Signal()
        self.sending = Signal()
        self.one_left = Signal()
        self.advance = Signal()

    @property
    def contents(self) -> tuple[Signal, ...]:
        """The window's older word, and the sum."""
        return self.older, self.sum

    @property
    def notes(self) -> dict[str, str]:
        """What the signals of the core are, by name, for comments in the Verilog."""
        return super().notes | {
            "older": "the keystream word before the present one",
            "sum": "of the windows so far",
            "primed": "the window has both its words",
            "sending": "the tag is offered",
            "one_left": "the window of the one behind the message is still to be added",
            "advance": "the window moves on by a word",
            "message": "the data word, and the one behind the message",
        }

    @property
    def progress(self) -> tuple[Signal, ...]:
        """See the notes."""
        return self.primed, self.sending, self.one_left

    @property
    def _word_taken(self) -> Value:
        return self.advance

    @property
    def _finished(self) -> Value:
        return self.sending & self.tag.ready

    def _count(self, m: Module) -> None:
        super()._count(m)
        full_or_empty = self.data_in.keep[0] | ~self.data_in.keep[-1]
        m.d.sync += [
            self.primed.eq(self.running),
            self.sending.eq(self.sending | (self.take & self.data_in.last)),
            self.one_left.eq(Mux(self.sending, self.one_left, full_or_empty)),
        ]

    def _offer(self, m: Module, output: Value) -> None:
        data, word = self.data_in, self._word(m, output)
        self.word = word
        # Moved down with its top bit doubled: in an empty word nothing is found behind the ones.
        one = ~data.keep & Cat(data.keep[1:], data.keep[-1])
        message = named(m, "message", data.payload & data.keep | one)
        taken_in = ToeplitzProduct(m).product(message, Cat(word, self.older)[1:], TAG_BITS)
        taken_in = named(m, "taken_in", taken_in)
        m.d.comb += [
            data.ready.eq(self.primed & ~self.sending),
            self.take.eq(data.ready & data.valid),
            self.advance.eq((self.take & data.keep[-1]) | (self.running & ~self.primed)),
            self.tag.valid.eq(self.sending),
            self.tag.payload.eq(
                Mux(self.sending, self.sum ^ word ^ Mux(self.one_left, self.older, 0), 0)
            ),
        ]
        with m.If(self.advance | ~self.running):
            m.d.sync += self.older.eq(word)
        with m.If(self.take | ~self.running):
            m.d.sync += self.sum.eq(Mux(self.running, self.sum ^ taken_in, 0))


class EvaluationCore(MobileCore):
    """Evaluates the message at a point that the keystream gives, some bits of it in a cycle.

    The first two words of the keystream are P. Behind the message the cipher moves on again: the
    next two are Q, which takes the place of P, and the one after them waits to be added to the tag.

    Members
    -------
    data_in
        See `MobileCore`. Messages are shorter than 2^32 bits.
    tag : Out(stream of one 32-bit word)
        The tag, its first bit on top. The core is idle when it has been taken.
    """

    def __init__(self, mode: MobileMode, architecture: Architecture) -> None:
        super().__init__(mode, architecture, {"tag": Out(_tag_stream())})
        digit = int(architecture["digit"])
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

    @property
    def contents(self) -> tuple[Signal, ...]:
        """Those of the evaluation."""
        return self.value.registers

    @property
    def notes(self) -> dict[str, str]:
        """What the signals of the core are, by name, for comments in the Verilog."""
        return super().notes | PolynomialValue.notes | {
            "gathered": "words of P, or of Q, that are there",
            "left": "digits of the word that are left, as ones",
            "ending": "the last data word was taken",
            "at_length": "the block of the length is due",
            "sending": "it has been taken in, the tag follows",
            "whole_words": "32-bit words of the message",
            "rest_bits": "bits of the message beyond them",
            "gather": "a word of P or Q is taken from the keystream",
            "due": "the next word can be taken in",
            "change": "from P to Q",
        }  # fmt: skip

    @property
    def progress(self) -> tuple[Signal, ...]:
        """See the notes."""
        marks = (self.gathered, self.ending, self.at_length, self.sending, self.value.odd)
        counts = (self.whole_words, self.rest_bits)
        return (*marks, *counts, *((self.left,) if len(self.left) else ()))

    @property
    def _word_taken(self) -> Value:
        return self.gather

    @property
    def _finished(self) -> Value:
        return self.tag.valid & self.tag.ready

    @property
    def _closing(self) -> Value:
        return self.due & self.ending & ~self.sending

    def _count(self, m: Module) -> None:
        super()._count(m)
        odd = self.value.odd
        m.d.sync += [
            self.ending.eq(self.ending | (self.take & self.data_in.last)),
            self.at_length.eq(self.at_length | self.change),
            self.sending.eq(self.sending | (self._closing & self.at_length & odd)),
            odd.eq(odd ^ self.value.starts),
            self.left.eq(Mux(self.value.starts, ~0, self.left[1:])),
        ]
        with m.If(self.gather | self.change):
            m.d.sync += self.gathered.eq(Mux(self.change, 0, Cat(1, self.gathered[0])))
        with m.If(self.take):
            m.d.sync += [
                self.whole_words.eq(self.whole_words + self.data_in.keep[0]),
                self.rest_bits.eq(_ones_on_top(self.data_in.keep)),
            ]

    def _offer(self, m: Module, output: Value) -> None:
        data, word, value = self.data_in, self._word(m, output), self.value
        length = Cat(self.rest_bits, self.whole_words)
        closing = Mux(self.at_length & value.odd, length, 0)
        m.d.comb += [
            self.due.eq(self.gathered[1] & ~self.left.any()),
            self.gather.eq(self.running & ~self.gathered[1]),
            data.ready.eq(self.due & ~self.ending),
            self.take.eq(data.ready & data.valid),
            self.change.eq(self._closing & ~value.odd & ~self.at_length),
            value.starts.eq((self.take & data.keep[-1]) | (self._closing & ~self.change)),
            value.entering.eq(Mux(self.ending, closing, data.payload & data.keep)),
        ]
        value.connect(m, word, running=self.running, gather=self.gather, goes_on=self.left.any())
        m.d.comb += [
            self.tag.valid.eq(self.sending & self.due),
            self.tag.payload.eq(Mux(self.tag.valid, value.value[WORD_BITS:] ^ word, 0)),
        ]


def _ones_on_top(keep: Value) -> Value:
    """How many ones there are, modulo the width, where all stand above the zeros: bit n tells
    whether an odd number of marks at multiples of 2^n is reached."""
    width = len(keep)
    return Cat(
        Cat(keep[width - reached] for reached in range(1 << bit, width + 1, 1 << bit)).xor()
        for bit in range((width - 1).bit_length())
    )
