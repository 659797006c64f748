# SPDX-License-Identifier: Apache-2.0
"""E0, the stream cipher of Bluetooth: four LFSRs and a summation combiner.

Bluetooth Core Specification, volume 2, part H, section 4. Stages are numbered from 1, where bits
enter; a register's bit n is its stage n + 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from headwater.algebra.word import Word, choose, concatenate
from headwater.cipher.cases import KeystreamVector, KeyVector
from headwater.cipher.register import Register
from headwater.errors import InputError
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import Injected, Phase
from headwater.kinds.stepped.laws import BIJECTIVE

_TAPS = ((25, 20, 12, 8), (31, 24, 16, 12), (33, 28, 24, 4), (39, 36, 28, 4))
_OUTPUT_STAGES = (24, 24, 32, 32)
_FILLING = ("filling_1", "filling_2", "filling_3", "filling_4")

G1_LOW = (
    0x1D,
    0x3F,
    0xDB,
    0xAF,
    0x39,
    0x291,
    0x95,
    0x1B,
    0x609,
    0x215,
    0x13B,
    0xDD,
    0x49D,
    0x14F,
    0xE7,
    0,
)
"""g1 of each key length L without its leading term t^(8L)."""

G2 = (
    0xE275A0ABD218D4CF928B9BBF6CB08F,
    0x1E3F63D7659B37F18C258CFF6EFEF,
    0x1BEF66C6C3AB1030A5A1919808B,
    0x16AB89969DE17467FD3736AD9,
    0x163063291DA50EC55715247,
    0x2C9352AA6CC054468311,
    0xB3F7FFFCE279F3A073,
    0xA1AB815BC7EC8025,
    0x2C98011D8B04D,
    0x58E24F9A4BB,
    0xCA76024D7,
    0x1C9C26B9,
    0x26D9E3,
    0x4377,
    0x89,
    0x1,
)


def constrain_key(key: bytes, length: int) -> bytes:
    """The key K'c of effective length ``length`` in bytes: g2 (Kc mod g1) (section 4.2.1).

    Byte 0 holds the coefficients of t^0 to t^7.
    """
    if not 1 <= length <= 16:
        raise InputError(f"effective key length of e0 must be 1 to 16 bytes, not {length!r}")
    if len(key) != 16:
        raise InputError(f"key of e0 must be 128 bits (32 hex digits), not {8 * len(key)} bits")
    degree = 8 * length
    g1 = 1 << degree | G1_LOW[length - 1]
    remainder = int.from_bytes(key, "little")
    for place in reversed(range(degree, 128)):
        if remainder >> place & 1:
            remainder ^= g1 << place - degree
    product = 0
    for place in range(degree):
        if remainder >> place & 1:
            product ^= G2[length - 1] << place
    return product.to_bytes(16, "little")


def lanes(key: Sequence[Any], iv: Sequence[Any]) -> tuple[Sequence[Any], ...]:
    """The four input streams, one for each LFSR (section 4.3, figure "arranging the input")."""
    kc = [key[8 * byte : 8 * byte + 8] for byte in range(16)]
    address = [iv[8 * byte : 8 * byte + 8] for byte in range(6)]
    clock = iv[48:]
    low, cl1, cl2, high = clock[:8], clock[8:16], clock[16:24], clock[24:]
    return (
        [high[0], *kc[0], *kc[4], *kc[8], *kc[12], *cl1, *address[2], *[0] * 6],
        [1, 0, 0, *low[:4], *kc[1], *kc[5], *kc[9], *kc[13], *address[0], *address[3]],
        [high[1], *kc[2], *kc[6], *kc[10], *kc[14], *cl2, *address[4], *[0] * 6],
        [1, 1, 1, *low[4:], *kc[3], *kc[7], *kc[11], *kc[15], *address[1], *address[5]],
    )


def blend(wire: Any, x: Sequence[Word], c: Word, c_before: Word) -> Word:
    """The next content of the summation combiner from its last two (section 4.1).

    ``half_sum`` is floor((x1 + x2 + x3 + x4 + c) / 2).
    """
    left, right = wire(x[0] ^ x[1], "left"), wire(x[2] ^ x[3], "right")
    twos = wire((x[0] & x[1]) ^ (x[2] & x[3]) ^ (left & right), "twos")
    fours = x[0] & x[1] & x[2] & x[3]
    carry = wire((left ^ right) & c[0], "carry")
    half_sum = concatenate(twos ^ c[1] ^ carry, fours ^ (twos & c[1]) ^ (carry & (twos ^ c[1])))
    twisted = concatenate(c_before[0] ^ c_before[1], c_before[0])
    return half_sum ^ c ^ twisted


def parity_of_taps(register: Word, taps: Sequence[int]) -> Word:
    """The feedback of an LFSR."""
    parity = register[taps[0] - 1]
    for tap in taps[1:]:
        parity ^= register[tap - 1]
    return parity


def output(registers: Sequence[Word], c: Word) -> tuple[Sequence[Word], Word]:
    """The four output stages and the keystream symbol."""
    x = [register[stage - 1] for register, stage in zip(registers, _OUTPUT_STAGES, strict=True)]
    return x, x[0] ^ x[1] ^ x[2] ^ x[3] ^ c[0]


def reloaded(symbols: Word) -> tuple[Word, Word, Word, Word]:
    """The LFSRs after the parallel reload from the last 128 symbols, the oldest at bit 127."""
    byte = [
        concatenate(*(symbols[127 - 8 * number - bit] for bit in range(8))) for number in range(16)
    ]
    return (
        concatenate(byte[0], byte[4], byte[8], byte[12][0]),
        concatenate(byte[1], byte[5], byte[9], byte[12][1:]),
        concatenate(byte[2], byte[6], byte[10], byte[13], byte[15][0]),
        concatenate(byte[3], byte[7], byte[11], byte[14], byte[15][1:]),
    )


def step(
    wire: Any,
    l1: Word,
    l2: Word,
    l3: Word,
    l4: Word,
    c: Word,
    c_before: Word,
    symbols: Word,
    *,
    entering: Word,
    reload: Word,
    **filling: Word,
) -> tuple[Word, Mapping[str, Word]]:
    """One clock.

    The combiner rests at zero until the longest LFSR is full. The symbol that is kept for the
    reload is the symbol of the next clock. So the reload takes place in the clock in which the last
    symbol is made.
    """
    registers = (l1, l2, l3, l4)
    x, z = output(registers, c)
    in_1, in_2, in_3, in_4 = map(parity_of_taps, registers, _TAPS)
    in_1 = wire(entering[0] ^ (in_1 & ~filling["filling_1"]))
    in_2 = wire(entering[1] ^ (in_2 & ~filling["filling_2"]))
    in_3 = wire(entering[2] ^ (in_3 & ~filling["filling_3"]))
    in_4 = wire(entering[3] ^ (in_4 & ~filling["filling_4"]))
    shifted = [
        concatenate(new, register[: len(register) - 1])
        for new, register in zip((in_1, in_2, in_3, in_4), registers, strict=True)
    ]
    c_next = wire(blend(wire, x, c, c_before) & ~filling["filling_4"].replicate(2))
    coming = wire(output(shifted, c_next)[1])
    kept = concatenate(coming, symbols)
    l1_next, l2_next, l3_next, l4_next = (
        choose(reload, new, moved) for new, moved in zip(reloaded(kept), shifted, strict=True)
    )
    return z, {
        "l1": l1_next,
        "l2": l2_next,
        "l3": l3_next,
        "l4": l4_next,
        "c": c_next,
        "c_before": c,
        "symbols": kept[:127],
    }


def read_keystream(entry: Any, cipher: Any) -> list[KeystreamVector]:
    """Read a keystream vector. The engines get the constrained key, which must equal ``kc_prime``
    of the file."""
    length = entry.number("key_length_bytes", 1, 16)
    iv = entry.packed("bd_addr", 48) + entry.packed("clock", 26)
    key = constrain_key(entry.packed("kc", cipher.key_bits), length)
    with entry.named():
        cipher.input_bits(key, iv)
    if entry.data("kc_prime") != key:
        raise InputError(f"kc_prime of {entry} must be kc constrained to {length} bytes")
    bits = entry.number("keystream_bits", 1)
    keystream = entry.packed("keystream", bits)
    return [KeystreamVector(entry.name, key, iv, cipher.iv_bits[-1], 0, bits, keystream)]


def read_key(entry: Any, cipher: Any) -> list[KeyVector]:
    """Read a vector of the constraint of a key to an effective length."""
    key, length = entry.packed("kc", cipher.key_bits), entry.number("key_length_bytes", 1, 16)
    expected = entry.packed("kc_prime", cipher.key_bits)
    what = f"constrained to {length} bytes"
    return [KeyVector(entry.name, partial(constrain_key, key, length), expected, what)]


E0 = ClockedCipher(
    name="e0",
    title="E0",
    source="Bluetooth Core Specification, volume 2, part H, section 4",
    security="broken in theory (2^38 work from 2^24 packets: Y. Lu, W. Meier, "
    "S. Vaudenay, CRYPTO 2005); short key lengths fall to search",
    key_bits=128,
    iv_bits=(48 + 26,),
    bit_order="lsb_first",
    convention=(
        "Least significant bit first: bit i of any string is bit i mod 8 of byte i // 8, byte 0 "
        "the least significant of the specification's numbers. The key is K'c; the IV is BD_ADDR "
        "(6 bytes), then CLK (26 bits in 4 bytes). Keystream bit 0 is the symbol at t = 240."
    ),
    registers=(
        Register("l1", newest=1, oldest=25),
        Register("l2", newest=1, oldest=31),
        Register("l3", newest=1, oldest=33),
        Register("l4", newest=1, oldest=39),
        Register("c", newest=0, oldest=1),
        Register("c_before", newest=0, oldest=1),
        Register("symbols", newest=0, oldest=126, setup_only=True),
    ),
    lanes=lanes,
    lane_names="the input streams of LFSR 1 to 4",
    load=Injected(
        (
            Phase("fill", 25, _FILLING),
            Phase("fill LFSR 2 to 4", 6, _FILLING[1:]),
            Phase("fill LFSR 3 and 4", 2, _FILLING[2:]),
            Phase("fill LFSR 4", 6, _FILLING[3:]),
            Phase("rest of the input", 16),
        ),
        zero_is_neutral=True,
    ),
    phases=(Phase("warm-up", 183), Phase("reload", 1, ("reload",))),
    step=step,
    laws=(BIJECTIVE,),
    radices=(1, 2, 4, 8),
    effective_key=constrain_key,
    vector_names=("e0_constrain",),
    vector_readers={"e0": read_keystream, "key-constraint": read_key},
)
