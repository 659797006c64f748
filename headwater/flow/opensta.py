# SPDX-License-Identifier: Apache-2.0
"""OpenSTA: the longest path of a gate netlist, and its power under a given activity.

Written for the version that Debian ships (2.0.17), which reads no activity file and forgets some
of the activities it is told; what works around that is marked below. There is no clock tree and no
wire: the clock is ideal, a net weighs what its pins weigh (plus the library's default wire load).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import lru_cache
from pathlib import Path

from headwater.errors import InputError, ToolError
from headwater.flow.liberty import Library
from headwater.flow.process import find_program, private_folder, run_tool

Activity = Mapping[tuple[str, str], float]
"""Toggles per clock cycle of every (instance, output pin); instance "" is for input ports."""

_INSTALL = "apt-get install opensta"
# Any period will do where no path depends on it: slack tells how much more or less is needed. A
# short one, as times have seven digits.
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


@dataclass(frozen=True)
class Power:
    """Power in watts; ``total`` is the sum of the other three."""

    internal: float
    switching: float
    leakage: float
    total: float

    def plus(self, more: Power, less: Power) -> Power:
        """This, and the difference of two others."""
        mine, added, taken = astuple(self), astuple(more), astuple(less)
        return Power(*(a + b - c for a, b, c in zip(mine, added, taken, strict=True)))

    def at(self, speed: float) -> Power:
        """The same netlist with a clock that is so many times as fast: leakage stays."""
        internal, switching = speed * self.internal, speed * self.switching
        return Power(internal, switching, self.leakage, internal + switching + self.leakage)


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

    Parameters
    ----------
    netlist
        Gate-level Verilog; the clock is its port ``clk``.
    library
        The cells; its driving cell drives every input, its load is on every output.
    top
        Name of the top module.
    folder
        Where the tool works.
    latches
        Whether clock gates have latches of their own. Their enable may come while the clock is low,
        and be late by as much as the gate itself leaves over.
    constants
        Input ports and output pins ("instance/pin") that are taken to be constant.
    endpoints
        Pins and output ports to which paths count; all if none is given.

    Raises
    ------
    ToolError
        If OpenSTA is missing, fails or so much as warns, or no path counts.
    """
    script = [
        *_setup(netlist, library, top, folder, _PERIOD_NS),
        *(_case(name, value) for name, value in (constants or {}).items()),
        *_ends(endpoints),
        *(_SEARCH_PERIOD if latches else _PERIOD_BY_SLACK),
        *_REPORT_PATH,
    ]
    answers = _run(script, folder)
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
    """There is one path for each group, and clock gates are a group of their own."""
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
# A path through an open latch has half a period and what it borrows: no slack tells the period.
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


def power(
    netlist: str,
    library: Library,
    top: str,
    activity: Activity,
    period_ns: float,
    folder: Path,
    *,
    clock_gates: Sequence[tuple[str, str]] = (),
) -> Power:
    """The power of a netlist whose pins toggle as told.

    Gates between an input port and the first register are the exception: OpenSTA derives their
    activity from that of their inputs whatever it is told. In a Trivium core with words of 64 bits
    that concerns one gate in 25 and hides at most 2 % of the power.

    Clock pins cost what their cells draw, at edges of no duration; the nets of clocks cost nothing,
    behind gates as well, as there is no clock tree.

    Parameters
    ----------
    netlist, library, top, folder
        As for :func:`minimum_period`.
    activity
        Toggles per cycle of every output pin and input port. A pin that is left out gets what
        OpenSTA derives from its inputs; an input port that is left out does not toggle. The
        clock's own activity is known.
    period_ns
        Clock period, in nanoseconds.
    clock_gates
        The output pins that clock registers. These count as often as they toggle.

    Raises
    ------
    InputError
        If the period is not positive.
    ToolError
        If OpenSTA is missing, fails or so much as warns.
    """
    if not period_ns > 0:
        raise InputError(f"period_ns must be a positive number of nanoseconds, not {period_ns!r}")
    setup = _setup(netlist, library, top, folder, period_ns)

    def found(toggles: Activity, open_: Mapping[tuple[str, str], float]) -> Power:
        gates = _gated_clocks(open_, period_ns)
        told = {pin: rate for pin, rate in toggles.items() if pin not in open_}
        script = [*setup, *gates, *_set_activity(told)]
        numbers = _run([*script, _DESIGN_POWER], folder)
        return Power(*(float(number) for number in numbers[0].split()))

    always = dict.fromkeys(clock_gates, 1.0)
    passed = {gate: activity[gate] / _CLOCK_TOGGLES for gate in clock_gates}
    every = found(activity, always)
    if passed == always:
        return every
    # OpenSTA takes every clock for one that never rests. What resting saves does not depend on any
    # other activity, so it is found where nothing else toggles.
    still = dict.fromkeys(activity, 0.0)
    resting, busy = found(still, passed), found(still, always)
    return every.plus(resting, busy)


