# SPDX-License-Identifier: Apache-2.0
"""Test vectors: the shared file format, read and checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwater.cipher.description import ShiftRegisterCipher
from headwater.errors import InputError, unknown

KINDS = ("keystream",)
"""Kinds of vector file that can be run."""

_FOLDER = Path(__file__).with_name("vectors")


@dataclass(frozen=True)
class Vector:
    """One segment of keystream.

    Members
    -------
    name : str
        Its id in the file.
    key, iv : bytes
    offset, bits : int
        First keystream bit of the segment, and how many there are.
    keystream : bytes
        What must come out, packed in the file's bit order.
    """

    name: str
    key: bytes
    iv: bytes
    offset: int
    bits: int
    keystream: bytes


@dataclass(frozen=True)
class VectorFile:
    """The vectors of one file that are of one cipher, and why others are not run.

    Members
    -------
    name : str
        The file's name.
    vectors : tuple of Vector
    skipped : mapping of str to str
        Reason by vector id.
    """

    name: str
    vectors: tuple[Vector, ...]
    skipped: Mapping[str, str]


def own_files(cipher: ShiftRegisterCipher) -> list[Path]:
    """The vector files that come with the package for one cipher."""
    return sorted(_FOLDER.glob(f"{cipher.name}.json"))


def read_file(path: Path, cipher: ShiftRegisterCipher) -> VectorFile:
    """Read a vector file for ``cipher``.

    Raises
    ------
    InputError
        If the file cannot be read, is not of this format, or is of another cipher, another bit
        order or a kind that the cipher has not.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"vector file {path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"vector file {path} must be JSON: {error}") from error
    try:
        return _checked(path, content, cipher)
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"vector file {path} is not of the vector format: {error!r}") from error


def _checked(path: Path, content: Mapping[str, Any], cipher: ShiftRegisterCipher) -> VectorFile:
    if content["cipher"] != cipher.name:
        raise InputError(
            f"vector file {path} must be of cipher {cipher.name}, not {content['cipher']!r}"
        )
    if content["kind"] not in KINDS:
        raise unknown(f"kind of vectors for {cipher.name}", content["kind"], KINDS)
    if content["bit_order"] != cipher.bit_order:
        raise InputError(
            f"bit order of vector file {path} must be {cipher.bit_order}, "
            f"not {content['bit_order']!r}"
        )
    vectors, skipped = [], {}
    for entry in content["vectors"]:
        reason = _not_of(cipher, entry)
        if reason:
            skipped[entry["id"]] = reason
        else:
            vectors.append(_vector(path, entry))
    return VectorFile(path.name, tuple(vectors), skipped)


def _not_of(cipher: ShiftRegisterCipher, entry: Mapping[str, Any]) -> str:
    if entry["key_bits"] != cipher.key_bits:
        return f"{entry['key_bits']}-bit key"
    if entry["iv_bits"] not in cipher.iv_bits:
        return f"{entry['iv_bits']}-bit IV"
    return ""


def _vector(path: Path, entry: Mapping[str, Any]) -> Vector:
    try:
        key, iv, keystream = (bytes.fromhex(entry[name]) for name in ("key", "iv", "keystream"))
    except ValueError as error:
        raise InputError(f"vector {entry['id']!r} of {path} must hold hexadecimal bytes") from error
    bits, offset = entry["keystream_bits"], entry["offset_bits"]
    for what, number, least in (("keystream_bits", bits, 1), ("offset_bits", offset, 0)):
        if type(number) is not int or number < least:
            raise InputError(
                f"{what} of vector {entry['id']!r} of {path} must be a whole number of at least "
                f"{least}, not {number!r}"
            )
    if len(keystream) != -(-bits // 8):
        raise InputError(
            f"vector {entry['id']!r} of {path} must have {bits} keystream bits, "
            f"not {len(keystream)} bytes"
        )
    return Vector(entry["id"], key, iv, offset, bits, keystream)
