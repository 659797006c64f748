# SPDX-License-Identifier: Apache-2.0
"""The authenticator of a message in shares: an accumulator and a shift register.

For each message bit that is one, the shift register is added to the accumulator. Of a public bit
that is linear: each share is added to its own. A bit that was decrypted is in shares, and what is
added is a sum of products. Their terms of different shares get a mask, and pass a register before
they enter the accumulator a move later, with the other terms (H. Gross, S. Mangard, T. Korak, TIS
2016). Two masks serve all stages in turn: no net sees more than two of these registers, those of a
stage and of the one that takes its place when the tag is shifted out.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import xor
from typing import ClassVar

from amaranth.hdl import Cat, Module, Mux, Signal, Value

from headwater.core.naming import named, part
from headwater.core.shares import SHARES

PRODUCT_MASKS = 2
"""Random bits of a move for the products of a message in shares."""

Pair = tuple[Signal, ...]
"""Both shares of a word; of a public word, the word itself."""


class Authenticator:
    """What follows the message, for words of ``width`` bits and a tag of ``tag``.

    A word enters the accumulator moves behind the one in which the shift register takes its other
    output bits, so the bits that have left that are kept: those of a word, as the message waits in
    a register, but none where ``alternates``, as a word then has two moves; and those of one more
    where products wait, too.

    Members
    -------
    message : tuple of Signal
        A word that is to enter the accumulator: its two shares if ``in_shares``, else public, and
        zeros where there is none.
    follows, enters : Signal
        Of a message in shares: whether ``message``, and the word before it, are words at all.
    registers : tuple of Signal
        The registers in shares.
    """

    comments: ClassVar[Mapping[str, str]] = {
        "message": "a word that enters the accumulator",
        "message_share0": "a word whose products are made, share 0",
        "message_share1": "the same, share 1",
        "before_share0": "the word before it, which enters the accumulator, share 0",
        "before_share1": "the same, share 1",
        "follows": "there is a word whose products are made",
        "enters": "there is a word that enters the accumulator",
        "past_share0": "bits that have left the shift register, share 0",
        "past_share1": "the same, share 1",
        "added_share0": "terms of different shares of what enters the accumulator, masked",
        "added_share1": "the others of them, with the same mask",
    }
    """Comments for the Verilog, by signal name."""

    def __init__(
        self, tag: int, width: int, *, alternates: bool, in_shares: bool, kept: bool
    ) -> None:
        self._tag, self._width, self._alternates = tag, width, alternates
        self.in_shares = in_shares

        def pair(bits: int, name: str) -> Pair:
            names = [f"{name}_share{share}" for share in range(SHARES)]
            return tuple(Signal(bits, name=one, reset_less=kept) for one in names)

        self.message = pair(width, "message") if in_shares else (Signal(width, name="message"),)
        self._before = pair(width, "before") if in_shares else ()
        self._crosses = pair(tag, "added") if in_shares else ()
        self.follows, self.enters = Signal(name="follows"), Signal(name="enters")
        self._late = 0 if alternates else width
        bits = self._late + width * in_shares
        self.past = pair(bits, "past") if bits else ()
        own = (*self.message, *self._before, *self._crosses) if in_shares else ()
        self.registers = (*own, *self.past)
        self._taken_in: list[Signal] = []

    @property
    def control(self) -> tuple[Signal, ...]:
        """The registers that are public, without ``enters``, which follows from them."""
        return (self.follows,) if self.in_shares else self.message

    def add(
        self,
        m: Module,
        registers: tuple[Signal, Signal],
        move: Value,
        authenticating: Value,
        shifts: Value,
        masks: Value | None,
        zeros: Value,
    ) -> None:
        """Add the registers beside accumulator and shift register, which ``registers`` are the
        shares of. ``shifts`` tells when a message shifts these; ``masks`` are random bits of an
        accumulator. While there is no message, random bits are both shares of the ``zeros`` that
        are the past, so that it is a uniform sharing when one begins."""
        tag, width = self._tag, self._width
        lines = [
            Cat(*self.past[share : share + 1], one[tag:]) for share, one in enumerate(registers)
        ]
        for past, line in zip(self.past, lines, strict=False):
            with m.If(move & shifts):
                m.d.sync += past.eq(part(line, width, width + len(past)))
            with m.Elif(move & ~authenticating):
                m.d.sync += past.eq(zeros)
        if masks is not None:
            self._multiply(m, [line[width:] for line in lines], move, masks)
            with m.If(move):
                m.d.sync += self.enters.eq(self.follows & shifts)
        words = self._before if self.in_shares else self.message * SHARES
        for share, (word, line) in enumerate(zip(words, lines, strict=True)):
            total = self._times(word, line)
            if self.in_shares:
                total = (total ^ self._crosses[share]) & self.enters.replicate(tag)
            self._taken_in.append(named(m, f"taken_in_share{share}", total))

    def _multiply(self, m: Module, lines: list[Value], move: Value, masks: Value) -> None:
        """Make the terms of different shares."""
        for share, cross in enumerate(self._crosses):
            terms = self._times(self.message[share], lines[1 - share])
            with m.If(move):
                m.d.sync += [
                    cross.eq(terms ^ masks),
                    self._before[share].eq(self.message[share]),
                ]

    def _times(self, word: Value, line: Value) -> Value:
        """A word times a line, whose bits from 0 on are those of the first message bit."""
        rows = (
            word[bit].replicate(self._tag) & part(line, bit, bit + self._tag)
            for bit in range(self._width)
        )
        return reduce(xor, rows)

    def moved(self, register: Value, share: int, output: Value, shifts: Value) -> Value:
        """One share of accumulator and shift register after a move of a message."""
        accumulator, line = register[: self._tag], register[self._tag :]
        shifted: Value = Cat(line[self._width :], output if self._alternates else output[1::2])
        if self._alternates:
            shifted = Mux(shifts, shifted, line)
        return Cat(accumulator ^ self._taken_in[share], shifted)
