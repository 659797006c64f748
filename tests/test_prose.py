# SPDX-License-Identifier: Apache-2.0
"""Figures in the prose of documents: those that come with the package, or of the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from headwater.cipher.catalogue import find
from headwater.codesign.run import Record, stored
from headwater.codesign.scenario import Scenario
from headwater.flow.layout import clocktree, layout
from headwater.measure.layers import LayeredStore
from headwater.measure.reference import FILE, read_reference
from headwater.measure.store import empty_store

DOCS = Path(__file__).parents[1] / "docs"


def words_of(page: str) -> str:
    return " ".join((DOCS / page).read_text(encoding="utf-8").split())


def system(cipher: str, **choices: Any) -> Record:
    with empty_store() as own:
        made = Scenario.choose(find(cipher), **choices)
        found = stored(made, LayeredStore(own, read_reference(FILE)))
    assert found, made
    return found


TWO = "custom instructions of two results"
SYSTEMS: list[tuple[str, dict[str, str]]] = [
    ("DMA", {"interface": "dma"}),
    (TWO, {"interface": "custom2x2"}),
    ("custom instructions, FIFO", {"interface": "custom"}),
    ("custom instructions, FIFO", {"interface": "fifo"}),
    (f"{TWO}, loop of four words", {"interface": "custom2x2", "driver": "four"}),
    ("bus", {"interface": "bus"}),
    ("Wishbone", {"interface": "wishbone"}),
    ("AXI4-Lite", {"interface": "axi4lite"}),
    ("bus with a polling driver", {"interface": "bus", "driver": "polling"}),
]


@pytest.mark.parametrize(("name", "choices"), SYSTEMS)
def test_cycles_of_a_system_are_those_of_the_reference(name: str, choices: dict[str, str]) -> None:
    (told,) = re.findall(rf"\| {name} \| ([\d.]+) \|", words_of("codesign.md"))
    places = len(told.partition(".")[2])
    cycles = system("trivium", radix=64, **choices)["cycles_per_128_bits"]
    assert told == f"{cycles:.{places}f}"


def test_every_row_of_cycles_is_tested() -> None:
    _, _, results = words_of("codesign.md").partition("## Results")
    rows = set(re.findall(r"\| ([^|]+) \| [\d.]+ \|", results))
    assert rows == {name for name, _ in SYSTEMS}


def test_speed_ups_of_systems_are_those_of_the_reference() -> None:
    asked, counted = (
        system("salsa20", interface="bus", stateless=stateless)["speedup_hw_sw"]
        for stateless in (True, False)
    )
    slow = system("phelix", interface="bus", driver="polling", wait_states=20, radix=16)
    unrolled = system("phelix", interface="bus", driver="polling", wait_states=20, radix=256)
    page = words_of("codesign.md")
    assert f"bus is {asked} times as fast as software if every block" in page
    assert f"and {counted} times if the core counts" in page
    assert f"Phelix at radix 16 is {slow['speedup_hw_sw']} times as fast" in page
    assert f"its core alone is {slow['speedup_hw']} times as fast" in page
    assert unrolled["speedup_hw_sw"] < 1.05 * slow["speedup_hw_sw"]


def test_settings_of_layouts_are_those_of_the_code() -> None:
    page = words_of("evaluation.md")
    _, longer, longest = (round(100 * part) for part in layout._LONGER)
    assert f"the rows are made {longer} % longer, and {longest} % in a last attempt" in page
    page = words_of("measurement.md")
    assert f"near each other (at most {clocktree._FANOUT}) share a clock buffer" in page
