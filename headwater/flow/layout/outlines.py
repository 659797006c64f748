# SPDX-License-Identifier: Apache-2.0
"""What placing must know of a library: the outlines and pins of its cells, its layers, and a few
special cells."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow.layout.lef import Layer, Lef


@dataclass(frozen=True, kw_only=True)
class Outlines:
    """LEF of one library, and what it does not say."""

    name: str
    lef: Lef
    lef_files: tuple[Path, ...]
    """What it was read from."""
    clock_buffer: str
    clock_buffer_input: str
    clock_buffer_output: str
    fill_cell: str
    """The narrowest filler."""
    density: float
    """The part of the core that cells cover where wires are estimated."""
    extracted_pf: Mapping[str, float] = field(default_factory=dict)
    """By layer the capacitance of a micrometre of wire, with that to its neighbours, where
    extractions are known; of other layers LEF tells that of a wire alone."""

    @property
    def lef_sha256(self) -> str:
        """Hash of the files."""
        texts = [hashlib.sha256(path.read_bytes()).digest() for path in self.lef_files]
        return hashlib.sha256(b"".join(texts)).hexdigest()

    @property
    def row_height(self) -> float:
        """Height of a row of cells, in micrometres."""
        return self.lef.macros[self.fill_cell].height

    @property
    def site_width(self) -> float:
        """Cells are this wide, or a multiple."""
        return self.lef.macros[self.fill_cell].width

    @property
    def signal_layers(self) -> tuple[Layer, Layer]:
        """The layers that most wires are on, horizontal and vertical: those above the lowest, which
        is full of pins."""
        second, third = self.lef.layers[1:3]
        return (second, third) if second.horizontal else (third, second)

    def wire_pf(self, layer: Layer) -> float:
        """Capacitance of a micrometre of wire."""
        return self.extracted_pf.get(layer.name, layer.wire_pf)

    def refuse_unknown(self, kinds: Iterable[str]) -> None:
        """Raise an error if LEF lacks one of these cells."""
        unknown = sorted(set(kinds) - self.lef.macros.keys())
        if unknown:
            raise ToolError(f"the LEF of {self.name} has no cell {', '.join(unknown)}")
