# SPDX-License-Identifier: Apache-2.0
"""A transfer of a message through the Phelix core: what its words are, and how they are processed.

A transfer has as many words as a cycle has blocks. Each is associated data, text, or nothing; a
block without a word already belongs to the MAC.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.cipher.phelix import MAC_BITS, MAC_BLOCKS
from headwater.core.naming import named
from headwater.kinds.word_aead.description import WORD_BITS
from headwater.kinds.word_aead.keys import encode, lookup_bit

if TYPE_CHECKING:
    from headwater.kinds.word_aead.core import WordAeadCore

_FIRST_TAG_BLOCK = MAC_BLOCKS - MAC_BITS // WORD_BITS
_BYTES = WORD_BITS // 8


class DataWord:
    """The transfer of this cycle."""

    def __init__(self, m: Module, core: WordAeadCore) -> None:
        self._core = core
        self._places = range(core.words)
        self._last_half = core.second if core.halves else Const(1, 1)
        self.keystream = [
            Signal(WORD_BITS, name=self._named("keystream", place)) for place in self._places
        ]
        """S of each block; driven by the datapath."""
        self.enable = Signal(name="data_enable")
        """Whether the blocks can be made: the transfer is there, and their output is taken."""
        self._reading = Signal(name="reading")
        self._ending = Signal(name="ending")
        m.d.comb += [
            self._reading.eq(core.running & ~core.closing),
            self._ending.eq(self._reading & core.data_in.last),
        ]
        self._used = [
            self._signal(m, "used", place, core.data_in.keep[_BYTES * place] & self._reading)
            for place in self._places
        ]
        self._ad = [
            self._signal(m, "associated", place, core.data_in.ad[place] & self._used[place])
            for place in self._places
        ]
        self._begins = [
            self._signal(m, "begins_mac", place, self._begin(place)) for place in self._places
        ]
        self._rest = named(m, "rest_of_transfer", self._rest_of_transfer)
        self._in_beat_tail = self._tail_of_transfer(m)
        self._offer_text(m)
        self._offer_tag(m)
        self.plain = [self._plain(m, place) for place in self._places]
        """P of each block: the plain word, or the MAC's input."""

    def _named(self, name: str, place: int) -> str:
        return name if self._core.words == 1 else f"{name}_{place}"

    def _signal(self, m: Module, name: str, place: int, value: Value) -> Signal:
        return named(m, self._named(name, place), value)

    def _keep(self, place: int) -> Value:
        return self._core.data_in.keep[_BYTES * place : _BYTES * (place + 1)]

    def _payload(self, place: int) -> Value:
        return self._core.data_in.payload[WORD_BITS * place : WORD_BITS * (place + 1)]

    def toggles(self, place: int) -> Value:
        """Whether associated data begins or ends before a block."""
        before = self._ad[place - 1] if place else self._core.was_ad
        return self._ad[place] ^ before

    def begins_mac(self, place: int) -> Value:
        """Whether a block is the MAC's first."""
        return self._begins[place]

    def _begin(self, place: int) -> Value:
        ended = self._ending & ~self._used[place]
        return ended & self._used[place - 1] if place else ended | self._core.opening

    def data_bytes(self, place: int) -> tuple[Value, Value]:
        """The length of the associated data as low word and rest, if the MAC begins here."""
        core = self._core
        rest: Value = core.data_rest
        if place:
            rest = Mux(self._ad[0], self._rest, rest)
        length = Cat(rest, core.data_turn, core.data_periods)
        return length[:WORD_BITS], length[WORD_BITS:]

    def _plain(self, m: Module, place: int) -> Value:
        """The plain bytes that count; in a block of the MAC the text's length modulo 4. For
        ciphertext they are its sum with the keystream, which arrives last."""
        core = self._core
        counts = Cat((bit & self._reading).replicate(8) for bit in self._keep(place))
        through = counts & (core.decrypts & ~self._ad[place]).replicate(WORD_BITS)
        closes = core.closing | (self._ending & ~self._used[place])
        tail = core.tail if not place else Mux(core.closing, core.tail, self._in_beat_tail)
        text = self._signal(m, "given", place, self._payload(place) & counts)
        low = self._signal(m, "given_low", place, text[:2] | (tail & closes.replicate(2)))
        text = Cat(low, text[2:])
        if core.architecture["direction"] == "encrypt":
            return text
        return text ^ (self.keystream[place] & through)

    def _tail_of_transfer(self, m: Module) -> Signal:
        """The text's length modulo 4; only the last word of a text can be partial."""
        tail = Signal(2, name="tail_here")
        rest: Value = Const(0, 2)
        for place in self._places:
            keep = self._keep(place)
            low = (keep[0] & ~keep[1]) | (keep[2] & ~keep[3])
            rest |= Cat(low, keep[1] & ~keep[3]) & (~self._ad[place]).replicate(2)
        m.d.comb += tail.eq(rest)
        return tail

    def _offer_text(self, m: Module) -> None:
        core = self._core
        data, out, waits = core.data_in, core.data_out, core.facts.waits
        offered = data.valid if waits else Const(1, 1)
        text = [
            self._keep(place) & (self._used[place] & ~self._ad[place]).replicate(_BYTES)
            for place in self._places
        ]
        any_text = Signal(name="any_text")
        passes = out.ready | ~any_text if waits else Const(1, 1)
        shown = [
            (self._payload(place) ^ self.keystream[place])
            & Cat((bit & out.valid).replicate(8) for bit in text[place])
            for place in self._places
        ]
        sends = core.closing & ((core.tag.ready | ~core.tag.valid) if waits else Const(1, 1))
        first_half = ~self._last_half
        m.d.comb += [
            any_text.eq(Cat(*text).any()),
            out.keep.eq(Cat(*text)),
            out.last.eq(data.last),
            out.valid.eq(self._reading & self._last_half & offered & any_text),
            out.payload.eq(Cat(*shown)),
            data.ready.eq(self._reading & self._last_half & passes),
            self.enable.eq((self._reading & offered & (passes | first_half)) | sends),
        ]

    def _offer_tag(self, m: Module) -> None:
        core = self._core
        counts = [
            core.closing & self._counted(partial(_in_tag, place)) & self._last_half
            for place in self._places
        ]
        words = [
            Cat(s[:2] ^ core.tail, s[2:]) & counts[place].replicate(WORD_BITS)
            for place, s in enumerate(self.keystream)
        ]
        m.d.comb += [core.tag.valid.eq(Cat(*counts).any()), core.tag.payload.eq(Cat(*words))]
        if core.words > 1:
            m.d.comb += core.tag.keep.eq(Cat(*counts))
        last = self._counted(lambda blocks: blocks + core.words >= MAC_BLOCKS)
        m.d.comb += core.mac_over.eq(core.closing & core.block_ends & last)

    def _counted(self, holds: Callable[[int], bool]) -> Value:
        """Whether ``holds`` for the number of MAC blocks made so far, which is less than all."""
        reachable = [holds(blocks) for blocks in range(MAC_BLOCKS)]
        return lookup_bit(self._core.mac_count, [*reachable, *reachable[-4:]])

    def count(self, m: Module) -> None:
        """Follow the message: its end, and the lengths that the MAC takes in."""
        core = self._core
        closes_at = encode(
            ((self.begins_mac(place), core.words - place) for place in self._places),
            len(core.mac_count),
        )
        narrow = core.words.bit_length() - 1
        following = Cat(core.mac_count[:narrow], core.mac_count[narrow:] + 1)
        with m.If(core.running & core.block_ends):
            m.d.sync += [
                core.was_ad.eq(self._ad[-1]),
                core.opening.eq(self._ending & self._used[-1]),
                core.closing.eq(core.closing | self._ending),
                core.mac_count.eq(Mux(core.closing, following, closes_at)),
            ]
            with m.If(self._reading):
                m.d.sync += core.tail.eq(self._in_beat_tail)
            with m.If(self._ad[0]):
                m.d.sync += core.data_rest.eq(self._rest)
            self._count_data(m)

    def _count_data(self, m: Module) -> None:
        """Count the transfers that are associated data as a whole. The eight blocks of the nonce
        setup are not counted: so the count is one period behind."""
        core, keys = self._core, self._core.keys
        whole = self._ad[-1] & core.data_in.keep[-1]
        with m.If(whole):
            m.d.sync += core.data_turn.eq(keys.following[: keys.turn_bits])
        with m.If(whole & keys.number[: keys.turn_bits].all()):
            m.d.sync += core.data_periods.eq(keys.number[keys.turn_bits :])

    @property
    def _rest_of_transfer(self) -> Value:
        """Bytes of associated data in the transfer, modulo the transfer's length."""
        marks = [bit & self._ad[place] for place in self._places for bit in self._keep(place)]
        ends = ((marks[count - 1] & ~marks[count], count) for count in range(1, len(marks)))
        return encode(ends, len(self._core.data_rest))


def _in_tag(place: int, blocks: int) -> bool:
    """Whether the block gives a word of the tag, if ``blocks`` MAC blocks precede place 0."""
    return _FIRST_TAG_BLOCK <= blocks + place < MAC_BLOCKS
