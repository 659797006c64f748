# SPDX-License-Identifier: Apache-2.0
"""A netlist as a graph of its operations: who reads whom, and what registers and outputs read.

Operations are numbers of Amaranth's cells; cell 0 stands for the inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from amaranth.hdl._nir import FlipFlop, Net, Netlist, Part, Top, Value

INPUTS = 0


@dataclass(frozen=True)
class Graph:
    """The operations of a circuit with one clock."""

    order: tuple[int, ...]
    """The operations without registers, each after those it reads."""
    reads: dict[int, tuple[int, ...]]
    """What each of them reads: operations, registers, and the inputs."""
    registers: tuple[int, ...]
    """The registers."""
    tables: frozenset[int]
    """The operations that look a word up among constants."""


def graph_of(netlist: Netlist, constants: Iterable[Net] = ()) -> Graph:
    """The graph of a netlist; ``constants`` are inputs that never change."""
    fixed = frozenset(constants)
    registers = tuple(
        number for number, cell in enumerate(netlist.cells) if isinstance(cell, FlipFlop)
    )
    reads = {
        number: tuple(
            dict.fromkeys(net.cell for net in sorted(cell.input_nets() - fixed) if net.is_cell)
        )
        for number, cell in enumerate(netlist.cells)
        if not isinstance(cell, (FlipFlop, Top))
    }
    tables = frozenset(
        number
        for number, cell in enumerate(netlist.cells)
        if isinstance(cell, Part) and _unchanging(cell.value, fixed)
    )
    return Graph(tuple(_ordered(reads)), reads, registers, tables)


def _unchanging(word: Value, constants: frozenset[Net]) -> bool:
    return all(net.is_const or net in constants for net in word)


def _ordered(reads: dict[int, tuple[int, ...]]) -> Iterator[int]:
    """Each operation after those it reads."""
    seen: set[int] = set()
    for first in reads:
        waiting = [(first, iter(reads[first]))] if first not in seen else []
        seen.add(first)
        while waiting:
            number, rest = waiting[-1]
            following = next((one for one in rest if one in reads and one not in seen), None)
            if following is None:
                yield number
                waiting.pop()
            else:
                seen.add(following)
                waiting.append((following, iter(reads[following])))


def read_by(netlist: Netlist) -> Iterator[tuple[int, Value]]:
    """The words that registers and outputs read, with the number of the register or `INPUTS`."""
    for number, cell in enumerate(netlist.cells):
        if isinstance(cell, FlipFlop):
            yield number, cell.data
    for word in netlist.top.ports_o.values():
        yield INPUTS, word
