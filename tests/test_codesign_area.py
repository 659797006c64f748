# SPDX-License-Identifier: Apache-2.0
"""The area of a system in standard cells: what counts, what does not, and which part has it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from command_line import Capture, refused
from coprocessors import needs
from needs import needs_osu018
from stored import result

from headwater.api import systems
from headwater.api.systems import library_of
from headwater.cipher.trivium import TRIVIUM
from headwater.codesign import cells
from headwater.codesign.cells import ENERGY, FIGURES, InCells, stored_area, with_area
from headwater.codesign.run import Record, hardware, words_of
from headwater.codesign.scenario import Scenario
from headwater.errors import InputError, ToolError
from headwater.flow.asic import map_to_cells
from headwater.flow.liberty import Library
from headwater.flow.memories import without_memories
from headwater.measure.identity import point_identity, rtl_identity
from headwater.measure.layers import LayeredStore
from headwater.measure.point import DesignPoint
from headwater.measure.reference import MARK, Entry, Reference
from headwater.measure.store import Result, Store, empty_store, now
from headwater.measure.target import AsicTarget, find
from headwater.report.systems_table import AREA_COLUMNS, systems_notes, systems_table

MEMORIES = """\
module inner(input clk, input we, input [6:0] a, input [7:0] d, output reg [7:0] q, output [7:0] r);
  reg [7:0] large [0:127];
  reg [7:0] small [0:3];
  always @(posedge clk) begin
    q <= large[a];
    if (we) begin large[a] <= d; small[a[1:0]] <= d; end
  end
  assign r = small[a[3:2]];
endmodule
module outer(input clk, input we, input [6:0] a, input [7:0] d, output [7:0] q, output [7:0] r);
  reg [6:0] address;
  always @(posedge clk) address <= ~a;
  inner i(clk, we, address, d, q, r);
