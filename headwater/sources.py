# SPDX-License-Identifier: Apache-2.0
"""Which source files something is made by, found by following imports, and their hash.

Imports for types alone (``if TYPE_CHECKING``) are not followed.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent


def closure(starts: Iterable[Path], *, without: frozenset[str] = frozenset()) -> set[Path]:
    """The files, and all files of this package that they import, directly or not.

    Parameters
    ----------
    without
        Folders and files of the package that are left out, by their names in it.
    """
    found: set[Path] = set()
    left = [path.resolve() for path in starts]
    while left:
        path = left.pop()
        if path not in found and not _is_left_out(path, without):
            found.add(path)
            left += imported(path)
    return found


def sha256(paths: Iterable[Path], content: Callable[[Path], str]) -> str:
    """One hash of what some files hold, whatever folder the package is in."""
    texts = {_name(path): content(path) for path in paths}
    return hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()


def closure_sha256(starts: Iterable[Path], *, without: frozenset[str]) -> str:
    """One hash of the files of a `closure`."""
    return sha256(closure(starts, without=without), text)


def text(path: Path) -> str:
    """What a file holds."""
    return path.read_text(encoding="utf-8")


def _name(path: Path) -> str:
    return str(path.relative_to(PACKAGE)) if path.is_relative_to(PACKAGE) else path.name


def _is_left_out(path: Path, without: frozenset[str]) -> bool:
    name = _name(path)
    return name in without or name.split("/", 1)[0] in without


@cache
def imported(path: Path) -> tuple[Path, ...]:
    """The files of this package that a file imports or names as data beside it."""
    if path.suffix != ".py":
        return ()
    found: list[Path] = []
    for node in _running(ast.parse(text(path))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("headwater"):
            found += _files(node.module or "", [alias.name for alias in node.names])
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found += _data_beside(path, node.value)
    return tuple(found)


def _running(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run, not those for type checkers."""
    left = [tree]
    while left:
        node = left.pop()
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield node
            left += ast.iter_child_nodes(node)


def _files(module: str, names: list[str]) -> Iterator[Path]:
    """The file of a module, or those of the modules that are taken from a folder."""
    place = PACKAGE.joinpath(*module.split(".")[1:])
    if place.with_suffix(".py").is_file():
        yield place.with_suffix(".py")
        return
    yield place / "__init__.py"
    yield from (path for name in names if (path := place / f"{name}.py").is_file())


def _data_beside(path: Path, name: str) -> Iterator[Path]:
    """A file beside this one that is read, where the string is its name."""
    if Path(name).suffix in (".json", ".cpp", ".v", ".tcl") and "/" not in name:
        data = path.with_name(name)
        if data.is_file():
            yield data
