# SPDX-License-Identifier: Apache-2.0
"""Standard-cell libraries, mapping, timing, power and gate-level simulation."""

from __future__ import annotations

import gzip
import io
import os
import re
import shutil
from pathlib import Path

import pytest

from headwater.errors import InputError, ToolError
from headwater.flow import asic, gatesim
from headwater.flow.asic import map_to_cells
from headwater.flow.gatesim import simulate_gates
from headwater.flow.liberty import Library, load_library
from headwater.flow.opensta import minimum_period, opensta_version
from headwater.flow.power import Power, power
from headwater.flow.toggles import count_toggles

OSU018 = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
PDK_ROOT = Path(os.environ.get("HEADWATER_PDK_ROOT", ""))

needs_osu018 = pytest.mark.skipif(
    not OSU018.exists(), reason="needs a library: apt-get install qflow-tech-osu018"
)
needs_sta = pytest.mark.skipif(not shutil.which("sta"), reason="needs sta: apt-get install opensta")
needs_iverilog = pytest.mark.skipif(
    not shutil.which("iverilog"), reason="needs iverilog: apt-get install iverilog"
)
needs_pdk_root = pytest.mark.skipif(
    "HEADWATER_PDK_ROOT" not in os.environ,
    reason="needs HEADWATER_PDK_ROOT, the folder that holds sky130hd and ihp_sg13g2",
)


def cell(name: str, area: int, inputs: str, function: str, state: str = "") -> str:
    pins = "".join(
        f"pin({pin}) {{ direction: input; capacitance: {0.001 * area}; }}\n" for pin in inputs
    )
    output = f'pin(Y) {{ direction: output; function: "{function}"; }}\n'
    return f"cell({name}) {{ area: {area};\n{pins}{output}{state} }}\n"


def flip_flop(name: str, area: int, inputs: str, data: str, clock: str = "C") -> str:
    state = f'ff(IQ, IQN) {{ clocked_on: "{clock}"; next_state: "{data}"; }}\n'
    return cell(name, area, inputs, "IQ", state)


# Names say nothing; what the cells are is in their functions alone.
TINY_CELLS = (
    cell("c1", 2, "A", "!A")
    + cell("c2", 6, "A", "!A")
    + cell("c3", 4, "AB", "!(A B)")
    + cell("c4", 3, "AB", "!(A+B)")
    + cell("c5", 8, "AB", "(!A)+(!B)")
    + cell("c6", 5, "A", "A")
    + cell("c7", 7, "A", "A")
    + cell("c8", 9, "A", "A")
    + cell("tiny_dlygate", 6, "A", "A")
    + flip_flop("f1", 10, "CD", "D", clock="!C")
    + flip_flop("f2", 20, "CD", "D")
    + flip_flop("f3", 30, "CD", "D")
    + flip_flop("f4", 11, "CDE", "(D E) + (IQ !E)")
    + flip_flop("f5", 12, "CDTS", "(D !S) + (T S)")
)
TINY_HEAD = "library(tiny) {\ncapacitive_load_unit(1, pf);\n"


def write_library(folder: Path, cells: str = TINY_CELLS, head: str = TINY_HEAD) -> Path:
    path = folder / "tiny.lib"
    path.write_text(head + cells + "}\n")
    return path


@pytest.fixture
def tiny(tmp_path: Path) -> Library:
    return load_library(write_library(tmp_path))


@pytest.fixture
def osu018() -> Library:
    return load_library(OSU018)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "work"
    path.mkdir()
    return path


