# SPDX-License-Identifier: Apache-2.0
"""A picture of a cipher's registers and taps, drawn from its description, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Any

from headwater.cipher.description import Cipher

_WIDTH, _LEFT, _RIGHT = 760, 110, 10
_TOP, _BELOW, _HEIGHT, _LINE = 22, 40, 20, 12
"""Above a bar with one row of numbers, below the top of a bar, a bar, a further row of numbers."""
_DIGIT, _GAP = 7, 3
"""Width of a digit, and the least distance of two numbers."""
_ADJACENT = 4
"""So many taps that follow each other have one label."""
_STYLE = (
    "<style>.registers text{font:12px sans-serif;fill:#57606a}"
    ".registers .name{font-weight:600;fill:#24292f}"
    ".registers rect,.registers path{fill:none;stroke:#57606a}.registers rect{fill:#eef2f6}"
    ".registers .tap,.registers .lead{stroke:#d55e00}.registers .lead{opacity:.35}"
    "@media(prefers-color-scheme:dark){.registers text{fill:#b0b7be}"
    ".registers .name{fill:#e6e8eb}.registers rect{fill:#262b31}}</style>"
)


def picture(cipher: Cipher) -> str:
    """Each register as a bar as long as its bits, the newest left, with a line and a number for
    each stage that the step reads, and what the feedback is made of. Empty for a cipher whose
    description has no registers."""
    registers = cipher.sheet().get("registers", {})
    if not registers:
        return ""
    scale = (_WIDTH - _LEFT - _RIGHT) / max(facts["length"] for facts in registers.values())
    parts, height = [], 0
    for name, facts in registers.items():
        labels = list(_labels(facts, scale))
        height += _TOP + _LINE * max((label.row for label in labels), default=0)
        parts += [*_register(name, facts, height, scale), *_taps(facts, labels, height, scale)]
        height += _BELOW
    title = escape(f"Registers and taps of {cipher.title}")
    root = f'class="registers" role="img" viewBox="0 0 {_WIDTH} {height}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {root}>',
            f"<title>{title}</title>",
            _STYLE,
            *parts,
            "</svg>",
        ]
    )


def _register(name: str, facts: Mapping[str, Any], top: int, scale: float) -> Iterator[str]:
    length, middle = facts["length"], top + _HEIGHT / 2
    yield f'<text class="name" x="{_LEFT - 28}" y="{middle + 4}" text-anchor="end">{name}</text>'
    yield f'<rect x="{_LEFT}" y="{top}" width="{length * scale:.1f}" height="{_HEIGHT}"/>'
    says = f"{length} bit" + "s" * (length > 1)
    if facts.get("feedback_from"):
        yield f'<path d="M{_LEFT - 22} {middle}h22m-6 -4l6 4l-6 4"/>'
        says += f", feedback of degree {facts['feedback_degree']} from "
        says += ", ".join(facts["feedback_from"])
    yield f'<text x="{_LEFT}" y="{top + _HEIGHT + 15}">{says}</text>'


@dataclass(frozen=True)
class _Label:
    """The number of a tap, or the first and last one of adjacent taps: its text, the middle of it,
    the row above the bar, the lowest is 0, and the taps."""

    text: str
    place: float
    row: int
    taps: Sequence[int]


def _labels(facts: Mapping[str, Any], scale: float) -> Iterator[_Label]:
    """The numbers of all taps, each in the lowest row that has room for it."""
    newest = _ends(facts)[0]
    free: list[float] = []
    taps = sorted(facts.get("taps", []), key=lambda one: abs(one - newest))
    for some in _runs(taps):
        text = f"{some[0]} to {some[-1]}" if len(some) > 1 else str(some[0])
        place = sum(_place(tap, facts, scale) for tap in some) / len(some)
        half = _DIGIT * len(text) / 2
        row = next((row for row, end in enumerate(free) if place - half >= end), len(free))
        free[row : row + 1] = [place + half + _GAP]
        yield _Label(text, place, row, some)


def _runs(taps: Sequence[int]) -> Iterator[Sequence[int]]:
    """Taps one by one, but those of which at least four are adjacent together."""
    for _, some in groupby(enumerate(taps), lambda one: abs(one[1] - taps[0]) - one[0]):
        run = [tap for _, tap in some]
        yield from [run] if len(run) >= _ADJACENT else [[tap] for tap in run]


def _taps(
    facts: Mapping[str, Any], labels: Sequence[_Label], top: int, scale: float
) -> Iterator[str]:
    """A line for each tap, the numbers, and a faint line from a tap to a number further above."""
    for label in labels:
        above = top - _LINE * label.row
        for tap in label.taps:
            place = _place(tap, facts, scale)
            yield f'<path class="tap" d="M{place:.1f} {top - 4}v{_HEIGHT + 4}"/>'
        if label.row and len(label.taps) == 1:
            yield f'<path class="lead" d="M{label.place:.1f} {above - 4}v{top - above}"/>'
        where = f'x="{label.place:.1f}" y="{above - 7}" text-anchor="middle"'
        yield f"<text {where}>{label.text}</text>"


def _place(tap: int, facts: Mapping[str, Any], scale: float) -> float:
    return _LEFT + (abs(tap - _ends(facts)[0]) + 0.5) * scale


def _ends(facts: Mapping[str, Any]) -> Sequence[int]:
    """The newest and the oldest stage."""
    ends: Sequence[int] = facts.get("stages", (1, facts["length"]))
    return ends
