# SPDX-License-Identifier: Apache-2.0
"""my_cipher: a starting point. It works, but it is no cipher: replace all that REPLACE marks.

REPLACE: the document, with author, title and year, and the order of its bytes and words.
"""

from __future__ import annotations

from typing import Any

from headwater.algebra.word import concatenate, rotate_left
from headwater.kinds.sponge.description import SpongeAead, State


# REPLACE: a round of the permutation, in words of 64 bits.
def permutation_round(wire: Any, s: State, constant: Any) -> State:
    """The constant in the low byte of S2, a substitution of five bits, and rotations."""
    s0, s1, s2, s3, s4 = s
    a2 = wire(s2 ^ concatenate(constant, s2[8:] & ~s2[8:]))
    b0 = wire(s0 ^ (~s1 & a2))
    b1 = wire(s1 ^ (~a2 & s3))
    b2 = wire(a2 ^ (~s3 & s4))
    b3 = wire(s3 ^ (~s4 & s0))
    b4 = wire(s4 ^ (~s0 & s1))
    return (
        b0 ^ rotate_left(b0, 36) ^ rotate_left(b0, 45),
        b1 ^ rotate_left(b1, 3) ^ rotate_left(b1, 25),
        ~b2 ^ rotate_left(b2, 63) ^ rotate_left(b2, 58),
        b3 ^ rotate_left(b3, 54) ^ rotate_left(b3, 47),
        b4 ^ rotate_left(b4, 57) ^ rotate_left(b4, 23),
    )


# REPLACE: the constant of a round, of its number in four bits.
def round_constant(number: Any) -> Any:
    """Eight bits."""
    return concatenate(number, ~number)


MY_CIPHER = SpongeAead(
    name="my_cipher",
    # REPLACE: what it is called in prose, where it is from, and what is known of its security. A
    # line that begins with "broken" or "not for use" makes every verb say so.
    title="my_cipher",
    source="nobody: the starting file of headwater new-cipher",
    security="not for use: a starting point, not a cipher",
    # Every cipher of this kind has these lengths, and bytes that are read least significant first.
    key_bits=128,
    iv_bits=(128,),
    tag_lengths=(128,),
    bit_order="lsb_first",
    convention="Strings are bytes, read as 64-bit words, the first byte in the lowest bits.",
    permutation_round=permutation_round,
    round_constant=round_constant,
    # REPLACE: S0 before the first permutation, and the bit of S4 that tells text from what is only
    # authenticated.
    initial_word=0x0000000000000001,
    separation_bit=63,
    # REPLACE: rounds before and behind a message, and between two blocks.
    long_rounds=12,
    short_rounds=6,
)

CIPHERS = (MY_CIPHER,)
