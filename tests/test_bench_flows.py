# SPDX-License-Identifier: Apache-2.0
"""The flow of an FPGA and that of standard cells, with tools that only pretend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from bench_points import OSU018, architecture, point, verilog
from parts import keep_only

from headwater.algebra import bitstring
from headwater.cipher.trivium import TRIVIUM
from headwater.emit.verilog import generate
from headwater.errors import ToolError
from headwater.flow.asic import MappedNetlist
from headwater.flow.fpga.cells import Cells
from headwater.flow.fpga.family import Family
from headwater.flow.fpga.lattice import ECP5
from headwater.flow.fpga.nextpnr import Route
from headwater.flow.gatephases import Phase
from headwater.flow.gatesim import GateRun
from headwater.flow.opensta import Timing
from headwater.flow.power import Power
from headwater.flow.recipes import DEFAULT, Recipe
from headwater.kinds.stepped.model import Model
from headwater.measure import asic, fpga, stimulus, work
from headwater.measure.asic import evaluate_in_cells
from headwater.measure.candidates import Candidate, corner, front
from headwater.measure.figures import Figures, Frequency
from headwater.measure.fpga import evaluate_on_fpga
from headwater.measure.point import DesignPoint
from headwater.measure.settings import Settings
from headwater.measure.shell import SHELL, shell_registers
from headwater.measure.target import TARGETS

# FPGA, with tools that only pretend

FPGA = TARGETS["ecp5-25k"]
CORE_FF = 309


def pretend_to_route(
    monkeypatch: pytest.MonkeyPatch,
    *,
    lut: dict[str, int],
    fmax_mhz: dict[str, list[float]],
    missing: int = 0,
) -> None:
    current: list[str] = []

    def synthesise(
        _family: Family,
        _text: str,
        core: str,
        top: str,
        mapping: str,
        _folder: Path,
        *,
        checked: bool,
    ) -> Cells:
        assert (core, top, checked) == ("trivium_r8", SHELL, True)
        current.append(mapping)
        return Cells(lut=lut[mapping], ff=CORE_FF)

    def place_and_route(_part: object, seeds: range, _folder: Path) -> list[Route]:
        mapping = current[-1]
        ff = CORE_FF + shell_registers(generate(TRIVIUM, architecture(8))) - missing
        return [
            Route(fmax, ff, f"{mapping}{seed}", "end")
            for seed, fmax in zip(seeds, fmax_mhz[mapping], strict=True)
        ]

    keep_only(monkeypatch, ECP5, "area", "speed")
    monkeypatch.setattr(fpga, "synthesise", synthesise)
    monkeypatch.setattr(fpga, "place_and_route", place_and_route)


@pytest.mark.parametrize(
    ("fast_mhz", "mapping", "lut"), [(290.0, "area", 100), (310.0, "speed", 150)]
)
def test_mapping_with_the_better_throughput_per_lut(
    monkeypatch: pytest.MonkeyPatch, fast_mhz: float, mapping: str, lut: int
) -> None:
    fmax = {"area": [200.0], "speed": [fast_mhz]}
    pretend_to_route(monkeypatch, lut={"area": 100, "speed": 150}, fmax_mhz=fmax)
    found = evaluate_on_fpga(point(), FPGA, verilog(point()))
    assert (found.mapping, found.lut, found.fmax_mhz.median) == (mapping, lut, fmax[mapping][0])
    assert found.mappings is not None
    assert {name: facts["lut"] for name, facts in found.mappings.items()} == {
        "area": 100,
        "speed": 150,
    }


def test_seeds_are_a_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    fmax = {"area": [200.0, 180.0, 260.0, 210.0], "speed": [1.0] * 4}
    pretend_to_route(monkeypatch, lut={"area": 100, "speed": 100}, fmax_mhz=fmax)
    found = evaluate_on_fpga(point(seeds=4), FPGA, verilog(point()))
    assert found.fmax_mhz == Frequency(205.0, 180.0, 260.0, 4)
    # The path is that of a run that took place: the slower one of the two in the middle.
    assert found.critical_path == ("area1", "end")
    assert found.settings["seeds"] == [1, 2, 3, 4]


@pytest.mark.parametrize("missing", [-1, 1, 40])
def test_missing_registers_are_refused(monkeypatch: pytest.MonkeyPatch, missing: int) -> None:
    one = {"area": 100, "speed": 100}
    fmax = {"area": [200.0], "speed": [200.0]}
    pretend_to_route(monkeypatch, lut=one, fmax_mhz=fmax, missing=missing)
    expected = CORE_FF + shell_registers(generate(TRIVIUM, architecture(8)))
    message = (
        f"trivium_r8 must have {expected} flip-flops in its shell after placement, "
        f"not {expected - missing}"
    )
    with pytest.raises(ToolError, match=f"^{message}$"):
        evaluate_on_fpga(point(), FPGA, verilog(point()))


# Standard cells, with tools that only pretend


def netlist(area_um2: float, period_ps: float | None) -> MappedNetlist:
    return MappedNetlist(
        verilog=f"// {period_ps}",
        area_um2=area_um2,
        sequential_area_um2=0.0,
        ge=area_um2 / 4,
        cells=Counter(),
        flip_flops=CORE_FF,
        period_ps=period_ps,
    )


def candidate(ge: float, fmax_mhz: float) -> Candidate:
    return Candidate(netlist(4 * ge, 1.0), Timing(1000 / fmax_mhz, fmax_mhz, "a", "b"))


@pytest.mark.parametrize(
    ("sweep", "best"),
    [
        ([(100, 500)], [(100, 500)]),
        ([(120, 600), (100, 500)], [(100, 500), (120, 600)]),
        ([(100, 500), (120, 500), (110, 400)], [(100, 500)]),
        ([(100, 500), (100, 550), (130, 540), (140, 700)], [(100, 550), (140, 700)]),
        ([(100, 500), (100, 500)], [(100, 500)]),
    ],
)
def test_pareto_front(sweep: list[tuple[float, float]], best: list[tuple[float, float]]) -> None:
    found = map(corner, front([candidate(*pair) for pair in sweep]))
    assert [(entry["ge"], entry["fmax_mhz"]) for entry in found] == best


def setup_cycles(radix: int) -> int:
    """Of Trivium: 160 bits of key and IV, 4 * 288 blank steps."""
    return -(-160 // radix) + 1152 // radix


class CellTools:
    """Stands for mapping, timing, simulation and power; every netlist is told by its period."""

    library = SimpleNamespace(
        name="cells",
        nand_cell="nand",
        nand_area_um2=4.0,
        flip_flop_cell="flop",
        flip_flop_area_um2=20.0,
        sha256="hash",
        without_area=frozenset(),
    )

    def __init__(self, monkeypatch: pytest.MonkeyPatch, fmax_mhz: dict[int, float]) -> None:
        # What mapping reaches, by the period it aimed at; areas grow as periods shrink.
        self.fmax_mhz = fmax_mhz
        self.power_periods_ns: list[float] = []
        self.simulated: list[tuple[str, bool]] = []
        for name in ("map_to_cells", "minimum_period", "power"):
            monkeypatch.setattr(asic, name, getattr(self, name))
        monkeypatch.setattr(stimulus, "simulate_gates", self.simulate_gates)
        monkeypatch.setattr(asic, "fo4_ps", lambda _: 50.0)
        monkeypatch.setattr(asic, "running_logic", lambda *_: None)
        self.flipped_bit = 0
        self.wrong_netlist = ""

    def map_to_cells(
        self,
        _text: str,
        _top: str,
        _library: object,
        _folder: Path,
        period: float | None = None,
        _gating: str = "none",
        recipe: Recipe = DEFAULT,
        parts: Sequence[str] = (),
    ) -> MappedNetlist:
        assert (recipe, parts) == (DEFAULT, ())
        if period is None:
            return netlist(900.0, None)
        return netlist(1000.0 + 3e5 / period, period)

    def minimum_period(self, text: str, *_: object, **options: object) -> Timing:
        assert options == {"latches": False}
        period = text.removeprefix("// ")
        fmax = self.fmax_mhz[UNSIZED if period == "None" else round(float(period))]
        return Timing(1000 / fmax, fmax, "a", "b")

    def simulate_gates(
        self,
        text: str,
        _library: object,
        top: str,
        *,
        load_words: Sequence[int],
        words: int,
        folder: Path,
        data_words: Sequence[object],
        sessions: int,
        watch: bool,
        timed: object,
    ) -> GateRun:
        assert not data_words
        assert sessions == 1
        assert timed is None
        self.simulated.append((text, watch))
        assert folder.is_dir()
        radix = int(top.removeprefix("trivium_r"))
        string = sum(word << radix * number for number, word in enumerate(load_words))
        string >>= len(load_words) * radix - TRIVIUM.load_bits
        key, iv = (
            bitstring.to_bytes(string >> start & (1 << 80) - 1, 80, "lsb_first")
            for start in (0, 80)
        )
        data = bitstring.from_bytes(Model(TRIVIUM, key=key, iv=iv).read(radix * words), "lsb_first")
        data ^= self.flipped_bit | (text == self.wrong_netlist)
        given = tuple(data >> radix * number & (1 << radix) - 1 for number in range(words))
        return GateRun(
            given,
            Phase(setup_cycles(radix), {("", "setup"): 1}),
            Phase(words, {("", "running"): 1}),
        )

    def power(
        self,
        _text: str,
        _library: object,
        _top: str,
        activity: Any,
        period: float,
        _folder: Path,
        *,
        states: object,
        clock_gates: object,
        wires: object,
    ) -> Power:
        assert (states, clock_gates) == ({}, ())
        assert wires is None
        self.power_periods_ns.append(period)
        total = 0.020 if ("", "setup") in activity else 0.010
        return Power(total - 0.005, 0.004, 0.001, total)


UNSIZED = 0
SWEPT = {
    UNSIZED: 400.0,
    1_000_000: 500.0,
    2000: 510.0,
    1600: 520.0,
    1200: 900.0,
    900: 950.0,
    600: 940.0,
}


def in_fake_cells(radix: int) -> Figures:
    at = DesignPoint(TRIVIUM, architecture(radix), OSU018, Settings(1))
    fake: Any = SimpleNamespace(
        name="cells", library=lambda: CellTools.library, tools=lambda: {"tool": "1.0"}
    )
    return evaluate_in_cells(at, fake, verilog(at))


def test_figures_are_those_of_the_best_netlist(monkeypatch: pytest.MonkeyPatch) -> None:
    CellTools(monkeypatch, SWEPT)
    found = in_fake_cells(8)
    # 1200 ps: 900 MHz in 1250 square micrometres; 900 ps is faster, but not by so much.
    assert (found.settings["target_period_ps"], found.fmax_mhz.median) == (1200, 900.0)
    assert (found.area_um2, found.ge, found.ff) == (1250.0, 312.5, CORE_FF)
    assert (found.ge_smallest, found.ge_cell) == (900.0 / 4, "nand")
    assert found.critical_path == ("a", "b")
    assert found.pareto is not None
    assert [entry["fmax_mhz"] for entry in found.pareto] == [500.0, 510.0, 520.0, 900.0, 950.0]


def test_an_unsized_netlist_can_be_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    tools = CellTools(monkeypatch, {**SWEPT, UNSIZED: 800.0})
    found = in_fake_cells(8)
    assert (found.settings["target_period_ps"], found.fmax_mhz.median) == (None, 800.0)
    assert (found.area_um2, found.ge_smallest) == (900.0, 900.0 / 4)
    assert found.pareto is not None
    assert [entry["fmax_mhz"] for entry in found.pareto] == [800.0, 900.0, 950.0]
    assert ("// None", True) in tools.simulated


@pytest.mark.parametrize(
    ("radix", "words_per_block", "words_per_thousand"),
    [(8, 8, 8000), (24, 3, 2667), (1, 64, 64000)],
)
def test_energy_by_hand(
    monkeypatch: pytest.MonkeyPatch, radix: int, words_per_block: int, words_per_thousand: int
) -> None:
    """At 100 MHz, 10 mW are 0.1 nJ a cycle; setup takes 20 mW."""
    CellTools(monkeypatch, SWEPT)
    found = in_fake_cells(radix)
    setup_nj = 0.2 * setup_cycles(radix)
    assert (found.power_mw, found.setup_power_mw, found.power_clock_mhz) == (10.0, 20.0, 100.0)
    assert found.energy_pj_per_bit == pytest.approx(100 / radix, rel=1e-3)
    assert found.setup_energy_nj == pytest.approx(setup_nj, rel=1e-3)
    assert found.energy_message_nj is not None
    one, thousand = found.energy_message_nj.one_block, found.energy_message_nj.thousand_blocks
    assert one == pytest.approx(setup_nj + 0.1 * words_per_block, rel=1e-3)
    assert thousand == pytest.approx(setup_nj + 0.1 * words_per_thousand, rel=1e-3)


@pytest.mark.parametrize(("slower", "clock_mhz"), [(1, 100.0), (10, 95.0)])
def test_power_is_at_a_clock_that_the_netlist_reaches(
    monkeypatch: pytest.MonkeyPatch, slower: int, clock_mhz: float
) -> None:
    swept = {
        period if period == 1_000_000 else slower * period: fmax / slower
        for period, fmax in SWEPT.items()
    }
    tools = CellTools(monkeypatch, swept)
    assert in_fake_cells(8).power_clock_mhz == clock_mhz
    assert tools.power_periods_ns == pytest.approx([1000 / clock_mhz] * 2)


def test_every_netlist_with_a_figure_is_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    tools = CellTools(monkeypatch, SWEPT)
    in_fake_cells(8)
    periods = [None, 1e6, 2000.0, 1600.0, 1200.0, 900.0, 600.0]
    # Toggles are counted in the one whose power is told.
    expected = [(f"// {period}", period == 1200.0) for period in periods]
    assert sorted(tools.simulated) == sorted(expected)


@pytest.mark.parametrize("netlist", ["// None", "// 1200.0", "// 900.0"])
def test_any_wrong_netlist_is_refused(monkeypatch: pytest.MonkeyPatch, netlist: str) -> None:
    CellTools(monkeypatch, SWEPT).wrong_netlist = netlist
    message = "the cells netlist of trivium_r8 gives another keystream than the model"
    with pytest.raises(ToolError, match=f"^{message}$"):
        in_fake_cells(8)


@pytest.mark.parametrize("bit", [0, 777, 8 * 300 - 1])
def test_wrong_keystream_is_refused(monkeypatch: pytest.MonkeyPatch, bit: int) -> None:
    CellTools(monkeypatch, SWEPT).flipped_bit = 1 << bit
    message = "the cells netlist of trivium_r8 gives another keystream than the model"
    with pytest.raises(ToolError, match=f"^{message}$"):
        in_fake_cells(8)


# Flows


@pytest.mark.parametrize(("where", "kind"), [("ecp5-25k", "fpga"), ("osu018", "cells")])
def test_target_decides_the_flow(monkeypatch: pytest.MonkeyPatch, where: str, kind: str) -> None:
    monkeypatch.setattr(work, "evaluate_on_fpga", lambda *_: "fpga")
    monkeypatch.setattr(work, "evaluate_in_cells", lambda *_: "cells")
    found: Any = work.evaluate(point(where=where), verilog(point(1)))
    assert found == kind
