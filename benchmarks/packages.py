# SPDX-License-Identifier: Apache-2.0
"""Whether each kind of cipher on each interface passes its own testbench as it is delivered, at two
radices: lint by Verilator, simulation in Icarus Verilog and in Verilator.

    python benchmarks/packages.py [CIPHER ...]

Prints a table row for each IP, with the number of words that its testbench compared, and ends with
1 if one failed. All of them take about half an hour.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import headwater as hw
from headwater.errors import InputError, ToolError
from headwater.flow.process import run_tool
from headwater.flow.verilator import verilator

CORES = (
    ("trivium", 12),
    ("trivium", 64),
    ("grain128aead", 8),
    ("grain128aead", 64),
    ("sfinks-ae", 2),
    ("sfinks-ae", 8),
    ("mosquito", 3),
    ("mosquito", 4),
    ("chacha20", 32),
    ("chacha20", 512),
    ("aes_ofb", 8),
    ("aes_ofb", 128),
    ("phelix", 32),
    ("phelix", 64),
    ("vest4-ae", 4),
    ("vest4", 4),
    ("eea3", 32),
    ("uia2", 32),
)
"""Two of each kind: with and without whole words of 32 bits, or with and without a tag."""

INTERFACES: dict[str, dict[str, str]] = {
    **{name: {} for name in ("custom", "custom3", "fifo", "bus", "dma", "wishbone", "axi4lite")},
    "axi4stream": {"key_by": "stream"},
    "axi4stream, registers": {"key_by": "axi4lite"},
}
"""What `generate --interface` offers, and the ways of the key."""

_COMPILE = ("g++", "-std=c++20", "-O0", "-w", "-DVM_TRACE=0", "-DVM_COVERAGE=0")
_RUNTIME = (
    "verilated.cpp",
    "verilated_random.cpp",
    "verilated_threads.cpp",
    "verilated_timing.cpp",
)


@dataclass(frozen=True)
class Ip:
    """The files of a package in a folder."""

    folder: Path
    top: str

    @property
    def sources(self) -> list[Path]:
        """The design and the testbench of the whole."""
        rtl = [path for path in self.folder.glob("*.v") if not path.stem.endswith("_tb")]
        return [*rtl, self.folder / f"{self.top}_tb.sv"]


def main() -> None:
    """Print the table."""
    failed = False
    print("| core | interface | lint | Icarus | Verilator |\n|---|---|---|---|---|")
    for name, radix in CORES:
        if not sys.argv[1:] or name in sys.argv[1:]:
            for interface in INTERFACES:
                results = list(checked(name, radix, interface))
                failed |= any("FAIL" in result for result in results)
                print(f"| {name} {radix} | {interface} | {' | '.join(results)} |", flush=True)
    sys.exit(int(failed))


def checked(name: str, radix: int, interface: str) -> Iterator[str]:
    """What each check says: the words compared, "clean", or why it failed."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            ip = written(Path(folder), name, radix, interface)
        except InputError as error:
            yield from (f"refused: {error}", "", "")
            return
        for check in (lint, icarus, verilated):
            yield verdict(check, ip)


def verdict(check: Callable[[Ip], str], ip: Ip) -> str:
    """The result of a check in a few words."""
    try:
        said = check(ip)
    except ToolError as error:
        return f"FAIL: {str(error).splitlines()[-1]}"
    passed = re.search(r"^PASS: .*: (\d+)$", said, re.MULTILINE)
    if passed:
        return passed[1]
    wrong = check is not lint or said
    return f"FAIL: {said.splitlines()[0] if said else 'no verdict'}" if wrong else "clean"


def written(folder: Path, name: str, radix: int, interface: str) -> Ip:
    """A package, in a folder."""
    core = hw.cipher(name).core(radix, interface=interface.partition(",")[0])
    made = core.design(package=True, **INTERFACES[interface])
    for file, text in made.files.items():
        (folder / file).write_text(text)
    return Ip(folder, made.top)


def lint(ip: Ip) -> str:
    """Every warning of Verilator about the design is a failure."""
    *rtl, _ = ip.sources
    return run_tool(
        [*verilator(), "--lint-only", "-Wall", "--top-module", ip.top, *rtl], cwd=ip.folder
    )


def icarus(ip: Ip) -> str:
    """The testbench in Icarus Verilog."""
    run_tool(["iverilog", "-g2012", "-o", "bench.vvp", *ip.sources], cwd=ip.folder)
    return run_tool(["vvp", "-n", "bench.vvp"], cwd=ip.folder)


def verilated(ip: Ip) -> str:
    """The testbench in Verilator, compiled as one file, which is faster than with `--binary`."""
    run_tool(
        [
            *verilator(),
            "--cc",
            "--exe",
            "--main",
            "--timing",
            "-Wno-lint",
            "--Mdir",
            "made",
            "--prefix",
            "Vbench",
            "--top-module",
            f"{ip.top}_tb",
            *ip.sources,
        ],
        cwd=ip.folder,
    )
    parts = sorted((ip.folder / "made").glob("*.cpp"))
    (ip.folder / "all.cpp").write_text("".join(f'#include "{part}"\n' for part in parts))
    run_tool(
        [*_COMPILE, *included(), "-Imade", "all.cpp", *runtime(), "-lpthread", "-o", "bench"],
        cwd=ip.folder,
    )
    return run_tool(["./bench"], cwd=ip.folder)


@cache
def runtime() -> list[Path]:
    """The objects of Verilator's run-time library."""
    folder = Path(tempfile.mkdtemp())
    sources = [Path(included()[0].removeprefix("-I"), name) for name in _RUNTIME]
    run_tool([*_COMPILE, *included(), "-c", *sources], cwd=folder)
    return sorted(folder.glob("*.o"))


def included() -> list[str]:
    """The folders of Verilator's headers."""
    include = Path(verilator()[0]).parents[1] / "include"
    return [f"-I{include}", f"-I{include / 'vltstd'}"]


if __name__ == "__main__":
    main()
