# SPDX-License-Identifier: Apache-2.0
"""The Verilog modules that shells are made of, under names of the design they go into.

The files in `rtl` hold one module each, of the file's name. What a design has no use for is left
out of the text of some of them: they are templates. In a design every module's name begins with
that of the top, so that several designs can be parts of one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headwater.core.heading import generator, heading
from headwater.templating import Templates

_RTL = Path(__file__).with_name("rtl")
_RENDERED = Templates(_RTL).rendered
_LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"
_NOTED = re.compile(r"^( +\S.*?) +(// .*)$", re.MULTILINE)
_DECLARED = re.compile(
    r"^ +(?:input|output|parameter) [^/]*?(\w+)(?: = \w+)?,?(?: +//.*)?$", re.MULTILINE
)
_COLUMN = 46
"""Where comments begin behind what they are of."""
_INSIDE = "word_fifo"
"""The part that others have inside."""


def rtl_files() -> list[Path]:
    """The files of all parts."""
    return sorted(_RTL.glob("*.v"))


def part_name(top: str, part: str) -> str:
    """The name of the module of a part in the design of a top module. A word with which the top
    ends does not follow once more."""
    first, _, rest = part.partition("_")
    return f"{top}_{rest if rest and top.endswith(f'_{first}') else part}"


def with_parts(top: str, text: str, parts: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """A top module and its parts, by name of the file.

    Parameters
    ----------
    top
        Name of the module on top.
    text
        Its Verilog, in which the parts have the names that `part_name` gives.
    parts
        The parts that it uses itself, and what is filled into their text.
    """
    own = {part: _text_of(top, part, values) for part, values in sorted(parts.items())}
    if any(f" {part_name(top, _INSIDE)} " in one for one in own.values()):
        own[_INSIDE] = _text_of(top, _INSIDE, {})
    return {f"{top}.v": text, **{f"{part_name(top, part)}.v": one for part, one in own.items()}}


def ports_of(part: str, values: Mapping[str, Any]) -> set[str]:
    """The ports and parameters of a part."""
    head, _, _ = _RENDERED(f"{part}.v", **values).partition(");")
    return set(_DECLARED.findall(head))


def _text_of(top: str, part: str, values: Mapping[str, Any]) -> str:
    """The Verilog of a part, with the names that modules have in the design."""
    text = _RENDERED(f"{part}.v", **values)
    for one in (part, _INSIDE):
        text = text.replace(f"\nmodule {one} ", f"\nmodule {part_name(top, one)} ")
        text = text.replace(f"  {one} #(", f"  {part_name(top, one)} #(")
    text = _NOTED.sub(lambda line: f"{line[1]:{_COLUMN}}{line[2]}", text)
    origin = heading({**generator(), "Part of": top})
    return text.replace(_LICENCE, f"{origin}\n//\n", 1)
