# SPDX-License-Identifier: Apache-2.0
"""A list of public cores: repositories, commits, and what a file of ports says, as data. The
sources are in work trees that whoever uses the list has."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwater.errors import InputError
from headwater.foreign.settings import Settings, settings_of


@dataclass(frozen=True)
class Listed:
    """A core of a list, at one width."""

    name: str
    """Repository, cipher and radix."""
    cipher: str
    tree: Path
    commit: str
    files: tuple[Path, ...]
    """In the order in which they are read."""
    models: str
    """Verilog of what a maker's tool would bring."""
    tables: Mapping[str, Path]
    """Modules of tables that such a tool would make of a file of coefficients."""
    settings: Settings

    def sources(self, folder: Path) -> list[Path]:
        """Its files, behind those that stand for a maker's tool, which are written into a folder.

        Raises
        ------
        InputError
            If its work tree is at another commit, or has not all files.
        """
        check_commit(self.tree, self.commit)
        for file in (*self.files, *self.tables.values()):
            if not file.is_file():
                raise InputError(f"{self.name} must have the file {file}")
        sources = []
        for name, text in {
            "models": self.models,
            **{name: _table(name, file) for name, file in self.tables.items()},
        }.items():
            if text:
                sources.append(folder / f"{name}.v")
                sources[-1].write_text(text)
        return [*sources, *self.files]


def read_list(path: Path, trees: Path) -> list[Listed]:
    """The cores of a list, a row for each width; those without sources are left out.

    Parameters
    ----------
    path
        A TOML file with a table ``[[core]]`` for each: ``repository``, ``commit``, ``cipher``,
        ``files``, ``top`` and ``at``, a list of widths with ``radix`` and ``parameters``; perhaps
        ``folder``, ``parameters``, ``models``, ``roms``, and ``ports``, what a file of ports says.
    trees
        A folder with a work tree of each repository, as OWNER/NAME.

    Raises
    ------
    InputError
        If the file is no such list.
    """
    try:
        cores = tomllib.loads(path.read_text(encoding="utf-8"))["core"]
        return [one for core in cores if "files" in core for one in _widths(core, path, trees)]
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path} must be TOML: {error}") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{path} must be a list of tables [[core]] with repository, commit, "
            f"cipher, files, top and at; one has not: {error}"
        ) from error


def _widths(core: Mapping[str, Any], path: Path, trees: Path) -> Iterator[Listed]:
    tree = trees / core["repository"]
    folder = tree / core.get("folder", "")
    for width in core["at"]:
        ports = {"top": core["top"], **core.get("ports", {}), **width.get("ports", {})}
        ports["parameters"] = core.get("parameters", {}) | width.get("parameters", {})
        yield Listed(
            f"{core['repository']} {core['cipher']} {width['radix']}",
            core["cipher"],
            tree,
            core["commit"],
            tuple(folder / name for name in core["files"]),
            core.get("models", ""),
            {name: folder / file for name, file in core.get("roms", {}).items()},
            settings_of(ports, str(path)),
        )


def check_commit(tree: Path, commit: str) -> None:
    """Refuse a work tree that is at another commit."""
    asked = ["git", "-C", str(tree), "rev-parse", "HEAD"]
    at = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    if at != commit:
        raise InputError(f"{tree} must be a work tree at {commit}, not {at or 'absent'!r}")


def _table(name: str, file: Path) -> str:
    """A table of bytes from a file of coefficients, as a module with an address `a` and what is
    there, `spo`."""
    values = file.read_text().partition("memory_initialization_vector")[2]
    cases = "".join(
        f"    {place}: spo = 8'h{value};\n"
        for place, value in enumerate(re.findall(r"\b[0-9A-Fa-f]{2}\b", values))
    )
    return (
        f"module {name} (input [7:0] a, output reg [7:0] spo);\n"
        f"  always @* case (a)\n{cases}  endcase\nendmodule\n"
    )
