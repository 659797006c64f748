# SPDX-License-Identifier: Apache-2.0
"""OpenSTA: the longest path of a gate netlist, and its power under a given activity.

Written for the version that Debian ships (2.0.17), which reads no activity file and forgets some
of the activities it is told; what works around that is marked below. There is no clock tree and no
wire: the clock is ideal, a net weighs what its pins weigh (plus the library's default wire load).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from headwater.errors import InputError, ToolError
from headwater.flow.liberty import Library
from headwater.flow.process import find_program, private_folder, run_tool

Activity = Mapping[tuple[str, str], float]
"""Toggles per clock cycle of every (instance, output pin); instance "" is for input ports."""

_INSTALL = "apt-get install opensta"
# Any period will do: no path of a core depends on it, and slack tells how much of it was needed.
_PERIOD_NS = 1000.0


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


def minimum_period(netlist: str, library: Library, top: str, folder: Path) -> Timing:
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

    Raises
    ------
    ToolError
        If OpenSTA is missing, fails or so much as warns.
    """
    script = [*_setup(netlist, library, top, folder, _PERIOD_NS), *_REPORT_PATH]
    slack, startpoint, endpoint = _run(script, folder)
    period_ns = round(_PERIOD_NS - float(slack), 6)
    return Timing(period_ns, 1000 / period_ns, startpoint, endpoint)


def power(
    netlist: str, library: Library, top: str, activity: Activity, period_ns: float, folder: Path
) -> Power:
    """The power of a netlist whose pins toggle as told.

    Gates between an input port and the first register are the exception: OpenSTA derives their
    activity from that of their inputs whatever it is told. In a Trivium core with words of 64 bits
    that concerns one gate in 25 and hides at most 2 % of the power.

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

    Raises
    ------
    InputError
        If the period is not positive.
    ToolError
        If OpenSTA is missing, fails or so much as warns.
    """
    if not period_ns > 0:
        raise InputError(f"period_ns must be a positive number of nanoseconds, not {period_ns!r}")
    script = [*_setup(netlist, library, top, folder, period_ns), *_set_activity(activity)]
    numbers = _run([*script, "answer [lrange [sta::design_power [sta::cmd_corner]] 0 3]"], folder)
    return Power(*(float(number) for number in numbers[0].split()))


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
        f"create_clock -name clk -period {period_ns:.9g} [get_ports clk]",
        "set inputs [list]",
        "foreach port [all_inputs] {",
        '  if {[get_property $port full_name] ne "clk"} { lappend inputs $port }',
        "}",
        "set_input_delay 0 -clock clk $inputs",
        "set_output_delay 0 -clock clk [all_outputs]",
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
    "set path [lindex [find_timing_paths -path_delay max] 0]",
    "answer [worst_slack]",
    "answer [register [get_property $path startpoint]]",
    "answer [register [get_property $path endpoint]]",
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


def _run(script: list[str], folder: Path) -> list[str]:
    """What the script answers, a line each.

    OpenSTA ends with status 0 whatever happens, and many of its warnings mean wrong numbers
    (unknown operating conditions: no supply voltage; an unlinked cell: no power at all).
    """
    (folder / "script.sta").write_text("\n".join([*script, "answer done"]) + "\n")
    command = [str(find_program("sta", _INSTALL)), "-no_init", "-no_splash", "-exit", "script.sta"]
    log = run_tool(["sh", "-c", '"$@" 2>&1', "sh", *command], cwd=folder).splitlines()
    answers = [line.removeprefix("answer ") for line in log if line.startswith("answer ")]
    complaints = [line for line in log if line.startswith(("Warning", "Error"))]
    if complaints or answers[-1:] != ["done"]:
        tail = "\n".join((complaints or log)[-12:])
        raise ToolError(f"sta did not finish cleanly:\n{tail}")
    return answers[:-1]
