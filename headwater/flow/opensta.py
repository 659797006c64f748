# SPDX-License-Identifier: Apache-2.0
"""OpenSTA: the longest path of a gate netlist.

Written for the version that Debian ships (2.0.17), which reads no activity file and forgets some
activities that a script sets; comments below mark the workarounds. There is no clock tree and no
wire: the clock is ideal, the load of a net is that of its pins (plus the library's default wire
load).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
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


def minimum_period(
    netlist: str,
    library: Library,
    top: str,
    folder: Path,
    *,
    latches: bool = False,
    constants: Mapping[str, int] | None = None,
    endpoints: Collection[str] = (),
) -> Timing:
    """The shortest clock period, over all paths: between registers, from inputs, to outputs.

    The clock is the port ``clk``. The library's driving cell drives every input, and its load is on
    every output.

    Parameters
    ----------
    latches
        Whether clock gates have latches of their own. The enable of a latch may come while the
        clock is low, and borrow time.
    constants
        Input ports and output pins ("instance/pin") that are taken to be constant.
    endpoints
        Pins and output ports that are ends of paths; all if empty.
    """
    script = [
        *sta_setup(netlist, library, top, folder, _PERIOD_NS),
        *(_case(name, value) for name, value in (constants or {}).items()),
        *_ends(endpoints),
        *(_SEARCH_PERIOD if latches else _PERIOD_BY_SLACK),
        *_REPORT_PATH,
    ]
    answers = sta_answers(script, folder)
    if len(answers) != len(("period", "startpoint", "endpoint")):
        raise ToolError(f"sta found no path that counts in {top}")
    period_ns = round(float(answers[0]), 6)
    return Timing(period_ns, 1000 / period_ns, answers[1], answers[2])


def _case(name: str, value: int) -> str:
    kind = "pins" if "/" in name else "ports"
    return f"set_case_analysis {value} [get_{kind} {{{name}}}]"


def _ends(endpoints: Collection[str]) -> list[str]:
    """The procedure that finds the worst path."""
    if not endpoints:
        return _worst_of("find_timing_paths -path_delay max")
    pins = " ".join(f"{{{name}}}" for name in endpoints if "/" in name)
    ports = " ".join(f"{{{name}}}" for name in endpoints if "/" not in name)
    return [
        "set ends [list]",
        *([f"foreach end [get_pins [list {pins}]] {{ lappend ends $end }}"] if pins else []),
        *([f"foreach end [get_ports [list {ports}]] {{ lappend ends $end }}"] if ports else []),
        *_worst_of("find_timing_paths -path_delay max -to $::ends"),
    ]


def _worst_of(paths: str) -> list[str]:
    """The procedure that finds the worst path among the worst paths of each group; clock gates form
    a group."""
    return [
        "proc worst_path {} {",
        '  set worst ""',
        f"  foreach path [{paths}] {{",
        '    if {$worst eq "" || [get_property $path slack] < [get_property $worst slack]} {',
        "      set worst $path",
        "    }",
        "  }",
        "  return $worst",
        "}",
    ]


_PERIOD_BY_SLACK = [
    "set path [worst_path]",
    f'if {{$path ne ""}} {{ answer [expr {{{_PERIOD_NS} - [get_property $path slack]}}] }}',
]
# A path through an open latch has half a period plus borrowed time, so slack does not give the
# shortest period.
_SEARCH_PERIOD = [
    "set_clock_gating_check -setup 0",
    f"set least 0.0; set most {_LONGEST_NS}",
    "while {$most - $least > 1e-6 * $most} {",
    "  set period [expr {($least + $most) / 2}]",
    "  constrain $period",
    "  if {[get_property [worst_path] slack] < 0} { set least $period } { set most $period }",
    "}",
    "constrain $most",
    "set path [worst_path]",
    "answer $most",
]


@lru_cache
def opensta_version() -> str:
    """Version of the installed program."""
    return program_version("sta", "-version", _INSTALL)


def sta_library(library: Library, folder: Path) -> list[str]:
    """The lines of a script that read a library, with its default operating conditions named behind
    their group. Without them there is no supply voltage, and some cells have no internal power."""
    file = library.unpack(folder)
    name = library.lost_conditions
    if not name:
        return [f"read_liberty {file}"]
    group = rf'\moperating_conditions\s*\(\s*"?{name}"?\s*\)\s*\{{[^\}}]*\}}'
    default = f'default_operating_conditions : "{name}";'
    return [
        f"set file [open {file}]",
        "set text [read $file]",
        "close $file",
        r"regsub {\mdefault_operating_conditions\s*:[^;]*;} $text {} text",
        f"regsub {{{group}}} $text {{& {default}}} text",
        "set file [open timing.lib w]",
        "puts $file $text",
        "close $file",
        "read_liberty timing.lib",
    ]


def sta_setup(
    netlist: str, library: Library, top: str, folder: Path, period_ns: float
) -> list[str]:
    """The lines of a script that read a netlist, and constrain its clock, inputs and outputs."""
    (folder / "netlist.v").write_text(netlist)
    return [
        'proc answer {value} { puts "answer $value" }',
        *sta_library(library, folder),
        # Reading a library sets the units to the library's, so these come after it.
        "set_cmd_units -time ns -capacitance fF -voltage V -current mA -resistance kOhm",
        "read_verilog netlist.v",
        f"link_design {top}",
        "set inputs [list]",
        "foreach port [all_inputs] {",
        '  if {[get_property $port full_name] ne "clk"} { lappend inputs $port }',
        "}",
        "proc constrain {period} {",
        "  create_clock -name clk -period $period [get_ports clk]",
        "  set_input_delay 0 -clock clk $::inputs",
        "  set_output_delay 0 -clock clk [all_outputs]",
        "}",
        f"constrain {period_ns:.9g}",
        f"set_driving_cell -lib_cell {library.driving_cell} $inputs",
        f"set_load {library.output_load_ff:g} [all_outputs]",
    ]


_REPORT_PATH = [
    # Name the port, or the net of a flip-flop's output: instance names have no meaning.
    "proc register {pin} {",
    "  set name [get_property $pin full_name]",
    "  set slash [string last / $name]",
    "  if {$slash < 0} { return $name }",
    "  set instance [string range $name 0 [expr {$slash - 1}]]",
    "  foreach other [get_pins $instance/*] {",
    '    if {[get_property $other direction] eq "output"} {',
    "      foreach net [get_nets -of_objects $other] { return [get_property $net full_name] }",
    "    }",
    "  }",
    "  return $name",
    "}",
    'if {$path ne ""} {',
    "  answer [register [get_property $path startpoint]]",
    "  answer [register [get_property $path endpoint]]",
    "}",
]


def run_sta(script: list[str], folder: Path) -> list[str]:
    """What OpenSTA prints for a script, line by line; an error if it fails or so much as warns.

    OpenSTA always ends with status 0, and many of its warnings mean wrong numbers (unknown
    operating conditions: no supply voltage; an unlinked cell: no power at all).
    """
    (folder / "script.sta").write_text("\n".join([*script, f'puts "{_DONE}"']) + "\n")
    command = [str(find_program("sta", _INSTALL)), "-no_init", "-no_splash", "-exit", "script.sta"]
    log = run_tool(["sh", "-c", '"$@" 2>&1', "sh", *command], cwd=folder).splitlines()
    complaints = [line for line in log if line.startswith(("Warning", "Error"))]
    if complaints or log[-1:] != [_DONE]:
        tail = "\n".join((complaints or log)[-12:])
        raise ToolError(f"sta did not finish cleanly:\n{tail}")
    return log[:-1]


def sta_answers(script: list[str], folder: Path) -> list[str]:
    """The answers of a script, one line for each call of its procedure ``answer``."""
    log = run_sta(script, folder)
    return [line.removeprefix("answer ") for line in log if line.startswith("answer ")]
