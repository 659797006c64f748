# SPDX-License-Identifier: Apache-2.0
"""The hash of a description: of its code and tables, without prose.

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
    {
        "title",
        "source",
        "security",
        "patents",
        "convention",
        "lane_names",
        "printed_flip_flops",
        "iv_rule",
    }
)
"""Fields of a description that are written for people."""

_NO_PART = frozenset({"errors.py", "sources.py", "cipher/digest.py", "cipher/catalogue.py"})
"""Imported files that do not influence what a description means."""


def description_digest(cipher: Any) -> str:
    """SHA-256 of a description's source files. Descriptions in the same files share it."""
    starts = {Path(inspect.getfile(function)) for function in _functions(cipher)}
    starts |= {Path(cipher.described_in)} if cipher.described_in else set()
    starts.add(Path(inspect.getfile(type(cipher))))
    files = sources.closure(starts, without=_NO_PART)
    return sources.sha256(files, _code)


def _functions(value: Any) -> Iterator[Callable[..., Any]]:
    """The functions in the fields of a description, nested records and sequences included."""
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
    """The content of a file without prose."""
    text = sources.text(path)
    if path.suffix == ".py":
        return without_prose(text)
    return json.dumps(json.loads(text)) if path.suffix == ".json" else text


@cache
def without_prose(text: str) -> str:
    """The syntax tree of Python text, as text, without docstrings, messages and prose."""
    return ast.dump(_Code().visit(ast.parse(text)))


class _Code(ast.NodeTransformer):
    """Leaves prose out of a syntax tree."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        """Leave out a string that stands alone: it is a docstring."""
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return None
        return self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:  # noqa: ARG002
        """Leave out the message of an exception."""
        return ast.Raise()

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Leave out the fields of a description that are prose, and the meaning of an option."""
        node.keywords = [each for each in node.keywords if each.arg not in _PROSE]
        if isinstance(node.func, ast.Name) and node.func.id == "Option":
            node.args = node.args[:2]
        return self.generic_visit(node)
