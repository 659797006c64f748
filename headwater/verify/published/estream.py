# SPDX-License-Identifier: Apache-2.0
"""Test vectors as eSTREAM publishes them: sets of vectors, each some segments of a keystream and
the sum of all its blocks of 64 bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from headwater.errors import InputError
from headwater.verify.published.case import Case, hexadecimal
from headwater.verify.published.source import Source

BLOCK_BYTES = 64
_VECTOR = re.compile(r"\s*Set +(\d+), *vector# *(\d+):\s*")
_VALUE = re.compile(r"\s*(key|IV|xor-digest|stream\[(\d+)\.\.(\d+)\])\s*=\s*([0-9A-Fa-f]*)\s*")
_DIGITS = re.compile(r"\s+([0-9A-Fa-f]+)\s*")
_NAME = re.compile(r"Primitive Name:\s*(.*?)\s*")
_END = "End of test vectors"
"""The last line of a part that has a name."""
_SIZE = re.compile(r"(Key|IV) size:\s*(\d+) bits\s*")


def fits(source: Source) -> bool:
    """Whether a line begins such a vector."""
    return re.search(rf"(?m)^{_VECTOR.pattern}$", source.text) is not None


@dataclass
class _Header:
    """What a part of a file states of all its vectors."""

    algorithm: str = ""
    key_bits: int | None = None
    iv_bits: int | None = None
    part: int = 0
    """How many parts of the file come before: each has the same names of vectors."""


@dataclass
class _Value:
    line: int
    name: str
    digits: str
    ends: tuple[int, int]
    """First and last byte of a segment."""


@dataclass
class _Vector:
    line: int
    name: str
    header: _Header
    values: list[_Value] = field(default_factory=list)


def read(source: Source) -> Iterator[Case]:
    """A case for each segment and for each sum."""
    lines = source.text.rstrip().splitlines()
    if _NAME.search(source.text) and lines[-1].strip() != _END:
        raise InputError(
            f"line {len(lines)}: the last line must be {_END!r}: the file may have been cut short"
        )
    for vector in _vectors(source.text):
        yield from _cases(vector)


def _vectors(text: str) -> Iterator[_Vector]:
    header, vector, values = _Header(), None, False
    for number, line in enumerate(text.splitlines(), 1):
        if begin := _VECTOR.fullmatch(line):
            if vector:
                yield vector
            part = f"part {header.part}, " if header.part > 1 else ""
            vector = _Vector(number, f"{part}set {begin[1]}, vector {begin[2]}", header)
            values = False
        elif value := _VALUE.fullmatch(line):
            if vector is None:
                raise InputError(f"line {number}: a value must come behind a line Set, vector#")
            ends = (int(value[2] or 0), int(value[3] or 0))
            vector.values.append(_Value(number, value[1], value[4], ends))
            values = True
        elif (digits := _DIGITS.fullmatch(line)) and vector and values:
            vector.values[-1].digits += digits[1]
        else:
            values = False
            header = _with(header, line)
    if vector:
        yield vector


def _with(header: _Header, line: str) -> _Header:
    """The header with what a line of prose states."""
    if name := _NAME.fullmatch(line):
        return _Header(algorithm=name[1], part=header.part + 1)
    if size := _SIZE.fullmatch(line):
        key = int(size[2]) if size[1] == "Key" else header.key_bits
        iv = int(size[2]) if size[1] == "IV" else header.iv_bits
        return _Header(header.algorithm, key, iv, header.part)
    return header


def _cases(vector: _Vector) -> Iterator[Case]:
    data = {
        value.name: hexadecimal(value.line, value.name, value.digits) for value in vector.values
    }
    header, lines = vector.header, {value.name: value.line for value in vector.values}
    if len(lines) != len(vector.values):
        raise InputError(f"line {vector.line}: each value of a vector must be there once")
    for name in ("key", "IV", "xor-digest"):
        if name not in data:
            raise InputError(
                f"line {vector.line}: a vector must have a key, an IV and an "
                f"xor-digest, but has no {name}"
            )
    segments = [value for value in vector.values if value.name.startswith("stream")]
    if not segments:
        raise InputError(f"line {vector.line}: a vector must have a segment of keystream")
    for name, bits in (("key", header.key_bits), ("IV", header.iv_bits)):
        if bits is not None and len(data[name]) != -(-bits // 8):
            raise InputError(
                f"line {lines[name]}: {name} must be {bits} bits, as the file "
                f"states, not {8 * len(data[name])}"
            )

    def case(name: str, line: int, **fields: Any) -> Case:
        return Case(
            name=f"{vector.name}, {name}",
            line=line,
            algorithm=header.algorithm,
            key=data["key"],
            iv=data["IV"],
            key_bits=header.key_bits,
            iv_bits=header.iv_bits,
            **fields,
        )

    for value in segments:
        first, last = value.ends
        if len(data[value.name]) != last - first + 1:
            raise InputError(
                f"line {value.line}: {value.name} must be {last - first + 1} bytes, "
                f"not {len(data[value.name])}"
            )
        yield case(value.name, value.line, keystream=data[value.name], offset=first)
    if len(data["xor-digest"]) != BLOCK_BYTES:
        raise InputError(
            f"line {lines['xor-digest']}: xor-digest must be {BLOCK_BYTES} bytes, "
            f"not {len(data['xor-digest'])}"
        )
    # The stream that is summed ends with the last segment.
    end = max(value.ends[1] for value in segments) + 1
    yield case("xor-digest", lines["xor-digest"], digest=data["xor-digest"], digested=end)
