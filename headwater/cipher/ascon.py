# SPDX-License-Identifier: Apache-2.0
"""Ascon-AEAD128: a permutation of five words whose first two take the message in, 128 bits at once.

The permutation in the standard's parts and order, in words of any reading (see
`headwater.algebra.word`); ``wire`` gives a word a name in readings that need names. Words have 64
bits and are little-endian, unlike those of the Ascon that the competition chose. The mode is that
of every `SpongeAead`.
"""

from __future__ import annotations

from typing import Any, TypeVar

from headwater.algebra.word import Wire, Word, concatenate, rotate_left
from headwater.kinds.sponge.description import (
    KEY_BITS,
    NONCE_BITS,
    TAG_BITS,
    WORD_BITS,
    SpongeAead,
    SpongeBitAead,
    State,
)

SHORTEST_TAG = 32
"""Bits of the shortest tag that the standard allows."""
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
"""By how many bits each word is rotated to the right in the linear layer."""


def permutation_round(wire: Wire, s: State, constant: Word) -> State:
    """A round: its constant of eight bits is added, then come the S-boxes and the linear layer."""
    s0, s1, s2, s3, s4 = s
    low = s2[:8] ^ constant
    return linear_layer(wire, substitution(wire, (s0, s1, concatenate(low, s2[8:]), s3, s4)))


def round_constant(number: Word) -> Word:
    """The constant of a round: its number from 0 to 11 in four bits, and their complement."""
    return concatenate(number, ~number)


def substitution(wire: Wire, s: State) -> State:
    """64 S-boxes of five bits side by side, one bit of each word in every one."""
    s0, s1, s2, s3, s4 = s
    a0 = wire(s0 ^ s4)
    a2 = wire(s2 ^ s1)
    a4 = wire(s4 ^ s3)
    b0 = wire(a0 ^ (~s1 & a2))
    b1 = wire(s1 ^ (~a2 & s3))
    b2 = wire(a2 ^ (~s3 & a4))
    b3 = wire(s3 ^ (~a4 & a0))
    b4 = wire(a4 ^ (~a0 & s1))
    return b0 ^ b4, b1 ^ b0, ~b2, b3 ^ b2, b4


def linear_layer(wire: Wire, s: State) -> State:
    """Each word is added to two rotations of itself."""
    words = [wire(word, f"c{place}") for place, word in enumerate(s)]
    d0, d1, d2, d3, d4 = (
        word ^ rotate_left(word, -first) ^ rotate_left(word, -second)
        for word, (first, second) in zip(words, ROTATIONS, strict=True)
    )
    return d0, d1, d2, d3, d4


Mode = TypeVar("Mode", bound=SpongeAead)


_SECURITY = "no attack known on the full cipher; a nonce must not be used twice under a key"


def _mode(form: type[Mode], *, also: str = "", **own: Any) -> Mode:
    """The mode in a form that has fields of its own; ``also`` is what else is to be known."""
    return form(
        source=(
            'National Institute of Standards and Technology, "Ascon-based lightweight cryptography '
            'standards for constrained devices", Special Publication 800-232, 2025'
        ),
        security=_SECURITY + also,
        iv_bits=(NONCE_BITS,),
        permutation_round=permutation_round,
        round_constant=round_constant,
        substitution=substitution,
        rotations=ROTATIONS,
        # Rate, tag length and numbers of rounds.
        initial_word=0x00001000808C0001,
        separation_bit=WORD_BITS - 1,
        long_rounds=12,
        short_rounds=8,
        bit_order="lsb_first",
        **own,
    )


ASCON_AEAD128 = _mode(
    SpongeAead,
    name="ascon_aead128",
    title="Ascon-AEAD128",
    key_bits=KEY_BITS,
    tag_lengths=(TAG_BITS,),
    convention=(
        "Strings are bytes, read as 64-bit words, the first byte in the lowest bits. Behind "
        "associated data, if there is any, and behind the text stands a byte 1, then zeros up to "
        "a multiple of 16 bytes. There is no keystream apart from a text."
    ),
)
ASCON_AEAD128_MODES = _mode(
    SpongeBitAead,
    also="; a forgery of a tag of t bits succeeds by chance with probability 2^-t, so one key "
    "should have one length of tag, and a key that is used with a second one not be used without",
    name="ascon_aead128_modes",
    title="Ascon-AEAD128 of bit strings, with short tags and masked nonces",
    key_bits=2 * KEY_BITS,
    shorter_keys=(KEY_BITS,),
    tag_lengths=tuple(range(SHORTEST_TAG, TAG_BITS + 1)),
    vector_names=(ASCON_AEAD128.name,),
    convention=(
        "Strings are bits, the first of each byte its lowest one, read as 64-bit words from the "
        "lowest bit up. Behind associated data, if there is any, and behind the text stands a one, "
        "then zeros up to a multiple of 128 bits. A key of 32 bytes is the key, then a second one "
        "that is added to the nonce, which it masks. A short tag is the first bits of the long "
        "one. There is no keystream apart from a text."
    ),
)
