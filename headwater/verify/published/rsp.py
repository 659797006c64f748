# SPDX-License-Identifier: Apache-2.0
"""Responses of NIST's Cryptographic Algorithm Validation Program: .rsp files of AES
and its modes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from headwater.verify.published.case import Case, check_length, hexadecimal
from headwater.verify.published.lines import blocks
from headwater.verify.published.source import Source

_NAMES = ("count", "key", "iv", "plaintext", "ciphertext")
_OF_BLOCKS = "ECB"
"""The mode without an IV."""
_MONTE_CARLO = 1000
"""Encryptions in a row of a block, in a vector of the Monte Carlo test."""
_ABOUT = re.compile(r"(?m)^# *(\w+)VS +(\w+) test data for (\S+)")
_KEY_LENGTH = re.compile(r"(?m)^# *Key Length *: *(\d+)")
_SECTION = re.compile(r"(?m)^\[(ENCRYPT|DECRYPT)\]")


def fits(source: Source) -> bool:
    """Whether a line begins the vectors of a direction."""
    return _SECTION.search(source.text) is not None


def read(source: Source) -> Iterator[Case]:
    """The vectors of the file. Those of the Monte Carlo test, whose output comes of a thousand
    encryptions, are left out but for single blocks."""
    about, length = _ABOUT.search(source.text), _KEY_LENGTH.search(source.text)
    algorithm = f"{about[1]}-{about[3]}" if about else ""
    key_bits = int(length[1]) if length else None
    in_blocks = about is not None and about[3] == _OF_BLOCKS
    many = about is not None and about[2] == "MCT"
    left_out = "a Monte Carlo test" if many and not in_blocks else ""
    needed = [name for name in _NAMES if not (in_blocks and name == "iv")]
    for block in blocks(source.text):
        fields = block.fields(_NAMES, needed)
        data = {
            name: hexadecimal(one.line, one.name, one.value)
            for name, one in fields.items()
            if name != "count"
        }
        key, iv, text, output = (data.get(name, b"") for name in _NAMES[1:])
        check_length(fields["key"].line, "KEY", key, key_bits)
        check_length(fields["ciphertext"].line, "CIPHERTEXT", output, 8 * len(text))
        yield Case(
            name=f"{block.section.lower()} {fields['count'].value}",
            line=block.line,
            algorithm=algorithm,
            key=key,
            iv=iv,
            text=text,
            output=output,
            key_bits=key_bits,
            left_out=left_out,
            iterations=_MONTE_CARLO if many else 1,
        )
