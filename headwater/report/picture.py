# SPDX-License-Identifier: Apache-2.0
"""A picture of a cipher's registers and taps, drawn from its description, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from headwater.cipher.description import Cipher

_WIDTH, _LEFT, _RIGHT = 760, 110, 10
_TOP, _ROW, _HEIGHT, _DIGIT = 22, 62, 20, 8
_STYLE = (
    "<style>.registers text{font:12px sans-serif;fill:#57606a}"
    ".registers .name{font-weight:600;fill:#24292f}"
    ".registers rect,.registers path{fill:none;stroke:#57606a}.registers rect{fill:#eef2f6}"
    ".registers .tap{stroke:#d55e00}"
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
    parts = [line for number, (name, facts) in enumerate(registers.items())
             for line in _register(name, facts, _TOP + number * _ROW, scale)]  # fmt: skip
    height = _TOP + len(registers) * _ROW
    title = escape(f"Registers and taps of {cipher.title}")
    root = f'class="registers" role="img" viewBox="0 0 {_WIDTH} {height}"'
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" {root}>',
        f"<title>{title}</title>", _STYLE, *parts, "</svg>",
    ])  # fmt: skip


def _register(name: str, facts: Mapping[str, Any], top: int, scale: float) -> Iterator[str]:
    length, middle = facts["length"], top + _HEIGHT / 2
    yield f'<text class="name" x="{_LEFT - 28}" y="{middle + 4}" text-anchor="end">{name}</text>'
    yield f'<rect x="{_LEFT}" y="{top}" width="{length * scale:.1f}" height="{_HEIGHT}"/>'
    yield from _taps(facts.get("taps", []), facts.get("stages", (1, length)), top, scale)
    says = f"{length} bit" + "s" * (length > 1)
    if facts.get("feedback_from"):
        yield f'<path d="M{_LEFT - 22} {middle}h22m-6 -4l6 4l-6 4"/>'
        says += f", feedback of degree {facts['feedback_degree']} from "
        says += ", ".join(facts["feedback_from"])
    yield f'<text x="{_LEFT}" y="{top + _HEIGHT + 15}">{says}</text>'


def _taps(taps: Sequence[int], ends: Sequence[int], top: int, scale: float) -> Iterator[str]:
    """A line for each tap, and the number of its stage where there is room."""
    newest, oldest = ends
    free = 0.0
    for stage in sorted(taps, key=lambda one: abs(one - newest)):
        place = _LEFT + (abs(stage - newest) + 0.5) * scale
        yield f'<path class="tap" d="M{place:.1f} {top - 4}v{_HEIGHT + 4}"/>'
        if place > free:
            yield f'<text x="{place:.1f}" y="{top - 7}" text-anchor="middle">{stage}</text>'
            free = place + _DIGIT * (len(str(max(newest, oldest))) + 1)