endmodule
"""


def scenario(cpu: str, **choices: int) -> Scenario:
    return Scenario.choose(TRIVIUM, cpu=cpu, interface="bus", radix=8, **choices)  # type: ignore[arg-type]


def counted(made: Scenario) -> Record:
    """The record of a system, as far as an area needs one."""
    return {**made.as_json(), "tools": {}}


def test_large_memories_are_no_cells_and_small_ones_flip_flops(
    tiny: Library, folder: Path, tmp_path: Path
) -> None:
    """Of the large memory the register that it is read into is a part. What addresses it counts."""
    split = without_memories({"memories.v": MEMORIES}, "outer", folder)
    assert split.bits == 128 * 8
    assert "large" not in split.logic
    mapped = map_to_cells(split.logic, "outer", tiny, tmp_path, parts=("inner",))
    assert mapped.flip_flops == 7 + 4 * 8
    assert mapped.cells["inner_memories"] == 1
    assert 0 < mapped.part_areas_um2["inner"] < mapped.area_um2


@needs("picorv32")
@needs_osu018
def test_area_of_each_part(tmp_path: Path) -> None:
    """The core has the area that it has alone, and all parts together that of the whole."""
    target, made = find("osu018"), scenario("picorv32")
    assert isinstance(target, AsicTarget)
    with empty_store() as store:
        record = with_area(made, counted(made), target, store)
        assert with_area(made, counted(made), target, store) == record
    verilog = hardware(made).verilog
    alone = map_to_cells(verilog.text, verilog.name, target.library(), tmp_path, None, "auto")
    assert record["core_ge"] == pytest.approx(alone.ge, rel=0.01)
    assert (record[ENERGY], *record["absent"]) == (None, ENERGY)
    parts = [record[f"{part}_ge"] for part in ("cpu", "bus", "interface", "core")]
    assert sum(parts) == pytest.approx(record["ge"], abs=0.3)
    assert min(parts) > 0
    without = record["ge"] - record["core_ge"] - record["interface_ge"]
    assert record["area_factor"] == pytest.approx(record["ge"] / without, abs=0.001)
    assert record["memory_bits"] == 32 * 65536
    registers = 32 * 32
    assert record["ff"] > registers + alone.flip_flops
    assert record["cpu_ge"] > registers * target.library().flip_flop_area_um2 / 24


@needs("ibex")
@needs_osu018
def test_a_processor_that_yosys_does_not_read_has_no_area(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "map_to_cells", None)
    target, made = find("osu018"), scenario("ibex")
    assert isinstance(target, AsicTarget)
    with empty_store() as store:
        record = with_area(made, counted(made), target, store)
    assert {record[name] for name in FIGURES} == {None}
    assert set(record["absent"]) == {*FIGURES, ENERGY}
    assert "Yosys does not read" in record["absent"]["ge"]


@needs("ibex")
@needs_osu018
def test_energy_is_that_of_the_stored_core() -> None:
    target, made = find("osu018"), scenario("ibex")
    assert isinstance(target, AsicTarget)
    assert made.architecture is not None
    point = DesignPoint(TRIVIUM, made.architecture, target)
    record = result("1", energy_pj_per_bit=12.5).record
    identity = point_identity(point, hardware(made).verilog.circuit_sha256)
    with empty_store() as store:
        store.keep(Result(identity, record, 1.0, now()))
        found = with_area(made, counted(made), target, store)
    assert found[ENERGY] == 12.5
    assert ENERGY not in found["absent"]


def kept_area(own: Store, *entries: Entry) -> tuple[Record | None, InCells]:
    """What is stored of the area of a system, beside these entries of a reference."""
    target = find("osu018")
    assert isinstance(target, AsicTarget)
    one = InCells(scenario("picorv32"), target)
    return stored_area(one, LayeredStore(own, Reference(entries))), one


def test_a_stored_area_is_that_of_the_system_in_this_library() -> None:
    """An own one by its identity, one of the reference by its words, unless its circuit is known to
    be another."""
    with empty_store() as own:
        missing, one = kept_area(own)
        assert missing is None
        assert one.architecture is not None
        circuit = hardware(one.scenario).verilog
        shipped = Entry(
            "area",
            one.words,
            "before",
            circuit.circuit_sha256,
            Result("0", {"area_factor": 1.5}, 1.0, now()),
        )
        for words in ({**one.words, "target": "sky130hd"}, words_of(one.scenario, None)):
            assert kept_area(own, replace(shipped, words=words))[0] is None
        assert kept_area(own, replace(shipped, kind="system"))[0] is None
        assert kept_area(own, shipped)[0] == {"area_factor": 1.5, MARK: True}
        own.keep_rtl(rtl_identity(one.cipher, one.architecture), circuit)
        assert kept_area(own, shipped)[0]
        assert kept_area(own, replace(shipped, circuit="another"))[0] is None
        measured = {**one.words, "area_factor": 1.25}
        own.keep_system(Result(one.identity, measured, 1.0, now()))
        assert kept_area(own, shipped)[0] == measured


def test_a_system_in_cells_is_measured_with_its_area(monkeypatch: pytest.MonkeyPatch) -> None:
    """And named with its library where that fails."""
    monkeypatch.setattr(systems, "measure", lambda made, _store, **_: counted(made))
    monkeypatch.setattr(
        systems, "with_area", lambda _made, record, target, _store, **_: {**record, "in": target}
    )
    with empty_store() as store:
        _, one = kept_area(store)
        bare, full = systems.simulated([one.scenario, one], store)
        assert (bare.get("in"), full["in"]) == (None, one.target)

        def refuse(*_given: object, **_settings: object) -> Record:
            raise ToolError("a reason")

        monkeypatch.setattr(systems, "with_area", refuse)
        (told,) = systems.simulated([one], store).failures
    assert told.endswith("behind bus of picorv32 in osu018: a reason")


def test_area_needs_a_library_of_cells(capsys: Capture) -> None:
    assert library_of(None) is None
    with pytest.raises(InputError, match=r"^target of codesign must be one of osu018"):
        library_of("ecp5-25k")
    refused(capsys, ("codesign", "trivium", "--columns", "core GE"), COLUMN)


COLUMN = (
    "column must be one of cipher, cpu, interface, radix, driver, waits, cycles/128 bits, "
    "bits/cycle, core alone, efficiency, HW x, HW+SW x, bit-serial HW+SW x, message, cycles, not "
    "'core GE' (did you mean 'core alone'?)"
)


def shown(**area: object) -> dict[str, object]:
    names = (
        "cipher",
        "cpu",
        "interface",
        "radix",
        "driver",
        "wait_states",
        "stateless",
        "core_cycles_per_128_bits",
        "speedup_hw",
        "speedup_hw_sw",
        "bit_serial",
        "baseline",
        "message_bytes",
        "message_cycles",
    )
    figures = {"cycles_per_128_bits": 2.0, "bits_per_cycle": 64.0, "interface_efficiency": 0.5}
    return {**dict.fromkeys(names), **figures, **area}


def test_columns_of_area_are_there_where_it_was_asked_for() -> None:
    bare, full = shown(), shown(target="osu018", ge=12.5, absent={})
    assert not set(AREA_COLUMNS) & set(systems_table([bare]).columns)
    assert len(systems_notes([bare])) == 2
    table = systems_table([full])
    assert dict(zip(table.columns, table.rows[0], strict=True))["GE"] == 12.5
    assert "cells of osu018" in systems_notes([full])[2]
    lacking = shown(target="osu018", cpu="ibex", absent={"ge": "a reason"})
    assert systems_notes([lacking])[3] == "ibex: a reason"
