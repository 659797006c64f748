# SPDX-License-Identifier: Apache-2.0
"""my_cipher: a starting point. It works, but it is no cipher: replace all that REPLACE marks.

REPLACE: the document, with author, title and year, and the order of its bytes and words.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from headwater.algebra.word import add, concatenate, rotate_left
from headwater.kinds.message.description import (
    MessageCipher,
    Pad,
    Part,
    Register,
    Repeat,
    Squeeze,
    Take,
)


# REPLACE: what is repeated. A function asks by name for what it needs: registers, `wire`, which
# names a value, and `number`, which counts the steps. It returns the registers that change.
def round_of(wire: Any, a: Any, b: Any, c: Any, d: Any, number: Any) -> Mapping[str, Any]:
    """A round of the permutation; number counts the rounds from 0 in each Repeat."""
    a = wire(add(a, b), "a_sum")
    d = wire(rotate_left(d ^ a, 16), "d_turned")
    c = wire(add(c, d) ^ concatenate(number, c[:28] & 0), "c_sum")
    return {"a": a, "b": rotate_left(b ^ c, 12), "c": c, "d": d}


# REPLACE: what the key and the nonce do to the registers.
def key_in(a: Any, b: Any, c: Any, d: Any, block: Any) -> Mapping[str, Any]:
    """The registers are zero before: a session begins so."""
    return {"a": a ^ block[:32], "b": b ^ block[32:64], "c": c ^ block[64:96], "d": d ^ block[96:]}


def nonce_in(b: Any, c: Any, d: Any, block: Any) -> Mapping[str, Any]:
    """The nonce is added to three words."""
    return {"b": b ^ block[:32], "c": c ^ block[32:64], "d": d ^ block[64:]}


# REPLACE: what a block of the message does to the registers.
def absorb(a: Any, b: Any, block: Any) -> Mapping[str, Any]:
    """A block of 64 bits is added to a and b."""
    return {"a": a ^ block[:32], "b": b ^ block[32:]}


# REPLACE: the word that text is added to.
def rate(a: Any, b: Any) -> Any:
    """Two words."""
    return concatenate(a, b)


# REPLACE: what tells one part of a message from another.
def domain(d: Any, *, constant: int = 0) -> Mapping[str, Any]:
    """A constant is added to the last word."""
    return {"d": d ^ constant}


# REPLACE: the word that the tag is.
def whole(a: Any, b: Any, c: Any, d: Any) -> Any:
    """All registers."""
    return concatenate(a, b, c, d)


PERMUTED = Repeat(12, round_of)
BETWEEN = (Repeat(8, round_of),)

MY_CIPHER = MessageCipher(
    name="my_cipher",
    # REPLACE: what it is called in prose, where it is from, and what is known of its security. A
    # line that begins with "broken" or "not for use" makes every verb say so.
    title="my_cipher",
    source="nobody: the starting file of headwater new-cipher",
    security="not for use: a starting point, not a cipher",
    # REPLACE: lengths in bits, one of the nonce.
    key_bits=128,
    iv_bits=(96,),
    # Bits of a byte are counted from the lowest one in every cipher of this kind.
    bit_order="lsb_first",
    convention="Bytes are words of 32 bits, the first byte and bit lowest.",
    # REPLACE: the registers; all are zero when a session begins.
    registers=tuple(Register(name, 32) for name in "abcd"),
    # REPLACE: what is done from the first bit of the key to the first block of the message.
    start=(
        Take("key", 128, enter=key_in),
        PERMUTED,
        Take("nonce", 96, enter=nonce_in),
        PERMUTED,
    ),
    # REPLACE: the parts of a message: their blocks, their padding, and what is done between blocks.
    associated=Part(
        rate=64, added=True, pad=Pad("always", 0x80), enter=absorb, between=BETWEEN, end=BETWEEN
    ),
    text=Part(
        rate=64,
        added=True,
        pad=Pad("always", 0x80),
        at_least_one=True,
        enter=absorb,
        keystream=rate,
        first=(Repeat(4, round_of, begin=partial(domain, constant=1)),),
        between=BETWEEN,
    ),
    # REPLACE: what is done behind the text, up to the tag.
    finish=(Repeat(12, round_of, begin=partial(domain, constant=2)), Squeeze(128, whole)),
)

CIPHERS = (MY_CIPHER,)
