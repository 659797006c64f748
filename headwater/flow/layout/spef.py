# SPDX-License-Identifier: Apache-2.0
"""SPEF, which tells OpenSTA the resistance and capacitance of routed wires."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import fsum

from headwater.flow.layout.parasitics import Branch, Wire


def spef(design: str, wires: Mapping[str, Wire]) -> str:
    """The wires as SPEF (IEEE 1481): each piece is a resistance with half of its capacitance at
    either end."""
    lines = [
        '*SPEF "IEEE 1481-1998"',
        f'*DESIGN "{design}"',
        '*DATE ""',
        '*VENDOR "Headwater"',
        '*PROGRAM "Headwater"',
        '*VERSION ""',
        '*DESIGN_FLOW ""',
        "*DIVIDER /",
        "*DELIMITER :",
        "*BUS_DELIMITER [ ]",
        "*T_UNIT 1 NS",
        "*C_UNIT 1 PF",
        "*R_UNIT 1 OHM",
        "*L_UNIT 1 HENRY",
        "",
    ]
    for net, wire in wires.items():
        lines += _net_lines(net, wire)
    return "\n".join(lines) + "\n"


def _net_lines(net: str, wire: Wire) -> Iterator[str]:
    nodes = _Nodes(net)
    nodes.follow(wire.tree, _pin(wire.driver))
    yield f"*D_NET {net} {fsum(nodes.pf.values()):.6g}"
    yield "*CONN"
    yield _connection(wire.driver, "O")
    yield from (_connection(pin, "I") for branch in wire.tree.all() for pin in branch.pins)
    yield "*CAP"
    yield from (
        f"{number} {node} {pf:.6g}" for number, (node, pf) in enumerate(nodes.pf.items(), 1)
    )
    yield "*RES"
    yield from (
        f"{number} {start} {end} {ohm:.6g}"
        for number, (start, end, ohm) in enumerate(nodes.resistors, 1)
    )
    yield "*END"
    yield ""


class _Nodes:
    """The nodes of a net with their capacitances, and the resistors between them."""

    def __init__(self, net: str) -> None:
        self._net, self._count = net, 0
        self.pf: dict[str, float] = {}
        self.resistors: list[tuple[str, str, float]] = []

    def follow(self, branch: Branch, start: str) -> None:
        """Add a piece of wire that begins at a node, and all behind it."""
        pins = [_pin(pin) for pin in branch.pins]
        end = pins[0] if pins else self._new()
        self.resistors.append((start, end, branch.ohm))
        for node in (start, end):
            self.pf[node] = self.pf.get(node, 0.0) + branch.pf / 2
        # Further pins at the same place.
        self.resistors += [(end, pin, 0.0) for pin in pins[1:]]
        for further in branch.branches:
            self.follow(further, end)

    def _new(self) -> str:
        self._count += 1
        return f"{self._net}:{self._count}"


def _pin(name: str) -> str:
    """A pin as a node: qrouter writes ``PIN/port`` and ``instance/pin``."""
    return name.removeprefix("PIN/").replace("/", ":")


def _connection(pin: str, direction: str) -> str:
    """Where a net leads: to a port or to a pin of a cell. For a net, a port that drives is an
    input."""
    if pin.startswith("PIN/"):
        return f"*P {_pin(pin)} {'I' if direction == 'O' else 'O'}"
    return f"*I {_pin(pin)} {direction}"
