# SPDX-License-Identifier: Apache-2.0
"""The shape of the package: imports run one way, and kinds of cipher are folders."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from headwater import sources
from headwater.cipher.catalogue import CATALOGUE
from headwater.kinds.registry import KINDS, kind_of

PACKAGE = sources.PACKAGE
FILES = sorted(PACKAGE.rglob("*.py"))
LAYERS = (
    "algebra",
    "cipher",
    "flow",
    "leakage",
    "core",
    "prove",
    "kinds",
    "interface",
    "emit",
    "verify",
    "measure",
    "foreign",
    "codesign",
    "report",
    "package",
    "board",
    "api",
    "cli",
)
SAME_FILES = {
    "__init__.py",
    "core.py",
    "description.py",
    "facts.py",
    "model.py",
    "properties.py",
    "record.py",
}
PLAIN_DATA = {
    "KeystreamVector",
    "DigestVector",
    "KeyVector",
    "PartVector",
    "MessageVector",
    "ForgedVector",
    "StateVector",
    "TagVector",
}
"""Classes that a file may ask for: what a vector is, not what a cipher is."""

MAY_NAME_CIPHERS = ("cipher", "kinds", "report/reproduce", "codesign/baseline.py")


def place(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def is_description(path: Path) -> bool:
    """Whether a file of a kind is of its descriptions, which cipher files import."""
    return path in DESCRIPTIONS


DESCRIPTIONS = sources.closure(
    PACKAGE / "cipher" / f"{name}.py" for name in ("catalogue", "message", "outside")
)


def test_no_circle_of_imports() -> None:
    graph = {path: set(sources.imported(path)) - {path} for path in FILES}
    assert list(TopologicalSorter(graph).static_order())


def test_imports_run_downwards() -> None:
    """Files of descriptions in a kind's folder belong to the layer of descriptions."""

    def layer(path: Path) -> int:
        first = place(path).split("/")[0]
        return LAYERS.index("cipher" if is_description(path) and first == "kinds" else first)

    inside = [path for path in FILES if "/" in place(path) and place(path).split("/")[0] in LAYERS]
    upwards = [
        (place(path), place(other))
        for path in inside
        for other in sources.imported(path)
        if other in inside and layer(other) > layer(path)
    ]
    assert upwards == []


def test_descriptions_import_no_hardware() -> None:
    for path in DESCRIPTIONS:
        assert "amaranth" not in sources.text(path), place(path)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_a_folder_with_the_same_files(kind: str) -> None:
    assert {path.name for path in (PACKAGE / "kinds" / kind).iterdir()} >= SAME_FILES


def test_every_kind_is_registered_and_used() -> None:
    folders = {path.parent.name for path in (PACKAGE / "kinds").glob("*/record.py")}
    assert folders == set(KINDS)
    own = {cipher.kind for cipher in CATALOGUE.values()}
    assert own == set(KINDS)
    assert all(kind_of(cipher).meaning for cipher in CATALOGUE.values())


def taken_from_kinds(path: Path) -> set[str]:
    """Names that a file imports from the folders of kinds, or from descriptions."""
    return {
        alias.name
        for node in ast.walk(ast.parse(sources.text(path)))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith(("headwater.kinds.", "headwater.cipher."))
        for alias in node.names
    }


def choices(path: Path) -> Iterator[str]:
    """The classes that a file asks a value's class for."""
    for node in ast.walk(ast.parse(sources.text(path))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("isinstance", "issubclass"):
                yield from (
                    name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)
                )
        elif isinstance(node, ast.MatchClass) and isinstance(node.cls, ast.Name):
            yield node.cls.id


def test_nothing_outside_kinds_chooses_by_the_class_of_a_cipher() -> None:
    outside = [path for path in FILES if not place(path).startswith(("kinds/", "cipher/"))]
    found = {
        f"{place(path)}: {name}"
        for path in outside
        for name in choices(path)
        if name in taken_from_kinds(path) - PLAIN_DATA
    }
    assert found == set()


def test_nothing_outside_names_a_cipher() -> None:
    ciphers = {path.stem for path in (PACKAGE / "cipher").glob("*.py")} - {
        "__init__",
        "block_vectors",
        "cases",
        "catalogue",
        "description",
        "digest",
        "keywords",
        "law",
        "message",
        "option",
        "outside",
        "register",
        "sboxes",
        "tdma",
        "whole_state",
    }
    found = [
        f"{place(path)}: {place(other)}"
        for path in FILES
        if not place(path).startswith(MAY_NAME_CIPHERS)
        for other in sources.imported(path)
        if other.parent.name == "cipher" and other.stem in ciphers
    ]
    assert found == []


def test_no_module_beside_a_folder_of_its_name() -> None:
    both = [place(path) for path in FILES if path.with_suffix("").is_dir()]
    assert both == []
