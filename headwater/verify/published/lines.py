# SPDX-License-Identifier: Apache-2.0
"""Text of lines NAME = value, in blocks with empty lines between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from headwater.errors import InputError, unknown

_SECTION = re.compile(r"\[(.*)\]")
_ASSIGNMENT = re.compile(r"\s*([A-Za-z][\w .#/-]*?)\s*([=:])(.*)")
_DIGITS = re.compile(r"[0-9A-Fa-f:\s]+")


@dataclass
class Assigned:
    """A value with its name, and where it stands."""

    line: int
    name: str
    value: str


@dataclass(frozen=True)
class Block:
    """The assignments between two empty lines."""

    section: str
    """What stands in brackets before it, or before an earlier block."""
    entries: tuple[Assigned, ...]

    @property
    def line(self) -> int:
        """Its first line."""
        return self.entries[0].line

    def fields(self, legal: tuple[str, ...], needed: Sequence[str] = ()) -> dict[str, Assigned]:
        """The assignments by name in small letters. A name that is not legal is refused, and so is
        one that stands there twice; and a block that lacks a needed one."""
        fields: dict[str, Assigned] = {}
        for entry in self.entries:
            name = entry.name.lower()
            if name not in legal:
                raise InputError(f"line {entry.line}: {unknown('name', entry.name, legal)}")
            if name in fields:
                raise InputError(f"line {entry.line}: {entry.name} must be there once in a vector")
            fields[name] = entry
        for name in needed:
            if name not in fields:
                raise InputError(
                    f"line {self.line}: a vector must have {', '.join(needed)}, but has no {name}"
                )
        return fields


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a text. Lines that begin with # are comments; a line of digits alone continues
    the value before it."""
    section, entries = "", list[Assigned]()
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("#"):
            continue
        mark = _SECTION.fullmatch(stripped)
        if entries and (mark or not stripped):
            yield Block(section, tuple(entries))
            entries = []
        if mark:
            section = mark[1].strip()
        elif stripped:
            _add(entries, number, line)
    if entries:
        yield Block(section, tuple(entries))


def _add(entries: list[Assigned], number: int, line: str) -> None:
    parts = _ASSIGNMENT.fullmatch(line)
    if parts:
        entries.append(Assigned(number, parts[1], parts[3].strip()))
    elif entries and _DIGITS.fullmatch(line):
        entries[-1].value += line.strip()
    else:
        raise InputError(f"line {number}: a line must be NAME = value, or digits that continue one")
