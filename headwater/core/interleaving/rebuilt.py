# SPDX-License-Identifier: Apache-2.0
"""A plain core's operations with registers between the stages of a schedule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from amaranth.hdl import Cat, Const, Module, Signal, Value
from amaranth.hdl._nir import FlipFlop, Net, Netlist, Operator
from amaranth.hdl._nir import Value as Nets

from headwater.core.interleaving.graph import INPUTS, read_by
from headwater.core.interleaving.operations import connect, operands_of, width_of
from headwater.core.interleaving.staged import Staged

Bits = tuple[int, ...]


class Rebuilt:
    """The circuit of K sessions.

    Parameters
    ----------
    plain
        One session's circuit and its stages.
    inputs
        The signal of each of its inputs, by name.
    """

    def __init__(self, plain: Staged, inputs: Mapping[str, Value]) -> None:
        netlist, self._graph, self._schedule = plain.netlist, plain.graph, plain.schedule
        self._netlist = netlist
        self._inputs: dict[Net, tuple[str, Value, int]] = {}
        for name, (start, width) in netlist.top.ports_i.items():
            for bit in range(width if name in inputs else 0):
                self._inputs[Net.from_cell(INPUTS, start + bit)] = name, inputs[name], bit
        self._constants = plain.constants
        self._names = {**_names(netlist), **plain.names}
        self._waits = self._waiting()
        self._compared = frozenset(self._comparisons())
        self.words: dict[int, Signal] = {
            number: self._signal(number)
            for number in (*self._schedule.stages, *self._graph.registers)
        }
        """The word of each operation in its stage, and of each register when it comes."""
        self.heads = {name: self.words[number] for number, name in plain.names.items()}
        """The register of each of the plain core's, by name, with the word of a session in the
        first stage of its turn."""
        self._rows: dict[tuple[int | str, int], tuple[Signal, Bits]] = {}
        self.added: list[Signal] = []
        """Registers beside those of the plain core."""

    def _signal(self, number: int) -> Signal:
        cell = self._netlist.cells[number]
        width = len(cell.data) if isinstance(cell, FlipFlop) else width_of(cell)
        return Signal(
            width,
            name=self._names.get(number, ""),
            reset_less=True,
            attrs=self._attributes(number, 0),
        )

    def _attributes(self, number: int, delay: int) -> dict[str, Any]:
        """The names of values that a register is compared with, where it is compared."""
        cell = self._netlist.cells[number]
        told = isinstance(cell, FlipFlop) and (number, delay) in self._compared
        return dict(cell.attributes) if told else {}

    def _comparisons(self) -> Iterator[tuple[int, int]]:
        """What is compared, and how many cycles after it was made."""
        for number, stage in self._schedule.stages.items():
            cell = self._netlist.cells[number]
            if isinstance(cell, Operator) and cell.operator == "==":
                for net in cell.input_nets():
                    if not net.is_const:
                        yield net.cell, stage - self._made_in(net)

    def _reads(self) -> Iterator[tuple[Nets, int]]:
        """All that is read, with the stage in which it is."""
        for number, stage in self._schedule.stages.items():
            for nets in operands_of(self._netlist.cells[number]):
                yield nets, stage
        for reader, nets in read_by(self._netlist):
            yield nets, 0 if reader == INPUTS else self._schedule.last

    def _waiting(self) -> dict[Net, int]:
        """The longest time that each net waits for a reader, in cycles."""
        longest: dict[Net, int] = {}
        for nets, stage in self._reads():
            for net in nets:
                if not net.is_const:
                    longest[net] = max(stage - self._made_in(net), longest.get(net, 0))
        return longest

    def _made_in(self, net: Net) -> int:
        """The stage in which a net has its value first."""
        if net.cell == INPUTS:
            return 0
        return self._schedule.stages.get(net.cell, -self._schedule.lead)

    def build(self, m: Module, outputs: Mapping[str, Signal]) -> None:
        """Add the circuit, which drives ``outputs`` by name."""
        for number, stage in self._schedule.stages.items():
            cell, result = self._netlist.cells[number], self.words[number]
            connect(m, cell, result, partial(self._read, m, stage))
        for number in self._graph.registers:
            data = self._netlist.cells[number].data
            m.d.sync += self.words[number].eq(self._value(m, data, self._schedule.last))
        for name, nets in self._netlist.top.ports_o.items():
            m.d.comb += outputs[name].eq(self._value(m, nets, 0))

    def _read(self, m: Module, stage: int, nets: Nets) -> Value:
        return self._value(m, nets, stage)

    def _value(self, m: Module, nets: Nets, stage: int) -> Value:
        """What some nets are in a stage."""
        return Cat(self._run(m, run, stage) for run in self._runs(nets))

    def _runs(self, nets: Nets) -> Iterator[Nets]:
        """Nets cut into constants and parts of words in their order."""
        begin = 0
        for end in range(1, len(nets) + 1):
            if end == len(nets) or not self._follows(nets[end - 1], nets[end]):
                yield nets[begin:end]
                begin = end

    def _follows(self, one: Net, other: Net) -> bool:
        """Whether two nets are both constant, or neighbours in one word."""
        if one.is_const or other.is_const:
            return bool(one.is_const and other.is_const)
        same = one.cell == other.cell and one.bit + 1 == other.bit
        return same and (one.cell != INPUTS or self._inputs[one][0] == self._inputs[other][0])

    def _run(self, m: Module, run: Nets, stage: int) -> Value:
        first = run[0]
        if first.is_const:
            return Const(sum(net.const << place for place, net in enumerate(run)), len(run))
        delay = stage - self._made_in(first)
        if first.cell == INPUTS:
            name, word, low = self._inputs[first]
            if name in self._constants:
                return word[low : low + len(run)]
            signal, bits = self._delayed(m, name, word, low - first.bit, INPUTS, delay)
            low_bit = low
        else:
            number = first.cell
            signal, bits = self._delayed(m, number, self.words[number], 0, number, delay)
            low_bit = first.bit
        places = [bits.index(low_bit + place) for place in range(len(run))]
        if places == list(range(places[0], places[0] + len(places))):
            return signal[places[0] : places[0] + len(places)]
        return Cat(signal[place] for place in places)

    def _delayed(
        self, m: Module, key: int | str, word: Value, shift: int, number: int, delay: int
    ) -> tuple[Value, Bits]:
        """A word so many cycles later, and which of its bits are kept for so long. Bit b of the
        word is net ``b - shift`` of operation ``number``."""
        if not delay:
            return word, tuple(range(len(word)))
        if (key, delay) not in self._rows:
            before, had = self._delayed(m, key, word, shift, number, delay - 1)
            nets = {bit: Net.from_cell(number, bit - shift) for bit in had}
            kept = tuple(bit for bit, net in nets.items() if self._waits.get(net, 0) >= delay)
            name = key if isinstance(key, str) else self._names.get(key, f"part_{key}")
            row = Signal(
                len(kept),
                name=f"{name}_{delay}",
                reset_less=True,
                attrs=self._attributes(number, delay),
            )
            m.d.sync += row.eq(Cat(before[had.index(bit)] for bit in kept))
            self.added.append(row)
            self._rows[key, delay] = row, kept
        return self._rows[key, delay]


def _names(netlist: Netlist) -> dict[int, str]:
    """The names of words that are signals of the plain core as a whole, its ports excepted."""
    ports = {*netlist.top.ports_i, *netlist.top.ports_o}
    names: dict[int, str] = {}
    for signal, nets in netlist.signals.items():
        first = nets[0] if nets else None
        if first is None or first.is_const or not signal.name or signal.name in ports:
            continue
        number, cell = first.cell, netlist.cells[first.cell]
        width = (
            len(cell.data)
            if isinstance(cell, FlipFlop)
            else 0
            if number == INPUTS
            else (width_of(cell))
        )
        if nets == Nets(Net.from_cell(number, bit) for bit in range(width)):
            names.setdefault(number, signal.name)
    return names
