# SPDX-License-Identifier: Apache-2.0
"""OpenSTA: the longest path of a gate netlist, and the slews and loads of its pins.

Written for the version that Debian ships (2.0.17); comments mark the workarounds. Before layout
there is no clock tree and no wire: the clock is ideal, the load of a net is that of its pins (plus
the library's default wire load).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow.liberty import Library
from headwater.flow.process import find_program, program_version, run_tool

_INSTALL = "apt-get install opensta"
# Without latches any period will do, because slack tells the shortest one. A short period keeps
# more of the seven digits.
_PERIOD_NS = 1.0
_LONGEST_NS = 1000.0
_DONE = "answer done"
_PROCEDURES = Path(__file__).with_name("procedures.tcl")
_OF_EDGES = re.compile(r"\b(?:rise|fall)_capacitance(?:_range)?\s*(?::[^;\n]*|\([^)]*\))\s*;?")
"""The capacitances of a pin for the longest and the shortest delays of its edges."""


@dataclass(frozen=True)
class Timing:
    """The longest path of a netlist, inputs and outputs included.

    ``period_ns`` is the shortest clock period that works, ``fmax_mhz`` its inverse. The ends of
    the path are ports or the nets of flip-flops' outputs.
    """

    period_ns: float
    fmax_mhz: float
    startpoint: str
    endpoint: str


@dataclass(frozen=True)
class Wires:
    """The routed wires of a netlist that has a clock tree."""

    spef: str
    """Their resistance and capacitance."""
    latency_ns: float = 0.0
    """How much later than the clock port the registers outside get the clock."""


def minimum_period(
    netlist: str,
    library: Library,
    top: str,
    folder: Path,
    *,
    wires: Wires | None = None,
    latches: bool = False,
    constants: Mapping[str, int] | None = None,
    endpoints: Collection[str] = (),
) -> Timing:
    """The shortest clock period, over all paths: between registers, from inputs, to outputs.

    The clock is the port ``clk``. The library's driving cell drives every input, and its load is on
    every output.

    Parameters
    ----------
    wires
        The routed wires; None before layout.
    latches
        Whether clock gates have latches of their own. The enable of a latch may come while the
        clock is low, and borrow time.
    constants
        Input ports and output pins ("instance/pin") that are taken to be constant.
    endpoints
        Pins and output ports that are ends of paths; all if empty.
    """
    script = [
        *sta_setup(netlist, library, top, folder, _PERIOD_NS, wires),
        *(_case(name, value) for name, value in (constants or {}).items()),
        *_ends(endpoints),
        *([f"set period [search_period $ends {_LONGEST_NS}]"] if latches else []),
        "set path [worst_path $ends]",
        'if {$path ne ""} {',
        f"  answer {'$period' if latches else _PERIOD_BY_SLACK}",
        "  answer [register [get_property $path startpoint]]",
        "  answer [register [get_property $path endpoint]]",
        "}",
    ]
    answers = sta_answers(script, folder)
    if not answers:
        raise ToolError(f"sta found no path that counts in {top}")
    period_ns = round(float(answers[0]), 6)
    return Timing(period_ns, 1000 / period_ns, answers[1], answers[2])


_PERIOD_BY_SLACK = f"[expr {{{_PERIOD_NS} - [get_property $path slack]}}]"


def _case(name: str, value: int) -> str:
    kind = "pins" if "/" in name else "ports"
    return f"set_case_analysis {value} [get_{kind} {{{name}}}]"


def _ends(endpoints: Collection[str]) -> Iterator[str]:
    """The lines that list the ends of paths that count."""
    yield "set ends [list]"
    for name in endpoints:
        yield f"lappend ends [get_{'pins' if '/' in name else 'ports'} {{{name}}}]"


@dataclass(frozen=True)
class PinLoad:
    """A connected pin: its net, whether it drives it, the slew there (the mean of both edges, in
    seconds) and the load of the net (the mean of both, in farads)."""

    net: str
    drives: bool
    slew_s: float
    load_f: float


@dataclass(frozen=True)
class Instance:
    """An instance of a cell, with its connected pins by name."""

    name: str
    cell: str
    pins: dict[str, PinLoad]


def electrical(
    netlist: str,
    library: Library,
    top: str,
    folder: Path,
    period_ns: float,
    wires: Wires | None = None,
) -> list[Instance]:
    """The slews and loads of all pins of a netlist, with ``wires`` after layout. Inputs are driven
    and outputs loaded as for the timing, but each pin loads its net with its nominal capacitance,
    whichever edge it is."""
    script = [*sta_setup(netlist, library, top, folder, period_ns, wires), "electrical"]
    file = folder / library.unpack(folder)
    file.write_text(_OF_EDGES.sub("", file.read_text()))
    instances: list[Instance] = []
    for line in sta_answers(script, folder):
        kind, name, *words = line.split(" ")
        if kind == "cell":
            instances.append(Instance(name, words[0], {}))
        else:
            direction, net, rise, fall, load = words
            # OpenSTA tells times in the unit of the script, loads in farads. Where no register or
            # input leads, there is no slew.
            edges = [float(edge) for edge in (rise, fall)]
            slew_s = 1e-9 * sum(edges) / 2 if 0 <= min(edges) <= max(edges) < _LONGEST_NS else 0.0
            instances[-1].pins[name] = PinLoad(net, direction == "output", slew_s, float(load))
    return instances


@lru_cache
def opensta_version() -> str:
    """Version of the installed program."""
    return program_version("sta", "-version", _INSTALL)


def sta_design(netlist: str, library: Library, top: str, folder: Path) -> list[str]:
    """The lines of a script that read a netlist and its library."""
    (folder / "netlist.v").write_text(netlist)
    file, conditions = library.unpack(folder), library.lost_conditions
    return [
        _PROCEDURES.read_text(),
        f'read_library {file} "{conditions}"' if conditions else f"read_liberty {file}",
        f"read_netlist netlist.v {top}",
    ]


def sta_setup(
    netlist: str,
    library: Library,
    top: str,
    folder: Path,
    period_ns: float,
    wires: Wires | None = None,
) -> list[str]:
    """The lines of a script that read a netlist and its wires, and constrain its clock, inputs and
    outputs."""
    latency = f" {wires.latency_ns:.9g}" if wires else ""
    script = [
        *sta_design(netlist, library, top, folder),
        f"constrain {period_ns:.9g}{latency}",
        f"set_driving_cell -lib_cell {library.driving_cell} [inputs]",
        f"set_load {library.output_load_ff:g} [all_outputs]",
    ]
    if wires:
        (folder / "wires.spef").write_text(wires.spef)
        script.append("read_wires wires.spef")
    return script


def delays_as_sdf(
    netlist: str, library: Library, top: str, folder: Path, wires: Wires | None = None
) -> str:
    """All delays of a netlist as SDF, in nanoseconds with six digits behind the point."""
    setup = sta_setup(netlist, library, top, folder, _PERIOD_NS, wires)
    run_sta([*setup, "write_sdf -digits 6 core.sdf"], folder)
    return (folder / "core.sdf").read_text()


def run_sta(script: list[str], folder: Path) -> list[str]:
    """What OpenSTA prints for a script, line by line; an error if it fails or so much as warns.

    OpenSTA always ends with status 0, and many of its warnings mean wrong numbers (unknown
    operating conditions: no supply voltage; an unlinked cell: no power at all).
    """
    (folder / "script.sta").write_text("\n".join([*script, f'puts "{_DONE}"']) + "\n")
    sta = find_program("sta", _INSTALL)
    command: list[str | Path] = [sta, "-no_init", "-no_splash", "-exit", "script.sta"]
    log = run_tool(command, cwd=folder, merged=True).splitlines()
    complaints = [line for line in log if line.startswith(("Warning", "Error"))]
    if complaints or log[-1:] != [_DONE]:
        tail = "\n".join((complaints or log)[-12:])
        raise ToolError(f"sta did not finish cleanly:\n{tail}")
    return log[:-1]


def sta_answers(script: list[str], folder: Path) -> list[str]:
    """The answers of a script, one line for each call of its procedure ``answer``."""
    log = run_sta(script, folder)
    return [line.removeprefix("answer ") for line in log if line.startswith("answer ")]
