# SPDX-License-Identifier: Apache-2.0
"""Clock gates of libraries, what the flow makes of them, and how a setup is told from the rest."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from library_needs import library, needs

from headwater.errors import InputError
from headwater.flow.asic import map_to_cells
from headwater.flow.gatesim import simulate_gates
from headwater.flow.liberty import Library, load_library
from headwater.flow.opensta import minimum_period
from headwater.flow.power import power
from headwater.flow.running import running_logic

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
module core(input clk, input rst, input load_payload, input load_valid, output reg load_ready,
            output [7:0] keystream_payload, output keystream_valid);
  reg [7:0] s; reg [1:0] phase;
  assign keystream_payload = s; assign keystream_valid = !load_ready && phase == 2;
  always @(posedge clk) begin
    load_ready <= rst || (load_ready && !load_valid);
    phase <= (rst || phase == 2) ? 0 : phase + 1;
    if (load_ready ? load_valid : phase == 2) s <= load_ready ? {8{load_payload}} : s + 1;
  end
endmodule
"""


@pytest.mark.parametrize(
    ("name", "gating"),
    [
        pytest.param(name, gating, marks=needs(name))
        for name, gating in (
            ("osu018", "latch"),
            ("sky130hd", "integrated"),
            ("gf180mcu-5v0", "latch"),
            ("ihp_sg13g2", "integrated"),
            ("asap7-rvt", "integrated"),
        )
    ],
)
def test_gated_registers(name: str, gating: str, tmp_path: Path) -> None:
    cells = library(name)
    plain = map_to_cells(GATED, "core", cells, tmp_path, 2000)
    gated = map_to_cells(GATED, "core", cells, tmp_path, 2000, gating)
    assert (plain.clock_gates, gated.clock_gates) == (0, 1)
    runs = {
        kind: simulate_gates(
            mapped.verilog, cells, "core", load_words=[1], words=90, folder=tmp_path
        )
        for kind, mapped in (("plain", plain), ("gated", gated))
    }
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
@pytest.mark.parametrize("reset_by", ["again", "!calm"])
@pytest.mark.parametrize("enabled_by", ["third", "!other"])
def test_registers_that_are_reset_before_their_enable_are_gated(
    gating: str, reset_by: str, enabled_by: str, tmp_path: Path
) -> None:
    """Whichever level resets or enables them: every three words, in a cycle without the enable. It
    comes too late for the first word."""
    cells = library("osu018")
    step = "if (load_ready ? load_valid : phase == 2) s <= load_ready ? {8{load_payload}} :"
    assert step in GATED
    reset = GATED.replace(
        step,
        "again <= rst || phase == 0 && s == 8'h5d; calm <= !(rst || phase == 0 && s == 8'h5d);"
        "third <= !load_ready && phase == 1; other <= load_ready || phase != 1;"
        f"if ({reset_by}) s <= 8'h5a; else if ({enabled_by}) s <=",
    ).replace("reg [7:0] s;", "reg [7:0] s; reg again, calm, third, other;")
    mapped = map_to_cells(reset, "core", cells, tmp_path, 2000, gating)
    assert (mapped.clock_gating, mapped.clock_gates) == (
        ("none", 0) if gating == "none" else ("latch", 1)
    )
    run = simulate_gates(mapped.verilog, cells, "core", load_words=[1], words=9, folder=tmp_path)
    assert run.words == (0x5A, *(0x5A, 0x5B, 0x5C) * 2, 0x5A, 0x5B)


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
        power(
            netlist, cells, "core", {**still, gate: toggles}, 10.0, tmp_path, clock_gates=[gate]
        ).internal
        for toggles in (0.0, 0.5, 1.0, 2.0)
    ]
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
module core(input clk, input rst, input load_payload, input load_valid, output reg load_ready,
            output keystream_payload, output reg keystream_valid);
  reg [7:0] s; reg [15:0] count; reg done;
  assign keystream_payload = s[0];
  always @(posedge clk) begin
    count <= rst ? 0 : count + {15'b0, load_valid};
    done <= !rst && count * count == 16'd6400;
    load_ready <= rst || (load_ready && !done);
    keystream_valid <= !rst && (keystream_valid || done);
    if (!load_ready || load_valid) s <= {load_ready ? load_payload : s[0] ^ s[3], s[7:1]};
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
    constant = {
        nets.get(pin.partition("/")[0], pin): value for pin, value in logic.constants.items()
    }
    assert (constant["load_ready"], constant["keystream_valid"]) == (0, 1)
    assert constant["load_valid"] == constant["rst"] == 0
    assert not any(name.startswith("s[") for name in constant)
    ends = {nets.get(pin.partition("/")[0], pin) for pin in logic.endpoints}
    assert {f"s[{n}]" for n in range(1, 8)} <= ends
    assert not any(end.startswith(("count", "done", "load", "keystream_v")) for end in ends)
    latches = gating == "latch"
    every = minimum_period(netlist, cells, "core", tmp_path, latches=latches)
    running = minimum_period(
        netlist,
        cells,
        "core",
        tmp_path,
        latches=latches,
        constants=logic.constants,
        endpoints=logic.endpoints,
    )
    assert every.endpoint == "done"
    assert running.period_ns < 0.5 * every.period_ns


@needs("osu018")
def test_state_that_stands_still_is_no_constant(tmp_path: Path) -> None:
    """A key that is kept is not: another key would have other paths."""
    kept = (
        STAGED.replace("s[7:1]};", "s[7:1]}; if (load_ready) k <= load_payload;")
        .replace("reg done;", "reg done, k;")
        .replace("= s[0];", "= s[0] & k;")
    )
    cells = library("osu018")
    netlist = map_to_cells(kept, "core", cells, tmp_path, 2000).verilog
    run = simulate_gates(netlist, cells, "core", load_words=[1, 0] * 40, words=60, folder=tmp_path)
    logic = running_logic(netlist, cells, "core", run.running.steady, tmp_path)
    assert logic is not None
    nets = dict(re.findall(r"DFFPOSX1 (\w+) \([^;]*\.Q\(([^)]*)\)", netlist))
    assert "k" not in {nets.get(pin.partition("/")[0]) for pin in logic.constants}
    assert "k" in nets.values()
