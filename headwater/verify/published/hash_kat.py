# SPDX-License-Identifier: Apache-2.0
"""Known answers of hash functions as the submissions to NIST's lightweight cryptography have them:
a message and its digest, and a customization string Z where there is one."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.verify.published.case import Case, hexadecimal
from headwater.verify.published.lines import blocks
from headwater.verify.published.source import Source

_NEEDED = ("count", "msg", "md")
NAMES = (*_NEEDED, "z")


def fits(source: Source) -> bool:
    """Whether the text begins with such a vector."""
    names = [line.partition("=")[0].strip().lower() for line in source.first_lines(3)]
    return names[:2] == ["count", "msg"] and names[2:] in (["md"], ["z"])


def read(source: Source) -> Iterator[Case]:
    """The vectors of the file."""
    for block in blocks(source.text):
        fields = block.fields(NAMES, _NEEDED)
        data = {
            name: hexadecimal(one.line, one.name, one.value)
            for name, one in fields.items()
            if name != "count"
        }
        yield Case(
            name=f"Count {fields['count'].value}",
            line=block.line,
            text=data["msg"],
            ad=data.get("z", b""),
            tag=data["md"],
        )
