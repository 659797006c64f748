# SPDX-License-Identifier: Apache-2.0
"""Known answers as the submissions to NIST's lightweight cryptography have them: the last bytes of
the ciphertext are the tag."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.errors import InputError
from headwater.verify.published.case import Case, hexadecimal
from headwater.verify.published.lines import blocks
from headwater.verify.published.source import Source

_DATA = ("key", "nonce", "pt", "ad", "ct")
NAMES = ("count", *_DATA)


def fits(source: Source) -> bool:
    """Whether the text begins with such a vector."""
    names = [line.partition("=")[0].strip().lower() for line in source.first_lines(2)]
    return names == ["count", "key"] and "\nnonce" in source.text[:4096].lower()


def read(source: Source) -> Iterator[Case]:
    """The vectors of the file."""
    for block in blocks(source.text):
        fields = block.fields(NAMES, NAMES)
        key, nonce, text, ad, tagged = (
            hexadecimal(fields[name].line, fields[name].name, fields[name].value) for name in _DATA
        )
        if len(tagged) <= len(text):
            raise InputError(
                f"line {fields['ct'].line}: CT must be longer than PT by a tag, not "
                f"{len(tagged)} bytes for {len(text)}"
            )
        yield Case(
            name=f"Count {fields['count'].value}",
            line=block.line,
            key=key,
            iv=nonce,
            ad=ad,
            text=text,
            tagged=tagged,
        )
