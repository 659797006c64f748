# SPDX-License-Identifier: Apache-2.0
"""Words that mean something in SystemVerilog, so that nothing can be called so."""

from __future__ import annotations

from functools import cache


@cache
def is_keyword(name: str) -> bool:
    """Whether an identifier is a keyword of SystemVerilog."""
    # Imported on first use: the catalogue is listed without it.
    from pygments.lexers.hdl import SystemVerilogLexer
    from pygments.token import Keyword

    kind, _ = next(SystemVerilogLexer().get_tokens(name))
    return kind in Keyword
