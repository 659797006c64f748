# SPDX-License-Identifier: Apache-2.0
"""Checkers for the cores with the hash of GCM-SST."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, Signal, Value

from headwater.kinds.telephony.aead import AeadCore
from headwater.kinds.telephony.core import turned
from headwater.kinds.telephony.hash_value import DEGREE
from headwater.kinds.telephony.hashing import HashingCore
from headwater.prove.checker import Proof, aborting, becomes

_TAIL = Const(1 << 127 | 1 << 126 | 1 << 125 | 1 << 120, DEGREE)
"""The polynomial of POLYVAL (RFC 8452) divided by x, without the remainder."""

Reachable = Callable[[HashingCore], Value]


def order(core: HashingCore) -> list[Value]:
    """An invariant of the flags that follow a message, in every reachable state."""
    gathered, left = core.gathered, core.left
    there = gathered[-1]
    ascending = [low | ~high for low, high in pairwise(gathered)]
    ascending += [low | ~high for low, high in pairwise(left)]
    return [
        ~gathered[0] | core.running,
        *ascending,
        ~left.any() | there,
        ~core.place.any() | there,
        ~core.ending | core.running,
        ~core.at_length | core.ending,
        ~core.sending | (core.at_length & there),
    ]


def check_product(reachable: Reachable, m: Module, core: HashingCore, _: Proof) -> None:
    """Each bit of a digit adds the point and divides by x, from the lowest one on. The last digit
    of a block makes the product the value. Proven for at most one bit that is one, as all bits are
    multiplied alike."""
    m.d.comb += Assume(reachable(core))
    value = core.value
    width, product = int(core.architecture["digit"]), value.product
    entering = Mux(value.starts, value.entering, 0)
    bits = Signal(DEGREE, name="bits")
    m.d.comb += bits.eq(value.operand ^ entering)
    digit = bits[:width]
    m.d.comb += Assume((digit & (digit - 1)[:width]) == 0)
    element: Value = Const(0, DEGREE) if product is None else product
    for place in range(width):
        total, halved = Signal(DEGREE, name=f"sum_{place}"), Signal(DEGREE, name=f"half_{place}")
        m.d.comb += total.eq(element ^ Mux(digit[place], value.point, 0))
        m.d.comb += halved.eq(total[1:] ^ Mux(total[0], _TAIL, 0))
        element = halved
    stays = core.running & ~aborting(core)
    moves = stays & (value.starts | core.left.any())
    rest = Cat(bits[width:], Const(0, width))[:DEGREE]
    becomes(m, moves, value.operand, Mux(_ends_block(core), element, rest))
    becomes(m, stays & ~moves & ~core.tag_taken, value.operand, value.operand)
    if product is not None:
        becomes(m, moves, product, Mux(_ends_block(core), 0, element))
        becomes(m, stays & ~moves, product, product)


def _ends_block(core: HashingCore) -> Value:
    """Whether the digit of this cycle is the last of its block: the word's last one, and the
    block's last word. A word counts as over when its first digit is taken in."""
    word_ends = core.left == 1 if len(core.left) else core.value.starts
    over = core.place if len(core.left) else core.place + 1
    return word_ends & (over % core.words == 0 if core.words > 1 else 1)


def check_blocks(reachable: Reachable, m: Module, core: HashingCore, _: Proof) -> None:
    """Words enter in order: data while the message goes on, zeros up to the end of its last block,
    the change to Q, and the lengths. They are counted in bytes."""
    m.d.comb += Assume(reachable(core))
    data, value, words = core.data_in, core.value, core.words
    zeros = ~data.keep
    m.d.comb += Assume((zeros & (zeros + 1)[: len(zeros)]) == 0)
    stays = core.running & ~aborting(core)
    ready = core.gathered[-1] & ~core.left.any()
    open_block = core.place != 0 if words > 1 else Const(0, 1)
    aead = isinstance(core, AeadCore)
    text_next = Const(0, 1)
    if isinstance(core, AeadCore) and words > 1:
        text_next = core.ad_block & data.valid & ~data.ad & ~core.ending
    pads = ready & open_block & ((core.ending & ~core.at_length) | text_next)
    lengths = ready & core.at_length & ~core.sending
    takes = ready & ~core.ending & ~pads
    taken = data.valid & data.ready
    enters = (taken & (open_block | data.keep[-1])) | pads | lengths
    changes = ready & core.ending & ~core.at_length & ~open_block
    in_message = core.ending | pads
    m.d.comb += [
        Assert(~data.ready | takes),
        Assert(core.data_fire == taken),
        Assert(~core.running | (value.starts == enters)),
        Assert(
            ~(core.running & enters)
            | (
                value.entering
                == Mux(in_message, Mux(core.at_length, _lengths(core), 0), turned(_hashed(core)))
            )
        ),
    ]
    if not aead:
        m.d.comb += Assert(data.ready == takes)
    becomes(m, stays, core.ending, core.ending | (taken & data.last))
    becomes(m, stays, core.at_length, core.at_length | changes)
    last = (core.place == words - 1) if words > 1 else Const(1, 1)
    becomes(m, stays, core.sending, core.sending | (lengths & last))
    if words > 1:
        moved = (core.place + (enters | core.tag_taken))[: len(core.place)]
        becomes(m, stays, core.place, moved)
    if len(core.left):
        becomes(m, stays, core.left, Mux(enters, ~Const(0, len(core.left)), core.left >> 1))
    count = sum(data.keep, start=Const(0, 1))
    is_data = data.ad if aead else Const(1, 1)
    for register, counts in _counters(core, is_data):
        becomes(m, stays, register, (register + Mux(taken & counts, count, 0))[: len(register)])


