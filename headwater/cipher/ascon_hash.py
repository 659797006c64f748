# SPDX-License-Identifier: Apache-2.0
"""Ascon-Hash256, Ascon-XOF128 and Ascon-CXOF128: the permutation of Ascon, whose first word takes a
message in.

National Institute of Standards and Technology, "Ascon-based lightweight cryptography standards for
constrained devices", Special Publication 800-232, 2025. There is no key: a session begins with the
standard's initial value, a word of 64 bits that says which function it is.
"""

from __future__ import annotations

from dataclasses import replace

from headwater.algebra.word import Wire, Word
from headwater.cipher.ascon import ASCON_AEAD128, permutation_round, round_constant
from headwater.kinds.message.description import (
    MessageCipher,
    Pad,
    Part,
    Register,
    Repeat,
    Squeeze,
    Take,
)

Words = dict[str, Word]

WORD_BITS = 64
RATE = WORD_BITS
"""Bits of a block of the message and of the digest."""
ROUNDS = 12
HASH256 = 0x0000080100CC0002
"""The initial value: bytes of the rate, bits of the digest, rounds, number of the function."""
XOF128 = 0x0000080000CC0003
"""The same, with no length of the digest."""
CXOF128 = 0x0000080000CC0004
MOST_CUSTOMIZATION_BYTES = 256
NAMES = ("s0", "s1", "s2", "s3", "s4")


def one_round(wire: Wire, s0: Word, s1: Word, s2: Word, s3: Word, s4: Word, number: Word) -> Words:
    """A round of the permutation."""
    rows = permutation_round(wire, (s0, s1, s2, s3, s4), round_constant(number))
    return dict(zip(NAMES, rows, strict=True))


def absorb(s0: Word, block: Word) -> Words:
    """A block is added to the first word."""
    return {"s0": s0 ^ block}


def length_in_bits(bits: int) -> bytes:
    """The length of the customization string, a block of its own before it."""
    return bits.to_bytes(RATE // 8, "little")


def first_word(s0: Word) -> Word:
    """Bits of the digest."""
    return s0


PERMUTED = Repeat(ROUNDS, one_round)
_SQUEEZED = Squeeze(RATE, first_word)

ASCON_HASH256 = MessageCipher(
    name="ascon_hash256",
    title="Ascon-Hash256",
    source=ASCON_AEAD128.source,
    security="no attack known on 12 rounds; 128 bits against collisions and preimages",
    key_bits=0,
    iv_bits=(0,),
    bit_order="lsb_first",
    convention=(
        "Message and digest are bytes, read as 64-bit words, the first byte in the lowest bits. "
        "Behind the message stands a byte 1, then zeros up to a multiple of 8 bytes. Of strings in "
        "bits, the first bit of a byte is its lowest one, and a one stands behind the last bit."
    ),
    offered_units=("byte", "bit"),
    initial=HASH256.to_bytes(WORD_BITS // 8, "little"),
    registers=tuple(Register(name, WORD_BITS) for name in NAMES),
    start=(Take("initial", WORD_BITS, enter=absorb), PERMUTED),
    text=Part(
        rate=RATE,
        added=True,
        pad=Pad("always"),
        at_least_one=True,
        enter=absorb,
        between=(PERMUTED,),
        end=(PERMUTED,),
    ),
    finish=(_SQUEEZED, PERMUTED, _SQUEEZED, PERMUTED, _SQUEEZED, PERMUTED, _SQUEEZED),
)

ASCON_XOF128 = replace(
    ASCON_HASH256,
    name="ascon_xof128",
    title="Ascon-XOF128",
    security="no attack known on 12 rounds; 128 bits against collisions and preimages, if "
    "the output has 256 bits or more",
    convention=f"{ASCON_HASH256.convention} A short output is the beginning of a longer one.",
    initial=XOF128.to_bytes(WORD_BITS // 8, "little"),
    finish=(_SQUEEZED, PERMUTED),
    output_bits=512,
)

ASCON_CXOF128 = replace(
    ASCON_XOF128,
    name="ascon_cxof128",
    title="Ascon-CXOF128",
    convention=f"{ASCON_XOF128.convention} The associated data are the customization string, of at "
    "most 256 bytes, padded as the message is. A core takes its length in bits before it, 8 bytes "
    "with the lowest first.",
    initial=CXOF128.to_bytes(WORD_BITS // 8, "little"),
    associated=ASCON_XOF128.text,
    header=length_in_bits,
    most_associated_bytes=MOST_CUSTOMIZATION_BYTES,
)
