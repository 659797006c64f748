# SPDX-License-Identifier: Apache-2.0
"""The page of `headwater report`, its charts and figures."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from made_up import made_up, made_up_system

from headwater.cli.main import main
from headwater.measure.store import Result, open_store
from headwater.report import packages
from headwater.report.charts import sections
from headwater.report.charts.colours import (
    palette,
)
from headwater.report.charts.overview import area_throughput, overview
from headwater.report.charts.papers import eth, gaj, spartan
from headwater.report.charts.parts import Chart
from headwater.report.figures import png, svg
from headwater.report.messages import cycles_of
from headwater.report.packed import packed, unpacked
from headwater.report.page import page
from headwater.report.points import FPGA, MANY, facets_of, points_of
from headwater.report.printed import papers
from headwater.report.systems import systems_of

Capture = pytest.CaptureFixture[str]

HOSTILE = (
    "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>__DATA__"
)

RESULTS = [
    *(made_up("trivium", radix) for radix in (1, 8, 64)),
    *(made_up("trivium", radix, "osu018") for radix in (1, 8)),
    *(made_up("grain_v1", radix, setup_cycles=400 // radix) for radix in (1, 16)),
    made_up("grain_v1", 1, "osu018", setup_energy_nj=20.0, energy_pj_per_bit=160.0),
    made_up("a51", 1),
    made_up(
        "mickey2",
        1,
        fmax_mhz=None,
        throughput_mbps=None,
        setup_ns=None,
        absent={"fmax_mhz": "it does not fit"},
    ),
    made_up("no_such", 1, options={"text": HOSTILE}, target=HOSTILE),
]


SYSTEMS = [
    made_up_system("trivium", "software", 300.0),
    made_up_system("trivium", "software", 9e5, baseline="bit-serial C, gcc"),
    made_up_system("trivium", "bus", 25.0),
    made_up_system("trivium", "bus", 60.0, wait_states=8, driver="polling"),
    made_up_system("trivium", "dma", 4.0),
    made_up_system("grain_v1", "custom", 10.0, cpu="picorv32"),
]


class Reader(HTMLParser):
    """What a browser would load, run and show."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.data = ""
        self.feed(content.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, text: str) -> None:
        tag, attributes = self.elements[-1] if self.elements else ("", {})
        if attributes.get("id") == "data":
            self.data += text
        elif tag not in ("script", "style"):
            self.texts.append(text)

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def made() -> bytes:
    return page(RESULTS, SYSTEMS)


@pytest.fixture(scope="module")
def drawn() -> dict[str, Chart]:
    every = sections(points_of(RESULTS), systems_of(SYSTEMS))
    return by_name(chart for section in every for chart in section.charts)


def by_name(charts: Iterable[Chart]) -> dict[str, Chart]:
    return {chart.name: chart for chart in charts}


# What the page holds


def test_headline_and_rows(made: bytes) -> None:
    read = Reader(made)
    at = read.texts.index("11 design points")
    assert read.texts[at : at + 5] == ["11 design points", " ", "5 ciphers", " ", "3 targets"]
    keys = [row["data-key"] for row in read.of("tr") if "data-key" in row]
    assert len(set(keys)) == len(keys)
    assert set(keys) > {result.id for result in RESULTS}
    assert [row["id"] for row in read.of("tr") if "id" in row] == [f"point-{key}" for key in keys]


def test_every_point_tells_where_it_comes_from(made: bytes) -> None:
    data = unpacked(Reader(made).data)
    for result in RESULTS:
        told = data["points"][result.id]
        facts = dict(told["facts"])
        record = result.record
        assert told["title"] == f"{record['cipher']}, radix {record['radix']}"
        assert facts["RTL"] == record["rtl_sha256"]
        assert facts["Id"] == result.id
        assert facts["Tools"] == ", ".join(
            f"{name}={number}" for name, number in record["tools"].items()
        )
        assert facts["Options"] == ", ".join(
            f"{name}={value}" for name, value in record["options"].items()
        )
    by_name = {
        data["points"][one.id]["cipher"]: dict(data["points"][one.id]["facts"]) for one in RESULTS
    }
    assert by_name["mickey2"]["Frequency"] == "it does not fit"
    assert by_name["a51"]["Frequency"] == "297 MHz (288 to 306, 5 seeds)"


