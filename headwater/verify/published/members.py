# SPDX-License-Identifier: Apache-2.0
"""JSON whose vectors are the tests of groups: its objects, with errors that name the line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from headwater.errors import InputError, unknown
from headwater.verify.published.case import hexadecimal
from headwater.verify.published.source import Source


@dataclass(frozen=True)
class Test:
    """One test of a group."""

    line: int
    fields: Mapping[str, Any]
    group: Mapping[str, Any]

    def data(self, name: str) -> bytes | None:
        """A member of hexadecimal bytes; None if there is none."""
        return hexadecimal(self.line, name, self.fields[name]) if name in self.fields else None

    def needed(self, name: str, hint: str = "") -> bytes:
        """The same of a member that must be there."""
        data = self.data(name)
        if data is None:
            raise InputError(f"line {self.line}: a test must have {name!r}, but has none{hint}")
        return data

    def number(self, name: str) -> int | None:
        """A length that the test or its group states; None if neither does."""
        value = self.fields.get(name, self.group.get(name))
        if value is not None and (type(value) is not int or value < 0):
            raise InputError(f"line {self.line}: {name} must be a whole number, not {value!r}")
        return value


def tests(source: Source, content: Mapping[str, Any], legal: Sequence[str]) -> list[Test]:
    """All tests of all groups. A member of a test that is not legal is refused: it may change what
    is expected."""
    members = []
    for group in _objects(source, content, "testGroups"):
        for fields in _objects(source, group, "tests"):
            if "tcId" not in fields:
                raise InputError("line 1: each test must have 'tcId'")
            line = source.line_of("tcId", fields["tcId"])
            for name in fields:
                if name not in legal:
                    raise InputError(f"line {line}: {unknown('member of a test', name, legal)}")
            members.append(Test(line, fields, group))
    for number, count in Counter(test.fields["tcId"] for test in members).items():
        if type(number) is not int or count > 1:
            line = source.line_of("tcId", number)
            raise InputError(
                f"line {line}: tcId must be a whole number that no other test has, not {number!r}"
            )
    return members


def _objects(source: Source, parent: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    objects = parent.get(name)
    if not isinstance(objects, list) or not all(isinstance(one, dict) for one in objects):
        raise InputError(f"line {_line(source, name)}: {name!r} must be a list of objects")
    return objects


def _line(source: Source, name: str) -> int:
    place = source.text.find(f'"{name}"')
    return 1 + source.text.count("\n", 0, max(place, 0))
