# SPDX-License-Identifier: Apache-2.0
"""The expression of each kind of cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from headwater.emit import expression
from headwater.emit.expression import Expression
from headwater.emit.netlist import ZERO, Bits, Cell
from headwater.emit.words import Names, Piece

Read = Callable[[Bits], Expression]
"""The expression of a word that is read."""

_BINARY = {"$and": "&", "$or": "|", "$xor": "^", "$add": "+", "$sub": "-"}
_COMPARING = {"$eq": "==", "$ne": "!="}
_REDUCING = {"$reduce_and": "&", "$reduce_or": "|", "$reduce_xor": "^", "$reduce_bool": "|"}
_LOOKING_UP = ("$shift", "$shiftx", "$shr")


class Operators:
    """Makes expressions of cells and pieces of words.

    Names of values, by signal, are written in comparisons with the signal. For each function there
    are the names of its arguments.
    """

    def __init__(
        self,
        values: Mapping[str, Mapping[int, str]],
        functions: Mapping[str, Sequence[str]],
    ) -> None:
        self._values = values
        self._functions = functions
        self.used: set[str] = set()
        """The names of values that have been written."""
        self.tables: dict[str, int] = {}
        """The constants that were used as tables, with the bits of an entry."""

    def read(self, cell: Cell, low: int, width: int) -> Iterator[Bits]:
        """The operand words of this part of the output."""
        inputs, wide = cell.inputs, len(cell.output)
        if cell.can_be_cut or cell.can_be_narrowed:
            for port in sorted(inputs.keys() - {"S"}):
                yield _resized(inputs[port], wide)[low : low + width]
            if "S" in inputs:
                yield inputs["S"]
        elif cell.kind in _COMPARING:
            widest = max(map(len, inputs.values()))
            yield from (_resized(inputs[port], widest) for port in ("A", "B"))
        elif cell.kind in self._functions:
            yield from (inputs[port] for port in self._functions[cell.kind])
        elif cell.kind in _LOOKING_UP:
            yield inputs["A"]
            place = _without_leading_zeros(inputs["B"])
            # A narrower place than the table has bits would be a warning.
            yield _resized(place, max(len(place), (len(inputs["A"]) - 1).bit_length()))
        else:
            yield from (inputs[port] for port in sorted(inputs))

    def of_cell(self, cell: Cell, low: int, width: int, read: Read) -> Expression:
        """The expression of a part of a cell's output."""
        kind, words = cell.kind, [read(word) for word in self.read(cell, low, width)]
        if kind in _BINARY:
            return expression.operation(_BINARY[kind], width, *words)
        if kind == "$not":
            return expression.inverted(words[0])
        if kind == "$mux":
            return expression.Choice(words[1].width, words[2], words[1], words[0])
        if kind in _COMPARING:
            return self._compared(_COMPARING[kind], words[0], words[1])
        if kind == "$logic_not":
            return self._compared("==", words[0], expression.Constant(words[0].width, 0))
        if kind in _REDUCING:
            (word,) = words
            return word if word.width == 1 else expression.Prefixed(1, _REDUCING[kind], word)
        if kind in _LOOKING_UP and isinstance(words[0], expression.Name):
            steps = words[1].parts[-1].width if isinstance(words[1], expression.Joined) else 0
            self.tables[words[0].name] = 1 << steps
            return expression.Entry(width, words[0].name, words[1])
        if cell.memory:
            return expression.Stored(width, cell.memory, words[0], low, len(cell.output))
        if kind in self._functions:
            return expression.Call(width, kind, tuple(words))
        raise AssertionError(f"no expression is known for a cell of the kind {kind!r}")

    def _compared(self, operator: str, left: Expression, right: Expression) -> Expression:
        if isinstance(left, expression.Constant):
            left, right = right, left
        if isinstance(right, expression.Constant):
            if right.width == 1:
                return left if (operator == "==") == right.value else expression.inverted(left)
            name = self._values.get(str(left), {}).get(right.value)
            if name:
                self.used.add(name)
                right = expression.Name(right.width, name)
        return expression.Operation(1, operator, (left, right))

    def piece(self, piece: Piece, read: Read, names: Names) -> Expression:
        """The expression of a piece of a word."""
        if piece.source is None:
            return expression.Constant(piece.width, piece.low)
        if isinstance(piece.source, Cell):
            printed = self.of_cell(piece.source, piece.low, piece.width, read)
        elif piece.width == len(names.words[piece.source]):
            printed = expression.Name(piece.width, piece.source)
        else:
            low = piece.low + names.lowest.get(piece.source, 0)
            printed = expression.Part(piece.width, piece.source, low)
        return (
            printed if piece.times == 1 else expression.Repeated(piece.times * piece.width, printed)
        )

    def joined(self, parts: Sequence[Expression]) -> Expression:
        """Words side by side, the lowest first."""
        if len(parts) == 1:
            return parts[0]
        return expression.Joined(sum(part.width for part in parts), tuple(reversed(parts)))


def _without_leading_zeros(word: Bits) -> Bits:
    while len(word) > 1 and word[-1] == ZERO:
        word = word[:-1]
    return word


def _resized(word: Bits, width: int) -> Bits:
    return (*word, *(ZERO for _ in range(width - len(word))))[:width]
