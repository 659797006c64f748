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
    files: set[Path] = set()
    left = [path.resolve() for path in starts]
    while left:
        path = left.pop()
        if path not in files and not _is_left_out(path, without):
            files.add(path)
            left += imported(path)
    return files


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
    if path.is_relative_to(PACKAGE):
        return str(path.relative_to(PACKAGE))
    return str(path.relative_to(_root(path)))


def _root(path: Path) -> Path:
    """The folder in which the package of a file lies, or the file itself if it is in none."""
    folder = path.parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


def _is_left_out(path: Path, without: frozenset[str]) -> bool:
    name = _name(path)
    return name in without or name.split("/", 1)[0] in without


@cache
def imported(path: Path) -> tuple[Path, ...]:
    """The files of this package that a file imports or names as data beside it."""
    if path.suffix != ".py":
        return ()
    files: list[Path] = []
    for node in _running(ast.parse(text(path))):
        if isinstance(node, ast.ImportFrom):
            files += _files(path, node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            files += _data_beside(path, node.value)
    return tuple(files)


def _running(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run, not those for type checkers."""
    left = [tree]
    while left:
        node = left.pop()
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield node
            left += ast.iter_child_nodes(node)


def _files(path: Path, node: ast.ImportFrom) -> Iterator[Path]:
    """The file of a module, or those of the modules that are taken from a folder: of this package,
    or of the one that the importing file is in."""
    place = _place(path, node)
    if place is None:
        return
    if place.with_suffix(".py").is_file():
        yield place.with_suffix(".py")
        return
    named = [place / f"{alias.name}.py" for alias in node.names]
    yield from (one for one in (place / "__init__.py", *named) if one.is_file())


def _place(path: Path, node: ast.ImportFrom) -> Path | None:
    """Where the module of an import is, without its suffix."""
    if node.level:
        return path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
    first, *others = (node.module or "").split(".")
    if first == PACKAGE.name:
        return PACKAGE.joinpath(*others)
    root = _root(path)
    own = root / first
    return own.joinpath(*others) if own != root and (own / "__init__.py").is_file() else None


def _data_beside(path: Path, name: str) -> Iterator[Path]:
    """A file beside this one that is read, where the string is its name."""
    if Path(name).suffix in (".json", ".cpp", ".v", ".tcl") and "/" not in name:
        data = path.with_name(name)
        if data.is_file():
            yield data