def _counters(core: HashingCore, is_data: Value) -> list[tuple[Signal, Value]]:
    """The registers of the lengths, and when a word counts for each."""
    counters = [(core.ad_bytes, is_data)]
    return [*counters, (core.text_bytes, ~is_data)] if isinstance(core, AeadCore) else counters


def _lengths(core: HashingCore) -> Value:
    """A word of the lengths in bits: 64 bits for the text, then 64 for the associated data."""
    text = core.text_bytes * 8 if isinstance(core, AeadCore) else Const(0, 32)
    block = Cat(text[:32], Const(0, 32), (core.ad_bytes * 8)[:32], Const(0, 32))
    return (block >> (len(core.value.entering) * core.place))[: len(core.value.entering)]


def _hashed(core: HashingCore) -> Value:
    """The bytes of the data word that are taken into the hash: associated data or ciphertext."""
    text: Value = core.data_in.payload
    if isinstance(core, AeadCore):
        text ^= Mux(core.data_in.ad | core.decrypts, 0, core.word)
    return text & core.kept_bits


def check_keys(reachable: Reachable, m: Module, core: HashingCore, _: Proof) -> None:
    """The keys are the first words of the keystream, in order; Q takes the place of H behind the
    message, and the words of P are added to those of the tag."""
    m.d.comb += Assume(reachable(core))
    value, width = core.value, core.architecture.radix
    word = turned(core.word)
    stays = core.running & ~aborting(core)
    there, word_there = core.gathered[-1], core.with_word(Const(1, 1))
    aead = isinstance(core, AeadCore)
    taken = core.tag.valid & core.tag.ready
    changes = there & ~core.left.any() & core.ending & ~core.at_length & (core.place == 0)
    m.d.comb += [
        Assert(core.gather == (core.running & ~there & word_there)),
        Assert(core.tag_taken == taken),
        Assert(core.tag.valid == (core.sending & ~core.left.any() & (1 if aead else word_there))),
        Assert(~core.tag.valid | (core.tag.payload == turned(value.operand[:width] ^ _pad(core)))),
    ]
    more = Cat(Const(1, 1), core.gathered)[: len(core.gathered)]
    after_change = core.gathered if aead else Const(0, len(core.gathered))
    moves = ~there & word_there
    becomes(m, stays, core.gathered, Mux(moves, more, Mux(changes, after_change, core.gathered)))
    line: Value = value.point
    if isinstance(core, AeadCore):
        line = Cat(value.point, core.last_point, core.pad)
        pad = core.pad >> width if width < DEGREE else Const(0, DEGREE)
        becomes(m, stays & taken, core.pad, Cat(pad[: DEGREE - width], word))
        becomes(m, stays & changes, value.point, core.last_point)
        becomes(m, stays & there & ~changes, value.point, value.point)
        becomes(m, stays & there & ~taken, core.pad, core.pad)
        for place, register in enumerate((core.last_point, core.pad), start=1):
            moved = Cat(line, word)[width:][DEGREE * place : DEGREE * (place + 1)]
            becomes(m, stays & moves, register, moved)
    else:
        becomes(m, stays & there, value.point, value.point)
    becomes(m, stays & moves, value.point, Cat(line, word)[width:][:DEGREE])
    rest = Cat(value.operand[width:], Const(0, width))[:DEGREE]
    becomes(m, stays & taken, value.operand, rest)
    used = moves | (_text_taken(core) if aead else taken)
    m.d.comb += Assert(~core.running | (core.word_taken == used))


def _pad(core: HashingCore) -> Value:
    """The word of P for the present word of the tag, its first byte the lowest one."""
    if isinstance(core, AeadCore):
        return core.pad[: core.architecture.radix]
    return turned(core.word)


def _text_taken(core: HashingCore) -> Value:
    out = core.data_out
    return out.valid & out.ready


def check_text(reachable: Reachable, m: Module, core: AeadCore, _: Proof) -> None:
    """A word of text leaves under the cipher's word, in its place, with its marks; it is taken when
    it leaves, and other words when they enter the hash."""
    m.d.comb += Assume(reachable(core))
    data, out = core.data_in, core.data_out
    text = (data.payload ^ core.word) & core.kept_bits
    has_text = ~data.ad & data.keep[-1]
    waits = core.place.any() & core.ad_block & ~data.ad if core.words > 1 else Const(0, 1)
    open_here = core.gathered[-1] & ~core.left.any() & ~core.ending & ~waits
    there = core.with_word(Const(1, 1))
    m.d.comb += [
        Assert(~out.valid | (out.payload == text)),
        Assert((out.keep == Mux(data.ad, 0, data.keep)) & (out.last == data.last)),
        Assert(out.valid == (data.valid & has_text & open_here & there)),
        Assert(~data.valid | (data.ready == (open_here & (out.ready & there | ~has_text)))),
    ]
    if core.words > 1:
        now = data.valid & data.ready & ~aborting(core)
        becomes(m, now, core.ad_block, data.ad)
