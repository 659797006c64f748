# SPDX-License-Identifier: Apache-2.0
"""Additions cut into parts, each an operation of its own, so that a stage may end within one."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

from amaranth.hdl._nir import Net, Netlist, Operator, Value

_ZERO = Net.from_const(0)


class CutNetlist(Netlist):
    """A netlist whose additions are cut."""

    def __init__(self, netlist: Netlist, bits: int) -> None:
        """Cut each addition of ``netlist`` into parts of ``bits`` bits; the highest part may have a
        bit more. The operations have their numbers, and the parts come behind them."""
        super().__init__()
        self.cells = deepcopy(netlist.cells)
        self.signals.update(netlist.signals)
        self._moved: dict[Net, Net] = {}
        for number, cell in enumerate(tuple(self.cells)):
            if isinstance(cell, Operator) and cell.operator == "+":
                pieces = list(self._cut(number, cell, bits))
                self._moved |= zip(_outputs(number, cell), pieces, strict=True)
        self.resolve_all_nets()

    def resolve_net(self, net: Net) -> Net:
        """What is in the place of a net."""
        return self._moved.get(net, net)

    def _cut(self, number: int, cell: Operator, bits: int) -> Iterator[Net]:
        """Make a sum in parts, the highest in its place; gives its bits."""
        one, other = cell.inputs
        carry = _ZERO
        for low in range(0, max(1, len(one) - 1), bits):
            last = low + bits >= len(one) - 1
            if last and not low:
                yield from _outputs(number, cell)
                return
            high = len(one) if last else low + bits
            room = () if last else (_ZERO,)
            operands = [Value((*word[low:high], *room)) for word in (one, other)]
            # Where a carry comes in, it is a third operand, as no other addition has.
            carries = [Value((carry,))] if low else []
            part = Operator(
                cell.module_idx, operator="+", inputs=[*operands, *carries], src_loc=cell.src_loc
            )
            outputs = _outputs(number if last else len(self.cells), part)
            if last:
                self.cells[number] = part
            else:
                self.cells.append(part)
            yield from outputs[: high - low]
            carry = outputs[-1]


def _outputs(number: int, cell: Operator) -> list[Net]:
    """The nets of a sum, the lowest bit first."""
    return [Net.from_cell(number, bit) for bit in range(len(cell.inputs[0]))]
