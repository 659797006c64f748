# SPDX-License-Identifier: Apache-2.0
"""docs/descriptions.md: the classes that descriptions are written with, from their docstrings.

python tools/descriptions.py            writes the page
python tools/descriptions.py --check    the exit status is 1 if the page is not what it writes
"""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cipher.law import Law
from headwater.cipher.option import Option
from headwater.cipher.register import Register
from headwater.kinds.message.description import MessageCipher
from headwater.kinds.registry import kind_of
from headwater.kinds.self_synchronising.description import Cell, Stage
from headwater.kinds.stepped.description import Injected, Phase, Placed
from headwater.kinds.stepped.word_cipher import Entered

PAGE = Path(__file__).parents[1] / "docs" / "descriptions.md"
_PARTS = (Register, Phase, Placed, Injected, Entered, Cell, Stage, Option, Law)
"""What descriptions have in their fields."""
_LONG = 16
_HEAD = """\
# Classes of descriptions

The classes that ciphers are described with, and their fields, which are keyword arguments. A class
also has the fields of its bases. [CONTRIBUTING.md](../CONTRIBUTING.md) says how to begin, and
`headwater new-cipher NAME --kind KIND` writes a file that works. This page is written by
`python tools/descriptions.py`.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *_sections()])


def classes() -> list[type]:
    """The classes, the ones that all others are made from first."""
    found: dict[type, None] = {}
    for described in (*map(type, CATALOGUE.values()), MessageCipher):
        for each in reversed(described.__mro__):
            if issubclass(each, Cipher):
                found[each] = None
    return list(found)


def _sections() -> Iterator[str]:
    of_kind = {type(cipher): kind_of(cipher).meaning for cipher in reversed(CATALOGUE.values())}
    for each in classes():
        yield from _section(each, of_kind.get(each, ""))
    yield "# Parts of descriptions\n"
    for each in _PARTS:
        yield from _section(each, "")


def _section(each: type, meaning: str) -> Iterator[str]:
    yield f"## {each.__name__}\n"
    bases = [base.__name__ for base in each.__bases__ if issubclass(base, Cipher)]
    based = f"; base {' and '.join(f'`{base}`' for base in bases)}" if bases else ""
    yield f"`from {each.__module__} import {each.__name__}`{based}\n"
    if meaning:
        yield f"Kind: {meaning}.\n"
    yield f"{_plain(inspect.getdoc(each) or '')}\n"
    rows = list(_rows(each))
    if rows:
        yield "| field | type | default | meaning |\n|---|---|---|---|"
        yield from rows
        yield ""


def _rows(each: type) -> Iterator[str]:
    documented = _docs(each)
    for field in fields(each):
        if field.name not in documented:
            continue
        default = "" if field.default is MISSING else f"`{_shown(field.default)}`"
        if field.default_factory is not MISSING:
            default = f"`{field.default_factory()!r}`"
        if " at 0x" in default or "<function" in default:
            default = f"`{getattr(field.default, '__name__', '')}`"
        kind = str(field.type).replace("|", "\\|")
        yield f"| `{field.name}` | `{kind}` | {default} | {documented[field.name]} |"


def _shown(default: object) -> str:
    """A value; of a long row of numbers its ends."""
    row = default if isinstance(default, tuple) else ()
    if len(row) > _LONG and row == tuple(range(row[0], row[-1] + 1)):
        return f"({row[0]}, {row[1]}, ..., {row[-1]})"
    return repr(default)


def _docs(each: type) -> dict[str, str]:
    """The fields that a class itself names, with the docstring below each."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(each))).body
    assert isinstance(tree, ast.ClassDef)
    found: dict[str, str] = {}
    for line, following in zip(tree.body, [*tree.body[1:], None], strict=True):
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            text = ""
            if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
                text = " ".join(inspect.cleandoc(str(following.value.value)).split())
            found[line.target.id] = _plain(text).replace("|", "\\|")
    return found


def _plain(text: str) -> str:
    """Code of reStructuredText as that of Markdown."""
    return re.sub(r"``(.+?)``", r"`\1`", text, flags=re.DOTALL)


def main() -> int:
    """Write the page, or compare it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    if parser.parse_args().check:
        return int(PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
