# SPDX-License-Identifier: Apache-2.0
"""ChaCha20 and Poly1305 as one cipher that encrypts and authenticates, with nonces of 96 and of 192
bits.

Y. Nir, A. Langley, "ChaCha20 and Poly1305 for IETF protocols", RFC 8439 (2018), section 2.8;
S. Arciszewski, draft-irtf-cfrg-xchacha-03 (2020).

The register x holds, one after another, the block that ChaCha20 makes, its keystream, the
ciphertext of it, and the blocks that Poly1305 takes, lowest first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from headwater.algebra.word import IntegerWord, Wire, Word, add, all_ones, choose, concatenate
from headwater.cipher import poly1305
from headwater.cipher.chacha20 import CONSTANTS, matrix, quarter_round
from headwater.kinds.message.description import (
    Do,
    MessageCipher,
    Part,
    Register,
    Repeat,
    Take,
)
from headwater.kinds.message.operations import Operation

_WORD = 32
_TEXT = 512
"""Bits of a block of text; those of associated data have as many as those of Poly1305."""

Words = dict[str, Word]


def _words(word: Word) -> list[Word]:
    return [word[place : place + _WORD] for place in range(0, len(word), _WORD)]


# --- ChaCha20


def _matrix(constant: Word, key: Word, nonce: Word, counter: Word) -> list[Word]:
    """Section 2.3; in front of a nonce of 64 bits are 32 zeros (draft, section 2.3)."""
    zeros = [counter & 0] * (3 - len(nonce) // _WORD)
    return matrix(_words(constant), _words(key), [*zeros, *_words(nonce)], [counter])


def begin(constant: Word, key: Word, nonce: Word, counter: Word) -> Words:
    """What the rounds of a block begin with."""
    return {"x": concatenate(*_matrix(constant, key, nonce, counter))}


def quarter(wire: Wire, x: Word, number: Word) -> Words:
    """A quarter round of a column or of a diagonal. Each row then turns by one word, so that the
    next one is read at the same places."""
    row_a, row_b, row_c, row_d = (_words(x[place : place + 128]) for place in range(0, _TEXT, 128))
    diagonal = number[2]
    b = wire(choose(diagonal, row_b[1], row_b[0]), "b")
    c = wire(choose(diagonal, row_c[2], row_c[0]), "c")
    d = wire(choose(diagonal, row_d[3], row_d[0]), "d")
    a, b, c, d = quarter_round(wire, row_a[0], b, c, d)
    b, c, d = wire(b, "b_after"), wire(c, "c_after"), wire(d, "d_after")
    rows = [
        *row_a[1:],
        a,
        wire(choose(diagonal, b, row_b[1]), "b_first"),
        *row_b[2:],
        wire(choose(diagonal, row_b[0], b), "b_last"),
        row_c[1],
        wire(choose(diagonal, c, row_c[2]), "c_middle"),
        row_c[3],
        wire(choose(diagonal, row_c[0], c), "c_last"),
        *row_d[1:3],
        wire(choose(diagonal, d, row_d[3]), "d_middle"),
        wire(choose(diagonal, row_d[0], d), "d_last"),
    ]
    return {"x": concatenate(*rows)}


def _sums(wire: Wire, rounds: Word, first: Sequence[Word]) -> list[Word]:
    return [
        wire(add(word, other), "out") for word, other in zip(_words(rounds), first, strict=True)
    ]


def keystream_block(
    wire: Wire, x: Word, constant: Word, key: Word, nonce: Word, counter: Word, one: Word
) -> Words:
    """The keystream of a block; the next block has the next number."""
    sums = _sums(wire, x, _matrix(constant, key, nonce, counter))
    return {"x": concatenate(*sums), "counter": add(counter, one)}


def poly1305_key(wire: Wire, x: Word, constant: Word, key: Word, counter: Word, one: Word) -> Words:
    """Point and pad of Poly1305 are the first half of block 0 (section 2.6)."""
    first = [*_words(constant), *_words(key[:128])]
    sums = _sums(wire, x[:256], first)
    return {
        "x": x & 0,
        "point": poly1305.clamped(concatenate(*sums[:4])),
        "pad": concatenate(*sums[4:]),
        "counter": add(counter, one),
    }


# --- HChaCha20


def enter_nonce(x: Word, block: Word) -> Words:
    """The first 128 bits of a nonce of 192, in the last row (draft, section 2.2)."""
    return {"x": concatenate(x[:-128], x[-128:] ^ block)}


def begin_key(x: Word, constant: Word, key: Word) -> Words:
    """What the rounds of HChaCha20 begin with."""
    return {"x": concatenate(constant, key, x[-128:])}


def derived_key(x: Word) -> Words:
    """The first and the last row are the key of the message."""
    return {"key": concatenate(x[:128], x[-128:])}


# --- Poly1305


def absorb(wire: Wire, x: Word, total: Word, carries: Word, blocks: Word) -> Words:
    """The next block enters, if there is one; those behind it move down."""
    size = poly1305.BLOCK_BITS
    accumulator = poly1305.reduced(wire, total, carries)
    return {
        "x": concatenate(x[size:], x[:size] & 0),
        "factor": poly1305.absorbed(wire, accumulator, concatenate(x[:size], blocks[0])),
        "total": total & 0,
        "carries": carries & 0,
        "multiplies": blocks[0],
        "blocks": concatenate(blocks[1:], blocks[0] & 0),
    }


def multiply(
    wire: Wire,
    point: Word,
    factor: Word,
    total: Word,
    carries: Word,
    multiplies: Word,
    number: Word,
) -> Words:
    """A digit of the point, from the highest one on; where no block entered, of the number one."""
    own = point[-poly1305.DIGIT :] & multiplies.replicate(poly1305.DIGIT)
    one = all_ones(number) & ~multiplies
    digit = wire(concatenate(own[0] | one, own[1:]), "digit")
    total, carries = poly1305.multiplied(wire, total, carries, factor, digit)
    return {"total": total, "carries": carries, "point": poly1305.turned(point)}


# --- the message


def _first_block(blocks: Word) -> Word:
    """Only one block enters."""
    return concatenate(~(blocks[0] & 0), blocks[1:] & 0)


def enter_data(x: Word, blocks: Word, block: Word) -> Words:
    """A block of associated data."""
    size = poly1305.BLOCK_BITS
    return {"x": concatenate(x[:size] ^ block, x[size:]), "blocks": _first_block(blocks)}


def keystream(x: Word) -> Word:
    """What text is added to."""
    return x


def enter_text(x: Word, block: Word) -> Words:
    """Keystream becomes ciphertext."""
    return {"x": x ^ block}


def close_text(wire: Wire, x: Word, count: Word) -> Words:
    """Zeros behind the last byte of a text, and how many blocks of Poly1305 it has."""
    kept = [wire(bit, "kept") for bit in _places_below(count)]
    mask = concatenate(*(bit.replicate(8) for bit in kept))
    return {"x": x & mask, "blocks": concatenate(*kept[:: poly1305.BLOCK_BITS // 8])}


def _places_below(count: Word) -> list[Word]:
    """For each place of 64 whether it is less than a count of 0 to 64."""
    below = [count[0] & 0]
    for bit in range(6):
        below = [one | count[bit] for one in below] + [one & count[bit] for one in below]
    return [one | count[6] for one in below]


def lengths(x: Word, blocks: Word, ad_bytes: Word, text_bytes: Word) -> Words:
    """The last block: both lengths in bytes."""
    low = concatenate(ad_bytes, text_bytes)
    return {"x": concatenate(low, x[len(low) :]), "blocks": _first_block(blocks)}


_POLY1305: tuple[Operation, ...] = (Do(absorb), Repeat(poly1305.STEPS, multiply))
_ROUNDS = Repeat(80, quarter)
"""Twenty rounds of four quarter rounds."""
_BLOCK: tuple[Operation, ...] = (Do(begin), _ROUNDS, Do(keystream_block))
_OF_A_TEXT = _POLY1305 * (_TEXT // poly1305.BLOCK_BITS)

CHACHA20_POLY1305 = MessageCipher(
    name="chacha20_poly1305",
    title="ChaCha20-Poly1305 (RFC 8439)",
    source="Y. Nir, A. Langley, ChaCha20 and Poly1305 for IETF protocols, RFC 8439, 2018",
    security="no attack known; a nonce must not be used twice under a key, and a text must not be "
    "longer than 2^38 - 64 bytes: behind them the number of the block would be 0 again, whose "
    "keystream is the key of Poly1305",
    key_bits=256,
    iv_bits=(96,),
    bit_order="lsb_first",
    convention="key, nonce, texts and tag are byte strings as in the RFC, words are little-endian; "
    "the first bit of a byte is its least significant one",
    registers=(
        Register("x", _TEXT),
        Register("key", 256),
        Register("nonce", 96),
        Register("counter", _WORD),
        *poly1305.REGISTERS,
        Register("blocks", 4),
        Register("multiplies", 1),
    ),
    constants={
        "constant": IntegerWord(
            sum(word << place * _WORD for place, word in enumerate(CONSTANTS)), 4 * _WORD
        ),
        "one": IntegerWord(1, _WORD),
    },
    start=(
        Take("key", 256, into="key"),
        Take("nonce", 96, into="nonce"),
        Do(begin),
        _ROUNDS,
        Do(poly1305_key),
    ),
    associated=Part(
        rate=poly1305.BLOCK_BITS, added=True, enter=enter_data, between=_POLY1305, end=_POLY1305
    ),
    text=Part(
        rate=_TEXT,
        added=True,
        enter=enter_text,
        close=close_text,
        keystream=keystream,
        first=_BLOCK,
        between=(*_OF_A_TEXT, *_BLOCK),
        end=_OF_A_TEXT,
    ),
    finish=(Do(lengths), *_POLY1305, *poly1305.END),
    length_bits=64,
)

XCHACHA20_POLY1305 = replace(
    CHACHA20_POLY1305,
    name="xchacha20_poly1305",
    title="XChaCha20-Poly1305",
    source="S. Arciszewski, XChaCha: eXtended-nonce ChaCha and AEAD_XChaCha20_Poly1305, "
    "draft-irtf-cfrg-xchacha-03, 2020",
    security="no attack known; nonces may be drawn at random; a text must not be longer than "
    "2^38 - 64 bytes: behind them the number of the block would be 0 again, whose keystream is "
    "the key of Poly1305",
    iv_bits=(192,),
    registers=tuple(
        Register("nonce", 64) if one.name == "nonce" else one for one in CHACHA20_POLY1305.registers
    ),
    start=(
        Take("key", 256, into="key"),
        Take("nonce", 128, enter=enter_nonce),
        Do(begin_key),
        _ROUNDS,
        Do(derived_key),
        Take("nonce", 64, into="nonce"),
        Do(begin),
        _ROUNDS,
        Do(poly1305_key),
    ),
)