def test_nothing_is_loaded_from_anywhere(made: bytes) -> None:
    read = Reader(made)
    loading = [
        value
        for _, attributes in read.elements
        for name, value in attributes.items()
        if name in ("src", "href", "srcset", "action", "data", "poster")
    ]
    assert loading == []
    assert read.of("link") == []
    (policy,) = [
        meta["content"]
        for meta in read.of("meta")
        if meta.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy is not None
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in policy
    style = made.decode().partition("<style>")[2].partition("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style
    # Only the library names addresses: of XML, and of Vega's editor, which is not offered.
    library = made.decode().split("<script>")[1].partition("</script>")[0]
    assert "vegaEmbed" in library
    assert "http" not in made.decode().replace(library, "").replace("http-equiv", "")


def test_hostile_text_is_only_text(made: bytes) -> None:
    read = Reader(made)
    assert read.of("img") == []
    # One element with data, the library, and the page's own.
    assert len(read.of("script")) == 3
    assert HOSTILE in "".join(read.texts)
    told = next(one for one in unpacked(read.data)["points"].values() if one["cipher"] == "no_such")
    assert told["target"] == HOSTILE
    assert ["Options", f"text={HOSTILE}"] in told["facts"]


def test_systems(made: bytes, drawn: dict[str, Chart]) -> None:
    """Systems have marks and rows; speed-ups are over the word-parallel software that is stored."""
    told = unpacked(Reader(made).data)["systems"]
    assert set(told) == {one.id for one in SYSTEMS}
    cycles = {row["id"]: row["cycles"] for row in drawn["systems-interfaces"].rows}
    assert cycles == {one.id: one.record["cycles_per_128_bits"] for one in SYSTEMS}
    bus, waiting, dma, other = SYSTEMS[2:]
    assert {row["id"] for row in drawn["systems-radix"].rows} == {bus.id, dma.id, other.id}
    rows = [row for row in drawn["interfaces-speed-up"].rows if "id" in row]
    found = {(row["id"], row["of"]): row["times"] for row in rows}
    assert found == {
        (bus.id, "whole system"): 12.0,
        (bus.id, "core alone"): 150.0,
        (waiting.id, "whole system"): 5.0,
        (waiting.id, "core alone"): 150.0,
        (dma.id, "whole system"): 75.0,
        (dma.id, "core alone"): 150.0,
    }
    printed = [row for row in drawn["interfaces-speed-up"].rows if "printed" in row]
    assert (len(printed), max(row["times"] for row in printed)) == (7, 219)
    text = made.decode()
    for one in SYSTEMS:
        assert f'<tr id="point-{one.id}"' in text
    assert "polling, 8 wait states" in text


def test_packed_data() -> None:
    """Hashes, what stands for them, and text that HTML or the packing could take for its own."""
    hashes = [f"{number:064x}" for number in range(12)]
    odd = ["\x011\x01", "a\nb", "~1", "&<>"]
    data = {
        "ids": [*hashes, *hashes],
        hashes[3]: HOSTILE,
        "odd": odd,
        "numbers": [1, 2.5, None, -1e-7],
        "none": {},
    }
    text = packed(data)
    assert unpacked(text) == data
    assert re.fullmatch(r"[A-Za-z0-9+/=]+", text)
    assert packed(json.loads(json.dumps(data))) == text
    # A hash takes its place once, however often it occurs.
    assert len(packed(hashes * 500)) < len(packed(hashes)) + 400


def test_same_results_same_bytes(made: bytes) -> None:
    assert page(list(RESULTS), list(SYSTEMS)) == made


def test_charts_without_a_measured_point_say_so(made: bytes, drawn: dict[str, Chart]) -> None:
    empty = by_name([*overview([], palette([])), *eth([], palette([]))])
    assert empty["area-throughput"].missing == (
        "No measured point yet. To measure some: "
        "headwater evaluate trivium,grain_v1 --target ecp5-25k"
    )
    assert all(chart.missing for chart in empty.values())
    assert not empty["area-throughput"].rows
    assert len(empty["eth-area"].rows) == 9
    text = made.decode()
    assert drawn["grain128aead-energy"].missing
    hint = drawn["grain128aead-energy"].hint
    assert f"No measured point yet. To measure some: <code>{escape(hint)}</code>" in text
    assert drawn["area-throughput"].missing == ""
    nothing = page([]).decode()
    assert "0 design points" in Reader(nothing.encode()).texts
    # Once for all charts of a section.
    study = nothing.partition('<section id="eth-asic-2006">')[2].partition("</section>")[0]
    assert study.count("<figure") == 6
    assert study.count("No measured point yet.") == 1


def test_what_is_said_to_measure_can_be_measured(drawn: dict[str, Chart], capsys: Capture) -> None:
    for hint in {chart.hint for chart in drawn.values()}:
        program, *words = hint.split()
        assert program == "headwater"
        assert main([*words, "--dry-run"]) == 0
    capsys.readouterr()


def test_absent_figures_are_absent(made: bytes, drawn: dict[str, Chart]) -> None:
    # A point without a frequency is in the table, with dashes, and in no chart.
    (slow,) = [one for one in RESULTS if one.record["cipher"] == "mickey2"]
    assert not any(
        row.get("id") == slow.id
        for chart in drawn.values()
        if not chart.name.startswith("message")
        for row in chart.rows
    )
    row = made.decode().partition(f'<tr id="point-{slow.id}"')[2].partition("</tr>")[0]
    assert row.count('data-value="">\N{EN DASH}<') >= 8
    assert "None" not in row
    # FPGA points have no energy, cells no LUTs: no chart mixes them.
    for name, target in (
        ("area-throughput", "ecp5-25k"),
        ("area-throughput-cells", "osu018"),
        ("energy-radix", "osu018"),
    ):
        assert {row["target"] for row in drawn[name].rows} - {HOSTILE} == {target}


def test_of_many_targets_the_page_opens_with_one_of_each_kind() -> None:
    def checked(results: list[Result]) -> list[str | None]:
        boxes = Reader(page(results)).of("input")
        return [box["value"] for box in boxes if "checked" in box]

    few = [made_up("trivium", 1, target) for target in ("a", "b", "c", "osu018", "osu035")]
    assert checked(few) == []
    many = [*few, made_up("trivium", 1, "d"), made_up("grain_v1", 1, "c")]
    assert checked(many) == ["c", "osu018"]
    crowd = [made_up("trivium", radix, "c") for radix in range(2, MANY)]
    assert checked([*few, *crowd]) == ["c", "osu018"]
    assert checked(crowd) == []
    assert "Measured on a, b, c, d." in "".join(Reader(page(many)).texts)


def test_a_core_of_several_sessions_is_in_no_chart_of_a_paper() -> None:
    plain = made_up("phelix", 32)
    several = made_up("phelix", 32, options={"stall": "stream", "streams": "2"})
    points = points_of([plain, several])
    shown = {row.get("id") for chart in gaj(points, palette(["phelix"])) for row in chart.rows}
    assert plain.id in shown
    assert several.id not in shown
    chart = area_throughput(points, FPGA, palette(["phelix"]))
    assert {row["id"] for row in chart.rows} == {plain.id, several.id}


def test_a_message_of_one_of_several_sessions_takes_its_turns() -> None:
    plain = made_up("phelix", 32, setup_cycles=10)
    several = made_up("phelix", 32, setup_cycles=40, options={"streams": "4"})
    one, other = (cycles_of(points_of([result])[0]) for result in (plain, several))
    assert one
    assert other
    assert other.of(3200) == 4 * one.of(3200) == 440


def test_the_last_result_of_a_design_point_counts() -> None:
    old = made_up("trivium", 1, lut=99, measured_at="2025-01-01T00:00:00+00:00")
    new = made_up("trivium", 1, lut=33)
    (point,) = points_of([old, new])
    assert point["lut"] == 33
    text = page([old, new]).decode()
    assert "1 older result(s) of the same design points are not shown." in text
    assert old.id not in text


def test_what_no_chart_is_of_is_counted() -> None:
    core = made_up("trivium", 1)
    source = made_up("trivium", 1, options={"random_bits": "1"})
    assert (
        "1 result(s) of sources of random bits, of datapaths alone" in page([core, source]).decode()
    )
    assert "sources of random bits, of datapaths" not in page([core]).decode()


def test_security_status_comes_from_the_descriptions() -> None:
    broken = {
        name
        for name in ("trivium", "a51", "zkcrypt", "phelix", "grain_v1", "achterbahn80")
        if facets_of(name).security == "broken"
    }
    assert broken == {"a51", "zkcrypt", "phelix", "achterbahn80"}
    assert facets_of("no_such").security == "unknown"


# Charts


def test_measured_and_printed_are_told_apart(drawn: dict[str, Chart]) -> None:
    for name, chart in drawn.items():
        sources = {row.get("source") for row in chart.rows} - {None}
        for row in chart.rows:
            if "source" in row:
                assert (row["source"] == "measured") == ("id" in row), name
                assert (row["source"] == "printed") == ("printed" in row), name
        if sources:
            spec = json.dumps(chart.spec)
            assert '"range": ["circle", "diamond"]' in spec, name
            assert '"domain": ["measured", "printed"]' in spec, name
            assert "Printed: " in chart.source, name


def test_axes_have_units(drawn: dict[str, Chart]) -> None:
    bare = {"Clock cycles", "Bits per cycle"}
    for name, chart in drawn.items():
        layers = chart.spec.get("layer", [chart.spec])
        titles = {
            layer["encoding"][axis]["title"]
            for layer in layers
            for axis in "xy"
            if layer.get("encoding", {}).get(axis, {}).get("title")
        }
        assert titles, name
        for title in titles - bare:
            assert re.search(r"\(.+\)|Mbit/s per", title), (name, title)


def test_all_papers_are_drawn(drawn: dict[str, Chart]) -> None:
    found = {
        key.rsplit(".", 2)[0]
        for chart in drawn.values()
        for row in chart.rows
        if (key := row.get("printed"))
    }
    assert found == set(papers())


def test_eth_units() -> None:
    cell = made_up(
        "trivium",
        64,
        "osu018",
        area_um2=50_000.0,
        throughput_mbps=2**30 / 1e6,
        energy_mj_per_gbit=4.0,
        ge=5000.0,
        period_fo4=16.0,
    )
    charts = by_name(eth(points_of([cell]), palette(["trivium"])))

    def both(name: str, member: str) -> dict[str, float]:
        return {
            row["source"]: row[member] for row in charts[name].rows if row["cipher"] == "trivium"
        }

    # A bit in 16/64 FO4, and 23.842 * 2^30 bits in a second where an FO4 is 0.1 ns.
    assert both("eth-area-time", "time") == pytest.approx(
        {"measured": 0.25, "printed": 1e10 / (23.842 * 2**30)}
    )
    assert both("eth-area", "value") == {"measured": 5000.0, "printed": 151628 / 19.25}
    assert both("eth-period", "value") == {"measured": 16.0, "printed": 25.0}
    assert "ratios" in charts["eth-energy"].source
    assert "ratios" not in charts["eth-area"].source
    assert both("eth-throughput-per-area", "value") == pytest.approx(
        {"measured": 20.0, "printed": 157.239}
    )
    assert both("eth-energy", "value") == pytest.approx({"measured": 4.0, "printed": 8})


def test_slices_hold_two_luts_and_two_flip_flops() -> None:
    def measured(**members: Any) -> float:
        points = points_of([made_up("trivium", 1, throughput_mbps=300.0, **members)])
        (chart,) = spartan(points, palette(["trivium"]))
        rows = {row["source"]: row["value"] for row in chart.rows if row["cipher"] == "trivium"}
        assert rows["printed"] == 2.186
        return float(rows["measured"])

    assert measured(lut=100, ff=20) == 6.0
    assert measured(lut=100, ff=300) == 2.0
    both = {"area": {"slices": 10}, "area without SRL": {"slices": 75}}
    assert measured(lut=100, ff=300, slices=10, mappings=both) == 4.0


def test_doubtful_values_are_told(made: bytes) -> None:
    printed = unpacked(Reader(made).data)["printed"]
    doubts = [
        dict(row["facts"]).get("Doubtful", "")
        for row in printed.values()
        if row["cipher"] == "salsa20"
    ]
    assert any("another value in table 9" in doubt for doubt in doubts)


def test_charts_name_the_targets_of_their_marks() -> None:
    area_alone = made_up("trivium", 1, "spartan3", throughput_mbps=None, mbps_per_area=None)
    points = points_of([area_alone, made_up("trivium", 1)])
    told = area_throughput(points, FPGA, palette([])).source
    assert told == "Measured on ecp5-25k (Lattice ECP5 LFE5U-25F, speed grade 6)."
    both = points_of([made_up("trivium", 1), made_up("trivium", 1, "ice40-hx8k")])
    assert area_throughput(both, FPGA, palette([])).source.endswith(
        "The technologies differ: compare points of one target."
    )


# Figures


def test_front_joins_the_points_that_none_beats() -> None:
    sizes = ((1, 30, 100.0), (2, 60, 200.0), (4, 50, 300.0), (8, 90, 250.0), (16, 200, 900.0))
    results = [
        made_up("trivium", radix, lut=lut, ff=0, throughput_mbps=mbps) for radix, lut, mbps in sizes
    ]
    figure = ElementTree.fromstring(svg(area_throughput(points_of(results), FPGA, palette([]))))
    front, radices = [
        path.attrib["d"]
        for path in figure.iter("{http://www.w3.org/2000/svg}path")
        if path.attrib.get("aria-roledescription") == "line mark"
    ]
    # From each of the three points up and then across to the next.
    assert re.findall("[A-Z]", front) == ["M", "L", "L", "L", "L"]
    assert re.findall("[A-Z]", radices) == ["M", "L", "L", "L", "L"]
    assert "trivium" in list(figure.itertext())


def test_svg_and_png(drawn: dict[str, Chart]) -> None:
    chart = drawn["throughput-per-area"]
    figure = svg(chart)
    root = ElementTree.fromstring(figure)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    text = " ".join(root.itertext())
    assert "Throughput per area, FPGA" in text
    assert "trivium" in text
    assert "Mbit/s per slice or cell" in text
    loads = [
        value
        for each in root.iter()
        for name, value in each.attrib.items()
        if name.endswith("href")
    ]
    assert loads == []
    assert svg(chart) == figure
    assert png(chart).startswith(b"\x89PNG\r\n\x1a\n")


def test_hostile_text_in_a_figure(drawn: dict[str, Chart]) -> None:
    figure = svg(drawn["throughput-per-area"])
    assert b"script&gt;" in figure
    assert b"<script" not in figure
    assert b"<img" not in figure


# The command line


def keep(path: Path, results: list[Result], systems: list[Result] | None = None) -> Path:
    with open_store(path) as store:
        for result in results:
            store.keep(result)
        for system in systems or ():
            store.keep_system(system)
    return path


def test_report(tmp_path: Path, capsys: Capture, made: bytes) -> None:
    store = keep(tmp_path / "store.sqlite", RESULTS, SYSTEMS)
    output = tmp_path / "deep" / "report.html"
    assert main(["report", "-o", str(output), "--store", str(store)]) == 0
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == (f"{output}\n", "")
    # The store gives results in the order of their ids where they were measured at one time.
    assert Reader(output.read_bytes()).texts == Reader(made).texts


def test_report_of_nothing(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["report", "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out) == ["report.html"]
    assert printed.err == "nothing is stored: only printed figures are shown\n"
    assert (tmp_path / "report.html").stat().st_size > 100_000


def test_report_of_a_target(tmp_path: Path, capsys: Capture) -> None:
    store = keep(tmp_path / "store.sqlite", RESULTS[:5])
    output = tmp_path / "report.html"
    assert main(["report", "--target", "osu018"]) == 2
    assert "nothing is stored of target osu018" in capsys.readouterr().err
    words = ["report", "-o", str(output), "--store", str(store), "--target"]
    assert main([*words, "osu018"]) == 0
    assert "2 design points" in Reader(output.read_bytes()).texts
    capsys.readouterr()
    assert main([*words, "osu18"]) == 2
    assert capsys.readouterr().err == (
        "headwater: target with stored results must be one of ecp5-25k, osu018, not 'osu18' "
        "(did you mean 'osu018'?)\n"
    )


def test_figures(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    from headwater.report import figures

    monkeypatch.setattr(figures, "svg", lambda chart: chart.name.encode())
    monkeypatch.setattr(figures, "png", lambda chart: chart.name.encode())
    monkeypatch.chdir(tmp_path)
    store = keep(tmp_path / "store.sqlite", [made_up("trivium", 1)])
    assert main(["report", "--figures", "figures", "--store", str(store)]) == 0
    printed = capsys.readouterr()
    written = {path.name for path in (tmp_path / "figures").iterdir()}
    assert {str(Path("figures") / name) for name in written} == set(printed.out.split())
    assert {"throughput-per-area.svg", "throughput-per-area.png", "eth-area.svg"} <= written
    assert "throughput-per-area-cells.svg" not in written
    assert "no figure of throughput-per-area-cells: nothing was measured for it" in printed.err
    assert not (tmp_path / "report.html").exists()


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        (["altair"], "altair is not installed"),
        (["vl_convert"], "vl-convert-python is not installed"),
        (["altair", "vl_convert"], "altair and vl-convert-python are not installed"),
    ],
)
def test_missing_packages(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, missing: list[str], said: str
) -> None:
    def find_spec(name: str) -> Any:
        return None if name in missing else sys

    monkeypatch.setattr(packages, "find_spec", find_spec)
    assert main(["report"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == f"headwater: {said}; install with: pip install 'headwater[report]'\n"
