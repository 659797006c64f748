# SPDX-License-Identifier: Apache-2.0
"""KASUMI and its keystreams: the block fed back, f8, A5/3 with A5/4, and GEA3 with GEA4.

3GPP TS 35.202 (KASUMI), 35.201 (f8), 55.216 (A5/3, GEA3) and 55.226 (A5/4, GEA4). The texts were
not at hand: the C code of their annexes, as public programs carry it, and test data tell the
cipher. The rounds are in `headwater.cipher.kasumi_rounds`; here are the load and the descriptions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from headwater.algebra.word import Wire, Word, concatenate
from headwater.cipher import block_vectors
from headwater.cipher.cases import KeystreamVector
from headwater.cipher.kasumi_rounds import (
    BLOCK,
    BLOCK_BITS,
    CHAIN,
    PIECE_BITS,
    ROUNDS,
    TABLES,
    TURNED,
    K,
    f8_step,
    step,
)
from headwater.cipher.option import KEY_BITS_ADVICE, TABLE_ADVICE, Option
from headwater.cipher.register import Register
from headwater.kinds.stepped.description import Lanes, Phase
from headwater.kinds.stepped.word_cipher import Entered, WordCipher


def enter(
    wire: Wire,
    *registers: Word,
    entering: Word,
    key: Word,
    turning: Word,
    key_pieces: int,
    marks: int = 0,
    marked: Word | None = None,
    **_others: Word,
) -> Mapping[str, Word]:
    """A step of the load.

    The pieces of the key enter; then those of the first block do, while the key turns by four
    places. A shorter key is the same in each of its places. ``marks`` are bits of the first block
    that are always one: they are in the piece that is marked.
    """
    word = wire(entering, "entered")
    from_key, turns = key.replicate(PIECE_BITS), turning.replicate(PIECE_BITS)
    k = registers[:ROUNDS]
    moved = [*k[1:], k[0]]
    for first in range(0, ROUNDS, key_pieces):
        moved[first + key_pieces - 1] = wire((word & from_key) | (k[first] & turns), f"top_{first}")
    if marked is not None:
        word = concatenate(
            *(word[bit] ^ marked if marks >> bit & 1 else word[bit] for bit in range(PIECE_BITS))
        )
    left, right, *rest = registers[ROUNDS:]
    names = (*BLOCK, *CHAIN)[2:]
    zeros = {name: one & 0 for name, one in zip(names, rest, strict=False)}
    halves = {
        "l": concatenate(right[PIECE_BITS:], left[:PIECE_BITS]),
        "r": concatenate(word, right[:PIECE_BITS]),
    }
    return {**dict(zip(K, moved, strict=True)), **halves, **zeros}


def _lanes_of(key: Sequence[Any], block: Sequence[Any]) -> Lanes:
    """The pieces of the key, those that turn last first; then those of the first block. The last
    bit of a piece is in the lowest lane."""
    half = 4 * PIECE_BITS
    string = [*key[half:], *key[:half], *block]
    return tuple(string[PIECE_BITS - 1 - lane :: PIECE_BITS] for lane in range(PIECE_BITS))


def burst_lanes(key: Sequence[Any], iv: Sequence[Any]) -> Lanes:
    """The key, whose bytes come least significant bit first; then COUNT in its place."""
    octets = (key[first : first + 8] for first in range(0, len(key), 8))
    string = [bit for octet in octets for bit in reversed(octet)]
    return _lanes_of(string, [*[0] * 10, *reversed(iv), *[0] * 32])


def packet_lanes(key: Sequence[Any], iv: Sequence[Any]) -> Lanes:
    """The key; then INPUT and DIRECTION in their places."""
    return _lanes_of(key, [*iv[:32], *[0] * 5, iv[32], *[0] * 26])


def read_bursts(entry: Any, cipher: Any) -> list[KeystreamVector]:
    """The bursts of both directions under one COUNT."""
    key, iv_bits = entry.data("key"), cipher.iv_bits[-1]
    count = int.from_bytes(entry.data("count"), "big")
    iv = count.to_bytes(-(-iv_bits // 8), "little")
    with entry.named():
        cipher.input_bits(key, iv, iv_bits)
    bits = entry.number("block_bits", 1)
    return [
        KeystreamVector(
            f"{entry.name} {name}", key, iv, iv_bits, offset, bits, entry.packed(name, bits)
        )
        for name, offset in (("block1", 0), ("block2", bits))
    ]


def read_packets(entry: Any, cipher: Any) -> list[KeystreamVector]:
    """The keystream of whole bytes under INPUT and DIRECTION."""
    key, iv_bits = entry.data("key"), cipher.iv_bits[-1]
    given = int.from_bytes(entry.packed("input", 32), "big") << 1 | entry.number("direction", 0, 1)
    iv = (given << -iv_bits % 8).to_bytes(-(-iv_bits // 8), "big")
    with entry.named():
        cipher.input_bits(key, iv, iv_bits)
    bits = 8 * entry.number("keystream_bytes", 1)
    return [KeystreamVector(entry.name, key, iv, iv_bits, 0, bits, entry.packed("keystream", bits))]


_SBOX = Option(
    "sbox",
    ("algebraic", "table"),
    "algebraic: S-boxes are sums of products of their input bits; table: looked up",
    TABLE_ADVICE,
)

_BLOCK_LOAD = (Phase("block", 4, ("turning",)),)
_MARKED_LOAD = (
    Phase("block, first half", 2, ("turning",)),
    Phase("block, marks", 1, ("turning", "marked")),
    Phase("block, last piece", 1, ("turning",)),
)
_LENGTHS = {**dict.fromkeys(("l", "r", "low", "high"), BLOCK_BITS // 2), "number": 3}
"""Of the registers that are neither pieces nor blocks."""
_FEEDBACK_PHASES = (Phase("first block", ROUNDS),)
_F8_PHASES = (Phase("modifier", ROUNDS, ("modified",)), *_FEEDBACK_PHASES)


@dataclass(frozen=True)
class _Keystream:
    """What one keystream of KASUMI has of its own."""

    fields: Mapping[str, Any]
    """Fields of its description."""
    keys: tuple[int, ...] = (128,)
    """Lengths of its key, the default one first."""
    marks: int = 0
    """Bits of the third piece of the first block that are always one."""
    fed_back: bool = False
    """Whether a block made is the next one, without f8."""


def _made(of: _Keystream, key_bits: str = "", sbox: str = "table") -> WordCipher:
    """A keystream with keys of this length, and S-boxes in the given form."""
    bits = int(key_bits or of.keys[0])
    pieces, names = bits // PIECE_BITS, BLOCK if of.fed_back else (*BLOCK, *CHAIN)
    lengths = {**dict.fromkeys(K, PIECE_BITS), **_LENGTHS}
    load = (Phase("key", pieces, ("key",)), *(_MARKED_LOAD if of.marks else _BLOCK_LOAD))
    several = len(of.keys) > 1
    others = sorted(of.keys, key=lambda one: one != bits)
    return WordCipher(
        **of.fields,
        key_bits=bits,
        bit_order="msb_first",
        first_bit_on_top=True,
        patents="Mitsubishi Electric had patents on MISTY and KASUMI; whether their terms are over "
        "was not looked for",
        registers=tuple(
            Register(name, newest=0, oldest=lengths.get(name, BLOCK_BITS) - 1)
            for name in (*K, *names)
        ),
        load=Entered(load, enter=partial(enter, key_pieces=pieces, marks=of.marks)),
        phases=_FEEDBACK_PHASES if of.fed_back else _F8_PHASES,
        step=step if of.fed_back else f8_step,
        word_bits=8,
        multiples=(2, 4, 8),
        constants={**TURNED, **(TABLES if sbox == "table" else {})},
        variants=(
            Option(
                "key_bits",
                tuple(map(str, others)),
                "length of the key; where a key is given, it is the key's",
                KEY_BITS_ADVICE,
            ),
        )
        if several
        else (),
        variant=partial(_made, of) if several else None,
        forms=(_SBOX,),
        form=partial(_made, of, key_bits),
    )


_RELATED = (
    "not broken in its modes; related keys break the block cipher in practice (O. Dunkelman, N. "
    "Keller, A. Shamir, CRYPTO 2010), which does not carry over to {}; blocks of 64 bits"
)
_AS_KNOWN = ", as public code and test data tell it"
_BYTES = "Key and IV are most significant bit and byte first, and so is the keystream."
_PIECES = "pieces of 16 bits, K_1 first: {}; then the block, the last bit of a piece in lane 0"

KASUMI = _made(
    _Keystream(
        {
            "name": "kasumi",
            "title": "KASUMI, each block fed back (OFB)",
            "source": "3GPP TS 35.202" + _AS_KNOWN,
            "security": _RELATED.format("its modes"),
            "convention": _BYTES + " The IV is the first block that is encrypted: the first block "
            "of the keystream is KASUMI of the IV, the second one is KASUMI of the first.",
            "iv_bits": (BLOCK_BITS,),
            "lanes": _lanes_of,
            "lane_names": _PIECES.format("K_5 to K_8, K_1 to K_4"),
            "vector_readers": {block_vectors.KIND: block_vectors.read_blocks},
        },
        fed_back=True,
    )
)

KASUMI_F8 = _made(
    _Keystream(
        {
            "name": "kasumi_f8",
            "title": "KASUMI in f8, from a first block of 64 bits",
            "source": "3GPP TS 35.201, section 4" + _AS_KNOWN,
            "security": _RELATED.format("f8"),
            "convention": _BYTES + " The IV is the first block, which mode and message make of "
            "what they know.",
            "iv_bits": (BLOCK_BITS,),
            "lanes": _lanes_of,
            "lane_names": _PIECES.format("K_5 to K_8, K_1 to K_4"),
        },
    )
)

_KEYS = (64, 128)
_BOTH = _PIECES.format("all of a key of 64 bits, or K_5 to K_8, K_1 to K_4 of 128")

A5_3 = _made(
    _Keystream(
        {
            "name": "a53",
            "title": "A5/3, and A5/4 with keys of 128 bits",
            "source": "3GPP TS 55.216 and 55.226" + _AS_KNOWN,
            "security": "64-bit keys: they are short; " + _RELATED.format("A5/3"),
            "convention": "Key bytes are in the order of the standard. The IV is COUNT, the 22 "
            "bits that GSM makes of the number of a TDMA frame, in 3 bytes, least significant byte "
            "first. Keystream bits are packed most significant first: bits 0 to 113 are BLOCK1, "
            "the downlink, 114 to 227 BLOCK2, the uplink.",
            "input_order": "lsb_first",
            "iv_bits": (22,),
            "numbers_frames": True,
            "lanes": burst_lanes,
            "lane_names": _BOTH + ": ten zeros, COUNT, 32 zeros",
            "vector_readers": {"a5": read_bursts},
        },
        _KEYS,
        marks=0x000F,
    )
)

GEA_3 = _made(
    _Keystream(
        {
            "name": "gea3",
            "title": "GEA3, and GEA4 with keys of 128 bits",
            "source": "3GPP TS 55.216 and 55.226" + _AS_KNOWN,
            "security": "64-bit keys: they are short; " + _RELATED.format("GEA3"),
            "convention": _BYTES + " The IV is INPUT (32 bits) and DIRECTION (1 bit), and zeros to "
            "the byte.",
            "iv_bits": (33,),
            "lanes": packet_lanes,
            "lane_names": _BOTH + ": INPUT, five zeros, DIRECTION, 26 zeros",
            "vector_readers": {"gea": read_packets},
        },
        _KEYS,
        marks=0x00FF,
    )
)
