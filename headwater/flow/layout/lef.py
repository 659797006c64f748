# SPDX-License-Identifier: Apache-2.0
"""Reading of LEF: the sizes and pins of cells, and the layers that wires are routed on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from headwater.errors import InputError

Rectangle = tuple[float, float, float, float]
"""Left, lower, right and upper edge, in micrometres."""


@dataclass(frozen=True)
class Layer:
    """A layer that wires are routed on; lengths in micrometres."""

    name: str
    horizontal: bool
    pitch: float
    offset: float
    width: float
    ohm_per_square: float
    pf_per_um2: float
    """Capacitance of an area."""
    pf_per_um: float
    """Capacitance of an edge."""

    @property
    def wire_ohm(self) -> float:
        """Resistance of a micrometre of wire: squares times resistance of a square."""
        return self.ohm_per_square / self.width

    @property
    def wire_pf(self) -> float:
        """Capacitance of a micrometre of wire: its area and both edges."""
        return self.width * self.pf_per_um2 + 2 * self.pf_per_um


@dataclass
class Pin:
    """A pin of a cell."""

    direction: str = "INPUT"
    use: str = "SIGNAL"
    shapes: list[tuple[str, Rectangle]] = field(default_factory=list)
    """Layer and rectangle of each shape."""


@dataclass
class Macro:
    """A cell: its size, and its pins by name."""

    width: float = 0.0
    height: float = 0.0
    pins: dict[str, Pin] = field(default_factory=dict)

    def supply(self, use: str) -> str | None:
        """The pin for ``POWER`` or ``GROUND``."""
        return next((name for name, pin in self.pins.items() if pin.use == use), None)


@dataclass(frozen=True)
class Lef:
    """The cells by name, and the routing layers from the lowest to the highest."""

    macros: dict[str, Macro]
    layers: tuple[Layer, ...]


def read_lef(*paths: Path) -> Lef:
    """Read LEF files: one with cells and layers, or several that share them."""
    layers: list[Layer] = []
    macros: dict[str, Macro] = {}
    for path in paths:
        try:
            _read(path, layers, macros)
        except (OSError, ValueError, IndexError, KeyError) as error:
            message = f"the cells' LEF must be a readable file, not {path}: {error}"
            raise InputError(message) from error
    return Lef(macros, tuple(layers))


def _read(path: Path, layers: list[Layer], macros: dict[str, Macro]) -> None:
    statements = _statements(path.read_text(encoding="utf-8", errors="replace"))
    for words in statements:
        if words[0] == "LAYER":
            layer = _layer(words[1], statements)
            layers += [layer] if layer else []
        elif words[0] == "MACRO":
            macros[words[1]] = _macro(words[1], statements)
        elif words[0] in ("VIA", "VIARULE", "SITE"):
            _skip(words[1], statements)
        elif words[0] == "PROPERTYDEFINITIONS":
            _skip(words[0], statements)


def _statements(text: str) -> Iterator[list[str]]:
    """The lines as words, without comments and semicolons."""
    for line in text.splitlines():
        words = line.partition("#")[0].replace(";", " ").split()
        if words:
            yield words


def _body(name: str, statements: Iterator[list[str]]) -> Iterator[list[str]]:
    """The statements up to the end of a named block."""
    for words in statements:
        if words == ["END", name]:
            return
        yield words


def _skip(name: str, statements: Iterator[list[str]]) -> None:
    for _ in _body(name, statements):
        pass


def _layer(name: str, statements: Iterator[list[str]]) -> Layer | None:
    """A routing layer; None for other layers. The first statement of a name counts, because further
    ones are lines of tables."""
    by_name: dict[str, list[str]] = {}
    for words in _body(name, statements):
        by_name.setdefault(words[0], words[1:])
    if by_name.get("TYPE") != ["ROUTING"]:
        return None
    pitch = float(by_name["PITCH"][0])
    offset = float(by_name["OFFSET"][0]) if "OFFSET" in by_name else pitch / 2
    return Layer(
        name=name,
        horizontal=by_name["DIRECTION"] == ["HORIZONTAL"],
        pitch=pitch,
        offset=offset,
        width=float(by_name["WIDTH"][0]),
        ohm_per_square=_last_number(by_name, "RESISTANCE"),
        pf_per_um2=_last_number(by_name, "CAPACITANCE"),
        pf_per_um=_last_number(by_name, "EDGECAPACITANCE"),
    )


def _last_number(statements: Mapping[str, list[str]], statement: str) -> float:
    """The number of a statement; zero if a layer does not have it."""
    return float(statements[statement][-1]) if statement in statements else 0.0


def _macro(name: str, statements: Iterator[list[str]]) -> Macro:
    macro = Macro()
    for words in _body(name, statements):
        if words[0] == "SIZE":
            macro.width, macro.height = float(words[1]), float(words[3])
        elif words[0] == "PIN":
            macro.pins[words[1]] = _pin(words[1], statements)
    return macro


def _pin(name: str, statements: Iterator[list[str]]) -> Pin:
    pin, layer = Pin(), ""
    for words in _body(name, statements):
        if words[0] == "DIRECTION":
            pin.direction = words[1]
        elif words[0] == "USE":
            pin.use = words[1]
        elif words[0] == "LAYER":
            layer = words[1]
        elif words[0] == "RECT":
            left, lower, right, upper = map(float, words[1:5])
            pin.shapes.append((layer, (left, lower, right, upper)))
    return pin
