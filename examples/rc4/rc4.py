# SPDX-License-Identifier: Apache-2.0
"""RC4: 256 bytes of memory, and two addresses.

There is no official specification; J. Strombergson, S. Josefsson, "Test Vectors for the Stream
Cipher RC4", RFC 6229, has test vectors.
"""

from __future__ import annotations

from headwater.algebra.word import IntegerWord, add, choose, concatenate
from headwater.cipher.memory import Memory, fetch, store
from headwater.cipher.register import Register
from headwater.kinds.stepped.description import Phase
from headwater.kinds.stepped.word_cipher import Entered, WordCipher


def lanes(key, iv):  # noqa: ARG001
    """A byte of the key in every step."""
    return tuple(key[7 - lane :: 8] for lane in range(8))


def enter(wire, i, j, key, *, entering, **_):  # noqa: ARG001
    """A byte of the key is shifted in."""
    return {"i": i & 0, "j": j & 0, "key": concatenate(key[8:], entering)}


def step(wire, i, j, key, *, s, one, filling, scheduling, beginning):
    """A byte of keystream; in the setup an entry of the identity, or a swap of the key schedule."""
    setup = wire(filling | scheduling)
    here = wire(choose(setup, i, add(i, one)))
    a = wire(fetch(s, here))
    there = wire(add(j, choose(scheduling, add(a, key[:8]), a)))
    b = wire(fetch(s, there))
    half = store(s, here, choose(filling, here, b))
    whole = store(half, there, a, ~filling)
    z = wire(fetch(whole, add(a, b)))
    goes_on = wire((~beginning).replicate(8))
    return z, {
        "i": choose(setup, add(here, one), here) & goes_on,
        "j": choose(filling, j, there) & goes_on,
        "key": choose(scheduling, concatenate(key[8:], key[:8]), key),
        "s": whole,
    }


def rc4(name, key_bits):
    """RC4 with a key of this length: whole bytes, at most 256 of them."""
    return WordCipher(
        name=name,
        title=f"RC4 with a key of {key_bits} bits",
        source="J. Strombergson, S. Josefsson, RFC 6229, 2011; public descriptions since 1994",
        security="broken: biased bytes of keystream, attacks on WEP and TLS; forbidden by RFC 7465",
        key_bits=key_bits,
        iv_bits=(0,),
        bit_order="msb_first",
        first_bit_on_top=True,
        convention="Bytes of the key and of the keystream in their order; no IV.",
        registers=(
            Register("i", newest=0, oldest=7),
            Register("j", newest=0, oldest=7),
            Register("key", newest=0, oldest=key_bits - 1),
        ),
        memories=(Memory("s", words=256, bits=8),),
        lanes=lanes,
        lane_names="the key, byte by byte",
        load=Entered((Phase("key", key_bits // 8),), enter=enter),
        phases=(
            Phase("identity", 256, ("filling",)),
            Phase("schedule", 255, ("scheduling",)),
            Phase("last of the schedule", 1, ("scheduling", "beginning")),
        ),
        step=step,
        word_bits=8,
        constants={"one": IntegerWord(1, 8)},
    )


CIPHERS = (rc4("rc4", 128), rc4("rc4_40", 40))
