# SPDX-License-Identifier: Apache-2.0
"""Statements of C: words of any width, and registers that take them in a cycle."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping

from headwater.core.heading import LINE_LENGTH
from headwater.emit.branches import BranchWriter, Conditions
from headwater.emit.c_expression import CExpressions, Signal, limb_parts, number
from headwater.emit.equations import Equations
from headwater.emit.expression import Expression
from headwater.emit.netlist import Bits
from headwater.emit.updates import Update

_WORDS_OF_C = """
    auto break case char const continue default do double else enum extern float for goto if inline
    int long register restrict return short signed sizeof static struct switch typedef union
    unsigned void volatile while state given out next uint64_t
"""
"""Names that a wire must not have: keywords, and the variables of the function."""


class CStatements(BranchWriter):
    """Writes assignments to words and to the next state, whose signals are known by name."""

    begin, end, step = "{", "}", "    "

    def __init__(
        self, equations: Equations, signals: Mapping[str, Signal], printed: CExpressions
    ) -> None:
        super().__init__(equations)
        self._signals = signals
        self._print = printed

    def opened(self, start: str, conditions: Conditions, indent: str) -> list[str]:
        """The lines that ask for conditions and begin a block."""
        alternatives = [
            [self._print.condition(self._asked(condition)).inside("if") for condition in group]
            for group in conditions
        ]
        texts = [" || ".join(group) for group in alternatives]
        if len(texts) > 1:
            texts = [
                f"({text})" if len(group) > 1 else text
                for text, group in zip(texts, alternatives, strict=True)
            ]
        return wrapped(f"{start}if ({' && '.join(texts)}) {{", indent)

    def assigned(self, update: Update, word: Bits, indent: str) -> Iterator[str]:
        """The lines that give a register, or some of its bits, its next value."""
        target = Signal(f"next.{local(update.register)}", self._signals[update.register].width)
        return self.bits(target, update.low, self._equations.word(word), indent)

    def bits(self, target: Signal, low: int, value: Expression, indent: str) -> Iterator[str]:
        """The statements that give the bits of a target from ``low`` on a value."""
        for limb, (begins, width) in enumerate(limb_parts(target.width)):
            first, last = max(begins, low), min(begins + width, low + value.width)
            if first >= last:
                continue
            term = self._print.limb(value, first - low, last - first)
            text, place = target.limb(limb), first - begins
            if last - first < width:
                kept = number((1 << width) - 1 ^ (1 << last - first) - 1 << place)
                moved = f"(({term.text}) << {place})" if place else term.inside("|")
                yield from wrapped(f"{text} = ({text} & {kept}) | {moved};", indent)
            else:
                yield from wrapped(f"{text} = {term.text};", indent)


def local(name: str) -> str:
    """The variable of a wire, or the member of a register."""
    return f"{name}_" if name in _WORDS_OF_C.split() else name


def wrapped(statement: str, indent: str = "    ") -> list[str]:
    """A statement in lines that are not too long."""
    return textwrap.wrap(
        statement,
        LINE_LENGTH,
        initial_indent=indent,
        subsequent_indent=indent + "    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
