# SPDX-License-Identifier: Apache-2.0
"""Statements of Verilog: equations of words, and registers that take them at a clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from headwater.emit.branches import BranchWriter, Conditions
from headwater.emit.equations import Equations
from headwater.emit.expression import Expression, as_condition, operation
from headwater.emit.layout import Token, glued, laid_out, text_of
from headwater.emit.netlist import ONE, Bit, Bits, Memory
from headwater.emit.updates import Update, is_reset


def statement(start: str, value: Expression, indent: str) -> list[str]:
    """``start``, which is a target and its operator, followed by the value."""
    first, *others = glued("", value.tokens(), ";")
    fixed = Token(first.text, first.depth, breaks=False)
    return laid_out([Token(start, 0), fixed, *others], indent)


class Clocked(BranchWriter):
    """Writes the clocked assignments of registers. A ``reset`` is one that acts at once."""

    begin, end, step = "begin", "end", "  "

    def __init__(self, equations: Equations, reset: Bit | None = None) -> None:
        super().__init__(equations)
        self._reset = reset

    def block(self, group: Sequence[Update]) -> list[str]:
        """One clocked block for registers with the same conditions."""
        at_once = self._reset is not None and is_reset(group, self._reset)
        edges = "posedge clk or posedge rst" if at_once else "posedge clk"
        return [f"  always @({edges}) begin", *self.written(group, "    "), "  end"]

    def stored(self, memory: Memory) -> list[str]:
        """The clocked block of a memory."""
        enable, address, word = memory.written
        place, begins = self._equations.word(address), ["  always @(posedge clk) begin"]
        target = f"{memory.name}[{text_of(place.tokens())}] <="
        if enable == (ONE,):
            return [*begins, *statement(target, self._equations.word(word), "    "), "  end"]
        asked = as_condition(self._equations.word(enable))
        begins += laid_out(glued("if (", asked.tokens(1), ") begin"), "    ")
        written = statement(target, self._equations.word(word), "      ")
        return [*begins, *written, "    end", "  end"]

    def opened(self, start: str, conditions: Conditions, indent: str) -> list[str]:
        """The lines that ask for conditions and begin a block."""
        asked = _logical("&&", [_logical("||", map(self._asked, group)) for group in conditions])
        return laid_out(glued(f"{start}if (", asked.tokens(1), ") begin"), indent)

    def assigned(self, update: Update, word: Bits, indent: str) -> list[str]:
        """The lines that give a register, or some of its bits, its next value."""
        target, names = update.register, self._equations.names
        if update.width < len(names.words[target]):
            low = update.low + names.lowest.get(target, 0)
            high = low + update.width - 1
            target += f"[{high}:{low}]" if update.width > 1 else f"[{low}]"
        return statement(f"{target} <=", self._equations.word(word), indent)


def _logical(operator: str, bits: Iterable[Expression]) -> Expression:
    operands = list(bits)
    return operands[0] if len(operands) == 1 else operation(operator, 1, *operands)