def fake_program(tmp_path: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program first on PATH, and out of reach whatever lies beside this Python."""
    program = tmp_path / "bin" / name
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")


# Libraries


def test_cells_are_found_by_function(tiny: Library) -> None:
    assert (tiny.name, tiny.nand_cell, tiny.nand_area_um2) == ("tiny", "c3", 4.0)
    assert tiny.flip_flop_cell == "f2"
    assert tiny.driving_cell == "c7"
    assert tiny.output_load_ff == pytest.approx(4 * 2.0)
    assert tiny.dont_use == ("f4", "f5", "tiny_dlygate")
    assert tiny.sequential == {"f1", "f2", "f3", "f4", "f5"}


def test_gzip_makes_no_difference(tmp_path: Path, folder: Path, tiny: Library) -> None:
    packed = tmp_path / "tiny.lib.gz"
    packed.write_bytes(gzip.compress(tiny.path.read_bytes()))
    library = load_library(packed)
    assert library == Library(**{**vars(tiny), "path": packed})
    assert (folder / library.unpack(folder)).read_bytes() == tiny.path.read_bytes()


def test_library_that_changes_is_refused(folder: Path, tiny: Library) -> None:
    tiny.path.write_text(tiny.path.read_text().replace("area: 4;", "area: 5;"))
    message = f"library must not change while it is in use, but {tiny.path} did"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        tiny.unpack(folder)


def test_what_is_no_library(tmp_path: Path) -> None:
    missing, text, damaged = (tmp_path / name for name in ("missing.lib", "text.lib", "a.lib.gz"))
    text.write_text("root:x:0:0\n")
    damaged.write_bytes(gzip.compress(TINY_HEAD.encode())[:-9])
    expected = {
        missing: f"library must be a readable liberty file, not {missing}: "
        "No such file or directory",
        text: f"library must be a liberty file, not {text}: "
        "Yosys says 'No entries found in liberty file `library.lib'.'",
        damaged: f"library must be a readable liberty file, not {damaged}: "
        "the gzip data is damaged",
    }
    for path, message in expected.items():
        with pytest.raises(InputError) as caught:
            load_library(path)
        assert str(caught.value).replace('"', "'") == message


@pytest.mark.parametrize(
    ("cells", "head", "message"),
    [
        (cell("c1", 2, "A", "!A"), TINY_HEAD, "library must have a 2-input NAND with an area"),
        (cell("c3", 2, "AB", "!(A B)"), TINY_HEAD, "library must have an inverter with an area"),
        (TINY_CELLS.split("cell(f1)")[0], TINY_HEAD, "library must have a flip-flop"),
        (TINY_CELLS, "library(tiny) {\n", "library must state its capacitive_load_unit"),
    ],
)
def test_library_that_lacks_something(tmp_path: Path, cells: str, head: str, message: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(message)}"):
        load_library(write_library(tmp_path, cells, head))


@needs_osu018
def test_osu018(osu018: Library) -> None:
    assert (osu018.nand_cell, osu018.nand_area_um2) == ("NAND2X1", 24.0)
    assert (osu018.flip_flop_cell, osu018.driving_cell) == ("DFFPOSX1", "BUFX2")
    assert osu018.sequential == {"DFFNEGX1", "DFFPOSX1", "DFFSR", "LATCH"}


@needs_pdk_root
@pytest.mark.parametrize(
    ("pattern", "nand", "area_um2", "flip_flop", "refused"),
    [
        ("sky130hd/*tt*", "nand2_1", 3.7536, "dfxtp_1", ("edfxtp_1", "sdfxtp_1", "dlygate4sd1_1")),
        ("ihp_sg13g2/*typ*", "nand2_1", 7.2576, "dfrbpq_1", ("sdfrbp_1", "dlygate4sd1_1")),
    ],
)
def test_open_pdks(
    pattern: str, nand: str, area_um2: float, flip_flop: str, refused: tuple[str, ...]
) -> None:
    (path,) = PDK_ROOT.glob(pattern)
    library = load_library(path)
    assert library.nand_cell.endswith(f"_{nand}")
    assert library.nand_area_um2 == area_um2
    assert library.flip_flop_cell.endswith(f"_{flip_flop}")
    for name in refused:
        assert any(cell.endswith(f"_{name}") for cell in library.dont_use)


# Mapping

TOGGLE = "module toggle(input clk, output reg q); always @(posedge clk) q <= ~q; endmodule\n"


def test_script_without_a_period(tiny: Library) -> None:
    cells = "-liberty library.lib -dont_use f4 -dont_use f5 -dont_use tiny_dlygate"
    assert asic._passes("core", tiny, "library.lib", None) == [
        "read_verilog design.v",
        "synth -flatten -top core",
        f"dfflibmap {cells}",
        f"abc {cells}",
        "opt_clean -purge",
        "rename -hide c:*",
        "tee -q -o stat.json stat -json -liberty library.lib",
        "write_verilog -noattr -simple-lhs netlist.v",
    ]


def test_period_comes_with_driver_and_load(tiny: Library) -> None:
    passes = asic._passes("core", tiny, "library.lib", 1500.0)
    assert passes[3].endswith(" -D 1500 -constr abc.constr")
    assert asic._constraints(tiny) == "set_driving_cell c7\nset_load 8\n"


def test_area_of_two_cells(tiny: Library, folder: Path) -> None:
    mapped = map_to_cells(TOGGLE, "toggle", tiny, folder)
    assert mapped.cells == {"f2": 1, "c1": 1}
    assert (mapped.area_um2, mapped.sequential_area_um2) == (20.0 + 2.0, 20.0)
    assert mapped.ge == (20.0 + 2.0) / 4.0
    assert (mapped.flip_flops, mapped.period_ps) == (1, None)


def test_hierarchy_becomes_flat(tiny: Library, folder: Path) -> None:
    two = "module two(input clk, output a, b); toggle x(clk, a); toggle y(clk, b); endmodule\n"
    mapped = map_to_cells(TOGGLE + two, "two", tiny, folder)
    assert mapped.cells == {"f2": 2, "c1": 2}
    assert mapped.verilog.count("endmodule") == 1


def test_wires_alone_have_no_area(tiny: Library, folder: Path) -> None:
    mapped = map_to_cells("module m(input a, output y); assign y = a; endmodule", "m", tiny, folder)
    assert (mapped.area_um2, mapped.sequential_area_um2, mapped.ge, mapped.cells) == (0, 0, 0, {})


def test_same_bytes_in_any_folder(tiny: Library, tmp_path: Path) -> None:
    netlists = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        netlists.append(map_to_cells(CORE, "core", tiny, tmp_path / name))
    assert netlists[0] == netlists[1]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            'assign q = d; always @(posedge e) $display("%b", d);',
            r"^library tiny has no cell for \$print$",
        ),
        ("reg r; assign q = r; always @* if (e) r = d;", r"D latches are not supported$"),
    ],
)
def test_part_without_a_cell(tiny: Library, folder: Path, body: str, message: str) -> None:
    with pytest.raises(ToolError, match=message):
        map_to_cells(f"module m(input e, d, output q); {body} endmodule", "m", tiny, folder)


def test_log_of_a_failure(tiny: Library, folder: Path) -> None:
    with pytest.raises(ToolError, match=r"(?s)failed with exit status 1:\n.*syntax error"):
        map_to_cells("module m(; endmodule", "m", tiny, folder)


@pytest.mark.parametrize("period_ps", [0, -1.0, float("nan")])
def test_illegal_period(tiny: Library, folder: Path, period_ps: float) -> None:
    message = f"period_ps must be a positive number of picoseconds, not {period_ps!r}"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        map_to_cells(TOGGLE, "toggle", tiny, folder, period_ps)
    message = f"period_ns must be a positive number of nanoseconds, not {period_ps!r}"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        power("", tiny, "m", {}, period_ps, folder)


# Timing and power

TOGGLE_CELLS = """\
module toggle(clk, q);
  input clk; output q; wire n;
  DFFPOSX1 ff (.CLK(clk), .D(n), .Q(q));
  INVX1 inv (.A(q), .Y(n));
endmodule
"""
SUPPLY_V, FREQUENCY_HZ = 1.8, 100e6
# Of osu018, in farads.
DATA_PIN_F, INVERTER_F = 8.82947e-15, 9.32456e-15


@needs_sta
@needs_osu018
def test_path_of_a_toggling_flip_flop(osu018: Library, folder: Path) -> None:
    timing = minimum_period(TOGGLE_CELLS, osu018, "toggle", folder)
    assert (timing.startpoint, timing.endpoint) == ("q", "q")
    assert 0.2 < timing.period_ns < 0.8
    assert timing.fmax_mhz == pytest.approx(1000 / timing.period_ns)


@needs_sta
@needs_osu018
def test_paths_from_inputs_and_to_outputs_count(osu018: Library, folder: Path) -> None:
    inverters = "".join(f"  INVX1 i{n} (.A(w{n}), .Y(w{n + 1}));\n" for n in range(40))
    wires = ", ".join(f"w{n}" for n in range(1, 40))
    netlist = f"module m(clk, w0, w40);\n  input clk, w0; output w40; wire {wires};\n{inverters}"
    timing = minimum_period(netlist + "endmodule\n", osu018, "m", folder)
    assert (timing.startpoint, timing.endpoint) == ("w0", "w40")
    assert timing.period_ns > 1


@needs_sta
@needs_osu018
def test_power_by_hand(osu018: Library, folder: Path) -> None:
    activity = {("ff", "Q"): 0.5, ("inv", "Y"): 0.25}
    found = power(TOGGLE_CELLS, osu018, "toggle", activity, 10.0, folder)
    output_f = osu018.output_load_ff * 1e-15
    by_hand = 0.5 * SUPPLY_V**2 * FREQUENCY_HZ
    by_hand *= 0.5 * (INVERTER_F + output_f) + 0.25 * DATA_PIN_F
    assert found.switching == pytest.approx(by_hand, rel=1e-3)
    assert found.total == pytest.approx(found.internal + found.switching + found.leakage)
    assert 0 < found.leakage < 1e-8


@needs_sta
@needs_osu018
def test_power_is_per_second(osu018: Library, folder: Path) -> None:
    activity = {("ff", "Q"): 1.0, ("inv", "Y"): 1.0}
    slow, fast = (
        power(TOGGLE_CELLS, osu018, "toggle", activity, period_ns, folder)
        for period_ns in (10.0, 1.0)
    )
    assert fast.switching == pytest.approx(10 * slow.switching)
    assert fast.internal == pytest.approx(10 * slow.internal)
    assert fast.leakage == slow.leakage


@needs_sta
@needs_osu018
def test_cells_feel_the_toggles_of_their_driver(osu018: Library, folder: Path) -> None:
    """The inverter's toggles cost energy at the flip-flop's data pin, though Q stays."""
    still, busy = (
        power(TOGGLE_CELLS, osu018, "toggle", {("ff", "Q"): 0.0, ("inv", "Y"): toggles}, 10, folder)
        for toggles in (0.0, 1.0)
    )
    alone = 0.5 * DATA_PIN_F * SUPPLY_V**2 * FREQUENCY_HZ
    assert busy.switching - still.switching == pytest.approx(alone, rel=1e-3)
    inverter = TOGGLE_CELLS.replace(".D(n)", ".D(q)")
    still_alone, busy_alone = (
        power(inverter, osu018, "toggle", {("ff", "Q"): 0.0, ("inv", "Y"): toggles}, 10, folder)
        for toggles in (0.0, 1.0)
    )
    assert busy.internal - still.internal > 1.5 * (busy_alone.internal - still_alone.internal)


@needs_sta
@needs_osu018
def test_activity_is_not_overwritten_behind_a_register(osu018: Library, folder: Path) -> None:
    netlist = (
        "module m(clk, a, y); input clk, a; output y; wire q;\n"
        "  DFFPOSX1 ff (.CLK(clk), .D(a), .Q(q));\n  INVX1 inv (.A(q), .Y(y));\nendmodule\n"
    )
    activity = {("", "a"): 0.0, ("ff", "Q"): 0.0, ("inv", "Y"): 1.0}
    by_hand = 0.5 * osu018.output_load_ff * 1e-15 * SUPPLY_V**2 * FREQUENCY_HZ
    found = power(netlist, osu018, "m", activity, 10.0, folder)
    assert found.switching == pytest.approx(by_hand, rel=1e-3)


@needs_sta
@needs_osu018
def test_input_ports_toggle_as_told(osu018: Library, folder: Path) -> None:
    netlist = (
        "module m(clk, a, y); input clk; input [1:0] a; output y;\n"
        "  INVX1 inv (.A(a[1]), .Y(y));\nendmodule\n"
    )
    found = {
        port: power(netlist, osu018, "m", {("", port): 1.0}, 10.0, folder).switching
        for port in ("a[0]", "a[1]")
    }
    by_hand = 0.5 * osu018.output_load_ff * 1e-15 * SUPPLY_V**2 * FREQUENCY_HZ
    assert found == pytest.approx({"a[0]": 0.0, "a[1]": by_hand}, rel=1e-3)


@needs_sta
@needs_osu018
def test_unknown_cell_or_pin_is_an_error(osu018: Library, folder: Path) -> None:
    with pytest.raises(ToolError, match=r"(?s)^sta did not finish cleanly:\n.*MYSTERY"):
        minimum_period(TOGGLE_CELLS.replace("INVX1", "MYSTERY"), osu018, "toggle", folder)
    with pytest.raises(ToolError, match=r"(?s)^sta did not finish cleanly:\n.*nowhere"):
        power(TOGGLE_CELLS, osu018, "toggle", {("nowhere", "Y"): 1.0}, 10.0, folder)


def test_warning_of_sta_is_an_error(
    tiny: Library, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    complaint = "Warning: library.lib, line 7 default operating condition typical not found."
    text = f"echo '{complaint}'; echo answer 1; echo answer a; echo answer b; echo answer done"
    fake_program(tmp_path, "sta", text, monkeypatch)
    with pytest.raises(ToolError, match=f"^sta did not finish cleanly:\n{complaint}$"):
        minimum_period("", tiny, "m", folder)


def test_script_for_sta(
    tiny: Library, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = 'echo "$@" > arguments; echo answer 0.1 0.2 0.3 0.6; echo answer done'
    fake_program(tmp_path, "sta", text, monkeypatch)
    activity = {("", "a[3]"): 0.125, ("_7_", "Q"): 0.5}
    assert power("", tiny, "m", activity, 10.0, folder) == Power(0.1, 0.2, 0.3, 0.6)
    assert (folder / "arguments").read_text() == "-no_init -no_splash -exit script.sta\n"
    script = (folder / "script.sta").read_text().splitlines()
    order = [
        "read_liberty library.lib",
        "set_cmd_units -time ns -capacitance fF -voltage V -current mA -resistance kOhm",
        "constrain 10",
        "set_driving_cell -lib_cell c7 $inputs",
        "set_load 8 [all_outputs]",
        "sta::set_power_input_port_activity [get_ports {a[3]}] 0.125 0.5",
        "sta::design_power [sta::cmd_corner]",
        "activity _7_/Q 0.5",
        "answer [lrange [sta::design_power [sta::cmd_corner]] 0 3]",
        'puts "answer done"',
    ]
    assert [line for line in script if line in order] == order


def test_missing_sta(tiny: Library, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    message = "sta is not installed; install it with: apt-get install opensta"
    with pytest.raises(ToolError, match=f"^{message}$"):
        minimum_period("", tiny, "m", folder)


@needs_sta
def test_version() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", opensta_version())


# Toggles and gate-level simulation


def test_toggles_by_hand() -> None:
    dump = b"""\
$scope module dut $end
$var wire 1 ! a $end
$var wire 1 ! alias $end
$var wire 3 " v [2:0] $end
$upscope $end
$enddefinitions $end
$comment no 1! change $end
#0 $dumpvars x! bx " $end
#2 0! b000 "
#4 1! b11x "
#5 1! b11x "
#6 0! b111 "
#8 1! b010 "
#10 0!
"""
    first, second = count_toggles(io.BytesIO(dump), [2, 6, 10])
    # At 2 everything leaves x: not counted. At 10 the second interval is over.
    assert first == {"a[0]": 1, "alias[0]": 1, "v[0]": 0, "v[1]": 1, "v[2]": 1}
    assert second == {"a[0]": 2, "alias[0]": 2, "v[0]": 1, "v[1]": 0, "v[2]": 1}


# A Fibonacci LFSR of 8 bits, loaded bit by bit, 4 blank steps; `beat` toggles in every cycle.
CORE = """\
module core(input clk, input rst, input load__payload, input load__valid, output load__ready,
            output keystream__payload, output keystream__valid, output reg beat);
  reg [7:0] s; reg [3:0] count;
  wire feedback = s[7] ^ s[5] ^ s[4] ^ s[3];
  assign load__ready = ~count[3];
  assign keystream__valid = &count[3:2];
  assign keystream__payload = s[7];
  always @(posedge clk) begin
    beat <= rst ? 1'b0 : ~beat;
    if (rst) count <= 0;
    else if (load__ready ? load__valid : !keystream__valid) count <= count + 1;
    if (!load__ready || load__valid) s <= {s[6:0], load__ready ? load__payload : feedback};
  end
endmodule
"""
KEY = [1, 0, 1, 1, 0, 0, 1, 0]


def lfsr(words: int) -> tuple[int, ...]:
    state, output = list(KEY), []
    for _ in range(4 + words):
        output.append(state[0])
        state = [*state[1:], state[0] ^ state[2] ^ state[3] ^ state[4]]
    return tuple(output[4:])


@pytest.fixture
def netlist(osu018: Library, folder: Path) -> str:
    return map_to_cells(CORE, "core", osu018, folder, 1000).verilog


@needs_iverilog
@needs_osu018
def test_keystream_and_activity_of_a_netlist(netlist: str, osu018: Library, folder: Path) -> None:
    run = simulate_gates(netlist, osu018, "core", load_words=KEY, words=255, folder=folder)
    assert run.words == lfsr(255)
    assert (run.setup.cycles, run.running.cycles) == (8 + 4, 255)
    beat = re.search(r"DFFPOSX1 (\w+) \([^;]*\.Q\(beat\)", netlist)
    assert beat
    # The reset leaves `beat` at a known value, so it toggles in every single cycle.
    assert run.setup.activity[beat[1], "Q"] == run.running.activity[beat[1], "Q"] == 1
    # A maximal sequence of period 255 changes its bit 128 times; each stage sees all of it.
    stages = re.findall(r"DFFPOSX1 (\w+) \([^;]*\.Q\((?:s\[\d\]|keystream__payload)\)", netlist)
    assert len(stages) == 8
    assert {run.running.activity[stage, "Q"] for stage in stages} == {128 / 255}
    # Rises with the first word, falls with the first blank step, then rests.
    assert run.running.activity["", "load__valid"] == 0
    assert run.setup.activity["", "load__valid"] == 2 / 12
    assert ("", "clk") not in run.setup.activity


@needs_iverilog
@needs_sta
@needs_osu018
def test_activity_is_what_power_takes(netlist: str, osu018: Library, folder: Path) -> None:
    run = simulate_gates(netlist, osu018, "core", load_words=KEY, words=64, folder=folder)
    busy = power(netlist, osu018, "core", run.running.activity, 10.0, folder)
    rest = power(netlist, osu018, "core", dict.fromkeys(run.running.activity, 0.0), 10.0, folder)
    assert busy.internal > rest.internal > 0
    assert busy.switching > rest.switching == 0


@needs_iverilog
@needs_osu018
def test_a_wrong_gate_shows(netlist: str, osu018: Library, folder: Path) -> None:
    wrong, changes = re.subn(r"\bXNOR2X1\b", "XOR2X1", netlist, count=1)
    assert changes
    run = simulate_gates(wrong, osu018, "core", load_words=KEY, words=64, folder=folder)
    assert run.words != lfsr(64)


def with_a_register_never_set(netlist: str, mixed_in: str) -> str:
    """The netlist with a net XORed to its output: ``held``, which nothing sets, or ``zero``."""
    cells = f"""\
  wire inner, held, zero;
  DFFPOSX1 keeps (.CLK(clk), .D(held), .Q(held));
  XOR2X1 cancels (.A(held), .B(held), .Y(zero));
  XOR2X1 mixes (.A(inner), .B({mixed_in}), .Y(keystream__payload));
endmodule"""
    renamed = netlist.replace("(keystream__payload)", "(inner)")
    assert renamed != netlist
    return renamed.replace("endmodule", cells)


@needs_iverilog
@needs_osu018
def test_unknown_values_that_cancel_out_do_no_harm(
    netlist: str, osu018: Library, folder: Path
) -> None:
    cancels = with_a_register_never_set(netlist, "zero")
    run = simulate_gates(cancels, osu018, "core", load_words=KEY, words=255, folder=folder)
    assert run.words == lfsr(255)
    assert run.running.activity["keeps", "Q"] == 0
    with pytest.raises(ToolError, match=r"^netlist gave words that depend on what registers held"):
        simulate_gates(with_a_register_never_set(netlist, "held"), osu018, "core",
                       load_words=KEY, words=8, folder=folder)  # fmt: skip


@needs_iverilog
@needs_osu018
@pytest.mark.parametrize(
    ("ready", "message"),
    [
        ("assign load__ready = 1'b0;", "netlist gave 0 words in 200 cycles, then none"),
        (
            "assign load__ready = ~count[3]; wire undriven; assign keystream__payload = undriven;",
            "netlist offered a word with unknown bits",
        ),
    ],
)
def test_core_that_does_not_work(
    osu018: Library, folder: Path, monkeypatch: pytest.MonkeyPatch, ready: str, message: str
) -> None:
    monkeypatch.setattr(gatesim, "_CYCLE_LIMIT", 200)
    core = CORE.replace("assign load__ready = ~count[3];", ready)
    if "undriven" in ready:
        core = core.replace("assign keystream__payload = s[7];", "")
        core = core.replace("if (!load__ready || load__valid)", "if (!load__ready)")
    netlist = map_to_cells(core, "core", osu018, folder).verilog
    with pytest.raises(ToolError, match=f"^{message}$"):
        simulate_gates(netlist, osu018, "core", load_words=KEY, words=8, folder=folder)


# Four load words, a data word in each cycle, then four tag words; `beat` toggles in every cycle.
DATA_CORE = """\
module core(input clk, input rst, input [1:0] load__payload, input load__last, input load__valid,
            output load__ready, input [1:0] data_in__payload, input [1:0] data_in__keep,
            input data_in__ad, input data_in__last, input data_in__valid, output data_in__ready,
            output [1:0] data_out__payload, output [1:0] data_out__keep, output data_out__last,
            output data_out__valid, input data_out__ready, output [1:0] tag__payload,
            output tag__valid, input tag__ready, input decrypt, output reg beat);
  reg [7:0] s; reg loaded, sending;
  wire passes = data_in__valid & data_in__ready;
  assign load__ready = ~loaded;
  assign data_in__ready = loaded & ~sending & data_out__ready & ~decrypt;
  assign data_out__keep = data_in__keep & ~{2{data_in__ad}};
  assign data_out__payload = (data_in__payload ^ s[1:0]) & data_out__keep;
  assign data_out__last = data_in__last;
  assign data_out__valid = passes & (data_out__keep != 0);
  assign tag__payload = s[1:0];
  assign tag__valid = sending;
  always @(posedge clk) begin
    beat <= rst ? 1'b0 : ~beat;
    if (load__valid & load__ready) s <= {load__payload, s[7:2]};
    else if (passes) s <= {s[1:0] ^ data_in__payload, s[7:2]};
    else if (sending & tag__ready) s <= {s[1:0], s[7:2]};
    loaded <= ~rst & (loaded | (load__valid & load__last));
    sending <= ~rst & (sending | (passes & data_in__last));
  end
endmodule
"""
WORDS = [(3, 3, 1), (1, 3, 1), (2, 3, 0), (3, 3, 0), (1, 1, 0)]
"""Payload, keep and ad: two words that are associated, three of text, the last not full."""


def simulate_data(netlist: str, osu018: Library, folder: Path) -> gatesim.GateRun:
    return simulate_gates(
        netlist, osu018, "core", load_words=[1, 2, 3, 0], words=4, folder=folder, data_words=WORDS
    )


@needs_iverilog
@needs_osu018
def test_message_through_a_netlist(osu018: Library, folder: Path) -> None:
    netlist = map_to_cells(DATA_CORE, "core", osu018, folder).verilog
    run = simulate_data(netlist, osu018, folder)
    # The state is a queue of words, 1, 2, 3, 0; a data word goes in where one came out.
    queue, given = [1, 2, 3, 0], []
    for payload, keep, ad in WORDS:
        key = queue.pop(0)
        queue.append(key ^ payload)
        given.append(((payload ^ key) & keep, keep, ad))
    assert run.data == tuple(
        (payload, keep, int(number == 4))
        for number, (payload, keep, ad) in enumerate(given)
        if not ad
    )
    assert run.words == tuple(queue)
    assert run.tag is not None
    assert [phase.cycles for phase in run.phases.values()] == [4, 3, 4]
    beat = re.search(r"DFFPOSX1 (\w+) \([^;]*\.Q\(beat\)", netlist)
    assert beat
    for phase in run.phases.values():
        assert phase.activity[beat[1], "Q"] == 1
        assert phase.activity["", "decrypt"] == 0
    # It rises with the fourth load word and falls with the word after it.
    assert run.setup.activity["", "load__last"] == 1 / 4
    # 1 becomes 2, 2 becomes 3, 3 becomes 1; the change to the first text word counts for that.
    assert run.running.activity["", "data_in__payload[1]"] == 2 / 3


@needs_iverilog
@needs_osu018
def test_nothing_is_counted_unasked(osu018: Library, folder: Path) -> None:
    netlist = map_to_cells(DATA_CORE, "core", osu018, folder).verilog
    arguments = {"load_words": [1, 2, 3, 0], "words": 4, "folder": folder, "data_words": WORDS}
    full, quick = (
        simulate_gates(netlist, osu018, "core", **arguments, watch=watch)  # type: ignore[arg-type]
        for watch in (True, False)
    )
    assert (quick.data, quick.words) == (full.data, full.words)
    assert [phase.cycles for phase in quick.phases.values()] == [4, 3, 4]
    assert {len(phase.activity) for phase in quick.phases.values()} == {0}


@needs_iverilog
@needs_osu018
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("tag__valid = sending", "tag__valid = loaded & load__ready == 0"),
        ("data_out__valid = passes & (data_out__keep != 0)", "data_out__valid = ~loaded"),
        ("data_out__valid = passes & (data_out__keep != 0)", "data_out__valid = 1'b0"),
    ],
)
def test_wrong_order_is_an_error(osu018: Library, folder: Path, right: str, wrong: str) -> None:
    assert right in DATA_CORE
    netlist = map_to_cells(DATA_CORE.replace(right, wrong), "core", osu018, folder).verilog
    message = "netlist took load and data, or gave text and tag, in the wrong order"
    with pytest.raises(ToolError, match=f"^{message}$"):
        simulate_data(netlist, osu018, folder)


def test_key_is_on_no_command_line(
    tiny: Library, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_program(tmp_path, "iverilog", 'printf "%s\\n" "$*" >> arguments', monkeypatch)
    fake_program(tmp_path, "vvp", 'printf "%s\\n" "$*" >> arguments; exit 3', monkeypatch)
    netlist = map_to_cells(CORE, "core", tiny, folder).verilog
    with pytest.raises(ToolError, match=r"^vvp failed with exit status 3"):
        simulate_gates(netlist, tiny, "core", load_words=[0xCAFE], words=1, folder=folder)
    arguments = (folder / "arguments").read_text()
    assert arguments == "-g2005 -o bench.vvp bench.v gates.v\n-n bench.vvp\n"
    assert (folder / "load.hex").read_text() == "cafe\n"
    assert "cafe" not in (folder / "bench.v").read_text().lower()


@pytest.mark.parametrize(
    ("load_words", "words", "message"),
    [
        ([], 1, "load_words must hold at least one word, not none"),
        ([1], 0, "words must be a positive number, not 0"),
    ],
)
def test_nothing_to_simulate(
    tiny: Library, folder: Path, load_words: list[int], words: int, message: str
) -> None:
    with pytest.raises(InputError, match=f"^{message}$"):
        simulate_gates("", tiny, "core", load_words=load_words, words=words, folder=folder)
