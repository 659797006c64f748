# SPDX-License-Identifier: Apache-2.0
"""The Verilog modules that shells are made of, under names of the design they go into.

The files in `rtl` hold one module each, of the file's name. In a design every module's name begins
with that of the top, so that several designs can be parts of one.
"""

from __future__ import annotations

import re
from pathlib import Path

_RTL = Path(__file__).with_name("rtl")


def rtl_files() -> list[Path]:
    """The files of all parts."""
    return sorted(_RTL.glob("*.v"))


def with_parts(top: str, text: str) -> dict[str, str]:
    """A top module and the parts that it uses, directly or through others, by name of the file.

    Parameters
    ----------
    top
        Name of the module on top.
    text
        Its Verilog, in which the parts have the names of their files.
    """
    used = _used(text)
    return {
        f"{top}.v": _renamed(text, top, used),
        **{f"{top}_{name}.v": _renamed(part, top, used) for name, part in used.items()},
    }


def _used(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in rtl_files():
        if path.stem not in found and re.search(rf"^ +{path.stem} [#a-z]", text, re.MULTILINE):
            part = path.read_text()
            found |= {path.stem: part, **_used(part)}
    return found


def _renamed(text: str, top: str, parts: dict[str, str]) -> str:
    if not parts:
        return text
    names = "|".join(parts)
    return re.sub(rf"^(module | +)({names})(?= [#(a-z])", rf"\1{top}_\2", text, flags=re.MULTILINE)
