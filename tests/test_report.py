# SPDX-License-Identifier: Apache-2.0
"""Tables: alignment, absent figures, and nothing in them that a terminal would interpret."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from headwater.cipher.grain import GRAIN_128AEAD
from headwater.cipher.trivium import TRIVIUM
from headwater.core.architecture import Architecture
from headwater.measure.figures import Energy, Figures, Frequency
from headwater.measure.point import DesignPoint
from headwater.measure.settings import Settings
from headwater.measure.target import TARGETS
from headwater.report.figures_table import figures_notes, figures_tables
from headwater.report.formats import as_csv, as_markdown
from headwater.report.table import Table, as_text


def wide(columns: tuple[str, ...], rows: Sequence[Sequence[object]]) -> str:
    return as_text(Table(columns, rows))


def body(table: str) -> list[str]:
    """The lines below the heading and its rule."""
    return table.splitlines()[2:]


def test_numbers_to_the_right_words_to_the_left() -> None:
    lines = wide(("name", "count"), [("a", 5), ("longer", 1234), ("b", 0.25)]).splitlines()
    heading, rule, *rows = (line.removeprefix(" ") for line in lines)
    assert heading == "name     count"
    assert set(rule) == {"─"}
    assert rows == ["a            5", "longer    1234", "b         0.25"]


def test_none_is_a_dash() -> None:
    lines = body(wide(("name", "count"), [(None, 1), ("a", None), ("b", 100)]))
    assert [line.split() for line in lines] == [["-", "1"], ["a", "-"], ["b", "100"]]
    # A column of numbers stays one where a figure is absent.
    assert lines[0].index("1") == lines[1].rindex("-") == lines[2].rindex("0")


def test_zero_is_not_absent() -> None:
    assert [line.split() for line in body(wide(("a", "b"), [(0, 0.0)]))] == [["0", "0.0"]]


def test_words_that_look_like_numbers_are_words() -> None:
    lines = body(wide(("version",), [("5.48.0",), ("1",)]))
    assert lines[0].index("5") == lines[1].index("1")


def test_no_line_ends_in_a_space() -> None:
    table = wide(("name", "text"), [("a", ""), ("b", "x" * 20)])
    assert [line for line in table.splitlines() if line != line.rstrip()] == []
    assert not table.endswith("\n")


def test_a_table_without_rows_is_its_heading() -> None:
    assert wide(("a", "b"), []).splitlines()[0].split() == ["a", "b"]
    assert body(wide(("a", "b"), [])) == []


@pytest.mark.parametrize("length", [80, 200, 350])
def test_long_cells_are_whole(length: int) -> None:
    long = "x" * length
    assert body(wide(("name", "count"), [(long, 7)]))[0].split() == [long, "7"]


def test_very_long_cells_are_whole() -> None:
    long = "x" * 500
    assert body(wide(("name", "count"), [(long, 7)]))[0].split() == [long, "7"]


@pytest.mark.parametrize("text", ["[red]stop[/red]", "[0:3]", ":smile:", r"\[a]", "è"])
def test_cells_are_printed_as_they_are(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    table = wide((text,), [(text,)])
    assert [line.strip() for line in table.splitlines()[::2]] == [text, text]
    assert "\x1b" not in table


# Narrow terminals

FIGURES = Table(
    ("cipher", "target", "LUT", "options", "meaning"),
    [
        ("trivium", "ecp5-25k", 25, "stall=none " * 9, "word " * 30),
        ("grain_v1", "a-library-whose-name-is-long", 1234567, "", "x" * 300),
    ],
    keys=2,
)


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120, 200])
def test_no_table_is_wider_than_the_terminal(width: int) -> None:
    text = as_text(FIGURES, width)
    assert max(map(len, text.splitlines())) <= width
    squeezed = "".join(text.split())
    assert squeezed.count("word") == 30
    assert text.count("x") >= 300


def test_what_fits_is_not_folded() -> None:
    table = Table(("a", "b"), [(1, 2)])
    assert as_text(table, 80) == as_text(table)


def test_a_folded_table_repeats_its_keys() -> None:
    columns = ("cipher", *(f"figure number {number}" for number in range(9)))
    table = Table(columns, [("trivium", *range(9)), ("zuc", *range(9))])
    parts = as_text(table, 80).split("\n\n")
    assert len(parts) == 3
    for part in parts:
        assert [line.split()[0] for line in [part.splitlines()[0], *body(part)]] == [
            "cipher",
            "trivium",
            "zuc",
        ]
    told = [name for part in parts for name in re.findall("figure number .", part)]
    assert told == list(columns[1:])


def test_chosen_columns_keep_their_order_and_keys() -> None:
    chosen = FIGURES.only(("LUT", "target"))
    assert (chosen.columns, chosen.keys) == (("LUT", "target"), 1)
    assert chosen.rows[0] == [25, "ecp5-25k"]


# Formats


def test_markdown() -> None:
    assert as_markdown(Table(("a", "b"), [(1, None), ("x|y", "z\nz")])).splitlines() == [
        "| a | b |",
        "| --- | --- |",
        "| 1 |  |",
        "| x\\|y | z z |",
    ]


def test_csv_of_two_tables_has_the_columns_of_both() -> None:
    tables = [Table(("a", "b"), [(1, "x,y")]), Table(("a", "c"), [(2, None)])]
    assert as_csv(tables).splitlines() == ["a,b,c", '1,"x,y",', "2,,"]


# Figures


def point(target: str, radix: int = 8) -> DesignPoint:
    return DesignPoint(
        TRIVIUM, Architecture.choose(TRIVIUM, radix=radix), TARGETS[target], Settings(3)
    )


ON_FPGA = Figures(
    point=point("ecp5-25k"),
    rtl_sha256="",
    tools={},
    fmax_mhz=Frequency(200.0, 190.4, 209.6, 3),
    critical_path=("a", "b"),
    lut=100,
    ff=309,
    mapping="speed",
)
IN_CELLS = Figures(
    point=point("osu018", 16),
    rtl_sha256="",
    tools={},
    fmax_mhz=Frequency(500.0, 500.0, 500.0, 1),
    critical_path=("a", "b"),
    ff=309,
    area_um2=48000.0,
    ge=2000.0,
    ge_smallest=1900.5,
    ge_cell="NAND2X1",
    period_fo4=20.16,
    running_fmax_mhz=612.34,
    leakage_mw=0.00005,
    power_mw=13.9,
    power_clock_mhz=100.0,
    energy_pj_per_bit=17.4,
    setup_energy_nj=21.5,
    energy_message_nj=Energy(one_block=22.6, thousand_blocks=1134.0),
)


OPTIONS = " ".join(f"{name}={value}" for name, value in point("osu018").architecture.chosen)


def tables(found: Sequence[Figures]) -> str:
    records = [figures.as_json() for figures in found]
    parts = [*map(as_text, figures_tables(records)), *figures_notes(records)]
    return "\n\n".join(parts)


def cells(table: str) -> dict[str, str]:
    """The first row by the headings; these are at least two spaces apart."""
    heading, _, row = table.splitlines()[:3]
    names = [name.strip() for name in heading.split("  ") if name.strip()]
    values = [value.strip() for value in row.split("  ") if value.strip()]
    return dict(zip(names, values, strict=True))


def test_figures_of_an_fpga() -> None:
    assert cells(tables([ON_FPGA])) == {
        "cipher": "trivium",
        "target": "ecp5-25k",
        "radix": "8",
        "bits/cycle": "8",
        "load": "8",
        "options": OPTIONS,
        "setup cycles": "164",
        "mapped for": "speed",
        "LUT": "100",
        "FF": "309",
        "fmax MHz": "200.0",
        "min..max": "190..210",
        "seeds": "3",
        "Mbit/s": "1600.0",
        "area": "155",
        "in": "slices",
        "Mbit/s/area": "10.32",
    }


def test_figures_in_cells() -> None:
    assert cells(tables([IN_CELLS])) == {
        "cipher": "trivium",
        "target": "osu018",
        "radix": "16",
        "bits/cycle": "16",
        "load": "16",
        "options": OPTIONS,
        "setup cycles": str(10 + 72),
        "GE": "2000.0",
        "smallest GE": "1900.5",
        "GE cell": "NAND2X1",
        "fmax MHz": "500.0",
        "FO4": "20.2",
        "running MHz": "612.3",
        "Mbit/s": "8000.0",
        "mW": "13.9",
        "at MHz": "100.0",
        "leak mW": "5e-05",
        "pJ/bit": "17.4",
        "setup nJ": "21.5",
        "nJ/64 bit": "22.6",
        "nJ/64 kbit": "1134.0",
    }


def test_fpga_and_cells_are_tables_of_their_own() -> None:
    fpga, asic = tables([IN_CELLS, ON_FPGA, IN_CELLS]).split("\n\n")
    assert ["ecp5-25k" in fpga, "osu018" in fpga] == [True, False]
    assert ["ecp5-25k" in asic, asic.count("osu018")] == [False, 2]
    assert tables([ON_FPGA, IN_CELLS]).startswith(tables([ON_FPGA]))


def authenticated(radix: int) -> Figures:
    architecture = Architecture.choose(GRAIN_128AEAD, radix=radix)
    at = DesignPoint(GRAIN_128AEAD, architecture, TARGETS["ecp5-25k"], Settings(3))
    return replace(ON_FPGA, point=at)


@pytest.mark.parametrize(
    ("radix", "bits_per_cycle", "mbps"), [(1, "0.5", "100.0"), (2, "1", "200.0"), (8, "4", "800.0")]
)
def test_message_bits_are_half_the_radix(radix: int, bits_per_cycle: str, mbps: str) -> None:
    row = cells(tables([authenticated(radix)]))
    assert (row["radix"], row["bits/cycle"], row["Mbit/s"]) == (str(radix), bits_per_cycle, mbps)


def test_what_a_radix_counts_is_said_of_authenticated_ciphers_alone() -> None:
    alone, with_one = tables([ON_FPGA]), tables([ON_FPGA, authenticated(8)])
    assert "\n\n" not in alone
    _, said = with_one.split("\n\n")
    assert "output bits, half of which are keystream" in said
    assert "message bits" in said


def test_no_figures_no_table() -> None:
    assert tables([]) == ""
