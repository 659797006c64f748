# SPDX-License-Identifier: Apache-2.0
"""AES with keys of 128, 192 and 256 bits (FIPS 197): the block cipher, counter mode, output
feedback, and CMAC.

The modes are those of NIST SP 800-38A, sections 6.5 and 6.4, and of SP 800-38B. Rounds and names
are those of `headwater.cipher.aes_ofb`; here is the key expansion for every length of the key.
"""

from __future__ import annotations

from typing import Literal

from headwater.algebra.word import IntegerWord, Word
from headwater.cipher import block_vectors
from headwater.cipher.aes_ofb import (
    FIRST_CONSTANT,
    Block,
    Substitute,
    double,
    key_core,
    substitute_word,
)
from headwater.kinds.aes.description import AesMac, AesMode

COLUMNS = 4
"""Words of a block, and of a round key."""

Change = Literal["", "rotated", "substituted"]
"""What KeyExpansion does to a word before it is added to the next one."""


def change_before(number: int, key_words: int) -> Change:
    """What is done to the word before word ``number`` (section 5.2), of a key of 4, 6 or 8 words:
    RotWord, SubWord and a round constant; SubWord alone; or nothing."""
    place = number % key_words
    if place == 0:
        return "rotated"
    return "substituted" if key_words == 8 and place == 4 else ""


def next_word(
    oldest: Word, newest: Word, change: Change, constant: Word, substitute: Substitute
) -> Word:
    """The word of KeyExpansion (section 5.2) that follows the ``newest`` one, from it and the
    ``oldest`` of the words of a key's length."""
    if change == "rotated":
        return oldest ^ key_core(newest, constant, substitute)
    return oldest ^ (substitute(newest) if change == "substituted" else newest)


def round_constant(number: int, key_words: int) -> int:
    """The byte of Rcon (section 5.2) that is added to word ``number``: x^(i - 1) where the number
    is i times the words of the key."""
    constant = IntegerWord(FIRST_CONSTANT, 8)
    for _ in range(number // key_words - 1):
        constant = double(constant)
    return constant.value


def round_keys(key: bytes) -> list[Block]:
    """KeyExpansion (section 5.2) of a key of 16, 24 or 32 bytes."""
    words = [
        IntegerWord(int.from_bytes(key[place : place + 4], "big"), 32)
        for place in range(0, len(key), 4)
    ]
    length = len(words)
    count = COLUMNS * (length + 7)
    for number in range(length, count):
        change = change_before(number, length)
        constant = IntegerWord(round_constant(number, length), 8)
        words.append(next_word(words[-length], words[-1], change, constant, substitute_word))
    return [tuple(words[first : first + COLUMNS]) for first in range(0, count, COLUMNS)]


_BYTES = (
    "bytes of key, IV and keystream as in FIPS 197 and SP 800-38A, the first bit of a byte is its "
    "most significant one"
)
_SECURITY = "unbroken; {}, and nothing tells a changed message"

AES = AesMode(
    described_in=__file__,
    name="aes",
    title="AES, each block fed back (OFB)",
    source="FIPS 197 (AES)",
    security="unbroken; a block cipher, which needs a mode, and nothing tells a changed block",
    key_bits=128,
    legal_keys=(128, 192, 256),
    bit_order="msb_first",
    convention=(
        "bytes of key and blocks as in FIPS 197, the first bit of a byte is its most significant "
        "one; the IV is the first block that is encrypted: the first block of the keystream is AES "
        "of the IV, the second one is AES of the first; there is no decryption of a block"
    ),
    vector_readers={block_vectors.KIND: block_vectors.read_blocks},
)

AES_CTR = AesMode(
    described_in=__file__,
    name="aes_ctr",
    title="AES in counter mode",
    source="FIPS 197 (AES); NIST SP 800-38A, section 6.5 (CTR); RFC 3686",
    security=_SECURITY.format("no counter block may serve twice under one key"),
    key_bits=128,
    legal_keys=(128, 192, 256),
    counted_bits=128,
    legal_counts=(128, 64, 32),
    bit_order="msb_first",
    convention=(
        f"{_BYTES}; the IV is the whole first counter block of 16 bytes, big-endian, of which the "
        "last counter_bits bits count, modulo their number, and the others stay (RFC 3686: nonce "
        "of 4 bytes, IV of 8 bytes, 00000001, and counter_bits=32)"
    ),
    vector_names=("AES-CTR", "ACVP-AES-CTR"),
)

AES_OFB_192_256 = AesMode(
    described_in=__file__,
    name="aes_ofb_192_256",
    title="AES-192 and AES-256 in OFB mode",
    source="FIPS 197 (AES); NIST SP 800-38A, section 6.4 (OFB)",
    security=_SECURITY.format("no IV may serve twice under one key"),
    key_bits=192,
    legal_keys=(192, 256),
    bit_order="msb_first",
    convention=_BYTES,
    vector_names=("AES-OFB", "AESOFB128", "ACVP-AES-OFB"),
)

AES_CMAC = AesMac(
    described_in=__file__,
    name="aes_cmac",
    title="AES-CMAC: tags of messages",
    source="FIPS 197 (AES); NIST SP 800-38B; RFC 4493",
    security="unbroken; a forgery of a tag of t bits succeeds by chance with probability 2^-t, and "
    "tags of several lengths under one key tell of each other",
    key_bits=128,
    legal_keys=(128, 192, 256),
    convention=(
        "bytes of key, message and tag as in FIPS 197 and SP 800-38B, the first bit of a byte is "
        "its most significant one; there is no IV; a message is any number of bits, and a tag the "
        "first bits of the last block"
    ),
    vector_names=("AES-CMAC", "CMAC-AES"),
)
