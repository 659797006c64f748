# SPDX-License-Identifier: Apache-2.0
"""my_cipher: a starting point. It works, but it is no cipher: replace all that REPLACE marks.

REPLACE: the document, with author, title and year, and the order of its bytes and words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headwater.algebra.word import add, concatenate, lookup, rotate_left, table_word
from headwater.cipher.register import Register
from headwater.kinds.stepped.description import Phase
from headwater.kinds.stepped.word_cipher import Entered, WordCipher

PRESENT = table_word((12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2), 4)


# REPLACE: how key and IV come in: bit n of each word that enters is in lane n.
def lanes(key: Sequence[Any], iv: Sequence[Any]) -> tuple[Sequence[Any], ...]:
    """Words of the key, then of the IV: bit n of each word is in lane n."""
    bits = [*key, *iv]
    return tuple(bits[lane::32] for lane in range(32))


# REPLACE: one clock. The parameters after `wire` are the words of the state in the order below, the
# ones after `*` the controls of the phases, one bit each, and the constants.
def step(
    wire: Any, s0: Any, s1: Any, s2: Any, s3: Any, *, initialising: Any, sbox: Any
) -> tuple[Any, Mapping[str, Any]]:
    """One clock; sbox is the constant of that name."""
    nibbles = (lookup(s1[low : low + 4], sbox) for low in range(0, 32, 4))
    mixed = wire(concatenate(*nibbles))
    z = wire(add(s0, s3) ^ mixed)
    entering = wire(rotate_left(s0, 7) ^ s2 ^ (z & initialising.replicate(32)))
    return z, {"s0": s1, "s1": s2, "s2": s3, "s3": entering}


# REPLACE: one step of the load. With zeros entering it must leave zeros behind in the end.
def enter(
    wire: Any,
    s0: Any,  # noqa: ARG001
    s1: Any,
    s2: Any,
    s3: Any,
    *,
    entering: Any,
    **_: Any,
) -> Mapping[str, Any]:
    """One step of the load: the registers shift, and a word enters in place of s0."""
    return {"s0": s1, "s1": s2, "s2": s3, "s3": wire(entering, "entered")}


MY_CIPHER = WordCipher(
    name="my_cipher",
    # REPLACE: what it is called in prose, where it is from, and what is known of its security. A
    # line that begins with "broken" or "not for use" makes every verb say so.
    title="my_cipher",
    source="nobody: the starting file of headwater new-cipher",
    security="not for use: a starting point, not a cipher",
    # REPLACE: lengths in bits. Several legal lengths of the IV stand in ascending order.
    key_bits=64,
    iv_bits=(64,),
    # REPLACE: "lsb_first" or "msb_first", for key, IV and keystream, and the same in words.
    bit_order="lsb_first",
    convention="Bytes are 32-bit words, the least significant byte and bit first.",
    # REPLACE: the words of the state; bit 0 is the least significant.
    registers=tuple(Register(f"s{number}", newest=0, oldest=31) for number in range(4)),
    lanes=lanes,
    lane_names="the words of the key, then those of the IV",
    # REPLACE: the steps of the load, a word in each, and those of the setup behind it.
    load=Entered((Phase("load", 4),), enter=enter),
    phases=(Phase("initialise", 16, ("initialising",)),),
    step=step,
    word_bits=32,
    constants={"sbox": PRESENT},
)

CIPHERS = (MY_CIPHER,)
