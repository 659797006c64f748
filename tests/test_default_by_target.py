# SPDX-License-Identifier: Apache-2.0
"""Options whose default is another one on FPGAs, since it was measured to be better there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from stored import Capture

from headwater.api.choosing import contenders
from headwater.api.ciphers import cipher
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cli.main import main
from headwater.measure.layers import read_layered
from headwater.measure.plan import read_plan
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.measure.sweep import Sweep
from headwater.measure.target import find
from headwater.report.choose import Wish

ELSEWHERE = [one for one in CATALOGUE.values() if one.best_on_fpga]
BOTH = [find("ecp5-25k"), find("osu018")]


def forms(points: list[DesignPoint]) -> dict[str, str]:
    """The form of the S-box by target."""
    return {at.target.name: at.architecture["sbox"] for at in points}


def test_a_sweep_and_a_plan_choose_by_target(tmp_path: Path) -> None:
    by_target = {"ecp5-25k": "table", "osu018": "algebraic"}
    assert forms(Sweep(ciphers=["snow3g"], targets=BOTH).points(print)) == by_target
    path = tmp_path / "plan.toml"
    path.write_text('[[grid]]\nciphers = ["snow3g"]\ntargets = ["ecp5-25k", "osu018"]\n')
    assert forms(read_plan(path, print)) == by_target


@pytest.mark.parametrize(
    ("radix", "load_width", "options", "form"),
    [
        (8, None, {}, "ahead"),
        (8, 8, {}, "fibonacci"),
        (64, None, {}, "fibonacci"),
        (8, None, {"output": "split"}, "fibonacci"),
    ],
)
def test_a_default_of_fpgas_is_taken_where_it_is_legal(
    radix: int, load_width: int | None, options: dict[str, str], form: str
) -> None:
    swept = Sweep(
        ciphers=["grain128a"], radices=[radix], load_width=load_width, targets=BOTH, options=options
    )
    found = {at.target.name: at.architecture["form"] for at in swept.points(print)}
    assert found == {"ecp5-25k": form, "osu018": "fibonacci"}
    core = cipher("grain128a").core(radix, load_width=load_width, target="xc7", **options)
    assert core.architecture["form"] == form


def test_what_is_given_is_kept(tmp_path: Path) -> None:
    given = Sweep(ciphers=["snow3g"], targets=BOTH, options={"sbox": "fast"})
    assert set(forms(given.points(print)).values()) == {"fast"}
    path = tmp_path / "plan.toml"
    path.write_text(
        '[[grid]]\nciphers = ["snow3g"]\noptions.sbox = "algebraic"\ntargets = ["ecp5-25k"]\n'
    )
    assert forms(read_plan(path, print)) == {"ecp5-25k": "algebraic"}
    assert cipher("snow3g").core(target="xc7", sbox="fast").architecture["sbox"] == "fast"


@pytest.mark.parametrize(("target", "form"), [("xc7", "table"), ("osu018", "algebraic")])
def test_choose_measures_the_default_of_the_target(target: str, form: str) -> None:
    points = contenders(Wish(target, bits_per_cycle=32))
    (made,) = [at for at in points if at.cipher.name == "snow3g"]
    assert made.architecture["sbox"] == form


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ((), "algebraic"),
        (("--target", "osu018"), "algebraic"),
        (("--target", "ecp5-25k"), "table"),
        (("--target", "ecp5-25k", "--interface", "axi4lite"), "table"),
        (("--target", "ecp5-25k", "--option", "sbox=fast"), "fast"),
    ],
)
def test_generate_for_a_target(
    tmp_path: Path, capsys: Capture, words: tuple[str, ...], form: str
) -> None:
    assert main(["generate", "snow3g", *words, "-o", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["options"]["sbox"] == form


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--c-model",), "--target must come without --c-model, which writes no Verilog"),
        (
            ("--interface", "prng", "--random-bits", "8"),
            "--target must come without --interface prng: sources are the same for every target",
        ),
    ],
)
def test_what_has_no_target_refuses_it(
    tmp_path: Path, capsys: Capture, words: tuple[str, ...], message: str
) -> None:
    folder = tmp_path / "out"
    given = ["generate", "trivium", "--target", "ecp5-25k", *words, "-o", str(folder)]
    assert main(given) == 2
    assert capsys.readouterr().err == f"headwater: {message}\n"
    assert not folder.exists()


@pytest.mark.parametrize(
    ("option", "value"), sorted({pair for one in ELSEWHERE for pair in one.best_on_fpga.items()})
)
def test_it_was_measured_to_be_better(
    option: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On ECP5, in both frequency and throughput per area, wherever both forms were measured."""
    monkeypatch.delenv("HEADWATER_REFERENCE")
    pairs = [
        pair
        for one in ELSEWHERE
        if one.best_on_fpga.get(option) == value
        for pair in _measured(one, option, value)
    ]
    assert pairs
    for usual, better in pairs:
        assert better["fmax_mhz"]["median"] > usual["fmax_mhz"]["median"]
        assert better["mbps_per_area"] > usual["mbps_per_area"]


def _measured(one: Cipher, option: str, value: str) -> Iterator[tuple[Record, Record]]:
    """What the reference has of a cipher on ECP5 with the usual value of an option and with another
    one, all else being the same."""
    with read_layered() as store:
        found = [each.record for each in store.results(cipher=one.name, target="ecp5-25k")]
    usual = next(choice.default for choice in one.options if choice.name == option)
    for better in found:
        if better["options"].get(option) == value:
            other = {**better, "options": {**better["options"], option: usual}}
            yield from ((each, better) for each in found if _alike(each, other))


def _alike(one: Record, other: Record) -> bool:
    same = ("radix", "load_width", "options", "flow")
    return all(one[name] == other[name] for name in same)


def test_a_data_sheet_tells(capsys: Capture) -> None:
    assert main(["show", "snow3g"]) == 0
    assert "Default on FPGAs where it is legal: table." in " ".join(capsys.readouterr().out.split())
    assert main(["list", "options", "snow3g", "--json"]) == 0
    listed = {row["option"]: row for row in json.loads(capsys.readouterr().out)}
    assert (listed["sbox"]["default"], listed["sbox"]["on_fpga"]) == ("algebraic", "table")
    assert (listed["stall"]["default"], listed["stall"]["on_fpga"]) == ("stream", "stream")
