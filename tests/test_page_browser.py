# SPDX-License-Identifier: Apache-2.0
"""The page of `headwater report` in a browser without a screen, opened from disk."""

from __future__ import annotations

import csv
import io
import re
import shutil
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from made_up import made_up
from test_page import HOSTILE, SYSTEMS, Reader

from headwater.cipher.catalogue import CATALOGUE
from headwater.measure.record import area_of
from headwater.report.columns import MEASURED
from headwater.report.html import shown as as_text
from headwater.report.page import page
from headwater.report.points import points_of

webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium: pip install selenium")

from selenium.common.exceptions import StaleElementReferenceException  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.remote.webelement import WebElement  # noqa: E402

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(
        not (BROWSER and DRIVER), reason="needs chromium: apt-get install chromium chromium-driver"
    ),
]

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1200,900",
)

RESULTS = [
    *(made_up("trivium", radix) for radix in (1, 8, 64)),
    *(made_up("grain_v1", radix, setup_cycles=320 // radix) for radix in (1, 16)),
    *(made_up("trivium", radix, "osu018") for radix in (1, 8)),
    made_up("grain_v1", 1, "osu018", setup_energy_nj=2.0, energy_pj_per_bit=160.0),
    made_up("a51", 1, fmax_mhz=None, throughput_mbps=None, setup_ns=None),
    made_up("no_such", 2, options={"text": HOSTILE}, target=HOSTILE),
]
BY_PLACE = {
    (one.record["cipher"], one.record["radix"], one.record["target"]): one for one in RESULTS
}
FIGURES = sorted((Path(__file__).parents[1] / "docs" / "figures").glob("*.svg"))
WAIT_S = 20.0

Browser = Any


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, Path]]:
    folder = tmp_path_factory.mktemp("browser")
    file = folder / "report.html"
    file.write_bytes(page(RESULTS, SYSTEMS))
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for flag in (*FLAGS, f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(flag)
    options.add_experimental_option("prefs", {"download.default_directory": str(folder)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver, file
    driver.quit()


@pytest.fixture
def browser(opened: tuple[Browser, Path]) -> Browser:
    """The page as it is when it has just been drawn."""
    driver, file = opened
    driver.get("about:blank")
    driver.get(file.as_uri())
    until(lambda: drawn(driver) == len(with_rows(driver)), "all charts are drawn")
    return driver


def until(holds: Callable[[], Any], what: str) -> Any:
    """Wait until something is true. A chart that is drawn anew meanwhile is looked at again."""

    def found_now() -> Any:
        try:
            return holds()
        except StaleElementReferenceException:
            return None

    limit = time.monotonic() + WAIT_S
    while not (found := found_now()):
        assert time.monotonic() < limit, f"not in time: {what}"
        time.sleep(0.05)
    return found


def find(browser: Browser, selector: str) -> WebElement:
    element: WebElement = browser.find_element(By.CSS_SELECTOR, selector)
    return element


def find_all(browser: Browser, selector: str) -> list[WebElement]:
    return list(browser.find_elements(By.CSS_SELECTOR, selector))


def with_rows(browser: Browser) -> list[WebElement]:
    return find_all(browser, "figure:not([hidden])")


def drawn(browser: Browser) -> int:
    return len(find_all(browser, "figure:not([hidden]) svg.marks"))


def marks(browser: Browser, chart: str) -> list[WebElement]:
    return find_all(browser, f'figure[data-chart="{chart}"] g.mark-symbol.role-mark path')


def shown(browser: Browser, table: str) -> list[str]:
    rows: list[str] = browser.execute_script(
        "return [...document.querySelectorAll('#' + arguments[0] + ' tbody tr:not([hidden])')]"
        ".map(row => row.dataset.key)",
        table,
    )
    return rows


def choose(browser: Browser, facet: str, value: str) -> None:
    box = f'details[data-facet="{facet}"]'
    if find(browser, box).get_attribute("open") is None:
        find(browser, f"{box} summary").click()
    find(browser, f'{box} input[value="{value}"]').click()


def bring_into_view(browser: Browser, element: WebElement) -> None:
    browser.execute_script(
        "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element
    )


def hover(browser: Browser, mark: WebElement) -> WebElement:
    """Point at a mark; scrolling to it hides what is told of it, until the pointer moves."""
    box = find(browser, "#hover")

    def told() -> bool:
        webdriver.ActionChains(browser).move_by_offset(1, 1).move_to_element(mark).perform()
        return bool(box.is_displayed())

    bring_into_view(browser, mark)
    until(told, "what is told of a mark")
    return box


def ids(*places: tuple[str, int, str]) -> set[str]:
    return {BY_PLACE[place].id for place in places}


def test_opens_from_disk_without_an_error(browser: Browser) -> None:
    assert drawn(browser) >= 15
    assert browser.get_log("browser") == []
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert browser.execute_script("return window.hacked") is None
    assert find_all(browser, "img") == []


def test_filters_act_on_charts_tables_and_counts(browser: Browser) -> None:
    before = len(marks(browser, "area-throughput"))
    assert before == 6
    choose(browser, "cipher", "trivium")
    until(lambda: len(marks(browser, "area-throughput")) == 3, "trivium alone")
    assert find(browser, "#count").text == "5 of 10 points"
    choose(browser, "radix", "8")
    until(lambda: len(marks(browser, "area-throughput")) == 1, "one radix")
    trivium = ids(("trivium", 8, "ecp5-25k"), ("trivium", 8, "osu018"))
    assert set(shown(browser, "points")) == trivium
    choose(browser, "target", "osu018")
    until(
        lambda: not find(browser, '[data-chart="area-throughput"] .chart').is_displayed(),
        "no point on an FPGA",
    )
    assert find(browser, "#measured").is_displayed()
    printed_alone = find(browser, '[data-chart="gaj-throughput"]')
    until(lambda: "No measured point passes" in printed_alone.text, "it is said")
    # Of printed rows, those of the cipher are left, and no table without any.
    printed = browser.execute_script(
        "return [...document.querySelectorAll('section:not([hidden]) table tr:not([hidden]) th')]"
        ".filter(cell => cell.closest('tbody') && cell.closest('[id*=\"-20\"]'))"
        ".map(cell => cell.textContent)"
    )
    assert set(printed) == {"trivium"}
    assert not find(browser, '[id="grain128aead-65nm-2019-table6"]').is_displayed()
    assert not find(browser, "#grain128aead-65nm-2019").is_displayed()
    find(browser, "h1").click()
    find(browser, "#clear").click()
    until(lambda: len(marks(browser, "area-throughput")) == before, "no filter")
    assert len(shown(browser, "points")) == len(RESULTS)
    assert not find(browser, "#clear").is_displayed()


def test_the_words_of_a_chart_tell_the_targets_that_it_shows(browser: Browser) -> None:
    said = find(browser, '[data-chart="area-throughput"] .said')
    assert "ecp5-25k" in said.text
    assert "compare points of one target" in said.text
    choose(browser, "target", "ecp5-25k")
    until(lambda: "compare points of one target" not in said.text, "one target is told")
    assert said.text.startswith("Measured on ecp5-25k (Lattice ECP5 LFE5U-25F, speed grade 6). A")
    choose(browser, "target", "ecp5-25k")


def test_filters_by_what_the_catalogue_says(browser: Browser) -> None:
    of = {one.id: one.record["cipher"] for one in RESULTS}
    for facet, value, ciphers in (
        ("security", "broken", {"a51"}),
        ("security", "unbroken", {"trivium", "grain_v1"}),
        # The key of a cipher that is not in the catalogue is not known.
        ("key_bits", "64", {"a51", "no_such"}),
        ("kind", "unknown", {"no_such"}),
    ):
        choose(browser, facet, value)
        assert {of[key] for key in shown(browser, "points")} == ciphers
        choose(browser, facet, value)


def test_hover_tells_and_click_finds_the_row(browser: Browser) -> None:
    choose(browser, "cipher", "grain_v1")
    choose(browser, "radix", "16")
    (mark,) = until(lambda: len(found := marks(browser, "area-throughput")) == 1 and found, "mark")
    find(browser, "h1").click()
    (result,) = (BY_PLACE[place] for place in [("grain_v1", 16, "ecp5-25k")])
    box = hover(browser, mark)
    for text in (
        "grain_v1, radix 16",
        "ecp5-25k",
        result.id,
        result.record["rtl_sha256"],
        "nextpnr-ecp5=0.11",
        "5 seeds",
        "stall=stream",
    ):
        assert text in box.text
    webdriver.ActionChains(browser).click(mark).perform()
    row = find(browser, "tr.chosen")
    assert row.get_attribute("data-key") == result.id
    inside = (
        "const box = arguments[0].getBoundingClientRect();"
        "return box.top > 0 && box.bottom < innerHeight"
    )
    until(lambda: browser.execute_script(inside, row), "the row is in view")
    assert browser.current_url.endswith(f"#cipher=grain_v1&radix=16&point={result.id}")
    # Another one takes its place, and its mark becomes the larger one.
    find(browser, "#clear").click()
    other = BY_PLACE["trivium", 1, "ecp5-25k"].id
    find(browser, f'#points tr[data-key="{other}"] td').click()
    assert [one.get_attribute("data-key") for one in find_all(browser, "tr.chosen")] == [other]


def test_systems_are_found_too(browser: Browser) -> None:
    (mark,) = [
        one
        for one in marks(browser, "systems-interfaces")
        if "custom" in (one.get_attribute("aria-label") or "")
    ]
    assert "simulated with picorv32: custom, blocking" in hover(browser, mark).text
    mark.click()
    until(lambda: find_all(browser, "#systems tr.chosen"), "its row is chosen")
    choose(browser, "cipher", "grain_v1")
    until(lambda: len(shown(browser, "systems")) == 1, "the other systems are gone")


def test_link_to_a_row(opened: tuple[Browser, Path]) -> None:
    driver, file = opened
    wanted = BY_PLACE["trivium", 64, "ecp5-25k"].id
    driver.get("about:blank")
    driver.get(f"{file.as_uri()}#cipher=trivium&cipher=no_such&radix=64&point={wanted}")
    row = until(lambda: find_all(driver, "tr.chosen"), "the row is chosen")[0]
    assert row.get_attribute("data-key") == wanted
    assert shown(driver, "points") == [wanted]
    assert find(driver, "#count").text == "1 of 10 points"
    find(driver, "#clear").click()
    assert driver.current_url.endswith(f"#point={wanted}")


def test_hostile_text_is_shown_as_text(browser: Browser) -> None:
    choose(browser, "cipher", "no_such")
    (mark,) = until(lambda: len(found := marks(browser, "area-throughput")) == 1 and found, "mark")
    find(browser, "h1").click()
    assert HOSTILE in hover(browser, mark).text
    assert browser.execute_script("return window.hacked") is None


COLUMN = """
const table = document.getElementById(arguments[0]), [heading] = table.tHead.rows;
const at = [...heading.cells].findIndex(cell => cell.dataset.column === arguments[1]);
return [...table.tBodies[0].rows].map(row => row.cells[at].textContent);
"""


def column(browser: Browser, table: str, name: str) -> list[str]:
    values: list[str] = browser.execute_script(COLUMN, table, name)
    return values


def test_tables_sort(browser: Browser) -> None:
    heading = find(browser, '#points th[data-column="throughput_mbps"]')
    button = heading.find_element(By.TAG_NAME, "button")
    bring_into_view(browser, button)
    button.click()
    assert heading.get_attribute("aria-sort") == "ascending"
    *numbers, last = column(browser, "points", "throughput_mbps")
    assert last == "\N{EN DASH}"
    assert [float(one) for one in numbers] == sorted(float(one) for one in numbers)
    button.click()
    assert heading.get_attribute("aria-sort") == "descending"
    *numbers, last = column(browser, "points", "throughput_mbps")
    assert last == "\N{EN DASH}"
    assert [float(one) for one in numbers] == sorted((float(one) for one in numbers), reverse=True)
    words = find(browser, '#points th[data-column="cipher"] button')
    words.click()
    assert column(browser, "points", "cipher") == sorted(column(browser, "points", "cipher"))


def test_page_stays_where_it_is_when_tables_are_laid_out(browser: Browser) -> None:
    heading = find(browser, "#points thead")
    bring_into_view(browser, heading)
    before = browser.execute_script("return document.body.scrollHeight")
    time.sleep(0.2)
    after = browser.execute_script("return document.body.scrollHeight")
    assert abs(after - before) < 200, "tables had the height of other tables"


def test_tables_are_searched_and_exported(browser: Browser, opened: tuple[Browser, Path]) -> None:
    tools = find(browser, '.tools[data-of="points"]')
    bring_into_view(browser, tools)
    tools.find_element(By.TAG_NAME, "input").send_keys("grain_v1 ecp5")
    assert len(shown(browser, "points")) == 2
    assert tools.find_element(By.CLASS_NAME, "count").text == f"2 of {len(RESULTS)} rows"
    file = opened[1].parent / "headwater-points.csv"
    file.unlink(missing_ok=True)
    tools.find_element(By.TAG_NAME, "button").click()
    until(file.exists, "the file is there")
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    assert {row["id"] for row in rows} == ids(
        ("grain_v1", 1, "ecp5-25k"), ("grain_v1", 16, "ecp5-25k")
    )
    for row in rows:
        record = BY_PLACE["grain_v1", int(row["radix"]), "ecp5-25k"].record
        assert float(row["throughput_mbps"]) == record["throughput_mbps"]
        assert row["area"] == str(area_of(record))
        assert row["energy_pj_per_bit"] == ""
        assert row["options"] == "stall=stream, clear=shift"


def test_cross_overs_follow_the_filters(browser: Browser, opened: tuple[Browser, Path]) -> None:
    def rows() -> list[list[str]]:
        return [
            [cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")]
            for row in find_all(browser, "#cross-overs tbody tr")
        ]

    find(browser, "#cross-overs").location_once_scrolled_into_view  # noqa: B018
    # What the page was written with and what it finds itself is the same.
    html = opened[1].read_text().partition('<table id="cross-overs">')[2].partition("</table>")[0]
    cells = [text.strip() for text in Reader(html.partition("<tbody>")[2].encode()).texts]
    found = rows()
    assert [text for row in found for text in row] == [text for text in cells if text]
    assert ["Energy (pJ)", "osu018", "grain_v1, radix 1", "trivium, radix 8"] in [
        row[:4] for row in found
    ]
    choose(browser, "cipher", "trivium")
    assert rows() == []


def test_follows_the_colours_of_the_system(browser: Browser) -> None:
    def colours() -> tuple[str, str]:
        until(lambda: drawn(browser) == len(with_rows(browser)), "drawn")
        label = find(browser, '[data-chart="area-throughput"] .role-axis-label text')
        return (
            find(browser, "body").value_of_css_property("background-color"),
            str(label.get_attribute("fill")),
        )

    def system(value: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": value}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    system("light")
    light = until(lambda: colours()[1] == "#57606a" and colours(), "light")
    system("dark")
    dark = until(lambda: colours()[1] == "#9aa5b1" and colours(), "dark")
    system("")
    brightness = [sum(map(int, re.findall(r"\d+", one[0])[:3])) for one in (light, dark)]
    assert brightness[0] > 700
    assert brightness[1] < 100


@pytest.mark.parametrize("path", FIGURES, ids=[path.name for path in FIGURES])
def test_figures_of_the_documents_follow_the_system(browser: Browser, path: Path) -> None:
    """Each is its own page here; as an image of a page it has the same styles."""

    def inks(scheme: str) -> set[str]:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        texts = browser.find_elements("css selector", "text")
        assert texts
        return {text.value_of_css_property("fill") for text in texts}

    browser.get(path.as_uri())
    light, dark = inks("light"), inks("dark")
    inks("")
    assert not light & dark
    assert max(sum(map(int, re.findall(r"\d+", ink)[:3])) for ink in light) < 450
    assert min(sum(map(int, re.findall(r"\d+", ink)[:3])) for ink in dark) > 450


def legend(browser: Browser, chart: str) -> list[str]:
    """The ciphers in the legend of a chart."""
    names: list[str] = browser.execute_script(
        "return [...document.querySelectorAll(`figure[data-chart='${arguments[0]}'] "
        "g.role-legend-label text`)].map(text => text.textContent)",
        chart,
    )
    return [name for name in names if name in CATALOGUE]


def test_legends_and_order_are_of_what_is_shown(browser: Browser) -> None:
    assert legend(browser, "area-throughput") == ["trivium", "grain_v1"]
    choose(browser, "cipher", "grain_v1")
    until(lambda: legend(browser, "area-throughput") == ["grain_v1"], "grain_v1 alone")
    choose(browser, "cipher", "trivium")
    until(lambda: legend(browser, "area-throughput") == ["trivium", "grain_v1"], "both")
    axis = 'figure[data-chart="throughput-per-area"] g.role-axis-label text'

    def order() -> list[str]:
        names: list[str] = browser.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map(text => text.textContent)",
            axis,
        )
        return [name for name in names if name in ("trivium", "grain_v1")]

    until(lambda: order() == ["trivium", "grain_v1"], "the one with most for its area first")
    choose(browser, "radix", "1")
    until(lambda: order() == sorted(order(), key=per_area_at_radix_1, reverse=True), "of radix 1")


def per_area_at_radix_1(cipher: str) -> float:
    return float(BY_PLACE[cipher, 1, "ecp5-25k"].record["mbps_per_area"])


def test_of_many_ciphers_eight_have_colours(opened: tuple[Browser, Path]) -> None:
    """The others are grey until the filters leave eight; broken ones are never among the eight."""
    driver, file = opened
    names = [*CATALOGUE][:14]
    file = file.with_name("ciphers.html")
    file.write_bytes(page([made_up(name, radix) for name in names for radix in (1, 2)]))
    driver.get("about:blank")
    driver.get(file.as_uri())
    until(lambda: drawn(driver) == len(with_rows(driver)), "all charts are drawn")
    shown_names = legend(driver, "area-throughput")
    assert len(shown_names) == 8
    assert not any(CATALOGUE[name].broken for name in shown_names)
    colours = {one.get_attribute("fill") for one in marks(driver, "area-throughput")}
    assert len(colours) == 9
    assert "#888888" in colours
    grey = next(name for name in names if name not in shown_names)
    choose(driver, "cipher", grey)
    until(lambda: legend(driver, "area-throughput") == [grey], "it has a colour")
    (colour,) = {one.get_attribute("fill") for one in marks(driver, "area-throughput")}
    assert colour != "#888888"


MANY = [
    made_up(
        ("trivium", "grain_v1")[number % 2],
        1 + number % 60,
        lut=100 + 7 * number,
        throughput_mbps=1000 + 1.37 * (number * 7919 % 2003),
        setup_ns=number / 3e6,
        settings={"number": number},
        load_width=number,
    )
    for number in range(2000)
]
"""More than a table has rows in the page, and than a chart draws marks."""


@pytest.fixture(scope="module")
def page_of_many(opened: tuple[Browser, Path]) -> Path:
    file = opened[1].with_name("many.html")
    file.write_bytes(page(MANY))
    return file


@pytest.fixture
def many(opened: tuple[Browser, Path], page_of_many: Path) -> Browser:
    """The page, where another test may have opened one of its own since."""
    driver = opened[0]
    if driver.current_url.partition("#")[0] != page_of_many.as_uri():
        driver.get("about:blank")
        driver.get(page_of_many.as_uri())
        until(lambda: drawn(driver) == len(with_rows(driver)), "all charts are drawn")
    return driver


def texts(browser: Browser, key: str) -> list[str]:
    """The cells of a row that is in view."""
    found: list[str] = browser.execute_script(
        "return [...document.getElementById('point-' + arguments[0]).cells]"
        ".map(cell => cell.textContent)",
        key,
    )
    return found


def scroll_table(browser: Browser, place: int) -> None:
    browser.execute_script(
        "const box = document.querySelector('#points').closest('.scroll');"
        "box.scrollIntoView(); box.scrollTop = arguments[0] * box.scrollHeight",
        place,
    )


def test_a_long_table_has_the_rows_in_view(many: Browser) -> None:
    every = points_of(MANY)
    count = find(many, '.tools[data-of="points"] .count')
    assert count.get_attribute("textContent") == "2000 rows"
    assert 10 < len(find_all(many, "#points tbody tr")) < 100
    for place, one in ((0, every[0]), (1, every[-1]), (0, every[0])):
        scroll_table(many, place)
        until(lambda one=one: find_all(many, f"#point-{one.id}"), "the row is there")
        assert texts(many, one.id) == [as_text(column.value(one)) for column in MEASURED]
    assert len(find_all(many, "#points tbody tr")) < 100


def test_a_long_table_sorts_filters_and_is_searched(many: Browser) -> None:
    heading = find(many, '#points th[data-column="area"] button')
    bring_into_view(many, heading)
    heading.click()
    scroll_table(many, 0)
    least = min(MANY, key=lambda one: one.record["lut"])
    until(lambda: find_all(many, f"#point-{least.id}"), "the smallest is first")
    choose(many, "cipher", "trivium")
    count = find(many, '.tools[data-of="points"] .count')
    until(lambda: count.get_attribute("textContent") == "1000 of 2000 rows", "half of them")
    search = find(many, '.tools[data-of="points"] input')
    search.send_keys(MANY[4].id[:20])
    until(lambda: count.get_attribute("textContent") == "1 of 2000 rows", "one is found")
    search.clear()
    search.send_keys(" ")
    choose(many, "cipher", "trivium")
    until(lambda: count.get_attribute("textContent") == "2000 rows", "all of them again")


def test_a_row_of_a_long_table_is_chosen_and_saved(
    many: Browser, opened: tuple[Browser, Path]
) -> None:
    key = points_of(MANY)[1500].id
    many.execute_script("location.hash = arguments[0]; location.reload()", f"point={key}")
    row = until(lambda: find_all(many, "tr.chosen"), "the row is chosen")[0]
    assert row.get_attribute("data-key") == key
    file = opened[1].parent / "headwater-points.csv"
    file.unlink(missing_ok=True)
    many.execute_script("document.querySelector('.tools[data-of=points] button').click()")
    until(file.exists, "the file is there")
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    assert {row["id"] for row in rows} == {one.id for one in MANY}
    by_id = {row["id"]: row for row in rows}
    assert float(by_id[MANY[7].id]["setup_ns"]) == 7 / 3e6
    assert by_id[MANY[7].id]["options"] == "stall=stream, clear=shift"


def test_marks_that_cover_each_other_are_drawn_once(many: Browser) -> None:
    """The front stays: the smallest point, the fastest, and the one with most for its area."""
    until(lambda: drawn(many) == len(with_rows(many)), "all charts are drawn")
    found = len(marks(many, "area-throughput"))
    assert 200 < found <= 400
    said = find(many, '[data-chart="area-throughput"] .thinned').get_attribute("textContent")
    assert said == (
        f"{found:,} of 2,000 marks are drawn: those that others of their cipher do not cover."
    )
    labels = " ".join(
        one.get_attribute("aria-label") or "" for one in marks(many, "area-throughput")
    )
    assert str(min(one.record["lut"] for one in MANY)) in labels
    assert browser_log(many) == []


def browser_log(browser: Browser) -> list[Any]:
    return [line for line in browser.get_log("browser") if line["level"] == "SEVERE"]


def test_fits_a_phone(opened: tuple[Browser, Path]) -> None:
    driver, file = opened
    size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        driver.get("about:blank")
        driver.get(file.as_uri())
        until(lambda: drawn(driver) == len(with_rows(driver)), "all charts are drawn")
        assert driver.execute_script("return document.documentElement.scrollWidth") == 390
        widths = driver.execute_script(
            "return [...document.querySelectorAll('.chart:not([hidden]) svg')]"
            ".map(chart => chart.getBoundingClientRect().right)"
        )
        assert max(widths) <= 390
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


LEGEND_SCRIPT = """
const boxes = list => [...document.querySelectorAll(list)].map(each => {
  const box = each.getBoundingClientRect();
  return [box.left, box.right, Math.round((box.top + box.bottom) / 2)];
});
return boxes(".role-legend-entry .role-legend-label text")
  .concat(boxes(".role-legend-entry .role-legend-symbol path"));
"""


WITH_LEGEND = [path for path in FIGURES if "role-legend" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("figure", WITH_LEGEND, ids=lambda figure: figure.stem)
def test_names_in_a_legend_do_not_touch(opened: tuple[Browser, Path], figure: Path) -> None:
    """In the fonts that the browser has, whichever the figure was laid out for."""
    driver, _ = opened
    driver.get(figure.as_uri())
    by_line: dict[int, list[list[float]]] = {}
    for *ends, line in driver.execute_script(LEGEND_SCRIPT):
        by_line.setdefault(round(line / 8), []).append(ends)
    assert by_line
    for boxes in map(sorted, by_line.values()):
        assert all(one[1] < two[0] for one, two in pairwise(boxes)), boxes
