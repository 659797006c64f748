# SPDX-License-Identifier: Apache-2.0
"""How an Ascon core processes a message: what enters its blocks, what leaves, and what follows.

While a block enters, its words turn in the core. Here they are read in their places, as in the
description.
"""

from __future__ import annotations

from amaranth.hdl import Array, Assert, Assume, Cat, Const, Module, Mux, Signal, Value

from headwater.core.naming import named
from headwater.kinds.sponge.core import SpongeCore
from headwater.kinds.sponge.description import RATE_BITS, WORD_BITS
from headwater.kinds.sponge.phases import (
    begins_word,
    ends_round,
    ends_word,
    is_last,
    phases,
    place_in_block,
)
from headwater.kinds.sponge.sliced import SlicedCore
from headwater.prove.checker import Proof, aborting, becomes


def absorbs(core: SpongeCore) -> Value:
    """Whether a word, or a slice of one, enters the state in this cycle."""
    waiting = core.running & ~core.permuting & ~core.tagging
    return waiting & core.word.enable & ~aborting(core)


def is_associated(core: SpongeCore) -> Value:
    """Whether the word at the input is associated data."""
    return core.data_in.ad & core.data_in.keep[0] & ~core.ended


def is_text(core: SpongeCore) -> Value:
    """Whether the block is one of the text: nothing of the associated data is left."""
    return core.texting | ~(core.opened | core.padded | is_associated(core))


def counted(core: SpongeCore) -> Value:
    """What counts of the input and enters: it is of the part that is not yet padded."""
    takes = ~core.padded & ~core.ended & (is_associated(core) | ~core.opened)
    return Mux(takes, core.data_in.keep, 0)


def _placed(m: Module, core: SpongeCore, name: str, string: Value) -> Signal:
    """A string of registers with its words in their places: in the core it has turned by as many as
    have entered of the block."""
    turns = range(0, RATE_BITS, core.width)
    return named(m, name, Array(string.rotate_left(turn) for turn in turns)[place_in_block(core)])


def check_blocks(m: Module, core: SpongeCore, proof: Proof) -> None:  # noqa: ARG001
    """The rounds count up to the last one. Behind the last word of a block they begin anew: all of
    them, and then the tag, if the text's padding has begun; else those between two blocks. What is
    known of the message stays meanwhile."""
    m.d.comb += Assume(phases(core))
    makes, rounds = core.permuting & ~aborting(core), core.round + core.unrolled
    over = ends_round(core) & (rounds == core.cipher.long_rounds)
    becomes(m, makes & ~over, core.round, Mux(ends_round(core), rounds[:4], core.round))
    becomes(m, makes, core.permuting, ~over)
    becomes(m, makes, core.tagging, over & core.finishing)
    sliced = isinstance(core, SlicedCore)
    place = Mux(ends_round(core), 0, core.place + 1) if sliced else core.place
    becomes(m, makes, core.place, place[: len(core.place)])
    kept = (
        core.finishing,
        core.first_block,
        core.opened,
        core.texting,
        core.padded,
        core.ended,
    )
    for register in kept:
        becomes(m, makes, register, register)
    enters, ends = absorbs(core), absorbs(core) & is_last(core)
    closes = is_text(core) & (core.padded | ~counted(core).all())
    becomes(m, enters, core.permuting, is_last(core))
    becomes(m, ends, core.finishing, closes)
    becomes(m, ends, core.round, Mux(closes, Const(0, 4), Const(core.facts.first_short_number, 4)))
    after = Mux(is_last(core), 0, core.place + 1) if sliced else core.place + 1
    becomes(m, enters, core.place, after[: len(core.place)])


