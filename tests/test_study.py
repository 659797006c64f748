# SPDX-License-Identifier: Apache-2.0
"""Studies: their points, tables and charts, and that what is not stored is absent."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import refused
from stored import Capture

import headwater as hw
from headwater.api import studying as api
from headwater.api.studying import Wanted
from headwater.cli import studying
from headwater.cli.main import main
from headwater.emit.verilog import Verilog
from headwater.measure.figures import Energy, Figures, Frequency
from headwater.measure.identity import point_identity, rtl_identity
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.measure.reference import FILE, words_of
from headwater.measure.replicate import point_of
from headwater.measure.run import Outcome
from headwater.measure.store import Result, now, open_store
from headwater.measure.target import AsicTarget
from headwater.report.study.cores import chosen
from headwater.report.study.masked_pairs import Pair, pairs_of
from headwater.report.study.peers import of_sources, on_fpga
from headwater.report.study.source_tables import QUANTITIES, SourceCell, against_bits, smallest
from headwater.report.study.studies import STUDIES
from headwater.report.study.study import Cell

NAME, MESSAGES = "masking-randomness", "authenticated-encryption"
MASKED = "masked"
DOCS = Path(__file__).parents[1] / "docs"


def figures(at: DesignPoint, area: int, fmax: float = 100.0) -> Figures:
    clock = Frequency.over([fmax])
    if isinstance(at.target, AsicTarget):
        return Figures(
            at,
            "hash",
            {"tool": "1"},
            clock,
            None,
            ge=area,
            ge_smallest=area - 1,
            ff_ge=4.0,
            energy_pj_per_bit=2.5,
            energy_message_nj=Energy(1.5, 30.0),
        )
    ways = {way: {"lut": area, "fmax_by_seed": [fmax] * 3} for way in ("balanced", "speed")}
    return Figures(at, "hash", {"tool": "1"}, clock, None, lut=area, ff=7, mappings=ways)


def store_one(at: DesignPoint, area: int) -> None:
    """A made-up record, found without making Verilog of the source."""
    record = json.loads(json.dumps(figures(at, area).as_json()))
    verilog = Verilog("x", "module x; endmodule", ())
    with open_store() as store:
        store.keep_rtl(rtl_identity(at.cipher, at.architecture), verilog)
        store.keep(Result(point_identity(at, verilog.circuit_sha256), record, 8.0, now()))


@pytest.mark.parametrize("name", STUDIES)
def test_every_point_of_a_study_is_legal(name: str) -> None:
    told: list[str] = []
    points = STUDIES[name].points(told.append)
    assert told == []
    assert len(points) == len(set(points))


def test_the_study_has_the_smallest_and_the_fastest_source_of_every_cipher() -> None:
    cells = [SourceCell(point, None) for point in Wanted.of(NAME, "osu018").points]
    assert {cell.bits for cell in cells} == {1, 8, 32, 64, 128, 256, 512, 800, 1024}
    found = [
        cell.source.instances
        for cell in cells
        if (cell.point.cipher.name, cell.bits) == ("trivium", 800)
    ]
    assert found == [1, 13]
    assert {cell.cipher for cell in cells} == {
        "trivium",
        "bivium (broken)",
        "grain_v1",
        "grain128a",
        "espresso",
        "mickey2",
    }


def splits_of(areas: list[int | None]) -> Iterator[SourceCell]:
    points = [at for at in Wanted.of(NAME, "osu018").points if at.cipher.name == "trivium"]
    cells = [cell for at in points if (cell := SourceCell(at, None)).bits == 256]
    for cell, area in zip(cells, areas, strict=True):
        yield SourceCell(cell.point, figures(cell.point, area).as_json() if area else None)


@pytest.mark.parametrize(
    ("areas", "shown"),
    [
        ([None, None], None),
        ([900, 800], "800 in 4"),
        ([900, None], "900*"),
        ([None, 950], "950 in 4*"),
    ],
)
def test_a_cell_is_the_smallest_that_is_stored(areas: list[int | None], shown: str) -> None:
    cells = list(splits_of(areas))
    table = against_bits(cells, QUANTITIES[0])
    assert (table.columns, table.rows) == (("random bits", "trivium"), [[256, shown]])
    assert smallest(cells)[1] == (None not in areas)


@pytest.mark.parametrize(
    ("fit", "area", "lut", "clock"),
    [
        ([True, False], "450", "900", "100"),
        ([False, True], "400 in 4", "800 in 4", "100 in 4"),
        ([False, False], "400 in 4 {}", "800 in 4 {}", "{}"),
    ],
)
@pytest.mark.parametrize(
    ("why", "reason"),
    [
        ("does not fit", {"too_large": "the part has too few LUTs"}),
        ("not routed", {"not_routed": "nextpnr took longer than 5 s and was stopped"}),
    ],
)
def test_what_is_unfit_is_told(
    fit: list[bool], area: str, lut: str, clock: str, why: str, reason: Record
) -> None:
    points = [
        at
        for at in Wanted.of(NAME, "ecp5-25k").points
        if (at.cipher.name, SourceCell(at, None).bits) == ("trivium", 256)
    ]
    reason = {"fmax_mhz": None, **reason}
    cells = [
        SourceCell(at, figures(at, luts).as_json() | ({} if fits else reason))
        for at, luts, fits in zip(points, (900, 800), fit, strict=True)
    ]
    shown = {one.name: against_bits(cells, one).rows[0][1] for one in QUANTITIES}
    assert [shown["area"], shown["lut"], shown["fmax"]] == [
        told.format(why) for told in (area, lut, clock)
    ]
    charts = STUDIES[NAME].charts(cells)
    assert {row["cores"] for chart in charts for row in chart.rows} == {
        cell.source.instances for cell, fits in zip(cells, fit, strict=True) if fits
    }


def test_a_mapping_that_took_too_long_is_told() -> None:
    (at, *_) = Wanted.of(NAME, "ecp5-25k").points
    slow = {"mapping": "area", "mappings": {"area": {}, "speed": {"not_routed": "stopped"}}}
    cell = SourceCell(at, figures(at, 800).as_json() | slow)
    told = (
        f"{at.cipher.name} with {cell.bits} bits in {cell.source.instances} on ecp5-25k is mapped "
        "for area: speed took too long in place and route."
    )
    assert told in STUDIES[NAME].notes([cell])
    assert told not in STUDIES[NAME].notes([SourceCell(at, figures(at, 800).as_json())])


def test_what_took_too_long_has_no_clock_beside_peers() -> None:
    record = {"mappings": {"balanced": {"lut": 5, "not_routed": "stopped"}}}
    assert on_fpga(record)["fmax_mhz"] is None


def test_what_is_not_stored_is_absent(capsys: Capture) -> None:
    assert main(["study", NAME, "--stored", "--wide", "--target", "xc7"]) == 0
    said = capsys.readouterr().out
    assert "0 of 81 design points are stored" in said
    assert "Clock frequency on xc7" not in said  # No placer of that part.
    rows = [line.split() for line in said.splitlines() if line.split()[:1] == ["1024"]]
    assert rows == 2 * [["1024", *"------"]]


def test_stored_points_are_shown(capsys: Capture, tmp_path: Path) -> None:
    (at,) = [
        one
        for one in Wanted.of(NAME, "osu018").points
        if one.cipher.name == "trivium" and SourceCell(one, None).bits == 64
    ]
    store_one(at, 5000)
    assert main(["study", NAME, "--stored", "--target", "osu018", "--format", "csv"]) == 0
    printed = csv.DictReader(capsys.readouterr().out.splitlines())
    rows = [row for row in printed if row["area"]]
    assert [
        (row["random bits"], row["cipher"], row["area"], row["pJ/random bit"]) for row in rows
    ] == [("64", "trivium", "5000", "2.5")]
    made = hw.study(NAME, target="osu018", measure=False)
    assert [one["ge"] for one in made] == [5000]
    peers = made.tables["Public sources, and ours measured in the same way"]
    ours, *theirs = [row for row in peers.rows if row[:2] == (64, "trivium")]
    assert ours == (64, "trivium", "ours", "", 4999, 256.0, None, None)
    assert {row[2]: row[3] for row in theirs} == {
        "randomness_for_hardware_masking": "setup counter, handshake, clear",
        "SMAesH": "reseed, lock-up check",
        "vhdl_prng": "reseed, lock-up check",
        "opentitan": "output register, reseed",
    }
    for row in theirs:
        (peer,) = [
            one
            for one in of_sources()
            if (one["radix"], one["peer"].endswith(row[2])) == (64, True)
            and one["cipher"] == "trivium"
        ]
        at = on_fpga(peer)
        assert row[4:] == (peer["ge"]["auto"], None, at["lut"], at["fmax_mhz"])
    assert main(["study", NAME, "--stored", "--figures", str(tmp_path), "--json"]) == 0
    points = json.loads(capsys.readouterr().out)["points"]
    assert sum(point["record"] is not None for point in points) == 1
    assert {path.name for path in tmp_path.glob("*.svg")} == {
        f"{NAME}-{what}-osu018.svg" for what in ("area", "energy", "fmax")
    }


def test_only_what_is_missing_is_measured(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    """What a run has stored that stops in the middle is not measured again."""
    points = Wanted.of(NAME, "xc7").points[:3]
    monkeypatch.setattr(Wanted, "of", lambda *_: Wanted(STUDIES[NAME], points))
    tried: list[DesignPoint] = []

    def measure(missing: list[DesignPoint], *_given: object) -> Iterator[Outcome]:
        for at in missing:
            tried.append(at)
            if len(tried) == 2:
                raise KeyboardInterrupt
            store_one(at, 100)
            yield Outcome(at, figures(at, 100).as_json())

    monkeypatch.setattr(studying, "measured", measure)
    assert main(["study", NAME, "--dry-run", "--wide"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
    assert main(["study", NAME]) == 130
    assert main(["study", NAME]) == 0
    said = capsys.readouterr().err
    assert "Measuring 3 of 3 design points" in said
    assert "Measuring 2 of 3 design points" in said
    assert len(tried) == 4
    made = hw.study(NAME)
    assert (len(made), len(made.cells)) == (3, 3)


def test_what_fills_a_table_is_measured_first() -> None:
    with open_store() as store:
        found = [SourceCell(at, None) for at in Wanted.of(NAME, "xc7").missing(store)]
    order = [(cell.bits, cell.source.instances) for cell in found if cell.cipher == "trivium"]
    one = [(bits, 1) for bits in (1, 8, 32, 64, 128, 256, 512, 800, 1024)]
    narrow = [(128, 2), (256, 4), (512, 8), (800, 13), (1024, 16)]
    assert order == one + narrow
    assert [cell.bits for cell in found[:7]] == [1, 1, 1, 1, 1, 1, 8]


def test_a_library_that_is_not_here_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(api, "found_here", lambda: ["osu018"])
    assert main(["study", NAME, "--dry-run", "--wide", "--target", "sky130hd,osu018"]) == 0
    printed = capsys.readouterr()
    assert "sky130hd is not found here: nothing is measured on it" in printed.err
    assert len(printed.out.splitlines()) == 79
    assert "sky130hd" not in printed.out


# --- authenticated encryption


def test_messages_have_a_row_for_each_core(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """Energy is of cells alone; options are named where they are not the default ones."""
    found = {
        (at.target.name, chosen(Cell(at, None)).get("unroll")): at
        for at in Wanted.of(MESSAGES).points
        if (at.cipher.name, at.architecture.radix) == ("ascon_aead128", 128)
    }
    points = [found["osu018", None], found["osu018", "3"], found["ecp5-25k", None]]
    monkeypatch.setattr(Wanted, "of", lambda *_: Wanted(STUDIES[MESSAGES], points))
    for at, area in zip((points[0], points[2]), (9000, 1700), strict=True):
        store_one(at, area)
    assert main(["study", MESSAGES, "--stored", "--format", "csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    shown = ("options", "target", "area", "MHz", "pJ/bit", "nJ/64 bit")
    assert [tuple(row[name] for name in shown) for row in rows] == [
        ("", "osu018", "9000", "100.0", "2.5", "1.5"),
        ("unroll=3", "osu018", "", "", "", ""),
        ("", "ecp5-25k", "850", "100.0", "", ""),
    ]
    assert main(["study", MESSAGES, "--stored", "--format", "md"]) == 0
    said = capsys.readouterr().out
    assert "2 of 3 design points are stored" in said
    assert "| ascon_aead128 | 128 | unroll=3 |" in said
    in_cells, on_fpga = re.findall(r"^\| cipher .*$", said, re.MULTILINE)
    assert in_cells == (
        "| cipher | radix | options | GE | MHz | Mbit/s | setup cycles | pJ/bit | "
        "nJ/64 bit | nJ/64 kbit |"
    )
    assert (
        on_fpga == "| cipher | radix | options | slices | LUT | FF | MHz | Mbit/s | setup cycles |"
    )


def test_messages_as_json_and_charts(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    points = [at for at in Wanted.of(MESSAGES, "osu018").points if at.cipher.name == "nca4"]
    monkeypatch.setattr(Wanted, "of", lambda *_: Wanted(STUDIES[MESSAGES], points))
    store_one(points[0], 36000)
    assert main(["study", MESSAGES, "--stored", "--json", "--figures", str(tmp_path)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert "peers" not in told
    assert [(one["cipher"], one["radix"], one["record"] is None) for one in told["points"]] == [
        ("nca4", 128, place > 0) for place in range(len(points))
    ]
    assert [path.name for path in tmp_path.glob("*.svg")] == [f"{MESSAGES}-osu018.svg"]


def test_the_study_has_ciphers_that_authenticate_alone() -> None:
    """Each has a tag of 64 bits or more."""
    for at in Wanted.of(MESSAGES).points:
        assert at.cipher.default_tag_bits >= 64, at.cipher.name


# --- cores in shares


def pair_of(cipher: str, radix: int, plain: int = 0, masked: int = 0, source: int = 0) -> Pair:
    """The three points of a core, with made-up areas where there are any."""
    cells = [Cell(at, None) for at in Wanted.of(MASKED, "osu018").points]
    (pair,) = [one for one in pairs_of(cells) if one.core == (cipher, radix)]

    def measured(cell: Cell, area: int) -> Cell:
        made = replace(figures(cell.point, area), leakage="undecided")
        return Cell(cell.point, made.as_json() if area else None)

    return Pair(
        measured(pair.masked, masked),
        measured(pair.plain, plain),
        pair.source and measured(pair.source, source),
    )


def test_each_core_in_shares_has_its_plain_core_and_its_source() -> None:
    cells = [Cell(at, None) for at in Wanted.of(MASKED).points]
    pairs = pairs_of(cells)
    assert {(pair.core, pair.masked.target.name) for pair in pairs} >= {
        (("trivium", radix), target) for radix in (1, 8, 64) for target in ("osu018", "sky130hd")
    }
    used = {id(cell) for one in pairs for cell in (one.masked, one.plain, one.source) if cell}
    assert used == set(map(id, cells))
    for pair in pairs:
        assert {cell.target for cell in (pair.plain, pair.source) if cell} == {pair.masked.target}
        assert "masking" not in pair.plain.point.architecture.options


def test_a_record_of_a_core_in_shares_tells_its_point() -> None:
    for at in Wanted.of(MASKED).points:
        assert point_of(dict(words_of(at)), at.target) == at


@pytest.mark.parametrize(
    ("cipher", "radix", "bits", "per_bit"),
    [("trivium", 1, 6, 6), ("trivium", 8, 0, 0), ("espresso", 1, 30, 120), ("grain_v1", 1, 37, 37)],
)
def test_fresh_bits_of_a_bit_of_output(cipher: str, radix: int, bits: int, per_bit: float) -> None:
    """Espresso takes its bits in each of the four cycles of a step."""
    pair = pair_of(cipher, radix)
    assert (pair.fresh_bits, pair.fresh_bits_per_bit) == (bits, per_bit)


def test_the_source_is_added_to_area_and_energy() -> None:
    pair = pair_of("trivium", 1, 1000, 2500, 700)
    assert (pair.ratio, pair.source_ge, pair.ratio_with_source) == (2.5, 700, 3.2)
    assert pair.energy_with_source == 2.5 + 6 * 2.5
    assert pair.verdict == "undecided"


def test_a_core_without_fresh_bits_needs_no_source() -> None:
    pair = pair_of("trivium", 8, 1000, 2500)
    assert (pair.source_ge, pair.ratio_with_source, pair.energy_with_source) == (0, 2.5, 2.5)


@pytest.mark.parametrize("areas", [(0, 0, 0), (0, 2500, 700), (1000, 0, 700), (1000, 2500, 0)])
def test_what_is_not_measured_has_no_ratio(areas: tuple[int, int, int]) -> None:
    pair = pair_of("trivium", 1, *areas)
    assert (pair.ratio is None, pair.ratio_with_source) == (0 in areas[:2], None)
    assert pair.verdict == ("undecided" if areas[1] else "not measured")
    cells = [cell for cell in (pair.masked, pair.plain, pair.source) if cell]
    (row,) = STUDIES[MASKED].long_table(cells).rows
    assert (row.count(None) > 0, row[-1]) == (True, pair.verdict)


def test_cores_in_shares_as_charts() -> None:
    pair = pair_of("trivium", 1, 1000, 2500, 700)
    cells = [cell for cell in (pair.masked, pair.plain, pair.source) if cell]
    area, fresh = STUDIES[MASKED].charts(cells)
    assert [(row["plain"], row["value"]) for row in area.rows] == [(1000, 2500), (1000, 3200)]
    assert [(row["radix"], row["value"]) for row in fresh.rows] == [(1, 6)]
    assert STUDIES[MASKED].charts([Cell(cell.point, None) for cell in cells]) == []
    free = pair_of("trivium", 8, 1000, 2500)
    (area, _) = STUDIES[MASKED].charts([free.masked, free.plain])
    assert [row["value"] for row in area.rows] == [2500, 2500]


# --- throughput


def test_the_smallest_form_of_a_cipher_is_never_its_fastest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where several are stored: others have more bits in a cycle, or share a faster clock."""
    monkeypatch.setenv("HEADWATER_REFERENCE", str(FILE))
    studied = hw.study("throughput", measure=False)
    table = studied.study.long_table(studied.cells)
    column = {name: place for place, name in enumerate(table.columns)}
    rows: dict[tuple[object, object], list[tuple[float, float]]] = {}
    for row in table.rows:
        if row[column["Mbit/s"]] is not None:
            figures = (row[column["area"]], row[column["Mbit/s"]])
            rows.setdefault((row[0], row[column["target"]]), []).append(figures)
    several = [each for each in rows.values() if len(each) > 1]
    assert len(several) >= 8
    for each in several:
        assert min(each)[1] < max(rate for _, rate in each)


# --- all


def test_refusals(capsys: Capture) -> None:
    refused(
        capsys,
        ("study", "masking"),
        "study must be one of masking-randomness, authenticated-encryption, throughput, energy, "
        "layouts, recipes, masked, not 'masking' (did you mean 'masked'?)",
    )
    refused(
        capsys,
        ("study", NAME, "--target", "spartan3"),
        f"target of {NAME} must be one of osu018, sky130hd, ecp5-25k, xc7, not 'spartan3'",
    )
    refused(capsys, ("study", "--stored"), "--stored must come with the name of a study")


def test_the_studies_are_listed(capsys: Capture) -> None:
    assert main(["study"]) == 0
    assert NAME in capsys.readouterr().out
    assert main(["study", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == dict(hw.studies())


@pytest.mark.parametrize("name", STUDIES)
def test_the_document_shows_what_the_reference_has(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("HEADWATER_REFERENCE", str(FILE))
    text = (DOCS / ("masking.md" if name == MASKED else "studies.md")).read_text()
    command = re.search(rf"^headwater (study {name} --stored .*)$", text, re.MULTILINE)
    assert command
    assert main(command.group(1).split()) == 0
    assert capsys.readouterr().out.strip() in text
