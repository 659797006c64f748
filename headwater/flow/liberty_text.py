# SPDX-License-Identifier: Apache-2.0
"""The groups and attributes of a liberty text.

Yosys reads functions and areas of cells, but passes on no table. The reader that PyPI has is under
the GPL, which a package under Apache-2.0 cannot depend on.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from headwater.errors import InputError

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_CONTINUED = re.compile(r"\\[ \t\r]*\n")
_STATEMENT = re.compile(
    r"\s*(?:"
    r"(?P<close>\})"
    r"|(?P<attribute>\w+)\s*:\s*(?:\"(?P<text>[^\"]*)\"|(?P<value>[^;\n}\"]*))\s*;?"
    r"|(?P<group>\w+)\s*\((?P<arguments>(?:\"[^\"]*\"|[^()\"])*)\)\s*(?P<open>\{|;)?"
    r"|(?P<empty>;)"
    r")"
)
_CELL = re.compile(r'^[ \t]*cell\s*\(\s*"?(\w+)"?\s*\)\s*\{', re.MULTILINE)


@dataclass
class Group:
    """A group: its kind and arguments, its attributes by name, and the groups in it, in order. A
    complex attribute, as ``values (...)``, is a group without members."""

    kind: str
    arguments: list[str] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The first argument; empty where there is none."""
        return self.arguments[0] if self.arguments else ""

    def all(self, kind: str) -> Iterator[Group]:
        """The groups of a kind directly in this one."""
        return (group for group in self.groups if group.kind == kind)

    def first(self, kind: str) -> Group | None:
        """The first of them; None if there is none."""
        return next(self.all(kind), None)

    def numbers(self, kind: str) -> list[float]:
        """The numbers of a complex attribute, row after row; none where it is absent."""
        group = self.first(kind)
        listed = group.arguments if group else []
        return [float(number) for row in listed for number in re.split(r"[\s,]+", row) if number]


def read_group(text: str) -> Group:
    """The outermost group of a liberty text: the library.

    Raises:
        InputError: the text is not of the form of liberty.
    """
    plain = _CONTINUED.sub(" ", _COMMENT.sub(" ", text))
    path, place = [Group("")], 0
    while match := _STATEMENT.match(plain, place):
        place = match.end()
        if match["close"]:
            if len(path) < 2:
                place = match.start()
                break
            path.pop()
        elif match["attribute"]:
            value = match["text"] if match["text"] is not None else match["value"].strip()
            path[-1].attributes[match["attribute"]] = value
        elif match["group"]:
            group = Group(match["group"], list(_arguments(match["arguments"])))
            path[-1].groups.append(group)
            if match["open"] == "{":
                path.append(group)
    if plain[place:].strip() or len(path) != 1 or len(path[0].groups) != 1:
        line = plain.count("\n", 0, place) + 1
        raise InputError(f"a liberty text must be one library, which this is not near line {line}")
    return path[0].groups[0]


def _arguments(text: str) -> Iterator[str]:
    for quoted, plain in re.findall(r'"([^"]*)"|([^\s,"]+)', text):
        yield quoted or plain


def with_cells_alone(text: str, cells: Collection[str]) -> str:
    """A library without the cells that are not among ``cells``, which then is read much faster."""
    starts = list(_CELL.finditer(text))
    ends = [start.start() for start in starts[1:]]
    if not starts:
        return text
    # The last cell stays: the end of the library is behind it.
    kept = [
        text[start.start() : end]
        for start, end in zip(starts, ends, strict=False)
        if start[1] in cells
    ]
    return "".join([text[: starts[0].start()], *kept, text[starts[-1].start() :]])
