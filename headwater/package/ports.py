# SPDX-License-Identifier: Apache-2.0
"""Ports of a module on top: of a core, or from the lines of Verilog that declare them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from headwater.emit import verilog

_DECLARATION = re.compile(r"^ *(input|output) +(?:wire|reg) +(\[[^]]*\])? *(\w+),?$", re.MULTILINE)


class Port(NamedTuple):
    """A port: direction, its bits as Verilog writes them (empty for one bit), name."""

    direction: str
    bits: str
    name: str


def ports_of(declarations: Iterable[str]) -> list[Port]:
    """The ports that lines of Verilog declare: ``input  wire [31:0] name``."""
    return [Port(*found) for found in _DECLARATION.findall("\n".join(declarations))]


def ports_of_core(ports: Iterable[verilog.Port]) -> list[Port]:
    """The ports of a core that nothing is around."""
    return [Port(one.direction, f"[{one.width - 1}:0]" if one.width > 1 else "", one.name)
            for one in ports]  # fmt: skip


def header_of(text: str, module: str) -> list[str]:
    """The lines that declare the ports of a module."""
    return text.partition(f"module {module} ")[2].partition(");")[0].splitlines()


def width_of(port: Port) -> int:
    """Bits of a port."""
    if not port.bits:
        return 1
    high, _, low = port.bits.strip("[]").partition(":")
    return int(high) - int(low) + 1
