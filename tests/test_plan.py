# SPDX-License-Identifier: Apache-2.0
"""Plans of what is to be measured."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from stored import Capture, pretend, result

from headwater.cli.main import main
from headwater.errors import InputError
from headwater.kinds.stepped.prng.shape import source_of
from headwater.measure.plan import Plan, read_plan
from headwater.measure.point import DesignPoint
from headwater.measure.settings import Settings
from headwater.measure.store import open_store

PLAN = """\
seeds = 3

[[grid]]
ciphers = ["trivium", "grain_v1"]
radices = [1, 8]
options = { stall = ["none", "stream"], clear = "none" }
targets = ["ecp5-25k", "osu018"]
objectives = ["area", "speed"]
"""


def plan(tmp_path: Path, text: str, tell: Callable[[str], None] = print) -> list[DesignPoint]:
    path = tmp_path / "plan.toml"
    path.write_text(text)
    return read_plan(path, tell)


def test_plan_is_every_combination(tmp_path: Path) -> None:
    points = plan(tmp_path, PLAN)
    assert len(points) == len(set(points)) == 2 * 2 * 2 * 2 * 2
    assert {at.settings for at in points if at.target.kind == "FPGA"} == {
        Settings(3, "area", clock_gating="none"),
        Settings(3, "speed", clock_gating="none"),
    }
    assert {at.settings.clock_gating for at in points if at.target.kind != "FPGA"} == {"auto"}
    assert {at.architecture["stall"] for at in points} == {"none", "stream"}


def test_plan_with_all_radices(tmp_path: Path) -> None:
    points = plan(
        tmp_path, '[[grid]]\nciphers = ["grain_v1"]\nradices = "all"\ntargets = ["ecp5-25k"]\n'
    )
    radices = [at.architecture.radix for at in points]
    assert radices == list(points[0].cipher.legal_radices())


def test_illegal_combination_of_a_plan_is_skipped_and_told(tmp_path: Path) -> None:
    told: list[str] = []
    grid = '[[grid]]\nciphers = ["trivium", "zuc"]\nradices = [8, 32]\ntargets = ["ecp5-25k"]\n'
    points = plan(tmp_path, grid, told.append)
    assert [(at.cipher.name, at.architecture.radix) for at in points] == [
        ("trivium", 8),
        ("trivium", 32),
        ("zuc", 32),
    ]
    (line,) = told
    assert line.startswith("skipped zuc radix 8: radix of zuc must be ")


SOURCES = """\
[[grid]]
ciphers = ["trivium", "bivium"]
random_bits = [64, 256]
instances = {instances}
targets = ["osu018"]
"""


@pytest.mark.parametrize(
    ("instances", "found"),
    [("[2]", [2, 2]), ("[1, 2]", [1, 2, 1, 2]), ('"splits"', [1, 1, 2, 4]), ('"ends"', [1, 1, 4])],
)
def test_plan_of_random_bits(tmp_path: Path, instances: str, found: list[int]) -> None:
    points = plan(tmp_path, SOURCES.format(instances=instances))
    for name in ("trivium", "bivium"):
        sources = [source_of(at.cipher, at.architecture) for at in points if at.cipher.name == name]
        assert [source.instances for source in sources if source] == found


def test_plan_of_cores_in_shares(tmp_path: Path) -> None:
    told: list[str] = []
    grid = """\
