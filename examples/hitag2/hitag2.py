# SPDX-License-Identifier: Apache-2.0
"""Hitag2: a register of 48 bits whose filter is fed back while the nonce enters.

There is no official specification. Written from the functions of public software and from R.
Verdult, F. D. Garcia, J. Balasch, "Gone in 360 Seconds: Hijacking with Hitag2", USENIX Security
2012. The first word of keystream is the one behind the setup: there are no blank steps.
"""

from __future__ import annotations

from headwater.cipher.register import Register
from headwater.kinds.stepped.description import Phase, Placed
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher

A, B, C = 0x2C79, 0x6671, 0x7907287B
"""Truth tables: the first argument is bit 0 of the number of an entry."""
TAPS = (
    (A, 2, 3, 5, 6),
    (B, 8, 12, 14, 15),
    (B, 17, 21, 23, 26),
    (B, 28, 29, 31, 33),
    (A, 34, 43, 44, 46),
)
FEEDBACK = (0, 2, 3, 6, 7, 8, 16, 22, 23, 26, 30, 41, 42, 43, 46, 47)


def of_table(table, *bits):
    """The value of a truth table, by its last argument."""
    if table in (0, (1 << (1 << len(bits))) - 1):
        return bits[0] ^ bits[0] if not table else ~(bits[0] ^ bits[0])
    *others, last = bits
    half = 1 << len(others)
    low, high = table & (1 << half) - 1, table >> half
    if not others:
        return last if high else ~last
    if low == high:
        return of_table(low, *others)
    return of_table(low, *others) ^ (last & of_table(low ^ high, *others))


def step(wire, x, m, *, setup):
    """One clock: in the setup the filter and a bit of key and nonce enter, later the feedback."""
    inner = [
        wire(of_table(table, *map(x, taps)), f"y{place}")
        for place, (table, *taps) in enumerate(TAPS)
    ]
    z = wire(of_table(C, *inner))
    fed = x(FEEDBACK[0])
    for tap in FEEDBACK[1:]:
        fed = fed ^ x(tap)
    fed = wire(fed)
    return z, {"x": (setup & (z ^ m(0))) ^ (~setup & fed), "m": m(0)}


def load(key, iv):
    """uid and the first 16 key bits are the state; the others are added to the nonce."""
    uid, nonce = iv[:32], iv[32:]
    return {"x": [*uid, *key[:16]], "m": [k ^ v for k, v in zip(key[16:], nonce, strict=True)]}


HITAG2 = ShiftRegisterCipher(
    name="hitag2",
    title="Hitag2",
    source='R. Verdult, F. D. Garcia, J. Balasch, "Gone in 360 Seconds: Hijacking with Hitag2", '
    "USENIX Security 2012, and public software",
    security="broken: a few recorded sessions give the key in minutes",
    key_bits=48,
    iv_bits=(64,),
    bit_order="msb_first",
    convention="The most significant bit of each byte first. The IV is uid, then the nonce as "
    "transmitted.",
    registers=(
        Register("x", newest=47, oldest=0),
        Register("m", newest=31, oldest=0, setup_only=True),
    ),
    load=Placed(load),
    phases=(Phase("setup", 32, ("setup",)),),
    step=step,
)

CIPHERS = (HITAG2,)
