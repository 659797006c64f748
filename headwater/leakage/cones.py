# SPDX-License-Identifier: Apache-2.0
"""What a probe on a net sees while glitches pass: all registers and inputs of its cone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from headwater.leakage.netlist import Bit, Gate, Netlist


class Cones:
    """The cones of all nets, as sets of sources, which are the bits of an integer."""

    def __init__(self, netlist: Netlist) -> None:
        self.sources = tuple(netlist.sources)
        self._netlist = netlist
        self._driver: dict[Bit, Gate] = {gate.output: gate for gate in netlist.gates}
        self.of: dict[Bit, int] = {bit: 1 << at for at, bit in enumerate(self.sources)}
        for gate in netlist.gates:
            self.of[gate.output] = self._union(gate.inputs)

    def _union(self, bits: Iterable[Bit]) -> int:
        several = 0
        for bit in bits:
            several |= self.of.get(bit, 0)
        return several

    def members(self, cone: int) -> Iterator[Bit]:
        """The sources of a cone."""
        while cone:
            lowest = cone & -cone
            yield self.sources[lowest.bit_length() - 1]
            cone ^= lowest

    @cached_property
    def widest(self) -> tuple[Bit, ...]:
        """Nets that no gate reads: every other net sees a part of what one of them sees."""
        read = {bit for gate in self._netlist.gates for bit in gate.inputs}
        return tuple(bit for bit, cone in self.of.items() if bit not in read and cone)

    def inside(self, bit: Bit) -> Iterator[Bit]:
        """The nets that the gate of a net reads and that see something."""
        if bit in self._driver:
            yield from (one for one in self._driver[bit].inputs if self.of.get(one))

    @property
    def probes(self) -> int:
        """How many nets there are."""
        return sum(1 for cone in self.of.values() if cone)
