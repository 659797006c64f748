# SPDX-License-Identifier: Apache-2.0
"""Resistance and capacitance of routed wires.

The shape of a net, and how its wire is shared among the branches, is in the file that qrouter
writes. The totals of each net come from the segments in the DEF file and the formulas of LEF,
because qrouter counts one point too many for each segment, and only one of the two edges of a wire.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import fsum

from headwater.errors import ToolError
from headwater.flow.layout.lef import Layer
from headwater.flow.layout.routed import Routed, RoutedNet
from headwater.flow.layout.routing import UnroutedError

_NAMELESS = "ERROR"
"""What qrouter writes for a pin that it does not find again, such as some ports."""


@dataclass(frozen=True)
class Branch:
    """A piece of wire, and what is at its far end: pins and further pieces."""

    ohm: float
    pf: float
    pins: tuple[str, ...]
    branches: tuple[Branch, ...]

    def all(self) -> Iterator[Branch]:
        """This piece and all behind it."""
        yield self
        for branch in self.branches:
            yield from branch.all()

    def renamed(self, names: Iterator[str]) -> Branch:
        """The same tree with names for the pins that have none."""
        pins = tuple(next(names, _NAMELESS) if pin == _NAMELESS else pin for pin in self.pins)
        further = tuple(branch.renamed(names) for branch in self.branches)
        return Branch(self.ohm, self.pf, pins, further)

    def scaled(self, ohm: float, pf: float) -> Branch:
        """The same tree with other totals."""
        further = tuple(branch.scaled(ohm, pf) for branch in self.branches)
        return Branch(self.ohm * ohm, self.pf * pf, self.pins, further)


@dataclass(frozen=True)
class Wire:
    """The wire of a net: the pin that drives it, and the tree from there."""

    driver: str
    tree: Branch

    @property
    def pf(self) -> float:
        """Capacitance in picofarads."""
        return fsum(branch.pf for branch in self.tree.all())

    @property
    def ohm(self) -> float:
        """Sum of all resistances."""
        return fsum(branch.ohm for branch in self.tree.all())


def read_wires(text: str) -> dict[str, Wire]:
    """The wires by net, from the file that qrouter writes: a line for each net with its driver and
    a tree of ``( ohm pF end , end )``, where an end is a pin or a further piece."""
    wires = {}
    for line in text.splitlines():
        net, count, driver, _, *words = line.split()
        if count != "1":
            raise ToolError(f"net {net} has {count} drivers, and must have one")
        wires[net] = Wire(driver, _branch(iter(words[1:])))
    return wires


def _branch(words: Iterator[str]) -> Branch:
    """The piece of wire whose opening bracket was read."""
    ohm, pf = float(next(words)), float(next(words))
    pins: list[str] = []
    branches: list[Branch] = []
    for word in words:
        if word == "(":
            branches.append(_branch(words))
        elif word == ")":
            break
        elif word != ",":
            pins.append(word)
    return Branch(ohm, pf, tuple(pins), tuple(branches))


def extract(
    routed: Routed, wires: Mapping[str, Wire], layers: Mapping[str, Layer]
) -> dict[str, Wire]:
    """The wires with the totals that follow from their routed segments."""
    nets = {}
    for name, net in routed.nets.items():
        if len(net.pins) == 1:
            continue
        if name not in wires:
            raise ToolError(f"qrouter gave no resistance and capacitance of net {name}")
        wire = _complete(name, wires[name], net)
        ohm, pf = _totals(net, layers)
        tree = wire.tree.scaled(_ratio(ohm, wire.ohm), _ratio(pf, wire.pf))
        nets[name] = Wire(wire.driver, tree)
    return nets


def _complete(name: str, wire: Wire, net: RoutedNet) -> Wire:
    """The wire with the names of pins that qrouter could not tell."""
    ends = {f"{instance}/{pin}" for instance, pin in net.pins}
    told = [wire.driver, *(pin for branch in wire.tree.all() for pin in branch.pins)]
    missing = iter(sorted(ends - set(told)))
    named = Wire(wire.driver, wire.tree.renamed(missing))
    reached = {named.driver, *(pin for branch in named.tree.all() for pin in branch.pins)}
    if reached != ends:
        raise UnroutedError(f"qrouter's wire of net {name} does not lead to its pins")
    return named


def _totals(net: RoutedNet, layers: Mapping[str, Layer]) -> tuple[float, float]:
    """Ohms and picofarads of all segments of a net."""
    ohm = pf = 0.0
    for segment in net.segments:
        layer, length = layers[segment.layer], segment.length_um
        ohm += length * layer.wire_ohm
        pf += length * layer.wire_pf
    return ohm, pf


def _ratio(right: float, estimated: float) -> float:
    return right / estimated if estimated else 0.0
