# SPDX-License-Identifier: Apache-2.0
"""Words that mean something in SystemVerilog or C, so that nothing can be called so."""

from __future__ import annotations

from functools import cache

_FURTHER = frozenset({"class", "dist", "extends", "inside", "NULL"})
"""Keywords of SystemVerilog that pygments only knows in their context, and a macro of C."""


@cache
def is_keyword(name: str) -> bool:
    """Whether an identifier is a keyword of SystemVerilog, or a macro of C."""
    if name in _FURTHER:
        return True
    # Imported on first use: the catalogue is listed without it.
    from pygments.lexers.hdl import SystemVerilogLexer
    from pygments.token import Keyword

    kind, _ = next(SystemVerilogLexer().get_tokens(name))
    return kind in Keyword
