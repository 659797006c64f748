# SPDX-License-Identifier: Apache-2.0
"""Speck64/128 in counter mode.

R. Beaulieu et al., "The SIMON and SPECK Families of Lightweight Block Ciphers", IACR ePrint
2013/404: words are x, the upper half of a block, and y; the key is l2, l1, l0, k0, from the top.
"""

from __future__ import annotations

from headwater.algebra.word import add, concatenate, rotate_left
from headwater_counter_mode.kind.description import CounterModeCipher


def mixed(wire, x, y, key, name):
    """A round of the words x and y."""
    x = wire(add(rotate_left(x, 24), y) ^ key, f"{name}_x")
    return x, wire(rotate_left(y, 3) ^ x, f"{name}_y")


def block_round(wire, block, key, number):
    """A round, and the same of the key with the number of the round in place of a key."""
    y, x = block[:32], block[32:]
    k, lowest, others = key[:32], key[32:64], key[64:]
    x, y = mixed(wire, x, y, k, "text")
    counted = concatenate(number, lowest[:24] & 0)
    new, k = mixed(wire, lowest, k, counted, "key")
    return concatenate(y, x), concatenate(k, others, new)


SPECK64_CTR = CounterModeCipher(
    name="speck64_ctr",
    title="Speck64/128 in counter mode",
    source='R. Beaulieu et al., "The SIMON and SPECK Families of Lightweight Block Ciphers", IACR '
    "ePrint 2013/404",
    security="no attack on all rounds known; blocks of 64 bits: change the key in time",
    key_bits=128,
    iv_bits=(64,),
    bit_order="lsb_first",
    convention="Key, IV and blocks are numbers with their least significant byte and bit first. "
    "The IV is the first counter.",
    rounds=27,
    block_round=block_round,
)

CIPHERS = (SPECK64_CTR,)
