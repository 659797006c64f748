# SPDX-License-Identifier: Apache-2.0
"""Glitches: delays as the timer writes them, and the simulation of netlists with them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from needs import needs_iverilog, needs_osu018, needs_sta
from small_library import CORE
from stored import result

from headwater.cipher.catalogue import find
from headwater.core.architecture import Architecture
from headwater.errors import InputError, ToolError
from headwater.flow import gatesim
from headwater.flow.asic import map_to_cells
from headwater.flow.gatesim import GateRun, Timed, simulate_gates
from headwater.flow.liberty import Library
from headwater.flow.opensta import minimum_period
from headwater.flow.power import Power
from headwater.flow.sdf import Arc, Delay, read_delays
from headwater.measure.glitches import glitch_figures, timed_gates
from headwater.measure.point import DesignPoint
from headwater.measure.record import stage_of
from headwater.measure.settings import Settings
from headwater.measure.target import find as find_target
from headwater.report.figures_table import figures_tables

KEY = [1, 0, 1, 1, 0, 0, 1, 0]
WORDS = 64
PS = 1000

SDF = r"""(DELAYFILE
 (TIMESCALE 1ns)
 (CELL
  (CELLTYPE "top")
  (INSTANCE)
   (INTERCONNECT g\[0\]/Y h/A (0.001000::0.002000) (0.001000::0.003000))
   (INTERCONNECT in h/B (0.000500::0.000500))
 )
 (CELL
  (CELLTYPE "XOR2X1")
  (INSTANCE h)
    (IOPATH A Y (0.100000::0.200000) (0.010000::0.030000))
    (IOPATH A Y (0.100000::0.150000) (0.010000::0.040000))
    (IOPATH B Y (0.100000::0.300000) (-0.010000::-0.030000))
 )
 (CELL
  (CELLTYPE "INVX1")
  (INSTANCE g\[0\])
    (IOPATH A Y (0.000001::0.000002))
 )
"""


def test_delays_as_the_timer_writes_them() -> None:
    assert read_delays(SDF) == {
        ("h", "A", "Y"): Delay(202_000, 43_000),
        ("h", "B", "Y"): Delay(300_500, 500),
        ("g[0]", "A", "Y"): Delay(2, 2),
    }


def test_other_units_are_refused() -> None:
    with pytest.raises(ToolError, match=r"^the SDF of the timer must have delays in nanoseconds$"):
        read_delays(SDF.replace("1ns", "1ps"))


@pytest.fixture
def netlist(osu018: Library, folder: Path) -> str:
    return map_to_cells(CORE, "core", osu018, folder, 1000).verilog


def simulated(netlist: str, osu018: Library, folder: Path, timed: Timed | None = None) -> GateRun:
    return simulate_gates(
        netlist, osu018, "core", load_words=KEY, words=WORDS, folder=folder, timed=timed
    )


def with_unequal_arrivals(netlist: str) -> str:
    """The netlist with an XOR of a bit that toggles in every cycle and of the same bit, later."""
    return netlist.replace(
        "endmodule",
        "  wire delayed, same;\n"
        "  BUFX2 delays (.A(beat), .Y(delayed));\n"
        "  XOR2X1 compares (.A(beat), .B(delayed), .Y(same));\n"
        "endmodule",
    )


@needs_iverilog
@needs_osu018
@pytest.mark.parametrize(("later_ps", "toggles"), [(300, 2), (101, 2), (99, 0)])
def test_a_glitch_is_as_long_as_arrivals_differ(
    netlist: str, osu018: Library, folder: Path, later_ps: int, toggles: int
) -> None:
    """A glitch shorter than the delay of the gate does not come out of it."""
    both = with_unequal_arrivals(netlist)
    registers = re.findall(r"DFFPOSX1 (\w+) ", both)
    delays: dict[Arc, Delay] = {
        (register, "CLK", "Q"): Delay(200 * PS, 200 * PS) for register in registers
    }
    delays["delays", "A", "Y"] = Delay(later_ps * PS, later_ps * PS)
    delays |= {("compares", pin, "Y"): Delay(100 * PS, 100 * PS) for pin in "AB"}
    settled = simulated(both, osu018, folder)
    timed = simulated(both, osu018, folder, Timed(delays, 2000 * PS))
    assert timed.words == settled.words
    assert settled.running.activity["compares", "Y"] == 0
    assert timed.running.activity["compares", "Y"] == toggles
    # No other gate has a delay, and none of their inputs have two arrivals.
    assert timed.running.activity["delays", "Y"] == settled.running.activity["delays", "Y"] == 1
    assert all(
        timed.running.activity[register, "Q"] == settled.running.activity[register, "Q"]
        for register in registers
    )


@needs_iverilog
@needs_sta
@needs_osu018
def test_the_clock_that_the_timer_allows(
    netlist: str, osu018: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gatesim, "_CYCLE_LIMIT", 200)
    timing = minimum_period(netlist, osu018, "core", folder)
    timed = timed_gates(netlist, osu018, "core", folder, timing, None)
    settled, real = simulated(netlist, osu018, folder), simulated(netlist, osu018, folder, timed)
    assert (real.words, real.running.cycles) == (settled.words, settled.running.cycles)
    # A glitch is a pair of toggles: whatever came between, each cycle ends with the same value.
    pairs = [
        (real.running.activity[pin] - toggles) * WORDS / 2
        for pin, toggles in settled.running.activity.items()
    ]
    assert min(pairs) >= 0
    assert max(pairs) > 0
    assert all(pair == pytest.approx(round(pair)) for pair in pairs)
    slower = {arc: Delay(2 * delay.rise, 2 * delay.fall) for arc, delay in timed.delays.items()}
    try:
        broken = simulated(netlist, osu018, folder, replace(timed, delays=slower))
    except ToolError:
        return
    assert broken.words != settled.words


@needs_iverilog
@needs_osu018
def test_registers_outside_get_the_clock_later(netlist: str, osu018: Library, folder: Path) -> None:
    registers = re.findall(r"DFFPOSX1 (\w+) ", netlist)
    delays = {(register, "CLK", "Q"): Delay(300 * PS, 300 * PS) for register in registers}
    expected = simulated(netlist, osu018, folder)
    for latency in (0, 250 * PS):
        run = simulated(netlist, osu018, folder, Timed(delays, 2000 * PS, latency))
        assert (run.words, run.setup.cycles) == (expected.words, expected.setup.cycles)


def test_figures_of_glitches() -> None:
    with_glitches, without = Power(3e-3, 2e-3, 1e-3, 6e-3), Power(2.5e-3, 1.5e-3, 1e-3, 5e-3)
    assert glitch_figures(with_glitches, without, clock_mhz=100.0, bits_per_cycle=4) == {
        "glitch_share": 0.2,
        "power_mw_without_glitches": 5.0,
        "energy_pj_per_bit_without_glitches": 12.5,
    }


def test_where_glitches_cannot_be_simulated() -> None:
    cipher = find("a51")
    with pytest.raises(InputError, match=r"^glitches need a target of standard cells, not ecp5-25"):
        DesignPoint(
            cipher, Architecture.choose(cipher), find_target("ecp5-25k"), Settings(glitches=True)
        )
    with pytest.raises(InputError, match=r"^glitches are simulated with a clock without gates, so"):
        Settings(glitches=True, clock_gating="latch")


def test_figures_with_glitches_stand_apart() -> None:
    record = result(
        "1", lut=None, ge=7.0, glitch_share=0.0893, power_mw_without_glitches=2.5
    ).record
    assert stage_of(record) == "synthesis"
    record["flow"]["glitches"] = True
    assert stage_of(record) == "synthesis, glitches"
    (table,) = figures_tables([record])
    shown = dict(zip(table.columns, table.rows[0], strict=True))
    assert (shown["glitch %"], shown["mW without"]) == (8.93, 2.5)
