# SPDX-License-Identifier: Apache-2.0
"""Rabbit: eight words of state, each from squares of sums with a counter; 128 bits in a step.

M. Boesgaard, M. Vesterager, E. Zenner, "A Description of the Rabbit Stream Cipher Algorithm",
RFC 4503, 2006. Its octet strings begin with the highest byte of a number; here, as in eSTREAM, the
lowest byte of key, IV and each block is first.
"""

from __future__ import annotations

from headwater.algebra.word import add, choose, concatenate, multiply, rotate_left
from headwater.cipher.register import Register
from headwater.kinds.stepped.description import Phase
from headwater.kinds.stepped.word_cipher import Entered, WordCipher

ADDED = sum((0x4D34D34D, 0xD34D34D3, 0x34D34D34)[j % 3] << 32 * j for j in range(8))
"""A0 to A7: the counters and their carry go on by one sum."""


def lanes(key, iv):
    """Bit n of each word is in lane n."""
    bits = [*key, *iv]
    return tuple(bits[lane::32] for lane in range(32))


def enter(wire, x, c, b, iv=None, *, entering, **_):  # noqa: ARG001
    """Words shift through the IV, if there is one, into the lower half of X."""
    chain = concatenate(x[32:128], *([] if iv is None else [iv]), entering)
    state = {"x": concatenate(chain[:128], x[128:] & 0), "c": c & 0, "b": b & 0}
    return state if iv is None else {**state, "iv": chain[128:]}


def expanded(key):
    """State and counters, of the halves of the key's words."""
    half = 2 * [key[low : low + 16] for low in range(0, 128, 16)]
    x, c = [], []
    for j in range(8):
        near, far = half[j : j + 2], half[j + 4 : j + 6]
        x += far if j % 2 else near
        c += near[::-1] if j % 2 else far[::-1]
    return concatenate(*x), concatenate(*c)


def g(wire, u, v, j):
    """The halves of a square are added."""
    total = wire(add(u, v), f"total{j}")
    square = wire(multiply(concatenate(total, total & 0), total), f"square{j}")
    return wire(square[:32] ^ square[32:], f"g{j}")


def next_state(wire, x, c):
    """Each word is the sum of three values of g, of which some are turned."""
    lows = range(0, 256, 32)
    values = [g(wire, x[low : low + 32], c[low : low + 32], low // 32) for low in lows]
    state = []
    for j in range(8):
        turned = rotate_left(values[j - 1], 8 if j % 2 else 16)
        last = values[j - 2] if j % 2 else rotate_left(values[j - 2], 16)
        state.append(add(values[j], add(turned, last)))
    return concatenate(*state)


def extracted(x):
    """The words with even numbers, with halves of the others."""
    half = [x[low : low + 16] for low in range(0, 256, 16)]
    pairs = ((0, 11), (1, 6), (4, 15), (5, 10), (8, 3), (9, 14), (12, 7), (13, 2))
    return concatenate(*(half[a] ^ half[b] for a, b in pairs))


def step(wire, x, c, b, iv=None, *, expanding, mixing):
    """An iteration. The key is expanded before the first, and changes the counters, as the IV does,
    behind the fourth."""
    x_key, c_key = expanded(x[:128])
    x = wire(choose(expanding, x_key, x), "x_before")
    c = wire(choose(expanding, c_key, c), "c_before")
    total = wire(add(add(concatenate(c, b & 0), ADDED), concatenate(b, c & 0)), "total")
    x = wire(next_state(wire, x, total[:256]), "x_behind")
    added = concatenate(x[128:], x[:128])
    if iv is not None:
        crossed = concatenate(iv[:32], iv[16:32], iv[48:], iv[32:], iv[:16], iv[32:48])
        added = added ^ concatenate(crossed, crossed)
    c = total[:256] ^ (added & mixing.replicate(256))
    state = {"x": x, "c": c, "b": total[256]}
    return extracted(x), state if iv is None else {**state, "iv": iv}


def rabbit(name, iv_bits):
    """Rabbit with an IV, or without."""
    return WordCipher(
        name=name,
        title="Rabbit" if iv_bits else "Rabbit without IV",
        source="M. Boesgaard, M. Vesterager, E. Zenner, RFC 4503, 2006",
        security="no attack on the full cipher known",
        key_bits=128,
        iv_bits=(iv_bits,),
        bit_order="lsb_first",
        convention="Key, IV and blocks of 128 bits are numbers, the lowest byte and bit first.",
        registers=(
            Register("x", newest=0, oldest=255),
            Register("c", newest=0, oldest=255),
            Register("b", newest=0, oldest=0),
            *((Register("iv", newest=0, oldest=63, setup_only=True),) if iv_bits else ()),
        ),
        lanes=lanes,
        lane_names="the words of the key, then those of the IV",
        load=Entered((Phase("load", (128 + iv_bits) // 32),), enter=enter),
        phases=(
            Phase("expand", 1, ("expanding",)),
            Phase("key", 2),
            Phase("mix", 1, ("mixing",)),
            *((Phase("iv", 4),) if iv_bits else ()),
        ),
        step=step,
        word_bits=128,
    )


CIPHERS = (rabbit("rabbit", 64), rabbit("rabbit_without_iv", 0))
