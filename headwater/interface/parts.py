# SPDX-License-Identifier: Apache-2.0
"""The Verilog modules that shells are made of, under names of the design they go into.

The files in `rtl` hold one module each, of the file's name. In a design every module's name begins
with that of the top, so that several designs can be parts of one.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

_RTL = Path(__file__).with_name("rtl")
_INSIDE = {"fifo_link": "word_fifo", "text_in": "word_fifo"}
"""The part that is inside of another one."""


def rtl_files() -> list[Path]:
    """The files of all parts."""
    return sorted(_RTL.glob("*.v"))


def part_name(top: str, part: str) -> str:
    """The name of the module of a part in the design of a top module."""
    return f"{top}_{part}"


def with_parts(top: str, text: str, parts: Collection[str]) -> dict[str, str]:
    """A top module and its parts, by name of the file.

    Parameters
    ----------
    top
        Name of the module on top.
    text
        Its Verilog, in which the parts have the names that `part_name` gives.
    parts
        The parts that it uses itself.
    """
    every = dict.fromkeys(one for part in sorted(parts) for one in (part, _INSIDE.get(part)) if one)
    return {
        f"{top}.v": text,
        **{f"{part_name(top, part)}.v": _text_of(top, part) for part in every},
    }


def _text_of(top: str, part: str) -> str:
    """The Verilog of a part, with the names that modules have in the design."""
    text = (_RTL / f"{part}.v").read_text()
    text = text.replace(f"\nmodule {part} ", f"\nmodule {part_name(top, part)} ")
    inside = _INSIDE.get(part)
    return text.replace(f"  {inside} #(", f"  {part_name(top, inside)} #(") if inside else text
