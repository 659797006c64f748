# SPDX-License-Identifier: Apache-2.0
"""Romulus-N: a mode of Skinny-128-384+, a block cipher of 40 rounds with a tweak.

C. Guo, T. Iwata, M. Khairallah, K. Minematsu, T. Peyrin, "Romulus v1.3", submission to the final
round of NIST's competition, 2021. TK1 has counter and domain, TK2 data or nonce, TK3 the key.
"""

from __future__ import annotations

from functools import partial

from headwater.algebra.word import all_ones, choose, concatenate, rotate_left, through, times_x
from headwater.kinds.message.description import MessageCipher, Part, Register, Repeat, Squeeze, Take


def cells(word):
    """The bytes of a word."""
    return [word[low : low + 8] for low in range(0, len(word), 8)]


def s8(wire, x):
    """The S-box: eight times a NOR of two bits is added to a third one."""
    x = [x[n] for n in range(8)]
    for turn in range(4):
        x[4] = wire(x[4] ^ ~(x[7] | x[6]), f"high_{turn}")
        x[0] = wire(x[0] ^ ~(x[3] | x[2]), f"low_{turn}")
        x = [x[n] for n in ((5, 3, 0, 4, 6, 7, 1, 2) if turn < 3 else (0, 2, 1, 3, 4, 5, 6, 7))]
    return concatenate(*x)


def placed(half):
    """The cells of half a tweak in other places."""
    return [cells(half)[n] for n in (1, 7, 0, 5, 2, 6, 4, 3)]


def round_of(wire, s, t1, t2, t3, r, runs, number):
    """A round. Half of TK1 is zero, so that only every other round adds it. At last TK2 is zero."""
    r = concatenate(~(r[5] ^ r[4]), r[:5])
    tweak = t2[:64] ^ t3[:64] ^ (t1 & (~number[0]).replicate(64))
    upper = tweak ^ concatenate(r[:4], s[:28] & 0, r[4:], s[:30] & 0)
    boxes = (through(wire, "s8", 8, s8, cell) for cell in cells(s))
    x = wire(concatenate(*boxes) ^ concatenate(upper, s[64:] & 0) ^ 2 << 64, "x")
    row = [rotate_left(x[32 * n : 32 * n + 32], 8 * n) for n in range(4)]
    mixed = concatenate(row[0] ^ row[2] ^ row[3], row[0], row[1] ^ row[2], row[0] ^ row[2])
    up = (concatenate(cell[7] ^ cell[5], cell[:7]) for cell in placed(t2[64:]))
    down = (concatenate(cell[1:], cell[0] ^ cell[6]) for cell in placed(t3[64:]))
    last = number[5] & all_ones(number[:3])
    return {
        "s": choose(runs, mixed, s),
        "t1": choose(number[0], concatenate(*placed(t1)), t1),
        "t2": concatenate(*up, t2[:64]) & (~last).replicate(128),
        "t3": concatenate(*down, t3[:64]),
        "r": r,
    }


def later(c):
    """The next state of the counter, which is 1 where c is 0."""
    return times_x(c ^ 1, 0x95) ^ 1


def begin(n, k, t2, c, short, runs, *, domain):
    """What a call begins with. One for a pair of blocks, of domain 8, has the second as its tweak,
    and leaves the state where there is none. Behind associated data the counter begins again."""
    pair, no = domain == 8, short & 0
    marks = {8: (no, no), 0x18: (no, short), 4: (short, no), 0x14: (short, no)}
    mark = concatenate(*marks[domain], c[:6] & 0) ^ domain
    tweaks = {"t1": concatenate(c ^ 1, mark), "t2": t2 if pair else n, "t3": k}
    behind = choose(runs, later(c), c) if pair else c & 0 if domain == 0x18 else c
    return {"c": behind, "r": k[:6] & 0, "runs": runs if pair else runs | 1, **tweaks}


def enter(s, t2, block):
    """A block for the state, and of associated data one for the tweak, which is zero before."""
    return {"s": s ^ block[:128], "t2": t2 ^ block[128:] if len(block) > 128 else t2}


def close(s, t2, c, count):
    """The last byte of a short block is the number of its bytes. A pair of blocks has up to 32."""
    second, low, begun = count[4], concatenate(count[:4], count[:4] & 0), ~all_ones(~count[:4])
    return {
        "s": s ^ (low & (~second).replicate(8)) << 120,
        "t2": t2 ^ (low & second.replicate(8)) << 120,
        "short": begun | all_ones(~count),
        "runs": count[-1] | (begun & second),
        "c": later(c),
    }


def g(s):
    """What text is added to, and the tag."""
    return concatenate(*(concatenate(cell[1:], cell[7] ^ cell[0]) for cell in cells(s)))


PAIR, DATA_END, TEXT, TEXT_END = (
    (Repeat(40, round_of, begin=partial(begin, domain=domain)),) for domain in (8, 0x18, 4, 0x14)
)
BLOCKS = {"added": True, "at_least_one": True, "enter": enter, "close": close}

ROMULUS_N = MessageCipher(
    name="romulusn",
    title="Romulus-N",
    source='C. Guo et al., "Romulus v1.3", 2021',
    security="no attack on the full cipher known; a nonce must not be used twice under a key",
    key_bits=128,
    iv_bits=(128,),
    bit_order="lsb_first",
    convention="Strings of bytes, the first one in cell 0.",
    registers=(
        *(Register(name, 128) for name in ("s", "k", "n", "t2", "t3")),
        *map(Register, ("t1", "c", "r", "runs", "short"), (64, 56, 6, 1, 1)),
    ),
    start=(Take("key", 128, into="k"), Take("nonce", 128, into="n")),
    associated=Part(rate=256, between=PAIR, end=(*PAIR, *DATA_END), **BLOCKS),
    text=Part(rate=128, keystream=g, between=TEXT, end=TEXT_END, **BLOCKS),
    finish=(Squeeze(128, g),),
)

CIPHERS = (ROMULUS_N,)
