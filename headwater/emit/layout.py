# SPDX-License-Identifier: Apache-2.0
"""Statements in lines of readable length, broken where the fewest brackets are open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from headwater.core.heading import LINE_LENGTH


@dataclass(frozen=True)
class Token:
    """A piece of text that is never broken."""

    text: str
    depth: int
    """Open brackets before it."""
    breaks: bool = True
    """Whether a line may begin with it."""
    spaced: bool = True
    """Whether a space stands before it."""


def glued(before: str, tokens: Iterable[Token], after: str = "") -> Iterator[Token]:
    """The tokens with text attached to the first and to the last of them."""
    pieces = list(tokens)
    pieces[0] = replace(pieces[0], text=before + pieces[0].text)
    pieces[-1] = replace(pieces[-1], text=pieces[-1].text + after)
    # Text that opens a bracket is still outside of it.
    if before and before[-1] in "({[":
        pieces[0] = replace(pieces[0], depth=pieces[0].depth - 1)
    yield from pieces


def laid_out(tokens: Iterable[Token], indent: str) -> list[str]:
    """The lines of a statement; all lines but the first have a deeper indent."""
    left = list(tokens)
    lines = []
    while left:
        count = _fitting(left, LINE_LENGTH - len(indent))
        lines.append(indent + text_of(left[:count]))
        left = left[count:]
        if len(lines) == 1:
            indent += "    "
    return lines


def _fitting(tokens: list[Token], room: int) -> int:
    """Number of tokens in the next line."""
    used, best = 0, 0
    for place, token in enumerate(tokens):
        if place and token.breaks and (not best or token.depth <= tokens[best].depth):
            best = place
        used += len(token.text) + (place > 0 and token.spaced)
        if used > room and best:
            return best
    return len(tokens)


def text_of(tokens: Iterable[Token]) -> str:
    """The tokens in one line."""
    return "".join(
        (" " if token.spaced and place else "") + token.text for place, token in enumerate(tokens)
    )
