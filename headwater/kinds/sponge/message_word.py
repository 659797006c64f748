# SPDX-License-Identifier: Apache-2.0
"""A word of the message on its way into the state of the Ascon core, with what pads it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.core.naming import named

if TYPE_CHECKING:
    from headwater.kinds.sponge.core import SpongeCore


class MessageWord:
    """The word that enters the state in this cycle: associated data, text, or padding.

    A part of the message ends in the word in which its padding begins. That is the part's last word
    or, if all of this one counts, a word that is not taken from ``data_in``. Zeros fill the rest of
    the block. What counts is told for each unit of the text, a byte or a bit.
    """

    def __init__(self, m: Module, core: SpongeCore) -> None:
        self._core, data = core, core.data_in
        self._unit = core.cipher.text_unit
        offered = data.valid if core.facts.waits else Const(1, 1)
        self.absorbing = named(m, "absorbing", core.running & ~core.permuting & ~core.tagging)
        """The words of a block are taken."""
        self.associated = named(m, "associated", data.ad & data.keep[0] & ~core.ended)
        """The word at the input is associated data."""
        waiting = ~core.padded & ~core.ended & (self.associated | ~core.opened)
        self.takes = named(m, "takes", waiting)
        """The word at the input belongs to the part whose padding is still to come."""
        self.text_here = named(m, "text_here", waiting & ~self.associated & data.keep[0])
        passes: Value = Const(1, 1)
        if core.facts.waits:
            passes = core.data_out.ready | ~(self.text_here & core.word_begins)
        ready = self.takes & passes
        self.enable = Signal(name="absorb_enable")
        """A word enters the state, or a part of one."""
        own = core.padded | core.ended
        m.d.comb += [
            data.ready.eq(self.absorbing & ready & core.word_ends),
            self.enable.eq(self.absorbing & (own | (offered & (ready | ~self.takes)))),
        ]
        self.begins_text = named(
            m, "begins_text", ~core.texting & ~core.padded & ~core.opened & ~self.associated
        )
        """The text begins with this word, if one enters."""
        self.keep = named(m, "keep", data.keep & self.takes.replicate(len(data.keep)))
        self.pads = named(m, "pads", ~core.padded & ~self.keep.all())
        """The padding begins in this word."""
        self.closed = named(m, "closed", core.padded | self.pads)
        """The part ends with this block, if this is its last word."""
        counts = Cat(bit.replicate(self._unit) for bit in self.keep)
        self._mask = Cat(counts for _ in core.copies)
        self._offer_text(m, offered)

    def is_text(self) -> Value:
        """Whether the block is of the text."""
        return self._core.texting | self.begins_text

    def entered(self, m: Module, word: Value) -> Signal:
        """What a part of the state becomes that moves. What counts of a ciphertext replaces it."""
        core = self._core
        text = core.data_in.payload & self._mask
        replaces = (core.decrypts & ~self.associated).replicate(len(word))
        kept = word & ~(core.moving(self._mask) & replaces)
        return named(m, "entered", kept ^ core.moving(text ^ self._padding()))

    def _padding(self) -> Value:
        """A one in the lowest bit of the first unit that does not count."""
        counted = self.keep
        begins = [~counted[0], *(last & ~bit for last, bit in pairwise(counted))]
        return Cat(Cat(bit & ~self._core.padded, Const(0, self._unit - 1)) for bit in begins)

    def _offer_text(self, m: Module, offered: Value) -> None:
        core, out = self._core, self._core.data_out
        shown = (core.data_in.payload ^ core.rate_word) & self._mask
        m.d.comb += [
            out.valid.eq(self.absorbing & offered & self.text_here & core.word_begins),
            out.payload.eq(Mux(out.valid, shown, 0)),
            out.keep.eq(self.keep & self.text_here.replicate(len(self.keep))),
            out.last.eq(core.data_in.last),
        ]

    def count(self, m: Module) -> None:
        """What is known of the message with the next word."""
        core, data = self._core, self._core.data_in
        opens = self.associated & self.takes
        with m.If(self.enable & core.word_ends):
            m.d.sync += [
                core.first_block.eq(core.first_block & ~core.block_ends),
                core.opened.eq((core.opened | opens) & ~self.pads),
                core.texting.eq(self.is_text()),
                core.padded.eq(self.closed & ~core.block_ends),
                core.ended.eq(core.ended | (self.takes & data.last)),
            ]
