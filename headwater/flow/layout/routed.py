# SPDX-License-Identifier: Apache-2.0
"""What the router routed, read from its DEF file: cells, nets and the segments of their wires."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from headwater.errors import ToolError
from headwater.flow.layout.circuit import Cell, Circuit
from headwater.flow.layout.placement import UNITS

Point = tuple[int, int]


@dataclass(frozen=True)
class Segment:
    """A straight piece of wire on one layer."""

    layer: str
    start: Point
    end: Point

    @property
    def length_um(self) -> float:
        """Length in micrometres."""
        return (abs(self.start[0] - self.end[0]) + abs(self.start[1] - self.end[1])) / UNITS


@dataclass
class RoutedNet:
    """A net: its pins as (instance, pin), where a port has the instance ``PIN``, and its wire."""

    pins: list[tuple[str, str]] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    vias: int = 0

    @property
    def length_um(self) -> float:
        """Length of the wire in micrometres."""
        return sum(segment.length_um for segment in self.segments)


@dataclass(frozen=True)
class Component:
    """A placed cell."""

    kind: str
    x: int
    y: int


@dataclass(frozen=True)
class Routed:
    """A routed circuit."""

    die: tuple[int, int, int, int]
    components: Mapping[str, Component]
    pins: Mapping[str, Point]
    nets: Mapping[str, RoutedNet]

    def circuit(self, like: Circuit) -> Circuit:
        """The netlist that was routed, with the ports of the circuit that was to be routed."""
        connected: dict[str, dict[str, str]] = {}
        for net, routed in self.nets.items():
            for instance, pin in routed.pins:
                connected.setdefault(instance, {})[pin] = net
        cells = {
            name: Cell(self.components[name].kind, nets)
            for name, nets in connected.items()
            if name != "PIN"
        }
        return Circuit(like.name, like.ports, cells)


_PATH = re.compile(r"(?:ROUTED|NEW)\s+(\w+)((?:\s+\(\s*\S+\s+\S+\s*\)|\s+[A-Z]\w*_\w+)+)")
_STEP = re.compile(r"\(\s*(\S+)\s+(\S+)\s*\)|(\S+)")
_PIN = re.compile(r"\(\s*(\S+)\s+(\S+)\s*\)")
_COMPONENT = re.compile(
    r"^- (\S+) (\S+) \+ (?:PLACED|FIXED) \( (-?\d+) (-?\d+) \) \w+", re.MULTILINE
)
_PORT = re.compile(
    r"^- (\S+) \+ NET .*?\+ (?:PLACED|FIXED) \( (-?\d+) (-?\d+) \)", re.MULTILINE | re.DOTALL
)
_AREA = re.compile(r"DIEAREA \( (-?\d+) (-?\d+) \) \( (-?\d+) (-?\d+) \)")


def read_routed(text: str) -> Routed:
    """Read a DEF file as qrouter writes it."""
    area = _AREA.search(text)
    if area is None:
        raise ToolError("qrouter's DEF file must have a DIEAREA, but has none")
    left, lower, right, upper = map(int, area.groups())
    components = {
        name: Component(kind, int(x), int(y))
        for name, kind, x, y in _COMPONENT.findall(_section(text, "COMPONENTS"))
    }
    pins = {name: (int(x), int(y)) for name, x, y in _PORT.findall(_section(text, "PINS"))}
    nets = dict(map(_net, _entries(_section(text, "NETS"))))
    return Routed((left, lower, right, upper), components, pins, nets)


def _section(text: str, name: str) -> str:
    section = re.search(rf"^{name} \d+ ;\n(.*?)^END {name}", text, re.MULTILINE | re.DOTALL)
    return section[1] if section else ""


def _entries(section: str) -> Iterator[str]:
    """The entries of a section; each begins with a dash at the start of a line."""
    yield from (entry for entry in re.split(r"^- ", section, flags=re.MULTILINE) if entry.strip())


def _net(entry: str) -> tuple[str, RoutedNet]:
    name, _, rest = entry.partition("\n")
    ends, _, wire = rest.partition("+ ROUTED")
    net = RoutedNet(pins=[(instance, pin) for instance, pin in _PIN.findall(ends)])
    for layer, steps in _PATH.findall(f"ROUTED{wire}"):
        _follow(net, layer, steps)
    return name.strip(), net


def _follow(net: RoutedNet, layer: str, steps: str) -> None:
    """Add the segments and vias of one path. A star stands for the coordinate of the last point."""
    last: Point | None = None
    for x, y, via in _STEP.findall(steps):
        if via:
            net.vias += 1
            continue
        point = (last[0] if x == "*" and last else int(x), last[1] if y == "*" and last else int(y))
        if last is not None:
            net.segments.append(Segment(layer, last, point))
        last = point
