# SPDX-License-Identifier: Apache-2.0
"""A message machine with a memory, made for tests."""

from __future__ import annotations

from headwater.algebra.word import add, concatenate, rotate_left
from headwater.cipher.memory import Memory, fetch, store
from headwater.kinds.message.description import MessageCipher, Part, Register, Repeat, Squeeze, Take


def key_in(a, block):
    return {"a": a ^ block}


def step(wire, a, s, number):
    old = wire(fetch(s, number[:4]), "old")
    fresh = wire(add(rotate_left(a[:16], 3) ^ old, number_word(a, number)), "fresh")
    s = store(s, number[:4], fresh)
    again = wire(fetch(s, fresh[:4]), "again")
    return {"a": concatenate(a[16:], add(a[:16], again)), "s": s}


def number_word(a, number):
    return concatenate(number, a[: 16 - len(number)] & 0)


def stream(a, s):
    return a[:32] ^ concatenate(fetch(s, a[32:36]), fetch(s, a[36:40]))


def absorb(a, block):
    return {"a": concatenate(a[:32] ^ block, a[32:])}


def close(a, s, partial):
    return {"s": store(s, a[:4], a[4:20], ~partial), "a": a ^ (partial.replicate(64) & 3)}


def tag(a):
    return a


BETWEEN = (Repeat(8, step),)
TOY = MessageCipher(
    name="msgmem",
    title="Test",
    source="a test",
    security="not for use: a test",
    key_bits=64,
    iv_bits=(64,),
    bit_order="lsb_first",
    convention="The lowest byte first.",
    registers=(Register("a", 64),),
    memories=(Memory("s", words=12, bits=16),),
    start=(
        Take("key", 64, enter=key_in),
        Repeat(16, step),
        Take("nonce", 64, enter=key_in),
        Repeat(16, step),
    ),
    associated=Part(rate=32, added=True, enter=absorb, close=close, between=BETWEEN, end=BETWEEN),
    text=Part(
        rate=32,
        added=True,
        enter=absorb,
        close=close,
        keystream=stream,
        between=BETWEEN,
        end=BETWEEN,
    ),
    finish=(Repeat(32, step), Squeeze(64, tag)),
)
CIPHERS = (TOY,)
