# SPDX-License-Identifier: Apache-2.0
"""Words that mean something in SystemVerilog or C, so that nothing can be called so."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from headwater.errors import InputError

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_FURTHER = frozenset({"class", "dist", "extends", "inside", "NULL"})
"""Keywords of SystemVerilog that pygments only knows in their context, and a macro of C."""

_HEADERS = frozenset({"stddef", "stdint", "stdlib", "string", "svdpi"})
"""Headers of C that generated files include. A header of the same name would hide them."""


def check_name(what: str, name: str) -> None:
    """Refuse a name that Verilog or C does not leave free; ``what`` says whose name it is."""
    if not _IDENTIFIER.fullmatch(name) or is_keyword(name):
        raise InputError(
            f"{what} must have a name of letters, digits and _ that Verilog leaves free, "
            f"not {name!r}"
        )


def check_name_of_files(what: str, name: str) -> None:
    """Refuse a name that modules, or the files of a model in C, must not have."""
    check_name(what, name)
    if name in _HEADERS:
        raise InputError(f"{what} must not have the name of a header of C, {name!r}")


def identifiers(text: str) -> Counter[str]:
    """How often each identifier is in a text of Verilog, without its comments."""
    from pygments.lexers.hdl import SystemVerilogLexer
    from pygments.token import Name

    return Counter(word for kind, word in SystemVerilogLexer().get_tokens(text) if kind in Name)


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
