# SPDX-License-Identifier: Apache-2.0
"""KCipher-2: two feedback registers of words, the second one clocked by the first, and four words
of memory.

S. Kiyomoto, W. Shin, RFC 7008, 2013; ISO/IEC 18033-4. Words of the registers are A0 to A4 and B0 to
B10, those of the memory L1, R1, L2, R2. The text of the RFC was not at hand: public code and the
RFC's vectors tell the cipher.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from headwater.algebra.sbox import SR
from headwater.algebra.word import Wire, Word, add, choose, concatenate, rotate_left, through
from headwater.cipher.aes_ofb import column, mix_column, rows
from headwater.cipher.option import SBOX
from headwater.cipher.register import Register
from headwater.cipher.snow3g import linear_images, times
from headwater.kinds.stepped.description import Lanes, Phase
from headwater.kinds.stepped.word_cipher import Entered, WordCipher

WORD_BITS = 32

ALPHA = tuple(
    linear_images(powers, constant)
    for constant, powers in (
        (0xC3, (24, 3, 12, 71)),
        (0x2D, (230, 156, 93, 29)),
        (0x4D, (34, 16, 199, 248)),
        (0x65, (157, 253, 56, 16)),
    )
)
"""Of alpha_0 to alpha_3 what the highest byte of a word adds, bit by bit: its products with powers
of x, in a field of bytes of its own, where x^8 is the constant."""

A = tuple(f"a{place}" for place in range(5))
B = tuple(f"b{place}" for place in range(11))
MEMORY = ("l1", "r1", "l2", "r2")
OLDEST, MIDDLE, NEWEST = (
    ("a4", "a3", "a2", "a1"),
    ("a0", "b9", "b10", "b8"),
    ("b4", "b5", "b0", "b1"),
)
"""The registers of IK0 to IK3, IK4 to IK7, and IK8 to IK11."""
OF_IV = ("b2", "b3", "b6", "b7")
"""The registers of IV0 to IV3."""


def times_alpha(wire: Wire, word: Word, number: int) -> Word:
    """A word times alpha_i: moved up by a byte, and what leaves at the top is added."""
    added = through(wire, f"alpha_{number}", WORD_BITS, partial(_added, number=number), word[24:])
    return concatenate(added[:8], added[8:] ^ word[:24])


def _added(wire: Wire, byte: Word, *, number: int) -> Word:  # noqa: ARG001
    return times(ALPHA[number], byte)


def substituted(
    wire: Wire, words: Sequence[Word], name: str, form: str, table: Word | None
) -> list[Word]:
    """Sub of each word: the S-box of AES on its bytes, and MixColumns, the lowest byte first."""
    result = SR.apply(concatenate(*words), wire, form, table, name)
    return [_mixed(wire, result[low : low + WORD_BITS]) for low in range(0, len(result), WORD_BITS)]


def _mixed(wire: Wire, word: Word) -> Word:
    octets = (word[low : low + 8] for low in range(0, WORD_BITS, 8))
    return concatenate(*rows(mix_column(column(*octets), wire)))


def step(
    wire: Wire, *registers: Word, initialising: Word, sbox: str = "table", **others: Word
) -> tuple[Word, Mapping[str, Word]]:
    """One clock: both words of keystream, the feedback of A and B, and the memory."""
    a, b, (l1, r1, l2, r2) = registers[:5], registers[5:16], registers[16:]
    zh = wire(wire(add(b[10], l2), "b10_l2") ^ l1 ^ a[0], "zh")
    zl = wire(wire(add(b[0], r2), "b0_r2") ^ r1 ^ a[4], "zl")
    in_setup = initialising.replicate(WORD_BITS)

    fa = wire(times_alpha(wire, a[0], 0) ^ a[3], "fa")
    first = choose(a[2][30], times_alpha(wire, b[0], 1), times_alpha(wire, b[0], 2))
    second = choose(a[2][31], times_alpha(wire, b[8], 3), b[8])
    fb = wire(first ^ b[1] ^ b[6] ^ second, "fb")

    table = others.get("sr_table")
    memory = [
        *substituted(wire, (add(r2, b[4]), add(l2, b[9])), "sums", sbox, table),
        *substituted(wire, (l1, r1), "moved", sbox, table),
    ]
    words = (*a[1:], fa ^ (zl & in_setup), *b[1:], fb ^ (zh & in_setup), *memory)
    return concatenate(zl, zh), dict(zip((*A, *B, *MEMORY), words, strict=True))


def enter(
    wire: Wire,
    *registers: Word,
    entering: Word,
    key: Word,
    expanding: Word,
    first: Word,
    second: Word,
    waiting: Word,
    sbox: str = "table",
    **others: Word,
) -> Mapping[str, Word]:
    """A step of the load.

    The words of the key enter four words of B. Two steps then expand them to IK4 to IK7 and IK8 to
    IK11; what they held moves on by four words in each, so that at the end IK0 to IK11 are in their
    places. The words of the IV enter meanwhile. When all controls are zero they hold zeros.
    """
    state = dict(zip((*A, *B, *MEMORY), registers, strict=True))
    word = wire(entering, "entered")
    from_key, expands, waits = (bit.replicate(WORD_BITS) for bit in (key, expanding, waiting))
    newest = [state[name] for name in NEWEST]
    (turned,) = substituted(wire, [rotate_left(newest[3], 8)], "key", sbox, others.get("sr_table"))
    constant = turned[24:26] ^ concatenate(first, second)
    expanded = expansion(wire, newest, concatenate(turned[:24], constant, turned[26:]))
    following = dict.fromkeys((*A, *B, *MEMORY), expands & 0)
    for place, name in enumerate(NEWEST):
        moved = (*newest[1:], word)[place]
        following[name] = (moved & from_key) | (expanded[place] & expands) | (state[name] & waits)
    for to, source in (*zip(MIDDLE, NEWEST, strict=True), *zip(OLDEST, MIDDLE, strict=True)):
        following[to] = (state[source] & expands) | (state[to] & waits)
    following |= dict(zip(OF_IV, (*(state[name] for name in OF_IV[1:]), word), strict=True))
    return following


def expansion(wire: Wire, words: Sequence[Word], added: Word) -> list[Word]:
    """The next four words of the key: each is the one four places before plus the one before."""
    expanded = [wire(words[0] ^ added, "ik_0")]
    for place, word in enumerate(words[1:], start=1):
        expanded.append(wire(word ^ expanded[-1], f"ik_{place}"))
    return expanded


def lanes(key: Sequence[Any], iv: Sequence[Any]) -> Lanes:
    """The words of the key, then those of the IV. Bit 0 of a word is in the lowest lane."""
    string = [*key, *iv]
    return tuple(string[WORD_BITS - 1 - lane :: WORD_BITS] for lane in range(WORD_BITS))


_LOAD = (
    Phase("key", 4, ("key",)),
    Phase("IV0", 1, ("expanding", "first")),
    Phase("IV1", 1, ("expanding", "second")),
    Phase("IV2 and IV3", 2, ("waiting",)),
)


def _made(sbox: str = "table") -> WordCipher:
    """KCipher-2 with S-boxes in the given form."""
    return WordCipher(
        name="kcipher2",
        title="KCipher-2",
        source="S. Kiyomoto, W. Shin, RFC 7008, 2013, as public code and its vectors tell it; "
        "ISO/IEC 18033-4",
        security="no attack known on the full cipher",
        patents="KDDI is known to have filed patents on K2: see the disclosures of RFC 7008",
        key_bits=128,
        iv_bits=(128,),
        bit_order="msb_first",
        first_bit_on_top=True,
        convention=(
            "Words of key and IV are sent most significant byte first, K0 and IV0 first. A step "
            "gives ZH, then ZL, each most significant bit and byte first."
        ),
        registers=tuple(Register(name, newest=0, oldest=31) for name in (*A, *B, *MEMORY)),
        lanes=lanes,
        lane_names="K0 to K3, then IV0 to IV3",
        load=Entered(_LOAD, enter=partial(enter, sbox=sbox)),
        phases=(Phase("initialise", 24, ("initialising",)),),
        step=partial(step, sbox=sbox),
        word_bits=2 * WORD_BITS,
        constants={"sr_table": SR.table} if sbox == "table" else {},
        forms=(SBOX,),
        form=_made,
    )


KCIPHER_2 = _made()
