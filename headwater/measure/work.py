# SPDX-License-Identifier: Apache-2.0
"""The work of a worker, on this or another machine. All its inputs are in the task, but for the
library."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from time import monotonic

from headwater import __version__
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.emit.prng import source_verilog
from headwater.emit.verilog import Verilog, datapath, generate
from headwater.errors import HeadwaterError, ToolError
from headwater.flow import doing
from headwater.flow.process import ToolStoppedError, limit_time
from headwater.kinds.stepped.prng.shape import source_of
from headwater.measure.asic import Keep, evaluate_in_cells
from headwater.measure.datapath import evaluate_datapath
from headwater.measure.figures import Figures
from headwater.measure.fpga import evaluate_on_fpga
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.measure.target import AsicTarget, FpgaTarget


@dataclass(frozen=True)
class Task:
    """One measurement."""

    point: DesignPoint
    verilog: Verilog
    time_limit_s: float
    """Longest time that one run of a tool may take."""
    tools: dict[str, str]
    """Versions of tools that the worker must have."""
    generator: str = __version__
    """Version of this package."""
    keep: bool = False
    """Whether the files of a layout are part of the result."""

    @classmethod
    def of(
        cls, point: DesignPoint, verilog: Verilog, time_limit_s: float, *, keep: bool = False
    ) -> Task:
        """The task that measures a point with the tools of this machine."""
        return cls(point, verilog, time_limit_s, point.tools, keep=keep)


@dataclass(frozen=True)
class Measured:
    """The result of a task: the record, or the reason why there is none."""

    record: Record | None
    reason: str
    seconds: float
    files: dict[str, bytes] = field(default_factory=dict)
    """Content of the files of a layout, by name."""


def write_rtl(cipher: Cipher, architecture: Architecture) -> Verilog:
    """The Verilog of a core, of its datapath where this is a module of its own, or of a source of
    random bits, as one module."""
    doing.begin(f"{cipher.name} at radix {architecture.radix}: Verilog")
    if architecture.has_datapath_apart:
        return datapath(cipher, architecture)
    source = source_of(cipher, architecture)
    return source_verilog(source) if source else generate(cipher, architecture)


def measure(task: Task, library: PathLike[str] | None = None) -> Measured:
    """Carry out a task. If a tool crashes or exceeds its time limit, the task is repeated once.

    Parameters
    ----------
    library
        The file of the target's library on this machine, unless the target itself finds it.
    """
    start = monotonic()
    if library is not None:
        task = replace(task, point=_localised(task.point, Path(library)))
    limit_time(task.time_limit_s)
    doing.begin(str(task.point))
    files: dict[str, bytes] = {}
    keep = files.__setitem__ if task.keep else None
    try:
        try:
            record = _record(task, keep)
        except ToolStoppedError:
            record = _record(task, keep)
    except HeadwaterError as error:
        return Measured(None, str(error), monotonic() - start)
    return Measured(record, "", monotonic() - start, files)


def _record(task: Task, keep: Keep | None) -> Record:
    point = task.point
    if task.generator != __version__:
        raise ToolError(f"every worker must have Headwater {task.generator}, not {__version__}")
    tools = point.tools
    if tools != task.tools:
        raise ToolError(f"every worker must have the tools {task.tools!r}, not {tools!r}")
    record: Record = json.loads(json.dumps(evaluate(point, task.verilog, keep).as_json()))
    return record


def evaluate(point: DesignPoint, verilog: Verilog, keep: Keep | None = None) -> Figures:
    """The figures of one design point, measured on an FPGA or in standard cells."""
    if isinstance(point.target, FpgaTarget):
        return evaluate_on_fpga(point, point.target, verilog)
    if point.architecture.has_datapath_apart:
        return evaluate_datapath(point, point.target, verilog)
    return evaluate_in_cells(point, point.target, verilog, keep)


def _localised(point: DesignPoint, library: Path) -> DesignPoint:
    """The design point with its library in this file."""
    assert isinstance(point.target, AsicTarget)
    return replace(point, target=replace(point.target, source=library))
