# SPDX-License-Identifier: Apache-2.0
"""The power of whole cores, set against the sum of another program."""

from __future__ import annotations

from pathlib import Path

import pytest
from library_needs import library, needs
from needs import needs_iverilog, needs_sta
from opensta_power import power_by_opensta

from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.flow.asic import map_to_cells
from headwater.flow.power import power
from headwater.measure.stimulus import simulate_as_model

WORDS, PERIOD_NS = 128, 10.0


@needs_sta
@needs_iverilog
@pytest.mark.parametrize(
    ("target", "name", "radix"),
    [
        pytest.param("osu018", "trivium", 64, marks=needs("osu018")),
        pytest.param("osu018", "grain_v1", 1, marks=needs("osu018")),
        pytest.param("sky130hd", "trivium", 8, marks=needs("sky130hd")),
    ],
)
def test_core_by_another_program(target: str, name: str, radix: int, tmp_path: Path) -> None:
    """Clock gates, which most cores have, and few gates that the other program cannot invert."""
    cells, cipher = library(target), CATALOGUE[name]
    made = Architecture.choose(cipher, radix=radix)
    verilog = generate(cipher, made)
    top = verilog.name
    mapped = map_to_cells(verilog.text, top, cells, tmp_path, clock_gating="auto")
    netlist = mapped.verilog
    run = simulate_as_model(cipher, made, netlist, cells, top, WORDS, tmp_path, watch=True)
    phase, gates = run.running, run.clock_gates
    ours = power(
        netlist,
        cells,
        top,
        phase.activity,
        PERIOD_NS,
        tmp_path,
        states=phase.states,
        clock_gates=gates,
    )
    internal, switching = power_by_opensta(
        netlist, cells, top, phase.activity, PERIOD_NS, tmp_path, gates
    )
    assert ours.switching == pytest.approx(switching, rel=0.03)
    assert ours.internal + ours.switching == pytest.approx(internal + switching, rel=0.05)
