# SPDX-License-Identifier: Apache-2.0
"""What a design in VHDL needs of a module of Verilog: a component, and an example that has one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from headwater.interface.module_port import ModulePort
from headwater.package.templating import rendered

_IDENTIFIER = re.compile(r"[A-Za-z](_?[A-Za-z0-9])*")
_DIRECTIONS = {"input": "in", "output": "out"}


def vhdl_files(top: str, title: str, ports: Sequence[ModulePort]) -> dict[str, str]:
    """``{top}_component.vhd`` and ``{top}_example.vhd``, in VHDL-93."""
    names = {
        "component": _name(top),
        "package": _name(f"{top}_component"),
        "example": _name(f"{top}_example"),
    }
    declared = [(_name(port.name), _DIRECTIONS[port.direction], _type(port)) for port in ports]
    return {
        f"{top}_{file}.vhd": rendered(f"{file}.vhd", **names, title=title, ports=declared)
        for file in ("component", "example")
    }


def _name(name: str) -> str:
    """A name as VHDL writes it: between backslashes where a plain one must not be so."""
    return name if _IDENTIFIER.fullmatch(name) and not _is_keyword(name) else f"\\{name}\\"


@cache
def _is_keyword(name: str) -> bool:
    """Whether an identifier is a keyword of VHDL, in which case does not count."""
    # Imported on first use: most commands write no VHDL.
    from pygments.lexers.hdl import VhdlLexer
    from pygments.token import Keyword

    kind, _ = next(VhdlLexer().get_tokens(name.lower()))
    return kind in Keyword


def _type(port: ModulePort) -> str:
    if not port.width:
        return "std_logic"
    return f"std_logic_vector({port.low + port.width - 1} downto {port.low})"
