# SPDX-License-Identifier: Apache-2.0
"""The hash of a description: of all that it is made of, and of no prose.

It covers the files that the description's functions are written in and what these import (S-boxes,
tables, the operations of words), as syntax trees. Comments, docstrings, messages and the fields for
people do not count.
"""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from headwater import sources

_PROSE = frozenset(
    {"title", "source", "security", "convention", "lane_names", "printed_flip_flops", "iv_rule"}
)
"""Fields of a description that are written for people."""

_NO_PART = frozenset({"errors.py", "sources.py", "cipher/digest.py", "cipher/catalogue.py"})
"""Files that descriptions import and are not made of."""


def description_digest(cipher: Any) -> str:
    """SHA-256 of a description, with the name that tells it from others in the same files."""
    starts = {Path(inspect.getfile(function)) for function in _functions(cipher)}
    starts |= {Path(cipher.described_in)} if cipher.described_in else set()
    starts.add(Path(inspect.getfile(type(cipher))))
    found = sources.closure(starts, without=_NO_PART)
    return sources.sha256(found, _code)


def _functions(value: Any) -> Iterator[Callable[..., Any]]:
    """The functions that a description holds, in whatever it holds them."""
    if isinstance(value, partial):
        yield value.func
    elif inspect.isfunction(value):
        yield value
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _functions(getattr(value, field.name))
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _functions(one)


def _code(path: Path) -> str:
    """What counts of a file."""
    text = sources.text(path)
    return _without_prose(text) if path.suffix == ".py" else json.dumps(json.loads(text))


@cache
def _without_prose(text: str) -> str:
    return ast.dump(_Code().visit(ast.parse(text)))


class _Code(ast.NodeTransformer):
    """Leaves prose out of a syntax tree."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        """A string that stands alone is a docstring."""
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return None
        return self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:  # noqa: ARG002
        """A refusal has a message."""
        return ast.Raise()

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A description's fields for people; the meaning of an option."""
        node.keywords = [each for each in node.keywords if each.arg not in _PROSE]
        if isinstance(node.func, ast.Name) and node.func.id == "Option":
            node.args = node.args[:2]
        return self.generic_visit(node)
