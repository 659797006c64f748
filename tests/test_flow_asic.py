# SPDX-License-Identifier: Apache-2.0
"""Standard-cell libraries, mapping, timing and power."""

from __future__ import annotations

import gzip
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from needs import PDK_ROOT, needs_osu018, needs_pdk_root, needs_sta
from small_library import CORE, TINY_CELLS, TINY_HEAD, cell, fake_program, write_library

from headwater.errors import InputError, ToolError
from headwater.flow import asic
from headwater.flow.asic import map_to_cells
from headwater.flow.liberty import Library, load_library
from headwater.flow.opensta import Instance, PinLoad, electrical, minimum_period, opensta_version
from headwater.flow.power import Activity, Power, power
from headwater.flow.recipes import DEFAULT, Recipe

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
    before = asic._synthesis("name", "core", tiny, "library.lib", DEFAULT, gated=False)
    assert before == [
        "read_verilog design.v",
        "synth -flatten -top core",
        f"dfflibmap {cells}",
        "write_rtlil name.il",
    ]
    assert asic._mapping(tiny, "library.lib", None, DEFAULT) == [
        f"abc {cells}",
        "opt_clean -purge",
        "rename -hide c:*",
        "tee -q -o stat.json stat -json -liberty library.lib",
        "write_verilog -noattr -simple-lhs netlist.v",
    ]


def test_period_comes_with_driver_and_load(tiny: Library) -> None:
    passes = asic._mapping(tiny, "library.lib", 1500.0, DEFAULT)
    assert passes[0].endswith(" -D 1500 -constr abc.constr")
    assert asic._constraints(tiny) == "set_driving_cell c7\nset_load 8\n"


def test_recipe_gives_adders_and_script(tiny: Library) -> None:
    recipe = Recipe("area", "kogge-stone")
    before = asic._synthesis("name", "core", tiny, "library.lib", recipe, gated=False)
    assert before[1] == "synth -flatten -top core -extra-map +/choices/kogge-stone.v"
    assert asic._mapping(tiny, "library.lib", 1500.0, recipe)[0].endswith(
        ' -D 1500 -constr abc.constr -script "+strash;&get,-n;&fraig,-x;&put;scorr;dc2;dch,-f;amap;'
        'topo;buffer,-c,-p;topo;upsize,{D};dnsize,{D}"'
    )
    untimed = asic._mapping(tiny, "library.lib", None, recipe)
    assert untimed[0].endswith('dc2;dch,-f;amap"')


def test_netlists_share_the_synthesis(
    tiny: Library, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes of it is what a folder of its own gives."""
    asked: list[str] = []

    def run_yosys(passes: Sequence[str], where: Path) -> str:
        asked.append(passes[0].split()[0])
        return run(passes, where)

    run = asic.run_yosys
    monkeypatch.setattr(asic, "run_yosys", run_yosys)
    map_to_cells(TOGGLE, "toggle", tiny, folder)
    mapped = map_to_cells(TOGGLE, "toggle", tiny, folder, recipe=Recipe("area"))
    other = TOGGLE.replace("toggle", "other")
    assert map_to_cells(other, "other", tiny, folder).verilog.startswith("/*")
    assert asked == ["read_verilog", "read_rtlil", "read_verilog"]
    assert map_to_cells(TOGGLE, "toggle", tiny, tmp_path, recipe=Recipe("area")) == mapped


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


INVERTERS_BEHIND_A_PORT = (
    "module m(clk, a, y); input clk; input [1:0] a; output y; wire n;\n"
    "  INVX1 first (.A(a[1]), .Y(n));\n  INVX1 second (.A(n), .Y(y));\nendmodule\n"
)


@needs_sta
@needs_osu018
def test_gates_behind_a_port_toggle_as_told(osu018: Library, folder: Path) -> None:
    """No gate takes the toggles of the port, or of the gate before it, for its own."""
    activity = {("", "a[1]"): 1.0, ("first", "Y"): 0.5, ("second", "Y"): 0.25}
    found = power(INVERTERS_BEHIND_A_PORT, osu018, "m", activity, 10.0, folder)
    loads = 0.5 * INVERTER_F + 0.25 * osu018.output_load_ff * 1e-15
    assert found.switching == pytest.approx(0.5 * SUPPLY_V**2 * FREQUENCY_HZ * loads, rel=1e-3)


@needs_sta
@needs_osu018
def test_what_drives_the_inputs_does_not_count(osu018: Library, folder: Path) -> None:
    """Toggles of a port cost what they do inside the cells that it reaches."""
    netlist = (
        "module m(clk, a, y); input clk; input [1:0] a; output y;\n"
        "  DFFPOSX1 ff (.CLK(clk), .D(a[1]), .Q(y));\nendmodule\n"
    )

    def found(activity: Activity) -> Power:
        return power(netlist, osu018, "m", activity, 10.0, folder)

    still, unread, read = (found(told) for told in ({}, {("", "a[0]"): 1.0}, {("", "a[1]"): 1.0}))
    assert unread == still
    assert still.switching == read.switching == 0
    assert read.leakage == still.leakage < 1e-9
    output = {("ff", "Q"): 0.5}
    at_data = found(output | {("", "a[1]"): 1.0}).internal - found(output).internal
    assert 0 < at_data == pytest.approx(read.internal - still.internal, rel=1e-3)


@needs_sta
@needs_osu018
def test_activity_of_a_gate_that_no_register_leads_to(osu018: Library, folder: Path) -> None:
    netlist = "module m(clk, y); input clk; output y; wire n; INVX1 inv (.A(n), .Y(y)); endmodule\n"
    assert power(netlist, osu018, "m", {("inv", "Y"): 0.0}, 10.0, folder).switching == 0
    by_hand = 0.5 * osu018.output_load_ff * 1e-15 * SUPPLY_V**2 * FREQUENCY_HZ
    found = power(netlist, osu018, "m", {("inv", "Y"): 1.0}, 10.0, folder)
    assert found.switching == pytest.approx(by_hand, rel=1e-3)


@needs_sta
@needs_osu018
def test_unknown_cell_or_pin_is_an_error(osu018: Library, folder: Path) -> None:
    with pytest.raises(ToolError, match=r"(?s)^sta did not finish cleanly:\n.*MYSTERY"):
        minimum_period(TOGGLE_CELLS.replace("INVX1", "MYSTERY"), osu018, "toggle", folder)
    with pytest.raises(ToolError, match=r"^activity must be of pins .*, not of nowhere/Y$"):
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
    text = (
        'echo "$@" > arguments; echo answer cell _7_ c1; echo "answer pin Y output a[3] 0.1 0.3 '
        '2e-15"; echo answer done'
    )
    fake_program(tmp_path, "sta", text, monkeypatch)
    load = PinLoad("a[3]", drives=True, slew_s=pytest.approx(0.2e-9), load_f=2e-15)
    assert electrical("", tiny, "m", folder, 10.0) == [Instance("_7_", "c1", {"Y": load})]
    assert (folder / "arguments").read_text() == "-no_init -no_splash -exit script.sta\n"
    script = (folder / "script.sta").read_text().splitlines()
    order = [
        "read_liberty library.lib",
        "read_netlist netlist.v m",
        "constrain 10",
        "set_driving_cell -lib_cell c7 [inputs]",
        "set_load 8 [all_outputs]",
        "electrical",
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
