# SPDX-License-Identifier: Apache-2.0
"""Libraries by name, their FO4, their clock gates, and what the flow makes of these."""

from __future__ import annotations

import json
import os
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from headwater.bench import asic
from headwater.bench.asic import evaluate_in_cells
from headwater.bench.energy import message_energy_nj
from headwater.bench.libraries import ALIASES, LIBRARIES, ROOT_VARIABLES
from headwater.bench.point import DesignPoint, Figures
from headwater.bench.settings import Settings
from headwater.bench.target import TARGETS, AsicTarget, find
from headwater.cipher.catalogue import CATALOGUE
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError, ToolError
from headwater.flow.asic import map_to_cells
from headwater.flow.fo4 import fo4_ps
from headwater.flow.folders import private_folder
from headwater.flow.gatesim import simulate_gates
from headwater.flow.liberty import Library, load_library
from headwater.flow.opensta import minimum_period
from headwater.flow.power import Power, power
from headwater.flow.running import running_logic

PDK_ROOT = os.environ.get("HEADWATER_PDK_ROOT", "")
TOOLS = all(shutil.which(name) for name in ("sta", "iverilog"))


def needs(*names: str) -> pytest.MarkDecorator:
    """Skip a test unless these libraries are found, and the tools are."""
    missing = [name for name in names if LIBRARIES[name].find() is None]
    reason = f"needs sta, iverilog and {', '.join(names)}"
    return pytest.mark.skipif(bool(missing) or not TOOLS, reason=reason)


def found(prefix: str = "") -> list[str]:
    names = [name for name in LIBRARIES if name.startswith(prefix)]
    return [name for name in names if LIBRARIES[name].find()]


Capture = pytest.CaptureFixture[str]


def library(name: str) -> Library:
    target = TARGETS[name]
    assert isinstance(target, AsicTarget)
    return target.library()


# Names


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("sky130hd", "sky130hd/sky130_fd_sc_hd__tt_025C_1v80.lib.gz"),
        ("sky130hd", "sky130A/libs.ref/sky130_fd_sc_hd/lib/sky130_fd_sc_hd__tt_025C_1v80.lib"),
        (
            "sky130hd-ss",
            "ciel/sky130/versions/0f/sky130A/libs.ref/sky130_fd_sc_hd/lib/sky130_fd_sc_hd__ss_n40C_1v40.lib",
        ),
        ("sky130hd-ff", "libs.ref/sky130_fd_sc_hd/lib/sky130_fd_sc_hd__ff_100C_1v95.lib"),
        (
            "gf180mcu",
            (
                "gf180mcuD/libs.ref/gf180mcu_fd_sc_mcu7t5v0/lib/"
                "gf180mcu_fd_sc_mcu7t5v0__tt_025C_5v00.lib"
            ),
        ),
        (
            "ihp_sg13g2-slow",
            (
                "IHP-Open-PDK/ihp-sg13g2/libs.ref/sg13g2_stdcell/lib/"
                "sg13g2_stdcell_slow_1p08V_125C.lib"
            ),
        ),
        ("gt2n-hvt", "gt2n/lib/gt2_6t_w13_hvt_tt_0p7v25c.lib"),
        ("asap7", "asap7/asap7sc7p5t_RVT_TT_0p70V_25C_merged_subset.lib.gz"),
    ],
)
def test_usual_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, file: str
) -> None:
    for variable in ROOT_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
        path = tmp_path / variable / file
        path.parent.mkdir(parents=True)
        path.touch()
    target = find(name)
    assert isinstance(target, AsicTarget)
    assert not target.liberty.exists()
    for variable in reversed(ROOT_VARIABLES):
        monkeypatch.setenv(variable, str(tmp_path / variable))
        assert target.liberty == tmp_path / variable / file


def test_threshold_is_part_of_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWATER_PDK_ROOT", str(tmp_path))
    monkeypatch.delenv("PDK_ROOT", raising=False)
    (tmp_path / "asap7sc7p5t_SLVT_TT_0p70V_25C_merged_subset.lib").touch()
    assert LIBRARIES["asap7-lvt"].find() is None
    assert LIBRARIES["asap7-slvt"].find()