[[grid]]
ciphers = ["grain_v1", "mickey2"]
radices = [1, 4]
masking = ["none", "first"]
targets = ["osu018"]
"""
    points = plan(tmp_path, grid, told.append)
    assert [
        (at.cipher.name, at.architecture.radix, at.architecture.is_masked) for at in points
    ] == [
        *(("grain_v1", radix, shares) for shares in (False, True) for radix in (1, 4)),
        *(("mickey2", radix, False) for radix in (1, 4)),
    ]
    assert [line.partition(": ")[0] for line in told] == [
        "skipped mickey2 radix 1 in shares",
        "skipped mickey2 radix 4 in shares",
    ]
    shares = grid.replace("[1, 4]", '"all"').replace('"none", ', "").replace(', "mickey2"', "")
    assert [at.architecture.radix for at in plan(tmp_path, shares)] == [1, 2, 4, 8, 16]


def test_a_cipher_that_is_no_source_is_skipped_and_told(tmp_path: Path) -> None:
    told: list[str] = []
    grid = SOURCES.format(instances='"splits"').replace("bivium", "lizard")
    assert len(plan(tmp_path, grid, told.append)) == 4
    assert [line.partition(": ")[0] for line in told] == [
        "skipped 64 random bits of lizard",
        "skipped 256 random bits of lizard",
    ]


def test_settings_that_do_nothing_on_a_target_do_not_tell_points_apart(tmp_path: Path) -> None:
    grid = '\n[[grid]]\nciphers = ["trivium"]\ntargets = ["osu018", "spartan3", "ecp5-25k"]\n'
    one, other = plan(tmp_path, f"seeds = 1{grid}"), plan(tmp_path, f"seeds = 2{grid}")
    assert [first == second for first, second in zip(one, other, strict=True)] == [
        True,
        True,
        False,
    ]
    slow = plan(tmp_path, f"clock_mhz = 1{grid}")
    fast = plan(tmp_path, f"clock_mhz = 2{grid}")
    assert [first == second for first, second in zip(slow, fast, strict=True)] == [
        False,
        True,
        True,
    ]


GRID = '\n[[grid]]\nciphers = ["trivium"]\ntargets = ["{}"]\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seeds = 5" + GRID.format("osu018"), "seeds must come with a target that is placed"),
        ("clock_mhz = 9" + GRID.format("xc7"), "clock MHz must come with a target of standard "),
        (GRID.format("ecp5-25k") + 'recipes = ["yosys"]', "recipe must come with a target of st"),
        (GRID.format("xc7") + 'clock_gating = ["latch"]', "clock gating must come with a target"),
        ("seeds = " + 5000 * "9", "must be TOML: "),
        ("seeds = " + 5000 * "[", "must be TOML: "),
        ("[[grid]", "must be TOML: "),
        ("", "grid: Field required"),
        ("grid = []", "grid: List should have at least 1 item"),
        (PLAN.replace("radices", "radix"), "key must be one of ciphers, radices, "),
        (PLAN.replace("seeds", "seed"), "key must be one of seeds, clock_mhz, grid, not 'seed'"),
        (PLAN.replace("= 3", "= 0"), "seeds: Input should be greater than or equal to 1"),
        (PLAN.replace('"trivium"', '"trivum"'), "cipher must be one of "),
        (PLAN.replace('"area"', '"small"'), "objective must be one of balanced, area, "),
        (PLAN.replace("[1, 8]", "[7777]"), "radix of trivium must be "),
        (PLAN + "random_bits = [8]\n", "random_bits must come without radices, which they decide"),
        (PLAN + "instances = [2]\n", "instances must come with random_bits"),
        (PLAN + 'masking = ["second"]\n', "grid.0.masking.0: Input should be 'none' or 'first'"),
        (
            SOURCES.format(instances="[1]") + 'masking = ["first"]\n',
            "masking must come without random_bits and load_widths: a source has no shares, and",
        ),
        (SOURCES.format(instances='"all"'), "grid.0.instances."),
        (SOURCES.format(instances="[0]"), "grid.0.instances."),
        (
            SOURCES.format(instances='"splits"').replace('"trivium", "bivium"', '"zuc"'),
            "cipher of interface prng must be ",
        ),
        (PLAN.replace('targets = ["ecp5-25k", "osu018"]\n', ""), "each grid must have targets"),
    ],
)
def test_wrong_plan(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        plan(tmp_path, text)
    assert str(caught.value).startswith(f"plan {tmp_path / 'plan.toml'}")
    assert message in str(caught.value)


def test_published_schema_is_that_of_the_code() -> None:
    published = Path(__file__).parents[1] / "docs" / "plan.schema.json"
    assert json.loads(published.read_text()) == Plan.model_json_schema()


def test_points_of_a_plan_have_different_names(tmp_path: Path) -> None:
    """Whatever setting tells them apart."""
    path = tmp_path / "plan.toml"
    path.write_text("""\
[[grid]]
ciphers = ["trivium"]
targets = ["osu018", "ecp5-25k"]
objectives = ["area", "balanced"]
""")
    points = read_plan(path, print)
    assert len({str(point) for point in points}) == len(points) == 4
    assert str(points[0]).endswith("on osu018, objective area")


def test_dry_run_measures_nothing(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, lambda _at: pytest.fail("measured"))
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    assert main(["evaluate", "--plan", str(path), "--dry-run", "--wide"]) == 0
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 32
    assert "nothing is known of how long that would take" in printed.err
    with open_store() as opened:
        opened.keep(result("1"))
    assert main(["evaluate", "--plan", str(path), "--dry-run"]) == 0
    said = capsys.readouterr().err
    # Four of Trivium at radix 1 as the one that is stored, four eight times as wide, and eight of a
    # cipher that was never measured.
    assert "16 of them would take about 44 s, 1 at a time" in said
    assert "nothing is known of how long the other 16 would take" in said


def test_plan_or_points(capsys: Capture) -> None:
    assert main(["evaluate", "trivium", "--plan", "plan.toml"]) == 2
    assert "evaluate takes --plan or a cipher, not both" in capsys.readouterr().err
    assert main(["evaluate"]) == 2
    assert "evaluate must be given ciphers or --plan FILE" in capsys.readouterr().err
