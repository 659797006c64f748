# SPDX-License-Identifier: Apache-2.0
"""How a Phelix core processes a message: what enters its blocks and the state between them, what
leaves, and what it counts.

A sender must mark bytes as the data sheet says: without a hole, associated data first, and only the
last word of each part not whole.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, ResetSignal, Signal, Value

from headwater.cipher.phelix import AD_MARK, MAC_BITS, MAC_BLOCKS, MAC_MARK, SETUP_BLOCKS
from headwater.kinds.word_aead.core import WordAeadCore
from headwater.kinds.word_aead.description import WORD_BITS
from headwater.kinds.word_aead.phases import phases
from headwater.prove.checker import Proof, aborting, assert_always, becomes

_BYTES = WORD_BITS // 8
_UNTAGGED = MAC_BLOCKS - MAC_BITS // WORD_BITS
"""Blocks of the MAC whose keystream is no tag."""


class _Transfer:
    """The words of a transfer, as its marks say."""

    def __init__(self, core: WordAeadCore) -> None:
        data = core.data_in
        places = range(core.words)
        self.reads = core.running & ~core.closing
        self.ends = self.reads & data.last
        self.keep = [data.keep.word_select(place, _BYTES) for place in places]
        self.used = [self.reads & keep[0] for keep in self.keep]
        self.is_ad = [used & mark for used, mark in zip(self.used, data.ad, strict=True)]
        self.is_text = [used & ~mark for used, mark in zip(self.used, data.ad, strict=True)]
        self.text_bytes = self._bytes(self.is_text)
        self.ad_bytes = self._bytes(self.is_ad)
        self.last_half = core.second if core.halves else Const(1, 1)

    def _bytes(self, counts: list[Value]) -> Value:
        """How many bytes the words of one part have."""
        pairs = zip(self.keep, counts, strict=True)
        return sum((bit & part for keep, part in pairs for bit in keep), Const(0, 1))

    @property
    def is_proper(self) -> Value:
        """Whether its bytes are marked as a sender must mark them."""
        holds: Value = Const(1, 1)
        for keep in self.keep:
            holds &= reduce(or_, (keep == (1 << count) - 1 for count in range(_BYTES + 1)))
        for place in range(1, len(self.keep)):
            before, own = place - 1, self.used[place]
            holds &= ~own | (self.used[before] & (self.is_ad[before] | ~self.is_ad[place]))
            whole = self.keep[before].all()
            holds &= ~own | whole | (self.is_ad[before] & ~self.is_ad[place])
        return holds

    def begins_mac(self, core: WordAeadCore, place: int) -> Value:
        """Whether the MAC begins with a block: the first without a word, behind the last word."""
        ended = self.ends & ~self.used[place]
        return ended & self.used[place - 1] if place else ended | core.opening


def _transfer(m: Module, core: WordAeadCore) -> _Transfer:
    """The transfer of this cycle, of a sender that marks it as it must."""
    transfer = _Transfer(core)
    m.d.comb += [Assume(phases(core)), Assume(transfer.is_proper)]
    return transfer


def check_words(m: Module, core: WordAeadCore, proof: Proof) -> None:  # noqa: ARG001
    """Byte by byte: the plain bytes enter their blocks, the other text leaves in the same places,
    and blocks of the MAC take in the length of the text modulo 4."""
    transfer, out = _transfer(m, core), core.data_out
    for place, block in enumerate(core.blocks):
        plain: list[Value] = []
        for at in range(_BYTES):
            text = core.data_in.payload.word_select(_BYTES * place + at, 8)
            stream = block.keystream.word_select(at, 8)
            counts = transfer.keep[place][at]
            leaves = transfer.is_text[place] & counts
            plain.append(Mux(counts, Mux(leaves & core.decrypts, text ^ stream, text), 0))
            shown = Mux(leaves & out.valid, text ^ stream, 0)
            m.d.comb += [
                Assert(out.keep[_BYTES * place + at] == leaves),
                Assert(out.payload.word_select(_BYTES * place + at, 8) == shown),
            ]
        closes = core.closing | transfer.ends
        here = transfer.text_bytes[:2]
        tail = Mux(core.closing, core.tail, here) if place else core.tail
        expected = Mux(transfer.used[place], Cat(*plain), Mux(closes, tail, 0))
        m.d.comb += Assert(block.plain == Mux(transfer.last_half, expected, 0))


def check_marks(m: Module, core: WordAeadCore, proof: Proof) -> None:  # noqa: ARG001
    """Before a block a mark is added to the state where associated data begins or ends, and another
    with the number of its bytes before the MAC."""
    transfer = _transfer(m, core)
    first_half = ~core.second if core.halves else Const(1, 1)
    whole = Cat(core.data_turn, core.data_periods) << (_BYTES * core.words).bit_length() - 1
    state = tuple(core.z)
    for place, block in enumerate(core.blocks):
        before = transfer.is_ad[place - 1] if place else core.was_ad
        toggles = first_half & (transfer.is_ad[place] ^ before)
        begins = first_half & transfer.begins_mac(core, place)
        rest: Value = core.data_rest
        if place:
            rest = Mux(transfer.is_ad[0], transfer.ad_bytes[: len(rest)], rest)
        length = Signal(WORD_BITS + 2 + WORD_BITS, name=f"length_{place}")
        m.d.comb += length.eq(whole | rest)
        marks = (
            Mux(begins, MAC_MARK, 0),
            Mux(toggles, AD_MARK, 0),
            Mux(begins, length[WORD_BITS : 2 * WORD_BITS], 0),
            Const(0, 1),
            Mux(begins, length[:WORD_BITS], 0),
        )
        for word, old, mark in zip(block.entering, state, marks, strict=True):
            m.d.comb += Assert(word == (old ^ mark)[:WORD_BITS])
        state = block.ending


def check_message(m: Module, core: WordAeadCore, proof: Proof) -> None:  # noqa: ARG001
    """A transfer is taken when it is offered and its text is taken; the MAC waits for its words
    alone. The end of the message, and of its parts, is remembered."""
    transfer, waits = _transfer(m, core), core.facts.waits
    data, out, tag = core.data_in, core.data_out, core.tag
    offered, taken = (data.valid, out.ready) if waits else (Const(1, 1), Const(1, 1))
    reads, last_half = transfer.reads, transfer.last_half
    text = Cat(*transfer.is_text).any()
    passes = taken | ~text
    sends = core.closing & (tag.ready | ~tag.valid if waits else 1)
    goes_on = reads & offered & (passes | ~last_half)
    m.d.comb += [
        Assert(data.ready == (reads & last_half & passes)),
        Assert(out.valid == (reads & last_half & offered & text)),
        Assert(~out.valid | (out.last == data.last)),
        Assert(core.enable == (core.mixing | core.setting_up | goes_on | sends)),
        Assert(core.block_ends == (core.enable & last_half)),
    ]
    if core.halves:
        becomes(m, ~aborting(core), core.second, core.second ^ core.enable)
    moves = core.running & core.block_ends & ~aborting(core)
    becomes(m, moves, core.was_ad, transfer.is_ad[-1])
    becomes(m, moves, core.opening, transfer.ends & transfer.used[-1])
    becomes(m, moves, core.closing, core.closing | transfer.ends)
    becomes(m, moves, core.tail, Mux(reads, transfer.text_bytes[:2], core.tail))
    rest = Mux(transfer.is_ad[0], transfer.ad_bytes, core.data_rest)
    becomes(m, moves, core.data_rest, rest)
    begun = sum(
        (
            Mux(transfer.begins_mac(core, place), core.words - place, 0)
            for place in range(core.words)
        ),
        Const(0, 1),
    )
    becomes(m, moves, core.mac_count, Mux(core.closing, core.mac_count + core.words, begun))
    for register in (
        core.was_ad,
        core.opening,
        core.closing,
        core.tail,
        core.data_rest,
        core.mac_count,
        core.data_turn,
        core.data_periods,
    ):
        becomes(m, ~aborting(core) & ~(core.running & core.block_ends), register, register)


def check_tag(m: Module, core: WordAeadCore, proof: Proof) -> None:  # noqa: ARG001
    """The tag is the keystream of the last four blocks of the MAC, plus the length of the text
    modulo 4; the core has finished with the last of them."""
    m.d.comb += Assume(phases(core))
    last_half = core.second if core.halves else Const(1, 1)
    shown: list[Value] = []
    words: list[Value] = []
    for place, block in enumerate(core.blocks):
        number = core.mac_count + place
        shown.append(core.closing & last_half & (number >= _UNTAGGED) & (number < MAC_BLOCKS))
        words.append(Mux(shown[-1], block.keystream ^ core.tail, 0))
    is_last = core.mac_count + core.words >= MAC_BLOCKS
    m.d.comb += [
        Assume(core.mac_count < MAC_BLOCKS),
        Assert(core.tag.valid == Cat(*shown).any()),
        Assert(core.tag.payload == Cat(*words)),
        Assert(core.finished == (core.closing & core.block_ends & is_last)),
    ]
    if core.words > 1:
        m.d.comb += Assert(core.tag.keep == Cat(*shown))


def check_lengths(m: Module, core: WordAeadCore, proof: Proof) -> None:
    """The number of a block counts from the setup on. Behind associated data that fills its
    transfers, the number of these transfers is that of the blocks since the setup."""
    transfer = _transfer(m, core)
    begun = Signal(name=proof.named("begun"))
    with m.If(core.running & core.block_ends):
        m.d.sync += begun.eq(1)
    with m.If(aborting(core)):
        m.d.sync += begun.eq(0)
    number, setup = core.keys.number, SETUP_BLOCKS // core.words
    blocks = (number - setup)[: len(number)]
    counted = Cat(core.data_turn, core.data_periods)
    fresh = core.running & ~begun
    message = Cat(
        core.was_ad, core.opening, core.closing, core.tail, core.data_rest, counted, core.mac_count
    )
    whole = transfer.reads & core.was_ad & (core.data_rest == 0)
    properties = [~whole | (counted == blocks), ~fresh | (blocks == 0)]
    invariants = [
        (core.running & begun) | (message == 0),
        core.running | ~begun,
        core.running | (number == Mux(core.setting_up, core.count, 0)),
        ~core.placing | (core.count == 0),
        ~core.setting_up | (core.count < setup),
        core.mac_count < MAC_BLOCKS,
    ]
    proper = _in_order(core, transfer, begun)
    assert_always(m, proof, properties, given=phases(core) & proper, invariants=invariants)


def _in_order(core: WordAeadCore, transfer: _Transfer, begun: Value) -> Value:
    """Whether associated data comes first, whole but for its last word."""
    continues = ~begun | (core.was_ad & (core.data_rest == 0))
    return ~Cat(*transfer.is_ad).any() | continues | ResetSignal()
