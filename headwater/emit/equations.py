# SPDX-License-Identifier: Apache-2.0
"""The cells of a netlist as expressions of named words.

A cell whose output is read once, or in separate pieces, becomes part of the expression that reads
it. A cell without a name that is read several times gets one, after the wire that reads it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from headwater.emit.expression import Expression, names_in
from headwater.emit.netlist import BITWISE, READS, Bits, Cell, Netlist
from headwater.emit.operators import Operators
from headwater.emit.ordering import after_needs, natural
from headwater.emit.words import Names, Piece

_WHAT_IT_IS = {
    "$add": "sum",
    "$sub": "difference",
    "$mux": "choice",
    "$eq": "reached",
    "$ne": "differs",
    "$and": "masked",
    "$or": "either",
    "$xor": "xor",
    "$reduce_or": "any",
    "$reduce_and": "all",
    "$reduce_xor": "parity",
    "$shift": "entry",
    READS: "entry",
    "$logic_not": "zero",
}


_SHORT = 4
"""The most pieces of an expression that is written out wherever it is read, and gets no name."""

_GATES = BITWISE | {"$eq", "$ne", "$logic_not", "$reduce_and", "$reduce_or", "$reduce_xor"}
"""The cells that such an expression is made of."""

_FEW = 8
"""The most places where such an expression is written out."""


@dataclass(frozen=True)
class _Demand:
    """Bits of a cell's output that are read, and the wire or register that needs them."""

    low: int
    width: int
    reader: str


class Equations:
    """Every word of a netlist as an expression.

    ``read`` are the words that registers and ports read, with the name of the reader.
    """

    def __init__(
        self,
        netlist: Netlist,
        names: Names,
        operators: Operators,
        read: Iterable[tuple[str, Bits]],
    ) -> None:
        self.netlist = netlist
        self.names = names
        self._operators = operators
        self._demands: defaultdict[Cell, list[_Demand]] = defaultdict(list)
        self._definitions: dict[str, Expression] = {}
        self._words: dict[Bits, Expression] = {}
        self._wires_read: dict[str, tuple[str, ...]] = {}
        self._sizes: dict[Cell, int] = {}
        self.given: list[str] = []
        """The names given here."""
        roots: dict[Cell, None] = {}
        for reader, word in read:
            self._demand(reader, names.pieces(word))
            roots |= dict.fromkeys(self._makers(word))
        for name in [name for name in names.words if not names.is_given(name)]:
            self._demand(name, names.definition(name))
            roots |= dict.fromkeys(self._makers(names.words[name]))
        order, _ = after_needs(roots, self._needs)
        for cell in reversed(order):
            self._decide(cell)

    def _makers(self, word: Bits) -> Iterator[Cell]:
        """The cells that make bits of a word, without registers."""
        for bit in word:
            if bit in self.netlist.drivers and not self.netlist.drivers[bit][0].is_register:
                yield self.netlist.drivers[bit][0]

    def _needs(self, cell: Cell) -> Iterator[Cell]:
        for word in cell.inputs.values():
            yield from self._makers(word)

    def _demand(self, reader: str, pieces: Iterable[Piece]) -> None:
        for piece in pieces:
            if isinstance(piece.source, Cell):
                self._demands[piece.source].append(_Demand(piece.low, piece.width, reader))

    def _decide(self, cell: Cell) -> None:
        """Give a cell a name if it needs one, and request its operands."""
        demands = self._demands[cell]
        if demands and not self._can_go_into_readers(cell, demands):
            demands = [self._give_name(cell, demands)]
        for demand in demands:
            for word in self._operators.read(cell, demand.low, demand.width):
                self._demand(demand.reader, self.names.pieces(word))

    def _can_go_into_readers(self, cell: Cell, demands: list[_Demand]) -> bool:
        partial = [one for one in demands if not _is_simple_part(cell, one)]
        if partial:
            return False
        read = [place for one in demands for place in range(one.low, one.low + one.width)]
        return len(read) == len(set(read)) or (
            self._size(cell) <= (_SHORT if len(demands) <= _FEW else 1)
        )

    def _size(self, cell: Cell) -> int:
        """Pieces of named words in a cell's expression, counted up to `_SHORT`."""
        if cell not in self._sizes:
            size = 0 if cell.kind in _GATES else _SHORT + 1
            for word in cell.inputs.values():
                for piece in self.names.pieces(word):
                    if isinstance(piece.source, Cell):
                        size += self._size(piece.source)
                    elif piece.source is not None:
                        size += 1
                    if size > _SHORT:
                        break
            self._sizes[cell] = size
        return self._sizes[cell]

    def _give_name(self, cell: Cell, demands: list[_Demand]) -> _Demand:
        low = min(one.low for one in demands) if cell.can_be_cut else 0
        end = max(one.low + one.width for one in demands)
        end = end if cell.can_be_narrowed else len(cell.output)
        reader = min({one.reader for one in demands}, key=lambda name: (len(name), natural(name)))
        name = self._free(f"{reader}_{_WHAT_IT_IS.get(cell.kind, 'term')}")
        # The upper bits of a sum are made with the lower ones, whatever wires have them.
        self.names.add(name, cell.output[low:end], owns=not cell.can_be_cut)
        self.given.append(name)
        return _Demand(low, end - low, reader)

    def _free(self, name: str) -> str:
        number, candidate = 1, name
        while candidate in self.names.words:
            number += 1
            candidate = f"{name}_{number}"
        return candidate

    def definition(self, name: str) -> Expression:
        """The expression of a wire."""
        if name not in self._definitions:
            self._definitions[name] = self._joined(self.names.definition(name))
        return self._definitions[name]

    def word(self, bits: Bits) -> Expression:
        """The expression of a word that is read."""
        if bits not in self._words:
            self._words[bits] = self._joined(self.names.pieces(bits))
        return self._words[bits]

    def wires_read(self, name: str) -> tuple[str, ...]:
        """The wires in a wire's expression; none for a register or an input."""
        if name not in self._wires_read:
            is_made = name in self.names.words and not self.names.is_given(name)
            read = names_in(self.definition(name)) if is_made else ()
            self._wires_read[name] = tuple(dict.fromkeys(read))
        return self._wires_read[name]

    def _joined(self, pieces: Iterable[Piece]) -> Expression:
        return self._operators.joined([self._piece(piece) for piece in pieces])

    def _piece(self, piece: Piece) -> Expression:
        return self._operators.piece(piece, self.word, self.names)


def _is_simple_part(cell: Cell, demand: _Demand) -> bool:
    """Whether the demanded part of an output can be computed separately."""
    if cell.can_be_cut or demand.width == len(cell.output):
        return True
    return cell.can_be_narrowed and demand.low == 0
