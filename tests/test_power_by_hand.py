# SPDX-License-Identifier: Apache-2.0
"""The power of a core, set against the sum over every toggle of its simulation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from needs import needs_iverilog, needs_osu018, needs_sta

from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.flow.asic import map_to_cells
from headwater.flow.liberty import Library
from headwater.flow.power import Activity, power
from headwater.measure.stimulus import simulate_as_model

WORDS, PERIOD_NS, SUPPLY_V = 64, 10.0, 1.8


def pin_capacitances_ff(library: Library) -> dict[tuple[str, str], float]:
    """Capacitance of every input pin, by cell and pin; the file states them in pF."""
    found = {}
    for cell in re.split(r"\bcell\s*\(", library.path.read_text())[1:]:
        name = re.match(r"\w+", cell)
        assert name
        for pin, group in re.findall(r"\bpin\s*\((\w+)\)\s*\{([^{}]*)", cell):
            stated = re.search(r"\bcapacitance\s*:\s*([\d.]+)", group)
            if stated:
                found[name[0], pin] = 1000 * float(stated[1])
    return found


def outputs_of(netlist: str) -> Iterator[str]:
    """The nets of all outputs."""
    for high, name in re.findall(r"^\s*output (?:\[(\d+):0\] )?(\w+);", netlist, re.M):
        yield from (f"{name}[{bit}]" for bit in range(int(high) + 1)) if high else (name,)


def switching_by_hand(netlist: str, library: Library, activity: Activity) -> float:
    """Half of C V^2 for each toggle of a net that a gate drives; in watts."""
    capacitance = pin_capacitances_ff(library)
    load_ff = dict.fromkeys(outputs_of(netlist), library.output_load_ff)
    drives = {}
    for cell, instance, pins in re.findall(r"^\s*(\w+) (\w+) \(\n([^;]*)\n\s*\);", netlist, re.M):
        for pin, net in re.findall(r"\.(\w+)\(([^()]+)\)", pins):
            if (instance, pin) in activity:
                drives[instance, pin] = net
            else:
                load_ff[net] = load_ff.get(net, 0.0) + capacitance[cell, pin]
    moved_ff = sum(activity[pin] * load_ff.get(net, 0.0) for pin, net in drives.items())
    return 0.5 * moved_ff * 1e-15 * SUPPLY_V**2 / (PERIOD_NS * 1e-9)


@needs_sta
@needs_iverilog
@needs_osu018
@pytest.mark.parametrize(("name", "radix"), [("a51", 1), ("mickey2", 1), ("trivium", 8)])
def test_every_toggle_counts(name: str, radix: int, osu018: Library, folder: Path) -> None:
    """Key and IV enter the steps of A5/1 and MICKEY, so that gates behind inputs are many."""
    cipher = CATALOGUE[name]
    made = Architecture.choose(cipher, radix=radix)
    verilog = generate(cipher, made)
    top = verilog.name
    netlist = map_to_cells(verilog.text, top, osu018, folder, clock_gating="none").verilog
    run = simulate_as_model(cipher, made, netlist, osu018, top, WORDS, folder, watch=True)
    for phase in run.phases.values():
        found = power(netlist, osu018, top, phase.activity, PERIOD_NS, folder)
        by_hand = switching_by_hand(netlist, osu018, phase.activity)
        assert found.switching == pytest.approx(by_hand, rel=2e-3)
