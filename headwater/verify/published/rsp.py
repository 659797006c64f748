# SPDX-License-Identifier: Apache-2.0
"""Responses of NIST's Cryptographic Algorithm Validation Program: .rsp files of modes of AES."""

from __future__ import annotations

import re
from collections.abc import Iterator

from headwater.errors import InputError
from headwater.verify.published.case import Case, check_length, hexadecimal
from headwater.verify.published.lines import blocks
from headwater.verify.published.source import Source

_NAMES = ("count", "key", "iv", "plaintext", "ciphertext")
_DATA = _NAMES[1:]
_ABOUT = re.compile(r"(?m)^# *(\w+)VS +(\w+) test data for (\S+)")
_KEY_LENGTH = re.compile(r"(?m)^# *Key Length *: *(\d+)")
_SECTION = re.compile(r"(?m)^\[(ENCRYPT|DECRYPT)\]")


def fits(source: Source) -> bool:
    """Whether a line begins the vectors of a direction."""
    return _SECTION.search(source.text) is not None


def read(source: Source) -> Iterator[Case]:
    """The vectors of the file. One of the Monte Carlo test, whose output comes of a thousand
    encryptions, is left out."""
    about, length = _ABOUT.search(source.text), _KEY_LENGTH.search(source.text)
    algorithm = f"{about[1]}-{about[3]}" if about else ""
    left_out = "a Monte Carlo test" if about and about[2] == "MCT" else ""
    key_bits = int(length[1]) if length else None
    for block in blocks(source.text):
        fields = block.fields(_NAMES)
        missing = [name for name in _NAMES if name not in fields]
        if missing:
            raise InputError(f"line {block.line}: a vector must have {', '.join(_NAMES)}, but has "
                             f"no {missing[0]}")  # fmt: skip
        key, iv, text, output = (
            hexadecimal(fields[name].line, fields[name].name, fields[name].value) for name in _DATA
        )
        check_length(fields["key"].line, "KEY", key, key_bits)
        check_length(fields["ciphertext"].line, "CIPHERTEXT", output, 8 * len(text))
        yield Case(name=f"{block.section.lower()} {fields['count'].value}", line=block.line,
                   algorithm=algorithm, key=key, iv=iv, text=text, output=output,
                   key_bits=key_bits, left_out=left_out)  # fmt: skip