def check_words(m: Module, core: SpongeCore, proof: Proof) -> None:  # noqa: ARG001
    """Byte by byte, or bit by bit: a word of the message is added to its place in the state, or
    replaces it if it is ciphertext, and is followed by the padding; the sum leaves, then zeros.
    In the first block, each word adds one of the key to S3 and S4; in the last one, the last adds
    the whole key to S2 and S3. The mark of the text is added with the text's first word."""
    m.d.comb += Assume(phases(core))
    rate = _placed(m, core, "rate", Cat(*core.s[:2]))
    own = rate.word_select(place_in_block(core), core.width)
    units, word, text, unit = counted(core), [], [], core.cipher.text_unit
    replaces = core.decrypts & ~is_associated(core)
    for place, counts in enumerate(units):
        old, offered = (one.word_select(place, unit) for one in (own, core.data_in.payload))
        before = units[place - 1] if place else Const(1, 1)
        pad = before & ~counts & ~core.padded
        text.append(Mux(counts, old ^ offered, 0))
        word.append(Mux(counts, Mux(replaces, offered, old ^ offered), old ^ pad))
    out = core.data_out
    leaves = Cat(out.payload, out.keep, out.last) == Cat(*text, units, core.data_in.last)
    m.d.comb += Assert(~out.valid | leaves)
    words = range(core.facts.words)
    here = Cat((place_in_block(core) == place).replicate(core.width) for place in words)
    entered = Cat(*word).replicate(len(words))
    becomes(m, absorbs(core), rate, (rate & ~here) | (entered & here))
    _check_sums(m, core, here, closes=is_last(core) & (core.padded | ~units.all()))


def _check_sums(m: Module, core: SpongeCore, here: Value, *, closes: Value) -> None:
    """Assert what is added to S2, S3 and S4 with a word. ``here`` has ones in its place in the
    block; ``closes``: it ends a part of the message."""
    enters = absorbs(core)
    middle = _placed(m, core, "middle", core.s[2])
    ends = _placed(m, core, "ends", Cat(*core.s[3:]))
    key = _placed(m, core, "placed_key", core.key)
    last, begins = closes & is_text(core), is_text(core) & ~core.texting
    mark = Const(1 << WORD_BITS + core.cipher.separation_bit, RATE_BITS)
    first = Mux(core.first_block, key & here, 0)
    becomes(m, enters, middle, middle ^ Mux(last, key[:WORD_BITS], 0))
    becomes(m, enters, ends, ends ^ first ^ Mux(last, key[WORD_BITS:], 0) ^ Mux(begins, mark, 0))
    becomes(m, enters, key, key)


def check_message(m: Module, core: SpongeCore, proof: Proof) -> None:  # noqa: ARG001
    """A word enters when it is offered and its text, if any, is taken; padding and zeros enter
    without one. Where a word has several slices, its text leaves with the first, and it is taken
    with the last. Else nothing changes. Associated data is padded before the text begins."""
    m.d.comb += Assume(phases(core))
    data, out, waits = core.data_in, core.data_out, core.facts.waits
    offered, taken = (data.valid, out.ready) if waits else (Const(1, 1), Const(1, 1))
    counts, enters = counted(core), absorbs(core)
    waiting = core.running & ~core.permuting & ~core.tagging
    own = core.padded | core.ended
    takes = ~own & (is_associated(core) | ~core.opened)
    text = takes & ~is_associated(core) & data.keep[0]
    free = taken | ~text | ~begins_word(core)
    m.d.comb += [
        Assert(data.ready == (waiting & takes & free & ends_word(core))),
        Assert(out.valid == (waiting & offered & text & begins_word(core))),
        Assert(core.word.enable == (waiting & (own | (offered & (~takes | free))))),
    ]
    pads = ~core.padded & ~counts.all()
    for register, value in (
        (core.first_block, core.first_block & ~is_last(core)),
        (core.opened, (core.opened | (takes & is_associated(core))) & ~pads),
        (core.texting, is_text(core)),
        (core.padded, (core.padded | pads) & ~is_last(core)),
        (core.ended, core.ended | (takes & data.last)),
    ):
        becomes(m, enters, register, Mux(ends_word(core), value, register))
    still = waiting & ~core.word.enable & ~aborting(core)
    for register in (*core.s, core.key, *core.control_registers):
        becomes(m, still, register, register)
