# SPDX-License-Identifier: Apache-2.0
"""Choosing a design point among those that are stored."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from headwater.api.choosing import contenders
from headwater.cipher.catalogue import CATALOGUE
from headwater.cli.main import main
from headwater.cli.rows import filled_command
from headwater.core.architecture import Architecture
from headwater.kinds.registry import facts_of
from headwater.measure.figures import Figures, Frequency
from headwater.measure.pareto import mark_pareto
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record, area_of, area_unit_of, mbps_per_area_of
from headwater.measure.store import Result, now, open_store
from headwater.measure.target import TARGETS
from headwater.report.between import estimates
from headwater.report.choose import Wish, choose_among, command, explanation, unusual

Capture = pytest.CaptureFixture[str]
ECP5 = "ecp5-25k"


def record(
    name: str, radix: int, lut: int, fmax: float = 100.0, ff: int = 7, **options: str
) -> Record:
    cipher = CATALOGUE[name]
    made = Architecture.choose(cipher, radix=radix, options=options)
    at = DesignPoint(cipher, made, TARGETS[ECP5])
    return Figures(at, "", {}, Frequency.over([fmax]), ("", ""), lut=lut, ff=ff).as_json()


RECORDS = [
    record("trivium", 1, 25),
    record("trivium", 8, 110),
    record("trivium", 64, 780),
    record("grain_v1", 8, 90),
    record("a51", 1, 20),
    record("zuc", 32, 1200),
]


def ranked(**wish: Any) -> list[tuple[str, int, str]]:
    return [
        (one.record["cipher"], one.record["radix"], one.lost)
        for one in choose_among(RECORDS, Wish(ECP5, **wish))
    ]


def test_the_smallest_that_does_wins() -> None:
    assert ranked(bits_per_cycle=8) == [
        ("grain_v1", 8, ""),
        ("trivium", 8, "55 slices, 1.22 times the winner's"),
        ("trivium", 64, "390 slices, 8.67 times the winner's"),
        ("zuc", 32, "600 slices, 13.33 times the winner's"),
        ("trivium", 1, "bits per cycle 1 < 8"),
        ("a51", 1, "bits per cycle 1 < 8; is broken"),
    ]


@pytest.mark.parametrize(
    ("wish", "winner"),
    [
        ({"bits_per_cycle": 1, "allow_broken": True}, ("a51", 1)),
        ({"bits_per_cycle": 1}, ("trivium", 1)),
        ({"max_area": 1000}, ("trivium", 1)),
        ({"throughput_mbps": 3000.0}, ("trivium", 64)),
        ({"bits_per_cycle": 1, "key_bits": 128}, ("zuc", 32)),
        ({"bits_per_cycle": 2, "max_setup_cycles": 25}, ("trivium", 64)),
        ({"bits_per_cycle": 2, "options": {"stall": "none"}}, None),
        ({"bits_per_cycle": 2, "max_energy_pj": 5.0}, None),
        ({"bits_per_cycle": 8, "max_area": 40}, None),
    ],
)
def test_wishes(wish: dict[str, Any], winner: tuple[str, int] | None) -> None:
    name, radix, lost = ranked(**wish)[0]
    assert (None if lost else (name, radix)) == winner, lost


def test_flip_flops_are_area() -> None:
    """Few LUTs do not make a core small whose flip-flops fill more slices."""
    found = [record("trivium", 1, 25, ff=305), record("grain_v1", 1, 47, ff=175)]
    first, second = choose_among(found, Wish(ECP5, bits_per_cycle=1))
    assert (first.record["cipher"], first.area) == ("grain_v1", 88)
    assert (second.area, second.record["area_unit"]) == (153, "slice")
    front = mark_pareto([record("trivium", 1, 25, ff=305), record("grain_v1", 1, 47, 101, ff=175)])
    assert [one["non_dominated"] for one in front] == [False, True]


@pytest.mark.parametrize(
    ("target", "area", "unit"),
    [
        ("ecp5-25k", 20, "slice"),
        ("ice40-hx8k", 40, "logic cell"),
        ("gowin-gw1n9", 27, "slice"),
        ("gatemate-a1", 20, "element"),
        ("spartan3", 20, "slice"),
        ("xc7", 5, "slice"),
    ],
)
def test_area_is_what_the_family_spends(target: str, area: int, unit: str) -> None:
    moved = {**record("trivium", 1, 10, ff=40), "target": target}
    assert (area_of(moved), area_unit_of(moved)) == (area, unit)
    assert mbps_per_area_of(moved) == round(100.0 / area, 4)


@pytest.mark.parametrize(
    ("member", "lost"), [("too_large", "does not fit: R"), ("not_routed", "not routed: R")]
)
def test_what_is_unfit_never_wins(member: str, lost: str) -> None:
    unfit = {**record("trivium", 8, 80), "fmax_mhz": None, "throughput_mbps": None, member: "R"}
    found = choose_among([unfit, record("grain_v1", 8, 90)], Wish(ECP5, bits_per_cycle=8))
    assert [(one.record["cipher"], one.lost) for one in found] == [
        ("grain_v1", ""),
        ("trivium", lost),
    ]
    front = mark_pareto([unfit, record("grain_v1", 8, 90)])
    assert [one["non_dominated"] for one in front] == [False, True]


def test_the_choice_is_explained() -> None:
    wish = Wish(ECP5, bits_per_cycle=8)
    told = explanation(choose_among(RECORDS, wish), wish)
    asked = "bits per cycle >= 8, a cipher that is not broken"
    best = f"grain_v1 at radix 8 is the smallest of 4 stored cores on {ECP5}"
    assert told == [
        f"{best} that give {asked}: 45 slices, 800 Mbit/s.",
        "Runner-up: trivium at radix 8: 55 slices, 1.22 times the winner's.",
        "2 other stored cores do not give it.",
    ]


def test_every_reason_is_told() -> None:
    found = {
        (name, radix): lost for name, radix, lost in ranked(bits_per_cycle=2, max_energy_pj=1.0)
    }
    assert found["a51", 1] == "bits per cycle 1 < 2; pJ/bit is not measured there; is broken"


def test_last_record_of_a_point_counts() -> None:
    better = [*RECORDS, record("trivium", 8, 10)]
    assert choose_among(better, Wish(ECP5, bits_per_cycle=8))[0].area == 5


def test_a_core_of_several_sessions_is_for_who_asks_for_them() -> None:
    cores = [record("zuc", 32, 1200), record("zuc", 32, 1100, streams="4")]
    plain, several = choose_among(cores, Wish(ECP5, bits_per_cycle=8))
    assert "streams" not in plain.record["options"]
    assert several.lost == "4 sessions in turn share its rate (streams=4)"
    several, plain = choose_among(cores, Wish(ECP5, options={"streams": "4"}))
    assert (several.lost, plain.lost) == ("", "streams=1")
    assert command(several.record).endswith("--option streams=4 -o build")
    found = choose_among([*cores, record("a51", 1, 20)], Wish(ECP5, options={"streams": "1"}))
    assert [one.lost for one in found] == ["", "streams=4", "is broken; has no option streams"]


def test_command_generates_the_core(tmp_path: Any, capsys: Capture) -> None:
    words = command(record("trivium", 8, 1, stall="none")).split()
    expected = "headwater generate trivium --radix 8 --load-width 8 --option stall=none -o build"
    assert words == expected.split()
    assert main([*words[1:-1], str(tmp_path)]) == 0
    assert capsys.readouterr().out.strip().endswith("trivium_r8.v")


@pytest.mark.parametrize(("seed_width", "more"), [("32", ""), ("64", " --seed-width 64")])
def test_command_generates_the_source(seed_width: str, more: str) -> None:
    source = {
        "cipher": "trivium",
        "radix": 8,
        "random_bits": 8,
        "instances": 1,
        "options": {"seed_width": seed_width},
    }
    made = "headwater generate trivium --interface prng --random-bits 8 --instances 1"
    assert command(source) == f"{made}{more} -o build"


def test_a_long_command_goes_on_in_further_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = command(record("trivium", 8, 1, stall="none", clear="none"))
    monkeypatch.setenv("COLUMNS", "50")
    lines = filled_command(whole).splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= 50
    said = subprocess.run(
        ["sh", "-c", "echo " + "\n".join(lines)], capture_output=True, text=True, check=True
    )
    assert said.stdout == f"{whole}\n"


def test_from_the_store(capsys: Capture) -> None:
    assert main(["choose", "--bits-per-cycle", "8"]) == 2
    assert "nothing is stored of target ecp5-25k; measure it, or" in capsys.readouterr().err
    _keep(*RECORDS)
    assert main(["choose", "--bits-per-cycle", "8", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["winner"]["cipher"] == "grain_v1"
    assert found["command"] == "headwater generate grain_v1 --radix 8 --load-width 8 -o build"
    assert len(found["lost"]) == 5
    assert main(["choose", "--bits-per-cycle", "8"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == found["command"]
    assert main(["choose", "--bits-per-cycle", "999"]) == 1
    printed = capsys.readouterr()
    assert "nothing that is stored gives what is asked for" in printed.err
    assert "Nearest: trivium at radix 1: bits per cycle 1 < 999." in " ".join(printed.out.split())


def test_between_two_that_are_stored() -> None:
    """4 of the 7 bits from radix 1 to 8: 25 + 85 * 4 / 7 LUT, 100 + 35 * 4 / 7 MHz."""
    stored = [record("trivium", 1, 25), record("trivium", 8, 110, fmax=135.0)]
    (found,) = estimates(stored, Wish(ECP5, bits_per_cycle=5))
    assert (found.record["lut"], found.record["ff"]) == (74, 7)
    assert found.area == 37
    assert found.measured_areas == (13, 55)
    assert found.record["throughput_mbps"] == 5 * 120.0
    core = CATALOGUE["trivium"], Architecture.choose(CATALOGUE["trivium"], radix=5)
    assert found.record["setup_cycles"] == facts_of(*core).setup_cycles
    assert found.command == "headwater evaluate trivium --radix 5 --load-width 5 --target ecp5-25k"


def test_the_rate_between_two_follows_from_both() -> None:
    """At 100 MHz throughout, 350 Mbit/s take four bits in a cycle."""
    stored = [record("trivium", 1, 25), record("trivium", 8, 110)]
    (found,) = estimates(stored, Wish(ECP5, throughput_mbps=350.0))
    assert found.point.architecture.radix == 4


@pytest.mark.parametrize(
    "wish",
    [
        {"bits_per_cycle": 1},
        {"bits_per_cycle": 8},
        {"bits_per_cycle": 9},
        {"max_area": 30},
        {"bits_per_cycle": 5, "key_bits": 128},
        {"bits_per_cycle": 5, "max_energy_pj": 9.0},
        {"random_bits": 5},
    ],
)
def test_nothing_is_estimated_outside_of_what_is_stored(wish: dict[str, Any]) -> None:
    """The narrower gives it, the wider is the first that gives it, or neither does."""
    stored = [record("trivium", 1, 25), record("trivium", 8, 110)]
    found = estimates(stored, Wish(ECP5, **wish))
    assert [one.point.architecture.radix for one in found] == []


def test_cores_of_other_options_are_not_mixed() -> None:
    stored = [record("trivium", 1, 25), record("trivium", 8, 110, stall="none")]
    assert estimates(stored, Wish(ECP5, bits_per_cycle=5)) == []
    more = [*stored, record("trivium", 1, 20, stall="none")]
    (found,) = estimates(more, Wish(ECP5, bits_per_cycle=5))
    assert found.command.endswith("--option stall=none --target ecp5-25k")


def test_what_tells_rows_apart() -> None:
    assert unusual(record("grain_v1", 8, 90, form="ahead")) == {}, "the default on FPGAs"
    assert unusual(record("grain_v1", 8, 90)) == {"form": "fibonacci"}
    plain = record("trivium", 8, 90, stall="none")
    more = {**plain, "flow": {**plain["flow"], "seeds": 3}}
    assert unusual(more) == {"stall": "none", "seeds": "3"}


def test_an_estimate_is_printed_with_its_command(capsys: Capture) -> None:
    _keep(record("trivium", 1, 25), record("trivium", 8, 110))
    assert main(["choose", "--bits-per-cycle", "5"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "trivium at radix 8 is the smallest of 1 stored cores" in printed
    assert "Estimates lie between two measured radices." in printed
    assert printed.endswith("headwater evaluate trivium --radix 5 --load-width 5 --target ecp5-25k")
    assert main(["choose", "--bits-per-cycle", "5", "--json"]) == 0
    (estimate,) = json.loads(capsys.readouterr().out)["estimates"]
    assert (estimate["measured_radices"], estimate["estimated_area"]) == ([1, 8], 37)


def test_the_command_of_an_estimate_measures_its_point(capsys: Capture) -> None:
    _keep(record("trivium", 1, 25), record("trivium", 8, 110))
    (found,) = estimates(
        [record("trivium", 1, 25), record("trivium", 8, 110)], Wish(ECP5, bits_per_cycle=5)
    )
    capsys.readouterr()
    assert main([*found.command.split()[1:], "--dry-run", "--wide"]) == 0
    assert capsys.readouterr().out.strip() == str(found.point)


def test_a_target_of_which_nothing_is_stored(capsys: Capture) -> None:
    """Another one tells which are small there, and is named; nothing is chosen."""
    _keep(*RECORDS)
    assert main(["choose", "--bits-per-cycle", "8", "--target", "ice40-up5k"]) == 1
    printed = capsys.readouterr()
    told = " ".join(printed.out.split())
    assert "Nothing is stored of ice40-up5k. On ecp5-25k, which is another target:" in told
    assert "grain_v1 at radix 8 is the smallest" in told
    assert "headwater generate" not in told
    assert "may win are not stored; choose --measure measures them" in printed.err
    assert main(["choose", "--bits-per-cycle", "8", "--target", "ice40-up5k", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["winner"], found["command"]) == (None, None)
    assert found["elsewhere"]["cipher"] == "grain_v1"


def test_a_dry_run_names_what_would_be_measured(capsys: Capture) -> None:
    _keep(record("trivium", 8, 110))
    asked = ["choose", "--bits-per-cycle", "8", "--dry-run"]
    assert main([*asked, "--json"]) == 0
    printed = capsys.readouterr()
    named = json.loads(printed.out)
    assert any(one.startswith("grain_v1 radix 8,") for one in named)
    assert f"{len(named)} design point(s)" in printed.err
    assert main([*asked, "--measure"]) == 2
    assert "not allowed with argument" in capsys.readouterr().err


def _keep(*records: Record) -> None:
    with open_store() as store:
        for place, one in enumerate(records):
            store.keep(Result(str(place), json.loads(json.dumps(one)), 1.0, now()))


def test_an_option_that_a_radix_cannot_have_excludes_that_radix_alone() -> None:
    """Espresso has no `galois` at its narrow radices, other ciphers have it there."""
    wish = Wish("osu018", bits_per_cycle=1, options={"form": "galois"})
    found = {at.cipher.name: at.architecture.radix for at in contenders(wish)}
    assert found["grain_v1"] == 1
    assert found.get("espresso") != 1


def test_something_must_be_asked_for(capsys: Capture) -> None:
    assert main(["choose"]) == 2
    told = "choose must be given a limit, such as a throughput or a largest area"
    assert told in capsys.readouterr().err


def test_a_rate_is_more_than_nothing(capsys: Capture) -> None:
    assert main(["choose", "--throughput", "0"]) == 2
    assert capsys.readouterr().err == "headwater: throughput must be more than 0, not 0\n"
