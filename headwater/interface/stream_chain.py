# SPDX-License-Identifier: Apache-2.0
"""Streams inside a wrapper, and the modules between two widths of a stream.

The first bit of a word is always its bit 0 here, whatever the core's order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import gcd

from headwater.interface.module_port import BIT
from headwater.interface.verilog_text import ModuleText

BYTE = 8


@dataclass(frozen=True)
class Link:
    """A stream as wires ``NAME_data``, ``_keep``, ``_ad``, ``_last``, ``_valid`` and ``_ready``.

    Members
    -------
    name : str
    width : int
        Bits of a word.
    keep_bits, ad_bits : int
        Bits of the word that each mark of bits that count, or of associated data, stands for.
    """

    name: str
    width: int
    keep_bits: int
    ad_bits: int

    @property
    def widths(self) -> dict[str, int]:
        """Widths of its wires; see `BIT`."""
        return {
            "data": self.width,
            "keep": self.width // self.keep_bits,
            "ad": self.width // self.ad_bits,
            "last": BIT,
            "valid": BIT,
            "ready": BIT,
        }

    def declare(self, text: ModuleText) -> Link:
        """Declare its wires."""
        for member, width in self.widths.items():
            text.wire(f"{self.name}_{member}", width)
        return self


@dataclass(frozen=True)
class Chain:
    """Modules one behind the other, from one width to another.

    Members
    -------
    text : ModuleText
        The module that they become part of.
    flush : str
        When what they hold is forgotten.
    """

    text: ModuleText
    flush: str

    def converted(self, link: Link, width: int, unit: int = 0, first: int = 0) -> Link:
        """A stream in words of another width.

        Parameters
        ----------
        link
            The stream as it is.
        width
            Bits of a word that is wanted.
        unit
            If its parts may leave gaps between them: bits of the unit that is moved to close them.
        first
            Bits that are zero before those of a packet.
        """
        piece = gcd(link.width, width, first or width)
        narrow = self._module("stream_split", link, piece)
        if unit and piece > unit:
            narrow = self._module("stream_pack", narrow, piece, {"UNITS": piece // unit}, unit)
        begins = {"FIRST": first // piece} if first else {}
        return self._module("stream_gather", narrow, width, begins, piece)

    def aligned(self, link: Link, width: int) -> Link:
        """A stream gathered to words of ``width`` bits; associated data and text each begin with a
        word."""
        return self._module("stream_gather", link, width, {"BREAKS": 1}, link.width)

    def _module(
        self,
        module: str,
        link: Link,
        width: int,
        settings: dict[str, int] | None = None,
        piece: int = 0,
    ) -> Link:
        """Add a module whose output has ``width`` bits, unless it would change nothing."""
        if width == link.width and module != "stream_pack":
            return link
        piece = piece or width
        instance = replace(link, name=f"{link.name}_{module.removeprefix('stream_')}", width=width)
        instance.declare(self.text)
        count = {} if module == "stream_pack" else {"PIECES": max(width, link.width) // piece}
        parameters = {
            **count,
            **(settings or {}),
            "DATA": piece,
            "KEEP": piece // link.keep_bits,
            "AD": piece // link.ad_bits,
        }
        connections = {"clk": "aclk", "flush": self.flush}
        for side, one in (("in", link), ("out", instance)):
            connections |= {f"{side}_{member}": f"{one.name}_{member}" for member in one.widths}
        self.text.part(module, instance.name, connections, parameters)
        return instance
