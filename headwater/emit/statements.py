# SPDX-License-Identifier: Apache-2.0
"""Statements of Verilog: equations of words, and registers that take them at a clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from headwater.emit.equations import Equations
from headwater.emit.expression import Expression, as_condition, inverted, operation
from headwater.emit.layout import Token, glued, laid_out
from headwater.emit.netlist import Bit
from headwater.emit.updates import Branch, Condition, Tree, Update, is_reset

Pending = Sequence[tuple[Update, Tree]]
"""Updates, and what is left to write of each: trees of one shape."""


def statement(start: str, value: Expression, indent: str) -> list[str]:
    """``start``, which is a target and its operator, followed by the value."""
    first, *others = glued("", value.tokens(), ";")
    fixed = Token(first.text, first.depth, breaks=False)
    return laid_out([Token(start, 0), fixed, *others], indent)


class Clocked:
    """Writes the clocked assignments of registers. A ``reset`` is one that acts at once."""

    def __init__(self, equations: Equations, reset: Bit | None = None) -> None:
        self._equations = equations
        self._reset = reset

    def block(self, group: Sequence[Update]) -> list[str]:
        """One clocked block for registers with the same conditions."""
        body = self._statements([(update, update.tree) for update in group], "    ")
        at_once = self._reset is not None and is_reset(group, self._reset)
        edges = "posedge clk or posedge rst" if at_once else "posedge clk"
        return [f"  always @({edges}) begin", *body, "  end"]

    def _statements(self, pending: Pending, indent: str) -> list[str]:
        tree = pending[0][1]
        if isinstance(tree, Branch):
            return self._branch(pending, indent, "if (")
        return [line for update, word in pending for line in self._assignment(update, word, indent)]

    def _branch(self, pending: Pending, indent: str, start: str) -> list[str]:
        branches = [(update, tree) for update, tree in pending if isinstance(tree, Branch)]
        condition = self._condition(branches[0][1].conditions)
        lines = laid_out(glued(start, condition.tokens(1), ") begin"), indent)
        lines += self._statements([(update, tree.then) for update, tree in branches], indent + "  ")
        others = [(update, tree.otherwise) for update, tree in branches]
        if isinstance(others[0][1], Branch):
            return lines + self._branch(others, indent, "end else if (")
        if others[0][1] is not None:
            lines += [f"{indent}end else begin", *self._statements(others, indent + "  ")]
        return [*lines, f"{indent}end"]

    def _condition(self, groups: Iterable[Iterable[Condition]]) -> Expression:
        return _logical("&&", [_logical("||", map(self._bit, group)) for group in groups])

    def _bit(self, condition: Condition) -> Expression:
        bit = self._equations.word((condition.bit,))
        return as_condition(inverted(bit) if condition.inverted else bit)

    def _assignment(self, update: Update, word: Tree, indent: str) -> list[str]:
        assert isinstance(word, tuple)
        target, names = update.register, self._equations.names
        if update.width < len(names.words[target]):
            low = update.low + names.lowest.get(target, 0)
            high = low + update.width - 1
            target += f"[{high}:{low}]" if update.width > 1 else f"[{low}]"
        return statement(f"{target} <=", self._equations.word(word), indent)


def _logical(operator: str, bits: Iterable[Expression]) -> Expression:
    operands = list(bits)
    return operands[0] if len(operands) == 1 else operation(operator, 1, *operands)