_CLOCK_TOGGLES = 2
_DESIGN_POWER = "answer [lrange [sta::design_power [sta::cmd_corner]] 0 3]"
_NEVER = 1e6
"""Periods that the clock behind a closed gate is slower by."""


def _gated_clocks(open_: Mapping[tuple[str, str], float], period_ns: float) -> list[str]:
    """Clocks of their own for what gates drive, as slow as the gates are seldom open."""
    lines = []
    for number, ((instance, pin), part) in enumerate(open_.items()):
        slow = period_ns * min(_NEVER, 1 / part if part else _NEVER)
        lines.append(f"gated_clock gated{number} {instance}/{pin} {slow:.9g}")
    return [*_GATED_CLOCK, *lines] if lines else []


_GATED_CLOCK = [
    # The gate does not drive its load here: it would, as a small cell, without a clock tree.
    "proc gated_clock {name driver period} {",
    "  set pins [list [get_pins $driver]]",
    "  set net [lindex [get_nets -of_objects [get_pins $driver]] 0]",
    "  foreach pin [get_pins -of_objects $net] {",
    '    if {[get_property $pin direction] eq "input"} { lappend pins $pin }',
    "  }",
    "  disconnect_pin $net [get_pins $driver]",
    "  create_clock -name $name -period $period $pins",
    "}",
]


@lru_cache
def opensta_version() -> str:
    """Version of the installed program."""
    with private_folder() as folder:
        return run_tool([find_program("sta", _INSTALL), "-version"], cwd=folder).strip()


def _setup(netlist: str, library: Library, top: str, folder: Path, period_ns: float) -> list[str]:
    (folder / "netlist.v").write_text(netlist)
    return [
        'proc answer {value} { puts "answer $value" }',
        f"read_liberty {library.unpack(folder)}",
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
    # A port, or the net of a flip-flop's output: instances have no names worth telling.
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


_SET_ACTIVITY = [
    # A toggle costs energy in the cells that see it, too, and those are not told by their driver.
    # (`set_power_activity -pins`, the documented command, calls a procedure that does not exist.)
    "proc activity {driver toggles} {",
    "  foreach net [get_nets -of_objects [get_pins $driver]] {",
    "    foreach pin [get_pins -of_objects $net] {",
    "      sta::set_power_pin_activity $pin $toggles 0.5",
    "    }",
    "  }",
    "}",
    "sta::set_power_input_activity 0 0.5",
]


def _set_activity(activity: Activity) -> list[str]:
    ports = {pin: toggles for (instance, pin), toggles in activity.items() if not instance}
    pins = {names: toggles for names, toggles in activity.items() if names[0]}
    return [
        *_SET_ACTIVITY,
        *(
            f"sta::set_power_input_port_activity [get_ports {{{port}}}] {toggles:.9g} 0.5"
            for port, toggles in ports.items()
        ),
        # The first computation propagates activities, and would overwrite those set before it.
        "sta::design_power [sta::cmd_corner]",
        *(f"activity {instance}/{pin} {toggles:.9g}" for (instance, pin), toggles in pins.items()),
    ]


def run_sta(script: list[str], folder: Path) -> list[str]:
    """What OpenSTA prints for a script, line by line.

    It ends with status 0 whatever happens, and many of its warnings mean wrong numbers (unknown
    operating conditions: no supply voltage; an unlinked cell: no power at all).

    Raises
    ------
    ToolError
        If OpenSTA is missing, fails or so much as warns.
    """
    (folder / "script.sta").write_text("\n".join([*script, f'puts "{_DONE}"']) + "\n")
    command = [str(find_program("sta", _INSTALL)), "-no_init", "-no_splash", "-exit", "script.sta"]
    log = run_tool(["sh", "-c", '"$@" 2>&1', "sh", *command], cwd=folder).splitlines()
    complaints = [line for line in log if line.startswith(("Warning", "Error"))]
    if complaints or log[-1:] != [_DONE]:
        tail = "\n".join((complaints or log)[-12:])
        raise ToolError(f"sta did not finish cleanly:\n{tail}")
    return log[:-1]


def _run(script: list[str], folder: Path) -> list[str]:
    """What the script answers, a line each."""
    log = run_sta(script, folder)
    return [line.removeprefix("answer ") for line in log if line.startswith("answer ")]
