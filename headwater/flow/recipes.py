# SPDX-License-Identifier: Apache-2.0
"""Recipes: ways to make a netlist in cells out of the same design.

None of them is the best for every cipher, library and goal, so a portfolio is tried. A recipe is
the structure of wide adders, which Yosys chooses before gates are optimised, and the script of ABC,
which optimises gates, chooses cells and, for a period, buffers and sizes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from headwater.flow.yosys import run_yosys

_WIDE = 8
"""Bits from which on the structure of an adder matters; below are counters."""


@dataclass(frozen=True)
class Recipe:
    """One way. Yosys' own is that without a script and without a structure of adders."""

    script: str = "yosys"
    """A name among `_SCRIPTS`."""
    adders: str = "brent-kung"
    """A name among `_ADDERS`."""

    def __str__(self) -> str:
        own = Recipe().adders
        return self.script if self.adders == own else f"{self.script}, {self.adders} adders"

    @property
    def synthesis(self) -> str:
        """Further arguments of Yosys' ``synth``."""
        return _ADDERS[self.adders]

    def mapping(self, *, timed: bool) -> str:
        """Further arguments of Yosys' ``abc``; ``timed`` if there is a period to aim at."""
        script = _SCRIPTS[self.script]
        if not script:
            return ""
        commands = [*script, *(_SIZED if timed else ())]
        # Yosys wants commas for the spaces within a command.
        return f' -script "+{";".join(commands).replace(" ", ",")}"'


_ADDERS = {
    "brent-kung": "",
    "kogge-stone": " -extra-map +/choices/kogge-stone.v",
    "han-carlson": " -extra-map +/choices/han-carlson.v",
}
"""Trees of carries by name; Yosys' own is that of Brent and Kung."""

_SMALLER = ("strash", "&get -n", "&fraig -x", "&put", "scorr", "dc2")
"""Merges equal nodes and rewrites the graph."""
_REWRITTEN = (
    "strash",
    "ifraig",
    "scorr",
    "balance",
    "rewrite",
    "refactor",
    "balance",
    "rewrite",
    "rewrite -z",
    "balance",
    "refactor -z",
    "rewrite -z",
    "balance",
)
"""Balances the graph again and again while it rewrites it."""
_CHOICES = ("dch -f",)
"""Keeps several structures, among which the mapper chooses."""
_FLOW_MAPPED = ("strash", "&get -n", "&nf {D}", "&put")
_DELAY_MAPPED = ("strash", "map -B 0.9 {D}")
_CHOICE_MAPPED = ("map -B 0.9 {D}",)
_AREA_MAPPED = ("amap",)
_SIZED = (
    "topo",
    # Nets that a register drives are buffered as well.
    "buffer -c -p",
    "topo",
    "upsize {D}",
    "dnsize {D}",
)
"""What a period needs; Yosys writes it for ``{D}``."""

_SCRIPTS: dict[str, Sequence[str]] = {
    "yosys": (),
    "flow": (*_SMALLER, *_CHOICES, *_FLOW_MAPPED),
    "flow-direct": (*_SMALLER, *_FLOW_MAPPED),
    "delay": (*_SMALLER, *_CHOICES, *_CHOICE_MAPPED),
    "delay-direct": (*_SMALLER, *_DELAY_MAPPED),
    "balanced": (*_REWRITTEN, *_CHOICES, *_CHOICE_MAPPED),
    "area": (*_SMALLER, *_CHOICES, *_AREA_MAPPED),
}
"""ABC's commands by the name of the recipe, without those for a period."""

DEFAULT = Recipe()


def portfolio(verilog: str, top: str, folder: Path) -> list[Recipe]:
    """The recipes that may win for a design, Yosys' own first: other adders only if it has wide
    ones."""
    (folder / "design.v").write_text(verilog)
    run_yosys(
        [
            "read_verilog design.v",
            f"synth -flatten -top {top} -run begin:fine",
            f"tee -q -o wide.txt select -count t:$alu r:Y_WIDTH>={_WIDE} %i",
        ],
        folder,
    )
    wide = int((folder / "wide.txt").read_text().split()[0])
    adders = _ADDERS if wide else (DEFAULT.adders,)
    return [Recipe(script, tree) for tree in adders for script in _SCRIPTS]
