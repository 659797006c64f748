# SPDX-License-Identifier: Apache-2.0
"""Design points: the arithmetic of figures, the shell, the order of work, and real evaluations."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from needs import PDK_ROOT, needs_iverilog, needs_osu018, needs_pdk_root, needs_sta

from headwater.algebra import bitstring
from headwater.bench import asic, fpga, stimulus, target, work
from headwater.bench.asic import evaluate_in_cells
from headwater.bench.candidates import Candidate, corner, front
from headwater.bench.fpga import evaluate_on_fpga
from headwater.bench.point import DesignPoint, Figures, Frequency, area_of
from headwater.bench.settings import Settings
from headwater.bench.shell import SHELL, in_shell, shell_registers
from headwater.bench.target import TARGETS, AsicTarget
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.e0 import E0
from headwater.cipher.grain import GRAIN_128A_AE, GRAIN_128AEAD
from headwater.cipher.mickey import MICKEY_2
from headwater.cipher.trivium import TRIVIUM
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Port, Verilog, generate
from headwater.errors import InputError, ToolError
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
from headwater.flow.yosys import run_yosys
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.stepped.model import Model

OSU018 = TARGETS["osu018"]

Capture = pytest.CaptureFixture[str]


def architecture(radix: int, load_width: int | None = None, **options: str) -> Architecture:
    return Architecture.choose(TRIVIUM, radix=radix, load_width=load_width, options=options)


def point(radix: int = 8, where: str = "ecp5-25k", seeds: int = 1) -> DesignPoint:
    return DesignPoint(TRIVIUM, architecture(radix), TARGETS[where], Settings(seeds))


def verilog(at: DesignPoint) -> Verilog:
    return generate(at.cipher, at.architecture)


def figures(at: DesignPoint, *fmax_mhz: float, **measured: Any) -> Figures:
    return Figures(at, "hash", {"tool": "1.0"}, Frequency.over(fmax_mhz), ("a", "b"), **measured)


# Design points and figures


def test_point_in_words() -> None:
    at = DesignPoint(TRIVIUM, architecture(16, 8, clear="none"), OSU018, Settings(5))
    assert str(at).startswith("trivium radix 16, load width 8, stall=stream clear=none")
    assert str(at).endswith(" on osu018")


@pytest.mark.parametrize(
    ("runs", "frequency"),
    [
        ([100.0], Frequency(100.0, 100.0, 100.0, 1)),
        ([210.0, 190.0, 200.5], Frequency(200.5, 190.0, 210.0, 3)),
        ([100.0, 200.0], Frequency(150.0, 100.0, 200.0, 2)),
        ([3.14159, 2.71828], Frequency(2.93, 2.72, 3.14, 2)),
    ],
)
def test_frequency_over_runs(runs: list[float], frequency: Frequency) -> None:
    assert Frequency.over(runs) == frequency


def test_figures_per_slice() -> None:
    found = figures(point(8), 190.0, 200.0, 250.0, lut=100, ff=300)
    assert (found.throughput_mbps, found.as_json()["mbps_per_area"]) == (200.0 * 8, 10.6667)
    record = found.as_json()
    assert (record["setup_cycles"], record["setup_ns"]) == (20 + 144, 164 * 5.0)
    assert (record["area_unit"], record["tools"]) == ("slice", {"tool": "1.0"})
    assert record["fmax_mhz"] == {"median": 200.0, "min": 190.0, "max": 250.0, "seeds": 3}


def test_figures_per_gate_equivalent() -> None:
    found = figures(point(64, "osu018"), 500.0, ge=4000.0, ge_cell="NAND2X1")
    assert (found.throughput_mbps, found.as_json()["mbps_per_area"]) == (32000.0, 8.0)
    record = found.as_json()
    assert (record["setup_cycles"], record["setup_ns"]) == (3 + 18, 42.0)
    assert record["area_unit"] == "GE"


def test_what_was_not_measured_is_absent() -> None:
    record = figures(point(), 100.0, lut=10).as_json()
    absent = {name for name, value in record.items() if value is None}
    assert {"ge", "ge_cell", "area_um2", "power_mw", "energy_message_nj"} <= absent
    assert "point" not in record
    json.dumps(record)


def test_record_tells_the_architecture() -> None:
    at = DesignPoint(TRIVIUM, architecture(16, 8, stall="none"), OSU018, Settings(1))
    record = figures(at, 100.0, ge=1.0).as_json()
    assert (record["cipher"], record["target"]) == ("trivium", "osu018")
    assert (record["radix"], record["load_width"]) == (16, 8)
    assert record["options"] == architecture(16, 8, stall="none").options
    assert (record["options"]["stall"], record["options"]["clear"]) == ("none", "shift")


# Targets


def test_unknown_target() -> None:
    legal = ", ".join(TARGETS)
    message = f"target must be one of {legal}, not 'osu18' (did you mean 'osu018'?)"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        target.find("osu18")


# The shell

PORTS = (
    Port("clk", "input", 1),
    Port("rst", "input", 1),
    Port("a", "input", 5),
    Port("y", "output", 3),
    Port("b", "input", 2),
    Port("z", "output", 1),
)
SMALL = Verilog("small", "module small (clk, rst, a, y, b, z);\nendmodule\n", PORTS)
REAL_CORES = {
    "r1": (TRIVIUM, architecture(1)),
    "r67": (TRIVIUM, architecture(67)),
    "free": (TRIVIUM, architecture(8, stall="none", clear="none")),
    "lanes": (E0, Architecture.choose(E0, radix=8)),
    "last": (MICKEY_2, Architecture.choose(MICKEY_2, radix=1)),
    "aead": (GRAIN_128AEAD, Architecture.choose(GRAIN_128AEAD, radix=64)),
    "aead-free": (
        GRAIN_128A_AE, Architecture.choose(GRAIN_128A_AE, radix=1, options={"stall": "none"})
    ),
}  # fmt: skip
CORES = ["small", *REAL_CORES]


def core_of(name: str) -> Verilog:
    """One of these cores, generated for the first test that wants it."""
    return generate(*REAL_CORES[name]) if name in REAL_CORES else SMALL


def slices(text: str, vector: str) -> dict[str, tuple[int, int]]:
    found = re.findall(rf"\.(\w+)\({vector}\[(\d+) \+: (\d+)\]\)", text)
    return {port: (int(place), int(width)) for port, place, width in found}


@pytest.mark.parametrize(
    ("vector", "direction"), [("feed", "input"), ("out", "output")], ids=["inputs", "outputs"]
)
@pytest.mark.parametrize("name", CORES)
def test_every_port_is_connected_once(name: str, vector: str, direction: str) -> None:
    core = core_of(name)
    text = in_shell(core).removeprefix(core.text)
    connected = slices(text, vector)
    ports = [port for port in core.ports if port.direction == direction and port.name != "clk"]
    assert {name: width for name, (_, width) in connected.items()} == {
        port.name: port.width for port in ports
    }
    bits = [place + bit for place, width in connected.values() for bit in range(width)]
    assert sorted(bits) == list(range(len(bits)))
    assert f" [{len(bits) - 1}:0] {vector};" in text
    assert ".clk(clk)" in text


def test_registers_of_the_shell() -> None:
    """One per input bit but the clock, two per output bit."""
    assert shell_registers(SMALL) == (1 + 5 + 2) + 2 * (3 + 1)


def test_ports_of_every_kind_are_in_the_shell() -> None:
    ports = {port.name for name in CORES for port in core_of(name).ports}
    assert {"load__last", "data_in__ad", "data_out__keep", "tag__ready", "decrypt"} <= ports


@pytest.mark.parametrize("name", REAL_CORES)
def test_register_count_is_that_of_yosys(name: str, tmp_path: Path) -> None:
    """Counted after optimisation: a bit that is constant or that nobody sees would be missing."""
    core = core_of(name)
    (tmp_path / "design.v").write_text(in_shell(core))
    passes = [
        "read_verilog design.v",
        f"hierarchy -check -top {SHELL}",
        "proc",
        "check -assert",
        "opt",
        "tee -q -o stat.json stat -json -width",
    ]
    log = run_yosys(passes, tmp_path)
    assert "Warning" not in log
    cells = json.loads((tmp_path / "stat.json").read_text())["modules"][f"\\{SHELL}"]
    by_type = Counter(cells["num_cells_by_type"])
    bits = sum(int(name.split("_")[-1]) * count for name, count in by_type.items() if "dff" in name)
    assert bits == shell_registers(core)


@needs_iverilog
@pytest.mark.parametrize("name", REAL_CORES)
def test_shell_without_warnings(name: str, tmp_path: Path) -> None:
    (tmp_path / "design.v").write_text(in_shell(core_of(name)))
    command = ["iverilog", "-g2005", "-Wall", "-Wno-timescale", "-s", SHELL, "-t", "null"]
    done = subprocess.run(
        [*command, "design.v"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


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
        _family: Family, _text: str, core: str, top: str, mapping: str, _folder: Path
    ) -> Cells:
        assert (core, top) == ("trivium_r8", SHELL)
        current.append(mapping)
        return Cells(lut=lut[mapping], ff=CORE_FF)

    def place_and_route(_part: object, seeds: range, _folder: Path) -> list[Route]:
        mapping = current[-1]
        ff = CORE_FF + shell_registers(generate(TRIVIUM, architecture(8))) - missing
        return [
            Route(seed, fmax, ff, f"{mapping}{seed}", "end")
            for seed, fmax in zip(seeds, fmax_mhz[mapping], strict=True)
        ]

    monkeypatch.delitem(ECP5.ways, "balanced")  # type: ignore[arg-type]
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
        name="cells", nand_cell="nand", nand_area_um2=4.0, flip_flop_cell="flop",
        flip_flop_area_um2=20.0, sha256="hash",
    )  # fmt: skip

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
        self, _text: str, _top: str, _library: object, _folder: Path, period: float | None = None,
        _gating: str = "none", recipe: Recipe = DEFAULT,
    ) -> MappedNetlist:  # fmt: skip
        assert recipe == DEFAULT
        if period is None:
            return netlist(900.0, None)
        return netlist(1000.0 + 3e5 / period, period)

    def minimum_period(self, text: str, *_: object, **options: object) -> Timing:
        assert options == {"latches": False}
        period = text.removeprefix("// ")
        fmax = self.fmax_mhz[UNSIZED if period == "None" else round(float(period))]
        return Timing(1000 / fmax, fmax, "a", "b")

    def simulate_gates(
        self, text: str, _library: object, top: str, *, load_words: Sequence[int], words: int,
        folder: Path, data_words: Sequence[object], sessions: int, watch: bool, timed: object,
    ) -> GateRun:  # fmt: skip
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
        return GateRun(given, Phase(setup_cycles(radix), {("", "setup"): 1}),
                       Phase(words, {("", "running"): 1}))  # fmt: skip

    def power(
        self, _text: str, _library: object, _top: str, activity: Any, period: float, _folder: Path,
        *, clock_gates: object, wires: object,
    ) -> Power:  # fmt: skip
        assert clock_gates == ()
        assert wires is None
        self.power_periods_ns.append(period)
        total = 0.020 if ("", "setup") in activity else 0.010
        return Power(total - 0.005, 0.004, 0.001, total)


UNSIZED = 0
SWEPT = {
    UNSIZED: 400.0, 1_000_000: 500.0, 2000: 510.0, 1600: 520.0, 1200: 900.0, 900: 950.0, 600: 940.0,
}  # fmt: skip


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


# Real evaluations

CONTRACT = {
    "cipher", "radix", "bits_per_cycle", "load_width", "options", "target", "lut", "ff",
    "area_um2", "ge", "ge_cell", "fmax_mhz", "throughput_mbps", "mbps_per_area", "setup_cycles",
    "setup_ns", "power_mw", "energy_pj_per_bit", "energy_message_nj", "rtl_sha256", "tools",
}  # fmt: skip


def evaluated(capsys: Capture, *words: str) -> list[dict[str, Any]]:
    status = main(["evaluate", *words, "--json"])
    printed = capsys.readouterr()
    assert status == 0, printed.err
    records: list[dict[str, Any]] = json.loads(printed.out)
    return records


def check_record(record: dict[str, Any]) -> None:
    """What must hold of every record, whatever the target."""
    assert record.keys() >= CONTRACT
    assert record["fmax_mhz"].keys() == {"median", "min", "max", "seeds"}
    cipher, fmax = CATALOGUE[record["cipher"]], record["fmax_mhz"]["median"]
    bits = record["radix"] / (2 if isinstance(cipher, BitAead) else 1)
    assert record["bits_per_cycle"] == bits
    assert record["throughput_mbps"] == pytest.approx(fmax * bits, abs=0.01)
    area = area_of(record)
    assert area is not None
    assert record["mbps_per_area"] == pytest.approx(fmax * bits / area, rel=1e-3, abs=1e-4)
    assert record["setup_ns"] == pytest.approx(1000 * record["setup_cycles"] / fmax, abs=0.01)
    # Of the registers of a description, a core may need fewer: SFINKS' queues are read ahead of.
    described = sum(register.length for register in cipher.registers)
    fewest, most = min(described, cipher.state_bits), max(described, cipher.state_bits)
    # A counter, some flags, the held word; of an isolated authenticator what stands before it.
    assert fewest <= record["ff"] <= 1.2 * most + 16


def test_ecp5(capsys: Capture) -> None:
    words = ("trivium", "--radix", "8", "--seeds", "1")
    (record,) = evaluated(capsys, *words)
    check_record(record)
    assert (record["cipher"], record["target"]) == ("trivium", "ecp5-25k")
    assert (record["radix"], record["load_width"], record["setup_cycles"]) == (8, 8, 164)
    assert record["options"] == architecture(8).options
    assert record["rtl_sha256"] == generate(TRIVIUM, architecture(8)).sha256
    assert record["tools"].keys() == {"yosys", "nextpnr-ecp5"}
    assert record["fmax_mhz"]["seeds"] == 1
    # 8 times 11 XOR and 3 AND gates make some 50 LUTs; control and load the rest.
    assert 50 <= record["lut"] <= 250
    assert 50 < record["fmax_mhz"]["median"] < 1000
    for name in ("area_um2", "ge", "ge_cell", "power_mw", "energy_pj_per_bit", "energy_message_nj"):
        assert record[name] is None
    assert evaluated(capsys, *words) == [record]


@pytest.mark.parametrize(
    "cipher", ["grain_v1", "grain128aeadv2", "mickey2", "a51", "e0", "achterbahn80", "sfinks"]
)
def test_every_kind_of_step_can_be_evaluated(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, cipher: str
) -> None:
    for way in set(ECP5.ways) - {"area"}:
        monkeypatch.delitem(ECP5.ways, way)  # type: ignore[arg-type]
    (record,) = evaluated(capsys, cipher, "--seeds", "1")
    check_record(record)
    assert (record["cipher"], record["radix"], record["target"]) == (
        cipher,
        CATALOGUE[cipher].default_radix,
        "ecp5-25k",
    )


def check_cells(record: dict[str, Any]) -> None:
    check_record(record)
    assert (record["lut"], record["fmax_mhz"]["seeds"]) == (None, 1)
    assert record["tools"].keys() == {"yosys", "opensta", "iverilog"}
    assert record["ge_smallest"] <= record["ge"]
    front = record["pareto"]
    assert {"ge": record["ge"], "fmax_mhz": record["fmax_mhz"]["median"]} in front
    assert sorted(front, key=lambda entry: entry["ge"]) == front
    assert sorted(front, key=lambda entry: entry["fmax_mhz"]) == front
    # mW at MHz over bits per cycle is pJ per bit.
    per_bit = 1000 * record["power_mw"] / record["power_clock_mhz"] / record["bits_per_cycle"]
    assert record["energy_pj_per_bit"] == pytest.approx(per_bit, rel=2e-3)
    message = record["energy_message_nj"]
    assert message["one_block"] == pytest.approx(
        record["setup_energy_nj"] + 64 * per_bit / 1000, rel=2e-3
    )
    assert message["thousand_blocks"] == pytest.approx(
        record["setup_energy_nj"] + 64000 * per_bit / 1000, rel=2e-3
    )


@needs_iverilog
@needs_sta
@needs_osu018
def test_osu018(capsys: Capture) -> None:
    (record,) = evaluated(capsys, "trivium", "--radix", "8", "--target", "osu018")
    check_cells(record)
    assert (record["target"], record["ge_cell"]) == ("osu018", "NAND2X1")
    # A flip-flop of 4 GE for each of 288 bits, at least; and the area is that of the cells.
    assert 4 * 288 < record["ge"] < 4000
    assert record["area_um2"] == pytest.approx(24.0 * record["ge"], abs=24 * 0.05)


@needs_iverilog
@needs_sta
@needs_osu018
def test_wrong_gate_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """One XOR too many negated, in a netlist that has the area and the speed of a right one."""
    map_to_cells = asic.map_to_cells

    def with_a_wrong_gate(*arguments: Any) -> MappedNetlist:
        mapped = map_to_cells(*arguments)
        verilog, changes = re.subn(r"\bXNOR2X1\b", "XOR2X1", mapped.verilog, count=1)
        assert changes == 1
        return MappedNetlist(**{**vars(mapped), "verilog": verilog})

    monkeypatch.setattr(asic, "map_to_cells", with_a_wrong_gate)
    monkeypatch.setattr(asic, "_SWEEP", ())
    at = point(8, "osu018")
    assert isinstance(at.target, AsicTarget)
    message = "the osu018 netlist of trivium_r8 gives another keystream than the model"
    with pytest.raises(ToolError, match=f"^{message}$"):
        evaluate_in_cells(at, at.target, verilog(at))


@needs_iverilog
@needs_sta
@needs_pdk_root
def test_liberty_file(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    (path,) = PDK_ROOT.glob("ihp_sg13g2/*typ*.lib.gz")
    monkeypatch.setattr(asic, "_SWEEP", (0.8, 0.5))
    (record,) = evaluated(capsys, "trivium", "--radix", "8", "--liberty", str(path))
    check_cells(record)
    assert record["target"] == path.name.removesuffix(".lib.gz")
    assert record["ge_cell"] == "sg13g2_nand2_1"
