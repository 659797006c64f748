# SPDX-License-Identifier: Apache-2.0
"""How large the page of `headwater report` is for very many points, and how long Chromium takes to
draw its first chart and to follow a filter.

    python benchmarks/report_page.py [POINTS]

The points are made up: all ciphers of the catalogue at many radices, options, targets, with figures
that have as many digits as measured ones. Times are of this machine as it is, from the beginning of
navigation to the first chart that is drawn, and from a click on a filter until counts, the table
and the charts in the window have followed."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from selenium import webdriver

from headwater.cipher.catalogue import CATALOGUE
from headwater.measure.store import Result
from headwater.measure.target import TARGETS, AsicTarget
from headwater.report.page import page

POINTS = 20000
RADICES = (1, 2, 4, 8, 16, 32, 64)
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--window-size=1200,900",
)
_IDLE_S = 0.05
"""Processor time of two seconds in which a page does nothing."""
FIRST_CHART = """
const done = arguments[0];
const drawn = () => document.querySelector("figure:not([hidden]) svg.marks");
const look = () => drawn() ? done(performance.now()) : setTimeout(look, 5);
look();
"""
FILTER = """
const [facet, value, done] = arguments;
const input = document.querySelector(`details[data-facet="${facet}"] input[value="${value}"]`);
const figure = [...document.querySelectorAll("figure:not([hidden])")].find(one => {
  const box = one.getBoundingClientRect();
  return box.top < innerHeight && box.bottom > 0 && one.querySelector("svg.marks");
});
figure.scrollIntoView({block: "start"});
const start = performance.now();
const told = () => done([performance.now() - start, figure.dataset.chart]);
new MutationObserver((_, observer) => {
  observer.disconnect();
  // What has changed is seen in the next frame.
  requestAnimationFrame(() => setTimeout(told));
}).observe(figure.querySelector(".chart"), {childList: true, subtree: true});
input.click();
"""


def main() -> None:
    """Print the size and the times."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else POINTS
    start = time.perf_counter()
    content = page(list(made_up(count)))
    print(
        f"{count} points: {len(content) / 1e6:.1f} MB, made in {time.perf_counter() - start:.1f} s",
        flush=True,
    )
    with TemporaryDirectory() as folder:
        file = Path(folder) / "report.html"
        file.write_bytes(content)
        look(file)


def look(file: Path) -> None:
    """Open the page and use it."""
    options = webdriver.ChromeOptions()
    for flag in (*FLAGS, f"--user-data-dir={file.parent / 'profile'}"):
        options.add_argument(flag)
    options.page_load_strategy = "none"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.binary_location = shutil.which("chromium")
    browser = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        browser.set_script_timeout(120)
        browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        browser.get(file.as_uri())
        while browser.current_url == "data:," or not browser.find_elements("css selector", "main"):
            time.sleep(0.01)
        first = browser.execute_async_script(FIRST_CHART) / 1000
        print(f"first chart: {first:.2f} s, {used(browser):.2f} s of processor time", flush=True)
        settle(browser)
        elements = browser.execute_script("return document.getElementsByTagName('*').length")
        print(f"elements: {elements}")
        for facet, value in (("cipher", "trivium"), ("cipher", "grain_v1"), ("radix", "8")):
            follow(browser, facet, value)
        browser.execute_script("document.getElementById('clear').click()")
        settle(browser)
        follow(browser, "radix", "8")
        for line in browser.get_log("browser"):
            print(line["message"])
    finally:
        browser.quit()


def follow(browser: Any, facet: str, value: str) -> None:
    """Click on a filter, and print how long it takes until the page has followed."""
    before = used(browser)
    took, chart = browser.execute_async_script(FILTER, facet, value)
    shown = browser.execute_script("return document.getElementById('count').textContent")
    print(
        f"filter {facet} {value}: {took / 1000:.2f} s, {used(browser) - before:.2f} s of "
        f"processor time ({chart}, {shown})",
        flush=True,
    )
    settle(browser)


def used(browser: Any) -> float:
    """Seconds of processor time that the page has taken."""
    known = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return float(next(one["value"] for one in known if one["name"] == "TaskDuration"))


def settle(browser: Any) -> None:
    """Wait until the page has nothing left to do."""
    before = -1.0
    while (now := used(browser)) - before > _IDLE_S:
        before = now
        time.sleep(2)


def made_up(count: int) -> Iterator[Result]:
    """So many results, each of another design point."""
    rng, ciphers, targets = Random(1), list(CATALOGUE), list(TARGETS)
    for number in range(count):
        cipher, rest = ciphers[number % len(ciphers)], number // len(ciphers)
        radix, rest = RADICES[rest % len(RADICES)], rest // len(RADICES)
        target, width = targets[rest % len(targets)], rest // len(targets)
        yield result(cipher, radix, target, width, rng)


def result(cipher: str, radix: int, target: str, width: int, rng: Random) -> Result:
    """A result with figures from nowhere."""
    cells = isinstance(TARGETS[target], AsicTarget)
    fmax, area = rng.uniform(50, 900), rng.uniform(200, 20000)
    mbps = fmax * radix
    hashed = sha256(f"{cipher} {radix} {target} {width}".encode()).hexdigest()
    record = {
        "cipher": cipher,
        "radix": radix,
        "bits_per_cycle": radix,
        "load_width": width + 1,
        "options": {"stall": "stream", "clear": "shift"},
        "target": target,
        "rtl_sha256": sha256(hashed.encode()).hexdigest(),
        "fmax_mhz": {"median": fmax, "min": fmax * 0.95, "max": fmax * 1.05, "seeds": 5},
        "lut": None if cells else int(area),
        "ff": rng.randrange(200, 900),
        "mapping": None,
        "area_um2": area * 12.5 if cells else None,
        "ge": area if cells else None,
        "power_mw": rng.uniform(0.1, 9) if cells else None,
        "power_clock_mhz": 10 if cells else None,
        "energy_pj_per_bit": rng.uniform(1, 99) if cells else None,
        "settings": {},
        "throughput_mbps": mbps,
        "area_unit": "GE" if cells else "LUT",
        "setup_cycles": 1312 // radix + 1,
        "setup_ns": 1000 * (1312 // radix + 1) / fmax,
        "setup_energy_nj": rng.uniform(1, 9) if cells else None,
        "flow": {"seeds": 5, "objective": "balanced"},
        "mbps_per_area": mbps / area,
        "tools": {"yosys": "0.70", "nextpnr": "0.11"},
    }
    return Result(hashed, record, 1.0, "2026-01-02T03:04:05.678+00:00")


if __name__ == "__main__":
    main()
