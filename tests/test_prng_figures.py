# SPDX-License-Identifier: Apache-2.0
"""Sources of random bits as design points: what is measured, and how results name it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from command_line import Capture, refused
from needs import needs_iverilog

from headwater.api.choosing import contenders
from headwater.cipher.catalogue import CATALOGUE
from headwater.cli.main import main
from headwater.flow.fpga.cells import Cells
from headwater.flow.gatebench import LOAD_FILE, Bench
from headwater.kinds.stepped.prng.shape import PrngShape, source_of, splits
from headwater.measure import fpga
from headwater.measure.facts import facts_at
from headwater.measure.figures import Figures, Frequency
from headwater.measure.identity import rtl_identity
from headwater.measure.point import DesignPoint
from headwater.measure.record import design_point_of, stage_of
from headwater.measure.replicate import point_of
from headwater.measure.stimulus import stimulus
from headwater.measure.store import Result, now, open_store
from headwater.measure.sweep import Sweep
from headwater.measure.target import FpgaTarget, find
from headwater.measure.work import write_rtl
from headwater.report.choose import Wish, choose_among, command, explanation
from headwater.report.figures_table import figure_columns, figures_tables

TRIVIUM = CATALOGUE["trivium"]


def source(bits: int, instances: int = 1) -> PrngShape:
    return PrngShape.choose(TRIVIUM, bits, instances=instances)


def point(shape: PrngShape, target: str = "osu018") -> DesignPoint:
    return DesignPoint(TRIVIUM, shape.choices, find(target))


def record(at: DesignPoint, **figures: Any) -> dict[str, Any]:
    clock = Frequency.over([100.0])
    return Figures(at, "", {}, clock, None, **figures).as_json()


@pytest.mark.parametrize(("instances", "proven"), [(1, False), (2, True)])
def test_mapping_of_steps_far_beyond_the_natural_radix_is_not_proven(
    monkeypatch: pytest.MonkeyPatch, instances: int, proven: bool
) -> None:
    asked: list[bool] = []

    def synthesise(*_given: object, checked: bool) -> Cells:
        asked.append(checked)
        return Cells(lut=1, ff=1)

    monkeypatch.setattr(fpga, "synthesise", synthesise)
    at, target = point(source(512, instances), "xc7"), find("xc7")
    assert isinstance(target, FpgaTarget)
    found = fpga.evaluate_on_fpga(at, target, write_rtl(TRIVIUM, at.architecture))
    assert set(asked) == {proven}
    assert ("mapping" in found.settings) is not proven


@needs_iverilog
@pytest.mark.parametrize("extras", [{}, {"reset": "async", "state_port": True}, {"lockup": "none"}])
def test_what_is_measured_gives_the_words_of_the_model(
    tmp_path: Path, extras: dict[str, Any]
) -> None:
    """Two instances, of whose bits one is not used, behind the ports of a core."""
    choices = PrngShape.choose(TRIVIUM, 31, instances=2, **extras).choices
    given, made = stimulus(TRIVIUM, choices, 20), write_rtl(TRIVIUM, choices)
    ports = {port.name: port.width for port in made.ports}
    bench = Bench(made.name, ports, len(given.load_words), 0, 20, 1000, watch=False)
    (tmp_path / LOAD_FILE).write_text("".join(f"{word:x}\n" for word in given.load_words))
    (tmp_path / "bench.v").write_text(bench.text() + made.text)
    subprocess.run(["iverilog", "-g2005", "-o", "b", "bench.v"], cwd=tmp_path, check=True)
    log = subprocess.run(
        ["vvp", "-n", "b"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    lines = [line.split() for line in log.splitlines()]
    assert tuple(int(word, 16) for kind, word in lines if kind == "word") == given.words
    moments = {kind: int(time) for kind, time in lines if kind in ("setup", "running")}
    cycles = (moments["running"] - moments["setup"]) // 2
    # The first bits are offered a cycle after the setup; a seed word is taken with its second part.
    assert cycles + 1 == facts_at(TRIVIUM, choices).setup_cycles + 1


def test_a_source_is_known_by_its_choices() -> None:
    shape = source(64, 2)
    found = source_of(TRIVIUM, shape.choices)
    assert found == shape
    assert source_of(TRIVIUM, shape.architecture) is None
    several: list[dict[str, Any]] = [{"reset": "async"}, {"state_port": True}, {"lockup": "none"}]
    for extras in (*several, several[0] | several[1] | several[2]):
        other = PrngShape.choose(TRIVIUM, 64, instances=2, **extras)
        assert source_of(TRIVIUM, other.choices) == other != shape
    assert facts_at(TRIVIUM, shape.choices).bits_per_cycle == 64
    assert facts_at(TRIVIUM, shape.choices).message_cycles(65) == 2
    identities = {
        rtl_identity(TRIVIUM, one)
        for one in (shape.choices, shape.architecture, source(64).choices)
    }
    assert len(identities) == 3


def test_a_record_of_a_source() -> None:
    made = record(point(source(64, 2)), ge=5000.0, ff_ge=4.0)
    assert (made["random_bits"], made["instances"], made["bits_per_cycle"]) == (64, 2, 64)
    assert (made["output_register_ff"], made["output_register_ge"]) == (64, 256.0)
    assert made["throughput_mbps"] == 6400.0
    assert stage_of(made) == "synthesis, random bits"
    other = record(point(source(63, 2)))
    assert design_point_of(made) != design_point_of(other)
    assert point_of(made, find("osu018")) == point(source(64, 2))


@pytest.mark.parametrize("more", [{"state_port": True}, {"lockup": "none"}])
def test_sources_with_extras_are_not_chosen_among_others(more: dict[str, Any]) -> None:
    extras = PrngShape.choose(TRIVIUM, 64, **more)
    made = [record(point(one), ge=ge) for one, ge in ((extras, 1.0), (source(64), 2.0))]
    assert [one.record for one in choose_among(made, Wish("osu018", random_bits=64))] == made[1:]


def test_cores_are_not_chosen_among_sources() -> None:
    made = record(point(source(64)), ge=1.0)
    core = record(DesignPoint(TRIVIUM, source(64).architecture, find("osu018")), ge=2.0)
    assert "random_bits" not in core
    found = choose_among([made, core], Wish("osu018", bits_per_cycle=8))
    assert [one.record for one in found] == [core]


def test_the_smallest_source_that_is_fast_enough_is_chosen() -> None:
    made = [record(point(source(64, count)), ge=ge) for count, ge in ((1, 5000.0), (2, 7000.0))]
    made[0]["fmax_mhz"]["median"] = 90.0
    made.append(record(point(source(63)), ge=1.0))
    wish = Wish("osu018", random_bits=64, min_mhz=95.0)
    best, slow = choose_among(made, wish)
    assert (best.record["instances"], best.lost) == (2, "")
    assert slow.lost == "MHz 90 < 95"
    assert command(best.record) == (
        "headwater generate trivium --interface prng --random-bits 64 --instances 2 -o build"
    )
    assert explanation([best, slow], wish)[0] == (
        "trivium, 2 cores at radix 32 is the smallest of 1 stored sources on osu018 that give 64 "
        "random bits in each cycle, MHz >= 95, a cipher that is not broken: 7000 GE, 6400 Mbit/s."
    )


def test_splits_end_at_the_natural_radix() -> None:
    found = [(one.instances, one.architecture.radix) for one in splits(TRIVIUM, 800)]
    assert found == [(1, 800), (2, 400), (4, 200), (8, 100), (13, 62)]


def test_splits_end_where_cores_cannot_be_numbered() -> None:
    """Espresso could be split on, as its natural radix is 1, but one IV bit tells two cores apart
    only."""
    found = [(one.instances, one.architecture.radix) for one in splits(CATALOGUE["espresso"], 8)]
    assert found == [(1, 8), (2, 4), (4, 2)]


def test_sources_that_may_win() -> None:
    """No broken cipher, none that cannot make so many bits, none that takes a core for each."""
    found = contenders(Wish("osu018", random_bits=64))
    names = {one.cipher.name for one in found}
    assert {"trivium", "grain128a", "espresso"} <= names
    assert not names & {"bivium", "mickey2", "lizard"}
    weak = contenders(Wish("osu018", random_bits=64, allow_broken=True))
    assert "bivium" in {one.cipher.name for one in weak}


def test_choose_says_what_is_not_stored(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    """Of the sources that may win, one is stored; it is fast enough."""
    monkeypatch.setenv("HEADWATER_STORE", str(tmp_path / "store.sqlite"))
    choices = ("--random-bits", "64", "--min-mhz", "50", "--target", "osu018")
    refused(
        capsys,
        ("choose", *choices),
        "no source of 64 random bits is stored of target osu018; measure it, or evaluate "
        "something there",
    )
    with open_store() as store:
        store.keep(Result("a", {"id": "a", **record(point(source(64)), ge=5000.0)}, 1.0, now()))
    assert main(["choose", *choices, "--columns", "cipher,cores,MHz,why not"]) == 0
    printed = capsys.readouterr()
    assert "sources that may win are not stored; choose --measure measures them" in printed.err
    assert "the winner" in printed.out


def test_tables_have_the_cost_of_the_output_register() -> None:
    at = point(source(64))
    (table,) = figures_tables([record(at, ge=5000.0, ff_ge=4.0)])
    assert list(table.columns) == figure_columns([at])
    assert table.rows[0][-3:] == [1, 64, 256.0]


def test_a_sweep_of_sources() -> None:
    told: list[str] = []
    sweep = Sweep(
        ciphers=["bivium", "lizard"],
        targets=[find("osu018")],
        random_bits=(8, 64),
        instances=(1, 2, 9),
    )
    found = [source_of(one.cipher, one.architecture) for one in sweep.points(told.append)]
    assert [(one.random_bits, one.instances) for one in found if one] == [
        (8, 1),
        (8, 2),
        (64, 1),
        (64, 2),
        (64, 9),
    ]
    assert len(told) == 7


def test_evaluate_names_the_points(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    monkeypatch.setenv("HEADWATER_STORE", str(tmp_path / "none.sqlite"))
    words = ("--random-bits", "8", "--instances", "1,2", "--target", "osu018", "--dry-run")
    assert main(["evaluate", "trivium", "--wide", *words]) == 0
    one, other = capsys.readouterr().out.splitlines()
    assert "random_bits=8 instances=1" in one
    assert "random_bits=8 instances=2" in other


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--random-bits", "8", "--radix", "8"),
            (
                "--radix must come without --random-bits; it follows from the number of bits and "
                "instances"
            ),
        ),
        (("--instances", "2"), "--instances must come with --random-bits"),
        (("--random-bits", "x"), "random bits must be whole numbers with commas between, not 'x'"),
        (("--random-bits", "0"), "random bits must be between 1 and 1024, not 0"),
    ],
)
def test_refusals(capsys: Capture, words: tuple[str, ...], message: str) -> None:
    refused(capsys, ("evaluate", "trivium", *words), message)
