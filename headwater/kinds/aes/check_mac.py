# SPDX-License-Identifier: Apache-2.0
"""Checkers of the core of AES in CMAC: what the message and its tag add to the rounds.

Blocks and subkeys are read as numbers of 128 bits, as SP 800-38B has them, at the place to which
their words have turned.
"""

from __future__ import annotations

from amaranth.hdl import Array, Assert, Assume, Cat, Const, Module, Mux, Signal, Value

from headwater.core.naming import named
from headwater.kinds.aes.check_walk import Walk
from headwater.kinds.aes.core import part
from headwater.kinds.aes.description import BLOCK_BITS
from headwater.kinds.aes.line_phases import phases, waits
from headwater.kinds.aes.mac import MacLine
from headwater.prove.checker import Proof, aborting, assert_always, becomes, ended

_TWICE = 0x87
"""R of SP 800-38B, section 5.3."""


def check_setup(m: Module, core: MacLine, proof: Proof) -> None:
    """Data is taken as soon as key and head are loaded, until a block is there, and again when it
    has entered the rounds. The block of zeros enters first; then each last round waits for a block,
    and behind the last block for the reader of the tag. The count of the core is a binary count."""
    walk = Walk(core, proof)
    loaded = walk.loaded
    dropped = ended(core, loaded) | core.finished
    there = core.filled == core.facts.data_words
    wait = Mux(core.sealing, core.full & ~core.word_taken, walk.begun & ~there)
    walk.follow(m, dropped, Mux(loaded, ~(walk.last_round & wait), core.load.valid))
    properties = [
        core.abort == dropped,
        core.load.ready == ~loaded,
        core.data_in.ready == (loaded & ~there & ~core.ended & ~core.sealing),
        core.tag.valid == core.full,
        ~core.full | core.sealing,
    ]
    invariants = [*walk.invariants(), core.started == walk.begun]
    assert_always(m, proof, properties, invariants=invariants)


def _stays(core: MacLine) -> Value:
    """Whether the core has its key and does not abort."""
    return ~core.loading & ~aborting(core)


def _passes(core: MacLine) -> Value:
    """Whether a cycle of a last round passes."""
    return _stays(core) & (core.round == 0) & ~waits(core)


def check_message(m: Module, core: MacLine, _: Proof) -> None:
    """Words of the message enter the block, the first one highest. Behind the last bit of a message
    that does not end with a block stand a one and zeros."""
    m.d.comb += Assume(phases(core))
    data, width, block = core.data_in, core.facts.data_width, core.block
    there = core.filled == core.facts.data_words
    # The ones of `keep` are above its zeros.
    m.d.comb += Assume((~data.keep & (~data.keep + 1)[:width]) == 0)
    takes = _stays(core) & data.ready & data.valid
    pads = _stays(core) & core.ended & ~there & ~core.sealing
    begins = [
        ~data.keep[bit] & (data.keep[bit + 1] if bit + 1 < width else Const(1, 1))
        for bit in range(width)
    ]
    bits = zip(data.keep, data.payload, begins, strict=True)
    word = Cat(Mux(keep, value, begin) for keep, value, begin in bits)
    becomes(m, takes, block, Cat(word, block)[:BLOCK_BITS])
    one = Const(1 << width - 1, width)
    becomes(m, pads, block, Cat(Mux(core.padded, 0, one)[:width], block)[:BLOCK_BITS])
    becomes(m, takes | pads, core.filled, (core.filled + 1)[: len(core.filled)])
    becomes(m, takes, core.ended, data.last)
    becomes(m, takes, core.padded, data.last & ~data.keep.all())
    becomes(m, pads, core.padded, Const(1, 1))
    becomes(m, _stays(core) & core.ended, core.ended, Const(1, 1))


def _turned_back(m: Module, core: MacLine, name: str, register: Value) -> Signal:
    """A register that has turned by a word in each cycle of the round, with its words in their
    places."""
    radix, words = core.architecture.radix, core.facts.words_per_block
    if words == 1:
        return named(m, name, register)
    return named(
        m, name, Array(register.rotate_right(turn * radix) for turn in range(words))[core.phase]
    )


def _doubled(m: Module, name: str, value: Value) -> Signal:
    """A block times two (section 6.1)."""
    shifted = Cat(Const(0, 1), value[:-1])
    return named(m, name, Mux(value[-1], shifted ^ _TWICE, shifted))


def check_blocks(m: Module, core: MacLine, _: Proof) -> None:
    """A block of the message enters with the one before it, the last one with K1 or K2 as well;
    before a block is there, or the subkeys are where it is the last, zeros enter."""
    m.d.comb += Assume(phases(core))
    passes, radix = _passes(core), core.architecture.radix
    there = core.filled == core.facts.data_words
    is_last = core.ended & there
    whole = core.ended & ~core.padded
    enters = core.started & ~core.sealing & there & (core.keyed | ~is_last)
    k1 = _doubled(m, "spec_k1", _turned_back(m, core, "spec_l", core.subkey))
    k2 = _doubled(m, "spec_k2", k1)
    key = named(m, "spec_key", Mux(whole, k1, k2))
    words = range(core.facts.words_per_block)
    due = Array(part(key, word, radix) for word in words)[core.phase] if len(words) > 1 else key
    word = part(core.block, 0, radix) ^ Mux(core.fresh, 0, core.made) ^ Mux(is_last, due, 0)
    m.d.comb += Assert(~passes | (core.block_word() == Mux(enters, word, 0)))
    ends = passes & (core.position == len(words) - 1)
    becomes(m, ends, core.started, Const(1, 1))
    becomes(m, ends, core.keyed, core.started)
    becomes(m, ends, core.fresh, core.fresh & ~enters)
    becomes(m, ends, core.sealing, core.sealing | (enters & is_last))
    becomes(m, ends & enters, core.filled, Const(0, len(core.filled)))
    inside = passes & ~ends & core.started
    for register in (core.started, core.keyed, core.fresh, core.sealing, core.ended, core.padded):
        becomes(m, inside, register, register)
    head = part(core.block, 0, radix)
    becomes(m, passes & enters, core.block, Cat(head, core.block)[:BLOCK_BITS])
    turned = Cat(Mux(core.keyed, part(core.subkey, 0, radix), core.made), core.subkey)[:BLOCK_BITS]
    moved = passes & core.started & (~core.keyed | (enters & is_last))
    becomes(m, moved, core.subkey, turned)
    becomes(m, _stays(core) & ~moved, core.subkey, core.subkey)


def check_tag(m: Module, core: MacLine, _: Proof) -> None:
    """The first words that the rounds make of the last block are the tag, each until it is taken;
    the core is idle behind the last one."""
    m.d.comb += Assume(phases(core))
    passes, radix, width = _passes(core), core.architecture.radix, core.facts.tag_width
    makes = passes & core.sealing & ~core.ending
    becomes(m, makes, core.block, Cat(core.made, core.block)[:BLOCK_BITS])
    rests = core.full & ~core.word_taken
    becomes(m, _stays(core), core.full, makes | rests)
    becomes(m, _stays(core) & rests & ~makes, core.block, core.block)
    word = part(core.block[:radix], 0, width)
    m.d.comb += Assert(core.tag.payload == Mux(core.full, word, 0))
    last = core.position == core.facts.tag_words - 1
    becomes(m, _stays(core), core.ending, core.ending | (makes & last))
    m.d.comb += Assert(core.finished == (core.full & core.tag.ready & core.ending))
