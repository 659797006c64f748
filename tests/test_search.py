# SPDX-License-Identifier: Apache-2.0
"""The search for the best form of a core: what it tries, where it ends, and what it says."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from headwater.api import optimizing
from headwater.api.optimizing import Optimum, deadline, searched, searches
from headwater.cipher.catalogue import CATALOGUE
from headwater.cli import optimization
from headwater.cli.main import main
from headwater.errors import InputError, ToolError
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.measure.reference import FILE
from headwater.measure.run import Outcome
from headwater.measure.search import SERVICE, Search, goal_of
from headwater.measure.settings import Settings

HOW = {
    "form",
    "output",
    "authenticator",
    "controller",
    "sbox",
    "feedback",
    "fold",
    "buffer",
    "unroll",
    "digit",
    "setup",
    "stages",
    "layers",
    "rounds",
    "addition",
    "zeroing",
    "delay",
}
"""Options that decide how a core does what it does."""

Area = Callable[[DesignPoint], float]


def record(point: DesignPoint, area: float) -> Record:
    """The figures of a form of some area: a slow one, so that area decides."""
    made = point.architecture
    return {
        "cipher": point.cipher.name,
        "radix": made.radix,
        "load_width": made.load_width,
        "options": made.options,
        "target": point.target.name,
        "flow": {},
        "lut": None,
        "ge": area,
        "area": area,
        "area_unit": "GE",
        "throughput_mbps": 100.0,
        "mbps_per_area": round(100 / area, 4),
        "fmax_mhz": {"median": 100.0},
        "energy_pj_per_bit": area / 10,
    }


class Measured:
    """A measurement that takes no time; it fails where the area is zero."""

    def __init__(self, area: Area) -> None:
        self._area = area
        self.points: list[DesignPoint] = []

    def __call__(self, points: Sequence[DesignPoint], *_: Any, **__: Any) -> Iterator[Outcome]:
        for point in points:
            self.points.append(point)
            area = self._area(point)
            found = record(point, area) if area else None
            yield Outcome(point, found, "" if found else "no room")


def area_of_choices(**saved: int) -> Area:
    """1000 less what each choice saves, by ``option_value``."""

    def area(point: DesignPoint) -> float:
        chosen = (f"{name}_{value}" for name, value in point.architecture.options.items())
        return 1000 - sum(saved.get(choice, 0) for choice in chosen)

    return area


def search(load_widths: Sequence[int] = (), **given: str) -> Search:
    settings = Settings(objective=given.pop("objective", "balanced"))
    (made,) = searches("grain128aead", [4], "osu018", load_widths, given, settings, print)
    return made


def never() -> bool:
    return False


def found(area: Area, asked: Search | None = None) -> tuple[Optimum, Measured]:
    measure = Measured(area)
    return searched(asked or search(), measure, never), measure


def test_every_option_is_known_to_the_search() -> None:
    names = {option.name for cipher in CATALOGUE.values() for option in cipher.options}
    assert names == SERVICE | HOW


def test_choices_are_taken_one_after_the_other_as_long_as_one_is_better() -> None:
    saves = area_of_choices(controller_shift=50, output_split=70, stall_none=500, clear_none=500)
    optimum, measure = found(saves)
    assert (
        optimum.best["options"] | {"controller": "shift", "output": "split"}
        == (optimum.best["options"])
    )
    assert optimum.best["ge"] == 1000 - 120
    assert optimum.is_whole
    assert optimum.gain == pytest.approx(0.1136 / 0.1)
    assert len(set(measure.points)) == len(measure.points) == len(optimum.records)
    first = measure.points[0].architecture
    assert optimum.asked["options"] == first.options
    kept = {
        (made.architecture.stall, made.architecture.clear, made.architecture["direction"])
        for made in measure.points
    }
    assert kept == {("stream", "shift", "both")}
    areas = [one["ge"] for one in optimum.records]
    assert areas == sorted(areas)
    assert [one["non_dominated"] for one in optimum.records] == [area == areas[0] for area in areas]
    # In the first step all but one choice are as asked for.
    for made in measure.points[1:5]:
        differ = [
            name
            for name in first.options | made.architecture.options
            if made.architecture[name] != first[name]
        ]
        assert len(differ) == 1


def test_what_is_asked_for_stays() -> None:
    saves = area_of_choices(controller_shift=50, output_split=70, form_galois=10)
    optimum, measure = found(saves, search(output="plain"))
    assert {point.architecture["output"] for point in measure.points} == {"plain"}
    assert optimum.best["ge"] == 1000 - 60


def test_load_widths_are_tried_only_where_they_are_given() -> None:
    def area(point: DesignPoint) -> float:
        return 1000 - point.architecture.load_width

    optimum, measure = found(area)
    assert {point.architecture.load_width for point in measure.points} == {8}
    assert optimum.gain == 1
    optimum, measure = found(area, search((8, 16, 32, 7)))
    assert {point.architecture.load_width for point in measure.points} == {8, 16, 32}
    assert optimum.best["load_width"] == 32


def test_a_form_that_cannot_be_measured_is_no_answer_but_is_told() -> None:
    def area(point: DesignPoint) -> float:
        return 0 if point.architecture["form"] == "galois" else 1000

    optimum, _ = found(area)
    assert optimum.records.failures == ("no room",)
    assert optimum.best["options"]["form"] == "fibonacci"
    with pytest.raises(ToolError, match=r"^no room$"):
        found(lambda _: 0)


def test_a_form_that_does_not_fit_is_no_answer_but_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def area(point: DesignPoint) -> float:
        return 100 if point.architecture["form"] == "galois" else 1000

    def limited(point: DesignPoint, area: float) -> Record:
        return made(point, area) | {"too_large": "no LUT is left" if area == 100 else None}

    made = record
    monkeypatch.setattr(sys.modules[__name__], "record", limited)
    optimum, _ = found(area)
    assert optimum.best["options"]["form"] == "fibonacci"
    assert [told.endswith("does not fit: no LUT is left") for told in optimum.records.failures] == [
        True
    ]


def test_the_search_ends_with_its_time_and_goes_on() -> None:
    saves = area_of_choices(controller_shift=50, output_split=70)
    asked, measure = search(), Measured(saves)
    optimum = searched(asked, measure, lambda: len(measure.points) >= 3)
    assert (len(measure.points), optimum.is_whole) == (3, False)
    assert not searched(asked, measure, lambda: len(measure.points) >= 4).is_whole
    optimum = searched(asked, measure, never)
    assert (optimum.best["ge"], optimum.is_whole) == (880, True)
    assert len(set(measure.points)) == len(measure.points)
    over = deadline(1e-9)
    assert over()
    assert not deadline(None)()
    with pytest.raises(InputError, match=r"^minutes must be more than 0, not 0$"):
        deadline(0)


def test_goals() -> None:
    (point,) = search().batch()
    one = record(point, 500.0)
    goals = {name: goal_of(one, name) for name in ("balanced", "area", "speed", "power")}
    assert goals == {"balanced": 0.2, "area": -500, "speed": 100, "power": -50}
    without = one | {"throughput_mbps": None, "mbps_per_area": None, "energy_pj_per_bit": None}
    assert goal_of(without, "balanced") == -500
    with pytest.raises(InputError, match=r"^objective must be measured on osu018, not 'power'$"):
        goal_of(without, "power")
    optimum, _ = found(area_of_choices(output_split=500), search(objective="power"))
    assert optimum.gain == pytest.approx(2)


def test_a_goal_of_the_caller_comes_before_the_objective(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    measure = Measured(area_of_choices(controller_shift=50, output_split=70))
    monkeypatch.setattr(optimizing, "evaluate_all", measure)
    optimum = optimizing.optimize(
        "grain128aead",
        4,
        target="osu018",
        goal=lambda record: record["ge"],
        only=lambda made: made["authenticator"] == "isolated",
        store=tmp_path / "store.sqlite",
        form="galois",
    )
    assert {point.architecture["authenticator"] for point in measure.points} == {"isolated"}
    assert optimum.best["ge"] == 1000
    assert optimum.best["options"]["output"] == "plain"
    assert optimum.records[-1]["ge"] == 1000 - 70
    assert optimum.gain == 1


def test_a_search_among_what_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWATER_REFERENCE", str(FILE))
    optimum = optimizing.optimize("trivium", 1, measure=False)
    assert optimum.best == optimum.asked
    (record,) = optimum.records
    assert record["options"]["form"] == "fibonacci"
    assert list(optimum.records.failures) == [
        f"trivium radix 1, load width 1, stall=stream clear=shift {choice} on ecp5-25k is not "
        "stored"
        for choice in ("form=galois", "form=ahead", "form=fibonacci delay=ram")
    ]
    with pytest.raises(ToolError, match=r"^trivium radix 63, .* on ecp5-25k is not stored$"):
        optimizing.optimize("trivium", 63, measure=False)


def test_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    monkeypatch.setenv("HEADWATER_STORE", str(tmp_path / "store"))
    monkeypatch.setattr(optimization, "measured", Measured(area_of_choices(output_split=70)))
    words = ["optimize", "grain128aead", "--radix", "4,8", "--target", "osu018"]
    assert main([*words, "--wide"]) == 0
    said = capsys.readouterr()
    assert "Optimizing grain128aead at radix 8 on osu018, objective balanced" in said.err
    rows = [line.split() for line in said.out.splitlines() if "output=split " in line]
    assert rows[0][:3] == ["4", "output=split", "930"]
    assert "At radix 8 output=split is 7.5 % better than the form" in said.out
    assert "headwater generate grain128aead --radix 4 --load-width 8 --option output=split" in (
        said.out
    )
    assert main([*words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [one["best"]["ge"] for one in data] == [930, 930]
    assert all(one["is_whole"] and one["gain"] == 1.075 for one in data)
    without_galois = Measured(lambda point: point.architecture["form"] != "galois")
    monkeypatch.setattr(optimization, "measured", without_galois)
    assert main(words) == 2
    assert capsys.readouterr().err.endswith("headwater: no room\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["grain"], "cipher must be one of"),
        (["trivium", "--target", "mars"], "target must be one of"),
        (["trivium", "--minutes", "0"], "minutes must be more than 0, not 0"),
        (
            ["trivium", "--option", "form=round"],
            "option form must be one of fibonacci, galois, ahead, not 'round'",
        ),
        (["trivium", "--load-width", "x"], "load width must be whole numbers with commas between"),
        (["trivium", "--columns", "color"], "column must be one of"),
    ],
)
def test_refusals(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    assert main(["optimize", *words]) == 2
    told = capsys.readouterr()
    assert told.err.startswith(f"headwater: {message}")
    assert told.out == ""
