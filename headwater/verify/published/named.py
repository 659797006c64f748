# SPDX-License-Identifier: Apache-2.0
"""Vectors as lines NAME = value, with the names that RFCs and cryptographic libraries use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from headwater.errors import InputError
from headwater.verify.published.case import Case, hexadecimal, result_of, whole_number
from headwater.verify.published.lines import Block, blocks
from headwater.verify.published.source import Source

_MEMBERS: Mapping[str, tuple[str, ...]] = {
    "key": ("key",),
    "iv": ("iv", "nonce"),
    "ad": ("ad", "aad"),
    "text": ("plaintext", "pt", "msg", "message", "in", "input"),
    "output": ("ciphertext", "ct", "output"),
    "tag": ("tag", "mac"),
    "keystream": ("keystream", "stream"),
    "offset": ("offset",),
    "counter": ("counter", "block counter", "initial_block_counter", "initial block counter"),
    "algorithm": ("cipher", "algorithm"),
    "result": ("result",),
}
"""The names that a member of a case may have in a file."""

_ERROR = re.compile("[A-Z_]+")
"""How OpenSSL names the error that a vector must end with."""

_WITHOUT_MEANING = ("count", "title", "operation", "availablein", "fipsversion")
"""Names whose values change no expected output: a cipher here is tested in both directions."""

LEGAL = (*(name for names in _MEMBERS.values() for name in names), *_WITHOUT_MEANING)
_NUMBERS = ("offset", "counter")
_WORDS = ("algorithm", "result")


def fits(source: Source) -> bool:
    """Whether the text begins with lines of such names."""
    names = [
        line.replace(":", "=").partition("=")[0].strip().lower() for line in source.first_lines(1)
    ]
    return bool(names) and names[0] in LEGAL


def read(source: Source) -> Iterator[Case]:
    """The vectors of the file. A block of titles alone is none."""
    algorithm = ""
    for number, block in enumerate(blocks(source.text), 1):
        members = _members(block)
        algorithm = str(members.get("algorithm", algorithm))
        if "key" in members:
            yield Case(
                **{
                    "name": f"vector {number}",
                    "line": block.line,
                    **members,
                    "algorithm": algorithm,
                }
            )
        elif set(members) - {"algorithm"}:
            raise InputError(f"line {block.line}: a vector must have a key")


def _members(block: Block) -> dict[str, Any]:
    fields = block.fields(LEGAL)
    members: dict[str, Any] = {}
    for member, names in _MEMBERS.items():
        present = [fields[name] for name in names if name in fields]
        if len(present) > 1:
            raise InputError(
                f"line {present[1].line}: a vector must have {present[0].name} or "
                f"{present[1].name}, not both"
            )
        for entry in present:
            members[member] = _value(member, entry.line, entry.name, entry.value)
    return members


def _value(member: str, line: int, name: str, written: str) -> Any:
    if member in _NUMBERS:
        return whole_number(line, name, written)
    if member == "result":
        return "invalid" if _ERROR.fullmatch(written) else result_of(line, written)
    return written if member in _WORDS else hexadecimal(line, name, written)