def test_library_that_is_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ROOT_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    message = (
        "library sky130hd was not found: no file sky130_fd_sc_hd__tt_025C_1v80.lib[.gz] as neither "
        "HEADWATER_PDK_ROOT nor PDK_ROOT is set; get it with: pip install ciel; ciel enable "
        "--pdk-family sky130 VERSION; export PDK_ROOT=~/.ciel"
    )
    with pytest.raises(ToolError, match=f"^{re.escape(message)}$"):
        library("sky130hd")
    monkeypatch.setenv("PDK_ROOT", str(tmp_path))
    with pytest.raises(ToolError, match=f"below PDK_ROOT={re.escape(str(tmp_path))}; get it with"):
        library("sky130hd")


def test_package_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    osu = LIBRARIES["osu018"]
    monkeypatch.setattr(Path, "glob", lambda *_: iter(()))
    message = (
        f"library osu018 was not found: no file osu018_stdcells.lib[.gz] in {osu.folder}; "
        "get it with: apt-get install qflow-tech-osu018"
    )
    with pytest.raises(ToolError, match=f"^{re.escape(message)}$"):
        osu.require()


def test_list_tells_what_is_found(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ROOT_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    assert main(["list", "targets", "--json"]) == 0
    found = {one["target"]: one["found"] for one in json.loads(capsys.readouterr().out)}
    assert found.keys() == TARGETS.keys()
    assert found["ecp5-25k"]
    assert not found["sky130hd"]
    assert not found["gt2n-ulvt"]


def test_aliases_are_no_targets_of_their_own() -> None:
    assert not ALIASES.keys() & TARGETS.keys()
    for alias, name in ALIASES.items():
        assert find(alias) is TARGETS[name]


# FO4


@pytest.mark.skipif(not TOOLS or not found(), reason="needs sta and a library")
def test_fo4_in_plausible_order() -> None:
    delays = {name: fo4_ps(library(name)) for name in found()}
    assert all(5 < delay < 1000 for delay in delays.values())
    for fast, slow in (
        ("sky130hd-ff", "sky130hd"), ("sky130hd", "sky130hd-ss"), ("osu018", "osu035"),
        ("ihp_sg13g2-fast", "ihp_sg13g2"), ("ihp_sg13g2", "ihp_sg13g2-slow"),
        ("asap7-slvt", "asap7-lvt"), ("asap7-lvt", "asap7-rvt"), ("asap7-rvt", "sky130hd-ff"),
        ("gt2n-ulvt", "gt2n-lvt"), ("gt2n-lvt", "gt2n-svt"), ("gt2n-svt", "gt2n-hvt"),
        ("gf180mcu-5v0", "gf180mcu-1v8"),
    ):  # fmt: skip
        if {fast, slow} <= delays.keys():
            assert delays[fast] < delays[slow], (fast, slow)


# Power of flip-flops

FLIP_FLOP_POWER_UW = (0.05, 500.0)
"""Of one at 100 MHz, in any of these technologies."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=needs(name))
        for name in ("osu035", "sky130hd", "ihp_sg13g2", "gf180mcu-1v8", "asap7-slvt", "gt2n-hvt")
    ],
)
def test_every_flip_flop_has_internal_power(name: str, tmp_path: Path) -> None:
    """Without operating conditions where the timer looks for them there would be none."""
    cells = library(name)
    toggle = "module m(input clk, d, output reg q); always @(posedge clk) q <= d; endmodule\n"
    mapped = map_to_cells(toggle, "m", cells, tmp_path)
    measured = power(mapped.verilog, cells, "m", {}, 10.0, tmp_path)
    low, high = FLIP_FLOP_POWER_UW
    assert low < 1e6 * measured.internal < high


@needs("osu018")
@pytest.mark.parametrize("default", ["before", "absent"])
def test_default_conditions_that_a_timer_would_miss(default: str, tmp_path: Path) -> None:
    text = LIBRARIES["osu018"].require().read_text()
    line = "default_operating_conditions : typical;"
    assert line in text
    moved = text.replace(line, "")
    if default == "before":
        moved = moved.replace("operating_conditions (", f"{line}\n  operating_conditions (", 1)
    (tmp_path / "moved.lib").write_text(moved)
    cells, usual = load_library(tmp_path / "moved.lib"), library("osu018")
    assert (cells.lost_conditions, usual.lost_conditions) == ("typical", "")
    toggle = "module m(input clk, d, output reg q); always @(posedge clk) q <= d; endmodule\n"
    netlist = map_to_cells(toggle, "m", usual, tmp_path).verilog
    found = [power(netlist, which, "m", {}, 10.0, tmp_path) for which in (cells, usual)]
    assert found[0] == found[1]


# Clock gates


TINY = """\
library(tiny) {
  capacitive_load_unit(1, pf);
  cell(inv) { area: 1; pin(A) { direction: input; capacitance: 0.01; }
    pin(Y) { direction: output; function: "!A"; } }
  cell(nand) { area: 2; pin(A) { direction: input; } pin(B) { direction: input; }
    pin(Y) { direction: output; function: "!(A B)"; } }
  cell(flop) { area: 9; ff(IQ, IQN) { clocked_on: "C"; next_state: "D"; }
    pin(C) { direction: input; } pin(D) { direction: input; }
    pin(Q) { direction: output; function: "IQ"; } }
}
"""


def test_library_without_a_clock_gate(tmp_path: Path) -> None:
    (tmp_path / "tiny.lib").write_text(TINY)
    tiny = load_library(tmp_path / "tiny.lib")
    assert (tiny.latch_gate, tiny.integrated_gate) == (None, None)
    for gating, cell in (("latch", "latch"), ("integrated", "clock-gating cell for rising edges")):
        message = f"clock gating {gating} needs a {cell}, and tiny has none"
        with pytest.raises(InputError, match=f"^{message}$"):
            map_to_cells("", "m", tiny, tmp_path, clock_gating=gating)


@needs("sky130hd", "osu018", "gf180mcu-5v0", "ihp_sg13g2")
def test_gates_that_libraries_have() -> None:
    gates = {name: library(name) for name in ("sky130hd", "osu018", "gf180mcu-5v0", "ihp_sg13g2")}
    integrated = {name: cells.integrated_gate for name, cells in gates.items()}
    assert integrated["osu018"] is None
    assert {name: gate.cells for name, gate in integrated.items() if gate} == {
        "sky130hd": ("sky130_fd_sc_hd__dlclkp_1",),
        "gf180mcu-5v0": ("gf180mcu_fd_sc_mcu7t5v0__icgtp_1",),
        "ihp_sg13g2": ("sg13g2_lgcp_1",),
    }
    latch = gates["osu018"].latch_gate
    assert latch
    assert latch.cells == ("AND2X1", "INVX1", "LATCH")
    # A latch that is open at the low level needs no inverter.
    low = gates["sky130hd"].latch_gate
    assert low
    assert low.cells == ("sky130_fd_sc_hd__and2_0", "sky130_fd_sc_hd__dlxtn_1")


# Counts load words while it is loaded; then shows every third value of a counter of 8 bits.
GATED = """\
module core(input clk, input rst, input load__payload, input load__valid, output reg load__ready,
            output [7:0] keystream__payload, output keystream__valid);
  reg [7:0] s; reg [1:0] phase;
  assign keystream__payload = s; assign keystream__valid = !load__ready && phase == 2;
  always @(posedge clk) begin
    load__ready <= rst || (load__ready && !load__valid);
    phase <= (rst || phase == 2) ? 0 : phase + 1;
    if (load__ready ? load__valid : phase == 2) s <= load__ready ? {8{load__payload}} : s + 1;
  end
endmodule
"""


@pytest.mark.parametrize(
    ("name", "gating"),
    [
        pytest.param(name, gating, marks=needs(name))
        for name, gating in (
            ("osu018", "latch"), ("sky130hd", "integrated"), ("gf180mcu-5v0", "latch"),
            ("ihp_sg13g2", "integrated"), ("asap7-rvt", "integrated"),
        )
    ],
)  # fmt: skip
def test_gated_registers(name: str, gating: str, tmp_path: Path) -> None:
    cells = library(name)
    plain = map_to_cells(GATED, "core", cells, tmp_path, 2000)
    gated = map_to_cells(GATED, "core", cells, tmp_path, 2000, gating)
    assert (plain.clock_gates, gated.clock_gates) == (0, 1)
    runs = {
        kind: simulate_gates(mapped.verilog, cells, "core", load_words=[1], words=90,
                             folder=tmp_path)
        for kind, mapped in (("plain", plain), ("gated", gated))
    }  # fmt: skip
    assert runs["plain"].words == runs["gated"].words == tuple((255 + n) % 256 for n in range(90))
    assert runs["plain"].clock_gates == ()
    (gate,) = runs["gated"].clock_gates
    # The gate is open in one cycle of three; it has two edges then.
    running = runs["gated"].running
    assert running.activity[gate] == pytest.approx(2 / 3, abs=0.02)
    assert power_of(plain.verilog, cells, runs["plain"], tmp_path) > 1.3 * power_of(
        gated.verilog, cells, runs["gated"], tmp_path
    )


@needs("osu018")
@pytest.mark.parametrize("gating", ["none", "auto"])
def test_registers_that_are_reset_before_their_enable_are_gated(
    gating: str, tmp_path: Path
) -> None:
    cells = library("osu018")
    step = "if (load__ready ? load__valid : phase == 2) s <= load__ready ? {8{load__payload}} :"
    assert step in GATED
    reset = GATED.replace(step, "if (rst) s <= 8'h5a; else if (!load__ready && phase == 2) s <=")
    mapped = map_to_cells(reset, "core", cells, tmp_path, 2000, gating)
    assert (mapped.clock_gating, mapped.clock_gates) == (
        ("none", 0) if gating == "none" else ("latch", 1)
    )
    run = simulate_gates(mapped.verilog, cells, "core", load_words=[1], words=9, folder=tmp_path)
    assert run.words == tuple(range(0x5A, 0x5A + 9))


@pytest.mark.parametrize(
    ("name", "gating"),
    [
        pytest.param(name, gating, marks=needs(name))
        for name, gating in (("osu018", "latch"), ("sky130hd", "integrated"))
    ],
)
def test_gates_of_a_library_unless_others_are_asked_for(
    name: str, gating: str, tmp_path: Path
) -> None:
    mapped = map_to_cells(GATED, "core", library(name), tmp_path, clock_gating="auto")
    assert (mapped.clock_gating, mapped.clock_gates) == (gating, 1)


def test_no_gates_without_cells_for_them(tiny: Library, tmp_path: Path) -> None:
    plain = "module m(input clk, d, output reg q); always @(posedge clk) q <= d; endmodule"
    assert tiny.latch_gate is None
    assert map_to_cells(plain, "m", tiny, tmp_path, clock_gating="auto").clock_gating == "none"


def power_of(netlist: str, cells: Library, run: Any, folder: Path) -> float:
    return power(
        netlist, cells, "core", run.running.activity, 10.0, folder, clock_gates=run.clock_gates
    ).total


@needs("sky130hd")
def test_clock_pins_count_as_often_as_they_toggle(tmp_path: Path) -> None:
    """Of a netlist in which nothing but clocks toggles, the gated part is in proportion."""
    cells = library("sky130hd")
    netlist = map_to_cells(GATED, "core", cells, tmp_path, 2000, "integrated").verilog
    run = simulate_gates(netlist, cells, "core", load_words=[1], words=9, folder=tmp_path)
    (gate,) = run.clock_gates
    still = dict.fromkeys(run.running.activity, 0.0)
    found = [
        power(netlist, cells, "core", {**still, gate: toggles}, 10.0, tmp_path,
              clock_gates=[gate]).internal
        for toggles in (0.0, 0.5, 1.0, 2.0)
    ]  # fmt: skip
    steps = [after - found[0] for after in found[1:]]
    assert steps[2] > 0.2 * found[0]
    assert steps[0] == pytest.approx(steps[2] / 4, rel=1e-3)
    assert steps[1] == pytest.approx(steps[2] / 2, rel=1e-3)


@needs("sky130hd")
def test_enable_of_a_latch_has_the_whole_period(tmp_path: Path) -> None:
    """A chain of inverters before the enable is in the period, once."""
    cells = library("sky130hd")
    chain = 60
    gate = "sky130_fd_sc_hd__"
    inverters = "".join(f"  {gate}inv_1 i{n} (.A(w{n}), .Y(w{n + 1}));\n" for n in range(chain))
    wires = ", ".join(f"w{n}" for n in range(chain + 1))
    netlist = (
        f"module m(clk, d, q);\n  input clk, d; output q; wire open, gclk, {wires};\n"
        f"  {gate}dfxtp_1 first (.CLK(clk), .D(d), .Q(w0));\n{inverters}"
        f"  {gate}dlxtn_1 latch (.D(w{chain}), .GATE_N(clk), .Q(open));\n"
        f"  {gate}and2_0 gate (.A(clk), .B(open), .X(gclk));\n"
        f"  {gate}dfxtp_1 last (.CLK(gclk), .D(d), .Q(q));\nendmodule\n"
    )
    to_end = netlist.replace(".Q(open)", ".Q()").replace(".B(open)", ".B(d)")
    to_end = to_end.replace(
        f"{gate}dlxtn_1 latch (.D(w{chain}), .GATE_N(clk), .Q());",
        f"{gate}dfxtp_1 latch (.CLK(clk), .D(w{chain}), .Q(open));",
    )
    gated = minimum_period(netlist, cells, "m", tmp_path, latches=True).period_ns
    plain = minimum_period(to_end, cells, "m", tmp_path).period_ns
    assert plain > 1
    # A latch's own delay takes the place of a flip-flop's setup time.
    assert plain < gated < plain + 0.6


# Stages

STAGED = """\
module core(input clk, input rst, input load__payload, input load__valid, output reg load__ready,
            output keystream__payload, output reg keystream__valid);
  reg [7:0] s; reg [15:0] count; reg done;
  assign keystream__payload = s[0];
  always @(posedge clk) begin
    count <= rst ? 0 : count + {15'b0, load__valid};
    done <= !rst && count * count == 16'd6400;
    load__ready <= rst || (load__ready && !done);
    keystream__valid <= !rst && (keystream__valid || done);
    if (!load__ready || load__valid) s <= {load__ready ? load__payload : s[0] ^ s[3], s[7:1]};
  end
endmodule
"""


@needs("osu018")
@pytest.mark.parametrize("gating", ["none", "latch"])
def test_path_of_the_setup_is_told_from_the_running_cipher(gating: str, tmp_path: Path) -> None:
    cells = library("osu018")
    netlist = map_to_cells(STAGED, "core", cells, tmp_path, 2000, gating).verilog
    loads = [1, 0, 1, 1, 0, 0, 1, 0] * 10
    run = simulate_gates(netlist, cells, "core", load_words=loads, words=60, folder=tmp_path)
    logic = running_logic(netlist, cells, "core", run.running.steady, tmp_path)
    assert logic is not None
    nets = dict(re.findall(r"DFFPOSX1 (\w+) \([^;]*\.Q\(([^)]*)\)", netlist))
    constant = {nets.get(pin.partition("/")[0], pin): value
                for pin, value in logic.constants.items()}  # fmt: skip
    assert (constant["load__ready"], constant["keystream__valid"]) == (0, 1)
    assert constant["load__valid"] == constant["rst"] == 0
    assert not any(name.startswith("s[") for name in constant)
    ends = {nets.get(pin.partition("/")[0], pin) for pin in logic.endpoints}
    assert {f"s[{n}]" for n in range(1, 8)} <= ends
    assert not any(end.startswith(("count", "done", "load", "keystream__v")) for end in ends)
    latches = gating == "latch"
    every = minimum_period(netlist, cells, "core", tmp_path, latches=latches)
    running = minimum_period(netlist, cells, "core", tmp_path, latches=latches,
                             constants=logic.constants, endpoints=logic.endpoints)  # fmt: skip
    assert every.endpoint == "done"
    assert running.period_ns < 0.5 * every.period_ns


@needs("osu018")
def test_state_that_stands_still_is_no_constant(tmp_path: Path) -> None:
    """A key that is kept is not: another key would have other paths."""
    kept = STAGED.replace("s[7:1]};", "s[7:1]}; if (load__ready) k <= load__payload;").replace(
        "reg done;", "reg done, k;").replace("= s[0];", "= s[0] & k;")  # fmt: skip
    cells = library("osu018")
    netlist = map_to_cells(kept, "core", cells, tmp_path, 2000).verilog
    run = simulate_gates(netlist, cells, "core", load_words=[1, 0] * 40, words=60, folder=tmp_path)
    logic = running_logic(netlist, cells, "core", run.running.steady, tmp_path)
    assert logic is not None
    nets = dict(re.findall(r"DFFPOSX1 (\w+) \([^;]*\.Q\(([^)]*)\)", netlist))
    assert "k" not in {nets.get(pin.partition("/")[0]) for pin in logic.constants}
    assert "k" in nets.values()


# Evaluations


@cache
def evaluated(
    name: str = "osu018",
    sweep: tuple[float, ...] = (0.5,),
    **settings: Any,
) -> Figures:
    cipher, target = CATALOGUE["grain_v1"], TARGETS[name]
    assert isinstance(target, AsicTarget)
    architecture = Architecture.choose(cipher, radix=1)
    point = DesignPoint(cipher, architecture, target, Settings(**settings))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asic, "_SWEEP", sweep)
        return evaluate_in_cells(point, target, generate(cipher, architecture))


@pytest.mark.parametrize(
    ("name", "gating"),
    [
        pytest.param("osu018", "latch", marks=needs("osu018")),
        pytest.param("sky130hd", "integrated", marks=needs("sky130hd")),
    ],
)
def test_gated_core(name: str, gating: str) -> None:
    """The keystream is checked in every evaluation; gates save multiplexers and power."""
    plain = evaluated(name, (), clock_gating="none")
    gated = evaluated(name, ())
    assert gated.settings["clock_gating"] == gating
    assert plain.ge
    assert gated.ge
    assert plain.power_mw
    assert gated.power_mw
    # The state and the count of words and cycles.
    assert (plain.clock_gates, gated.clock_gates) == (0, 2)
    assert plain.ff == gated.ff
    assert gated.ge < plain.ge - 160
    assert gated.power_mw < 0.97 * plain.power_mw
    assert gated.fmax_mhz.median > 100


@needs("osu018")
def test_objectives() -> None:
    found = {name: evaluated(objective=name) for name in ("area", "balanced", "speed", "power")}
    area = {name: figures.ge or 0.0 for name, figures in found.items()}
    fmax = {name: figures.fmax_mhz.median for name, figures in found.items()}
    energy = {name: figures.energy_pj_per_bit or 0.0 for name, figures in found.items()}
    assert area["area"] == min(area.values()) == found["area"].ge_smallest
    assert fmax["speed"] == max(fmax.values())
    assert energy["power"] <= min(energy["balanced"], energy["speed"])
    assert fmax["balanced"] / area["balanced"] >= fmax["speed"] / area["speed"]


@needs("osu018")
def test_members_belong_together() -> None:
    found = evaluated()
    assert found.ge
    assert found.ge_sequential
    assert found.ge_combinational
    assert found.ff
    assert found.ge == pytest.approx(found.ge_sequential + found.ge_combinational, abs=0.11)
    assert (found.ff_cell, found.ff_ge) == ("DFFPOSX1", 4.0)
    assert found.ge_sequential == pytest.approx(4.0 * found.ff)
    assert found.fo4_ps
    assert found.period_fo4
    period_ps = 1e6 / found.fmax_mhz.median
    assert found.period_fo4 == pytest.approx(period_ps / found.fo4_ps, rel=1e-3)
    assert found.critical_stage in ("setup", "running")
    assert found.running_fmax_mhz
    assert found.running_fmax_mhz >= found.fmax_mhz.median
    same = found.running_fmax_mhz <= found.fmax_mhz.median * 1.0002
    assert same == (found.critical_stage == "running")


@needs("osu018")
def test_power_at_other_clocks() -> None:
    found = evaluated()
    assert found.power_mw
    assert found.leakage_mw
    assert found.power_clock_mhz == 100.0
    dynamic = (found.power_mw - found.leakage_mw) / 100
    for mhz, power_mw in (
        (0.1, found.power_at_100khz_mw), (10.0, found.power_at_10mhz_mw),
        (found.fmax_mhz.median, found.power_at_fmax_mw),
    ):  # fmt: skip
        assert power_mw == pytest.approx(dynamic * mhz + found.leakage_mw, rel=2e-3)
    # Measured at another clock it is the same.
    slow = evaluated(clock_mhz=10.0)
    assert slow.power_clock_mhz == 10.0
    assert slow.power_mw == pytest.approx(found.power_at_10mhz_mw, rel=2e-3)


def test_power_scales() -> None:
    assert Power(3.0, 1.0, 0.5, 4.5).at(2.0) == Power(6.0, 2.0, 0.5, 8.5)


@needs("osu018")
def test_energy_of_any_message() -> None:
    found = evaluated()
    assert found.energy_pj_per_bit
    assert found.energy_cycle_pj
    assert found.setup_energy_nj
    assert found.energy_mj_per_gbit == pytest.approx(found.energy_pj_per_bit * 1.0737418, rel=1e-3)
    message = found.energy_message_nj
    assert message
    assert message_energy_nj(found, 8) == pytest.approx(message.one_block, rel=2e-3)
    assert message_energy_nj(found, 8000) == pytest.approx(message.thousand_blocks, rel=2e-3)
    assert message_energy_nj(found, 0) == pytest.approx(found.setup_energy_nj, rel=1e-3)
    absent = Figures(**{**vars(found), "energy_cycle_pj": None})
    with pytest.raises(InputError, match=r"^figures must hold energy, and those of grain_v1 "):
        message_energy_nj(absent, 1)


# Netlists that are given


@cache
def mapped(gating: str = "none") -> str:
    cipher = CATALOGUE["grain_v1"]
    verilog = generate(cipher, Architecture.choose(cipher, radix=1))
    with private_folder() as folder:
        cells = library("osu018")
        return map_to_cells(verilog.text, verilog.name, cells, folder, clock_gating=gating).verilog


def verify(capsys: Capture, *words: str) -> tuple[int, str]:
    status = main(["verify", "grain_v1", "--target", "osu018", *words])
    printed = capsys.readouterr()
    return status, printed.err.splitlines()[-1] if printed.err else printed.out


@needs("osu018")
def test_netlist_is_proven(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "n.v").write_text(mapped())
    status, line = verify(capsys, "--netlist", str(tmp_path / "n.v"))
    assert (status, line.startswith("netlist equals RTL (sat)")) == (0, True)
    assert line.endswith(": 1 passed")


@needs("osu018")
def test_gated_netlist_is_simulated(capsys: Capture) -> None:
    status, line = verify(capsys, "--netlist", "--clock-gating", "latch")
    assert (status, line.startswith("netlist equals RTL (simulation)")) == (0, True)
    assert line.endswith("1 passed, 1 skipped (no proof: the netlist has latches)")


@needs("osu018")
def test_wrong_netlist_is_refused(capsys: Capture, tmp_path: Path) -> None:
    wrong, changes = re.subn(r"\bXNOR2X1\b", "XOR2X1", mapped(), count=1)
    assert changes
    (tmp_path / "n.v").write_text(wrong)
    status, line = verify(capsys, "--netlist", str(tmp_path / "n.v"))
    assert status == 1
    message = "the osu018 netlist of grain_v1_r1 gives another keystream than the model"
    assert line.endswith(f"0 passed, 1 FAILED: {message}")


@needs("osu018")
def test_register_on_another_clock_is_not_proven(capsys: Capture, tmp_path: Path) -> None:
    """Models of registers in a proof do not look at their clock."""
    wrong, changes = re.subn(
        r"(DFFPOSX1 _\w+_ \(\n    \.CLK\()clk(\),\n    \.D\([^)]*\),\n    \.Q\(step\))",
        r"\1rst\2", mapped(),
    )  # fmt: skip
    assert changes == 1
    (tmp_path / "n.v").write_text(wrong)
    status, line = verify(capsys, "--netlist", str(tmp_path / "n.v"))
    assert "(sat)" not in line
    assert status == 1 or "no proof: not all registers are clocked by clk alone" in line


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--netlist", "no.v"), ("--netlist must come with the netlist's library: either --target "
         "NAME or --liberty FILE")),
        (("--target", "osu018"), "--target must come with --netlist, the netlist that is verified"),
        (("--netlist", "--target", "ecp5-25k"), ("target must be a standard-cell library, not "
         "ecp5-25k")),
        (("--netlist", "--prove", "--target", "osu018"), "--netlist must come without --prove"),
        (("--netlist", "no.v", "--target", "osu018", "--radix", "1,2"),
         "--netlist FILE must come with one radix, not 2"),
        (("--netlist", "no.v", "--target", "osu018"),
         "netlist must be a readable Verilog file, not no.v: No such file or directory"),
    ],
)  # fmt: skip
def test_command_line(capsys: Capture, words: tuple[str, ...], message: str) -> None:
    assert main(["verify", "grain_v1", *words]) == 2
    assert capsys.readouterr().err == f"headwater: {message}\n"


@needs("osu018")
def test_netlist_of_something_else(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "n.v").write_text("module other(input clk); endmodule\n")
    status, line = verify(capsys, "--netlist", str(tmp_path / "n.v"))
    assert status == 2
    assert line == (
        f"headwater: netlist must have the module grain_v1_r1, which {tmp_path / 'n.v'} has not"
    )
