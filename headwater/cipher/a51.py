# SPDX-License-Identifier: Apache-2.0
"""A5/1: three LFSRs clocked by majority, as GSM telephones use it.

M. Briceno, I. Goldberg and D. Wagner, "A pedagogical implementation of A5/1", 1999. Stage 0 of a
register is where bits enter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from headwater.algebra.word import Word, choose, concatenate
from headwater.cipher.cases import KeystreamVector
from headwater.cipher.register import Register
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import Injected, Phase

BURST_BITS = 114
"""Keystream bits for each direction of a frame."""


def step(
    wire: Any, r1: Word, r2: Word, r3: Word, *, entering: Word, regular: Word
) -> tuple[Word, Mapping[str, Word]]:
    """One clock: registers whose clocking bit is in the majority move; all move while loading.

    The output is read after the clock.
    """
    b1, b2, b3 = r1[8], r2[10], r3[10]
    majority = wire((b1 & b2) | (b1 & b3) | (b2 & b3))
    in1 = wire(r1[13] ^ r1[16] ^ r1[17] ^ r1[18] ^ entering)
    in2 = wire(r2[20] ^ r2[21] ^ entering)
    in3 = wire(r3[7] ^ r3[20] ^ r3[21] ^ r3[22] ^ entering)
    move1 = wire(regular | ~(b1 ^ majority))
    move2 = wire(regular | ~(b2 ^ majority))
    move3 = wire(regular | ~(b3 ^ majority))
    z = wire(
        choose(move1, r1[17], r1[18])
        ^ choose(move2, r2[20], r2[21])
        ^ choose(move3, r3[21], r3[22])
    )
    return z, {
        "r1": choose(move1, concatenate(in1, r1[:18]), r1),
        "r2": choose(move2, concatenate(in2, r2[:21]), r2),
        "r3": choose(move3, concatenate(in3, r3[:22]), r3),
    }


def read_bursts(entry: Any, cipher: Any) -> list[KeystreamVector]:
    """The bursts of both directions under one frame number."""
    key = entry.data("key")
    iv_bits = cipher.iv_bits[-1]
    frame = entry.number("frame", 0, (1 << iv_bits) - 1)
    iv = frame.to_bytes(-(-iv_bits // 8), "little")
    with entry.named():
        cipher.input_bits(key, iv, iv_bits)
    first = entry.number("offset_bits", 0)
    return [
        KeystreamVector(
            f"{entry.name} {link}",
            key,
            iv,
            iv_bits,
            offset,
            BURST_BITS,
            entry.packed(link, BURST_BITS),
        )
        for link, offset in (("downlink", first), ("uplink", first + BURST_BITS))
    ]


A51 = ClockedCipher(
    name="a51",
    title="A5/1",
    source='M. Briceno, I. Goldberg, D. Wagner, "A pedagogical implementation of A5/1", 1999',
    security="broken in practice (64-bit key; time-memory tables: A. Biryukov, A. Shamir, "
    "D. Wagner, FSE 2000); for comparison and legacy tests",
    key_bits=64,
    iv_bits=(22,),
    bit_order="msb_first",
    input_order="lsb_first",
    convention=(
        "Key bit i is bit i mod 8, least significant first, of key byte i // 8: Kc as SIM cards "
        "give it has its bytes in the opposite order. The IV is COUNT, the 22 bits that GSM makes "
        "of the number of a TDMA frame, in 3 bytes, least significant byte and bit first. "
        "Keystream bits are packed most significant first: bits 0 to 113 are the downlink, 114 to "
        "227 the uplink."
    ),
    registers=(
        Register("r1", newest=0, oldest=18),
        Register("r2", newest=0, oldest=21),
        Register("r3", newest=0, oldest=22),
    ),
    load=Injected((Phase("load", 64 + 22, ("regular",)),), zero_is_neutral=True),
    phases=(Phase("mix", 100),),
    step=step,
    radices=(1, 2, 3, 4, 5),
    numbers_frames=True,
    vector_readers={"a51": read_bursts},
)
