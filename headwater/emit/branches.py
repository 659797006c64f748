# SPDX-License-Identifier: Apache-2.0
"""Clocked updates as nested conditions, in a language with `if`, `else` and blocks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from headwater.emit.equations import Equations
from headwater.emit.expression import Expression, as_condition, inverted
from headwater.emit.netlist import Bits
from headwater.emit.updates import Branch, Condition, Tree, Update

Conditions = Iterable[Iterable[Condition]]
"""Groups of conditions: one of each group must hold."""

_Pending = Sequence[tuple[Update, Tree]]
"""Updates, and what is left to write of each: trees of one shape."""


class BranchWriter(ABC):
    """Writes registers with the same conditions in one block; a language says how."""

    begin: ClassVar[str]
    """What begins a block."""
    end: ClassVar[str]
    """What ends it."""
    step: ClassVar[str]
    """How much further the lines of a block are indented."""

    def __init__(self, equations: Equations) -> None:
        self._equations = equations

    def written(self, group: Sequence[Update], indent: str) -> Iterator[str]:
        """The statements of updates with the same conditions."""
        return self._statements([(update, update.tree) for update in group], indent)

    @abstractmethod
    def opened(self, start: str, conditions: Conditions, indent: str) -> Iterable[str]:
        """The lines that ask for conditions and begin a block. ``start`` comes before the `if`."""

    @abstractmethod
    def assigned(self, update: Update, word: Bits, indent: str) -> Iterable[str]:
        """The lines that give a register its next value."""

    def _asked(self, condition: Condition) -> Expression:
        """What must be true for a condition to hold."""
        bit = self._equations.word((condition.bit,))
        return as_condition(inverted(bit) if condition.inverted else bit)

    def _statements(self, pending: _Pending, indent: str) -> Iterator[str]:
        if isinstance(pending[0][1], Branch):
            yield from self._branch(pending, indent)
            return
        for update, word in pending:
            assert isinstance(word, tuple)
            yield from self.assigned(update, word, indent)

    def _branch(self, pending: _Pending, indent: str, start: str = "") -> Iterator[str]:
        branches = [(update, tree) for update, tree in pending if isinstance(tree, Branch)]
        yield from self.opened(start, branches[0][1].conditions, indent)
        then = [(update, tree.then) for update, tree in branches]
        yield from self._statements(then, indent + self.step)
        others = [(update, tree.otherwise) for update, tree in branches]
        if isinstance(others[0][1], Branch):
            yield from self._branch(others, indent, f"{self.end} else ")
            return
        if others[0][1] is not None:
            yield f"{indent}{self.end} else {self.begin}"
            yield from self._statements(others, indent + self.step)
        yield f"{indent}{self.end}"
