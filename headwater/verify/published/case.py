# SPDX-License-Identifier: Apache-2.0
"""A vector as a public file has it, before any cipher is asked about it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from headwater.cipher.cases import RESULTS
from headwater.errors import InputError, unknown


@dataclass(frozen=True, kw_only=True)
class Case:
    """One vector. What its file does not have is None or empty."""

    name: str
    """Its name in the file, which no other vector of the file has."""
    line: int
    """Where it begins."""
    algorithm: str = ""
    """As the file names it."""
    key: bytes = b""
    second_key: bytes = b""
    """What masks the nonce, if anything does."""
    iv: bytes = b""
    """IV or nonce; where a layout says so, with other fields in it."""
    ad: bytes = b""
    ad_bits: int | None = None
    """Length of the associated data, if the file has it."""
    text: bytes | None = None
    """Plaintext, or the message that is authenticated."""
    output: bytes | None = None
    """Ciphertext, without the tag."""
    text_bits: int | None = None
    """Length of text and output, if the file has it."""
    tag: bytes | None = None
    tagged: bytes | None = None
    """Ciphertext and tag in one, in the place of `output` and `tag`."""
    keystream: bytes | None = None
    offset: int = 0
    """Bytes of keystream before it."""
    iterations: int = 1
    """How often in a row a block is encrypted."""
    digest: bytes | None = None
    """Sum modulo 2 of the blocks of a keystream, each as long as the digest."""
    digested: int = 0
    """Bytes of that keystream, from its first one on."""
    counter: int | None = None
    """Number of the block at which the keystream begins."""
    key_bits: int | None = None
    """Length of the key as the file states it apart from the key."""
    iv_bits: int | None = None
    tag_bits: int | None = None
    result: str = "valid"
    """One of `headwater.cipher.cases.RESULTS`."""
    left_out: str = ""
    """What the vector has that no cipher here takes, as a reason to skip it."""


def hexadecimal(line: int, name: str, digits: str) -> bytes:
    """Bytes that are written in hexadecimal digits, in groups or not. An error never shows them,
    as they may be a key."""
    try:
        return bytes.fromhex(re.sub(r"[\s:]", "", digits).removeprefix("0x"))
    except (TypeError, ValueError) as error:
        raise InputError(f"line {line}: {name} must be pairs of hexadecimal digits") from error


def whole_number(line: int, name: str, written: object) -> int:
    """A whole number of at least zero, as a number or in decimal digits."""
    if not re.fullmatch(r"[0-9]{1,19}", str(written)):
        raise InputError(f"line {line}: {name} must be a whole number, not {written!r}")
    return int(str(written))


def check_length(line: int, name: str, data: bytes, bits: int | None) -> None:
    """Refuse bytes of another length than the file states elsewhere."""
    if bits is not None and len(data) != -(-bits // 8):
        raise InputError(
            f"line {line}: {name} must be {bits} bits, as the file states, not {8 * len(data)}"
        )


def result_of(line: int, written: object) -> str:
    """What is expected of a vector, in the words of `RESULTS`."""
    if written not in RESULTS:
        raise InputError(f"line {line}: {unknown('result', written, RESULTS)}")
    return str(written)
