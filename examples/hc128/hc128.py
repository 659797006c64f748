# SPDX-License-Identifier: Apache-2.0
"""HC-128: two tables of 512 words, which change while they make keystream.

H. Wu, "The Stream Cipher HC-128", New Stream Cipher Designs, LNCS 4986, 2008. P is the lower half
of a memory of 1024 words, Q the upper one. 512 steps change P, which Q masks, then 512 change Q.
"""

from __future__ import annotations

from headwater.algebra.word import add, choose, concatenate, rotate_left
from headwater.cipher.memory import Memory, fetch, store
from headwater.cipher.register import Register
from headwater.kinds.stepped.description import Phase
from headwater.kinds.stepped.word_cipher import Entered, WordCipher


def lanes(key, iv):
    """Bit n of each word is in lane n."""
    bits = [*key, *iv]
    return tuple(bits[lane::32] for lane in range(32))


def enter(wire, i, w, *, entering, **_):  # noqa: ARG001
    """W[0..15] is the key twice, then the IV twice: its quarters shift, two from the last one."""
    behind = (w[384:416], w[384:416], entering, entering)
    quarters = [word for q in range(4) for word in (w[128 * q + 32 : 128 * q + 128], behind[q])]
    return {"i": i & 0, "w": concatenate(*quarters)}


def rotate_right(word, places):
    """Each bit so many places lower."""
    return rotate_left(word, 32 - places)


def f(word, first, second, shift):
    """Two rotations and a shift."""
    down = concatenate(word[shift:], word[:shift] & 0)
    return rotate_right(word, first) ^ rotate_right(word, second) ^ down


def next_of_expansion(wire, i, w):
    """W[i + 16], of the sixteen words before it."""
    number = concatenate(add(i, 16), w[11:32] & 0)
    f1 = wire(f(w[32:64], 7, 18, 3), "f1")
    f2 = wire(f(w[448:480], 17, 19, 10), "f2")
    return wire(add(add(f2, w[288:320]), add(add(f1, w[:32]), number)), "expanded")


def step(wire, i, w, *, t, filling, hiding):
    """A word of the expansion, or of the table and of keystream."""
    expanded = next_of_expansion(wire, i, w)
    here = wire(add(i[:10], -240 % 1024))
    place, upper = here[:9], here[9:]

    def behind(distance):
        return fetch(t, concatenate(add(place, -distance % 512), upper))

    def turned(word, places):
        return choose(upper, rotate_left(word, places), rotate_right(word, places))

    old = wire(behind(0), "old")
    sums = turned(behind(3), 10) ^ turned(behind(511), 23)
    new = wire(add(old, add(sums, turned(behind(10), 8))), "new")
    x = wire(behind(12), "x")
    other = ~upper
    low = fetch(t, concatenate(x[:8], x[:1] & 0, other))
    high = fetch(t, concatenate(x[16:24], x[:1] | 1, other))
    h = wire(add(low, high), "h")
    z = wire(new ^ h)
    t = store(t, here, choose(filling, expanded, choose(hiding, z, new)))
    return z, {"i": add(i, 1), "w": concatenate(w[32:], expanded), "t": t}


HC_128 = WordCipher(
    name="hc128",
    title="HC-128",
    source='H. Wu, "The Stream Cipher HC-128", New Stream Cipher Designs, LNCS 4986, 2008',
    security="no attack on the full cipher known; a member of the eSTREAM portfolio",
    key_bits=128,
    iv_bits=(128,),
    bit_order="lsb_first",
    convention="Bytes are words of 32 bits, the first byte and bit lowest.",
    registers=(
        Register("i", newest=0, oldest=10),
        Register("w", newest=0, oldest=511, setup_only=True),
    ),
    memories=(Memory("t", words=1024, bits=32),),
    lanes=lanes,
    lane_names="the words of the key, then those of the IV",
    load=Entered((Phase("load", 8),), enter=enter),
    phases=(
        Phase("expand", 240, ("filling",)),
        Phase("fill", 1024, ("filling",)),
        Phase("hide", 1024, ("hiding",)),
    ),
    step=step,
    word_bits=32,
)

CIPHERS = (HC_128,)
