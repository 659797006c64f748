# SPDX-License-Identifier: Apache-2.0
"""The nets of a netlist as polynomials over GF(2), multiplied out: equal functions are equal."""

from __future__ import annotations

from dataclasses import dataclass, field

from headwater.leakage.netlist import ONE, ZERO, Bit, Gate, Netlist

Sum = frozenset[int]
"""A polynomial: its products, each a set of variables as the bits of an integer."""

NONE: Sum = frozenset()
TRUE: Sum = frozenset({0})


def both(one: Sum, other: Sum) -> Sum:
    """The product of two polynomials."""
    product: set[int] = set()
    for left in one:
        product ^= {left | right for right in other} if len(other) == 1 else _times(left, other)
    return frozenset(product)


def _times(left: int, other: Sum) -> set[int]:
    product: set[int] = set()
    for right in other:
        product ^= {left | right}
    return product


@dataclass
class Values:
    """The values of nets in one cycle."""

    netlist: Netlist
    known: dict[Bit, Sum] = field(default_factory=dict)
    count: int = 0

    def new(self) -> Sum:
        """A variable of its own."""
        self.count += 1
        return frozenset({1 << self.count - 1})

    def solve(self) -> None:
        """The values of all nets, of those of the sources."""
        self.known |= {ZERO: NONE, ONE: TRUE}
        for source in self.netlist.sources:
            self.known.setdefault(source, self.new())
        for gate in self.netlist.gates:
            self.known[gate.output] = _made(gate, [self.known[bit] for bit in gate.inputs])

    def after(self, register: Bit) -> Sum:
        """What a register holds in the next cycle."""
        return self.known[self.netlist.registers[register]]


def _made(gate: Gate, values: list[Sum]) -> Sum:
    first = values[0]
    match gate.kind:
        case "BUF" | "NOT":
            result = first
        case "XOR" | "XNOR":
            result = first ^ values[1]
        case "AND" | "NAND":
            result = both(first, values[1])
        case "ANDNOT":
            result = both(first, values[1] ^ TRUE)
        case "OR" | "NOR":
            result = both(first ^ TRUE, values[1] ^ TRUE) ^ TRUE
        case "ORNOT":
            result = both(first ^ TRUE, values[1]) ^ TRUE
        case _:
            result = first ^ both(first ^ values[1], values[2])
    return result ^ TRUE if gate.kind in ("NOT", "NAND", "NOR", "XNOR") else result
