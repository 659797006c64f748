# SPDX-License-Identifier: Apache-2.0
"""Help, keys, sweeps, and how a run of the command line ends."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import (
    DEFAULTS,
    FIRST_BYTES,
    IV,
    KEY,
    KEYSTREAM,
    Capture,
    refused,
    succeed,
)

from headwater import __version__
from headwater.cipher.catalogue import CATALOGUE
from headwater.cli import progress
from headwater.cli.examples import EXAMPLES
from headwater.cli.main import main
from headwater.cli.parser import VERBS, build_parser
from headwater.cli.presenting import RESULT_ACTIONS
from headwater.measure.figures import Figures, Frequency
from headwater.measure.parts import PARTS
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.measure.run import Outcome
from headwater.measure.store import Failure, Store, empty_store
from headwater.measure.target import found_here
from headwater.measure.workers import Workers

# Help, and how a run ends


@pytest.mark.parametrize("words", [(), *((verb,) for verb in VERBS)])
def test_help(capsys: Capture, words: tuple[str, ...]) -> None:
    assert main([*words, "--help"]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith(" ".join(("usage: headwater", *words)))
    assert printed.err == ""


def test_headwater_alone_shows_what_one_needs_first(capsys: Capture) -> None:
    printed = succeed(capsys)
    assert len(printed.splitlines()) < 15
    for line in printed.splitlines():
        if line.startswith("  headwater"):
            build_parser().parse(shlex.split(line)[1:])


HELP = [*VERBS, *(f"results {action}" for action in RESULT_ACTIONS)]


@pytest.mark.parametrize("verb", HELP)
def test_help_ends_with_an_example_that_is_legal(
    verb: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    program, *words = shlex.split(EXAMPLES[verb])
    given = build_parser().parse(words)
    assert (program, given.verb) == ("headwater", verb.split()[0])
    if getattr(given, "cipher", None):
        assert given.cipher in {*CATALOGUE, None}
    assert main([*verb.split(), "--help"]) == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 80
    _, _, example = printed.partition("\n\nexample:\n")
    assert shlex.split(example.replace("\\\n", "")) == [program, *words]  # As a shell reads it.


def test_every_example_has_its_verb() -> None:
    assert sorted(EXAMPLES) == sorted(HELP)


# Keys that no list of processes shows


def test_key_and_iv_from_files_and_stdin(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "key").write_text(f" {KEY}\n")
    (tmp_path / "iv").write_text(IV)
    words = ("keystream", "trivium", "--bits", "64")
    files = ("--key-file", tmp_path / "key", "--iv-file", tmp_path / "iv")
    assert succeed(capsys, *words, *files) == FIRST_BYTES + "\n"
    for given in (("--key", "-", "--iv", "-"), ("--key-file", "-", "--nonce", "-")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{KEY}\n{IV}\n".encode())))
        assert succeed(capsys, *words, *given) == FIRST_BYTES + "\n"


def test_key_file_that_is_none(capsys: Capture, tmp_path: Path) -> None:
    words = ("keystream", "trivium", "--bits", "8", "--iv", IV, "--key-file")
    missing = tmp_path / "none"
    reason = f"argument --key-file: {missing} cannot be read: No such file or directory"
    refused(capsys, (*words, missing), f"{reason}; see: headwater keystream --help")
    (tmp_path / "key").write_text("secret")
    refused(capsys, (*words, tmp_path / "key"), "key must be hexadecimal digits, two for each byte")


# Sweeps


def dry_run(capsys: Capture, *words: str) -> tuple[list[str], str]:
    assert main(["evaluate", *words, "--dry-run", "--wide"]) == 0
    printed = capsys.readouterr()
    return printed.out.splitlines(), printed.err


def test_all_ciphers_and_all_targets(capsys: Capture) -> None:
    points, _ = dry_run(capsys, "all")
    assert [point.split()[0] for point in points] == list(CATALOGUE)
    points, _ = dry_run(capsys, "trivium", "--target", "all")
    assert len(points) == len(found_here())
    assert len(found_here()) >= len(PARTS)


def test_points_are_named_in_lines_of_the_width_of_the_terminal(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["evaluate", "all", "--target", "ecp5-25k", "--dry-run"]
    for width in (80, 60):
        monkeypatch.setenv("COLUMNS", str(width))
        assert main(words) == 0
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= width
        assert [line.split()[0] for line in lines if line[0] != " "] == list(CATALOGUE)


def test_a_dry_run_as_json_in_a_store_to_come(tmp_path: Path, capsys: Capture) -> None:
    """It names the points, and does not make the store."""
    store = tmp_path / "store"
    words = ("--store", str(store), "--radix", "1,8", "--jobs", "4", "--dry-run", "--json")
    assert main(["evaluate", "trivium", *words]) == 0
    printed = capsys.readouterr()
    named = json.loads(printed.out)
    assert [name[:16] for name in named] == ["trivium radix 1,", "trivium radix 8,"]
    assert not store.exists()
    assert main(["reproduce", "eth", "--store", str(store), "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)
    assert main(["reproduce", "eth", "--store", str(store), "--stored"]) == 2
    assert f"the store must be a file that exists, not {store}" in capsys.readouterr().err


def test_a_dry_run_refuses_what_will_be_refused(capsys: Capture) -> None:
    words = ("evaluate", "trivium", "--target", "osu018,ecp5-25k", "--objective", "power")
    message = "objective on an FPGA must be one of balanced, area, speed, not 'power'"
    refused(capsys, (*words, "--dry-run"), message)


def test_illegal_combination_is_skipped_and_told(capsys: Capture) -> None:
    points, told = dry_run(capsys, "trivium,zuc", "--radix", "8,32")
    assert [point.split()[0] for point in points] == ["trivium", "trivium", "zuc"]
    assert "headwater: skipped zuc at radix 8: " in told
    assert main(["evaluate", "zuc", "--radix", "8,16", "--dry-run"]) == 2
    assert "radix" in capsys.readouterr().err


def test_version(capsys: Capture) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"headwater {__version__}\n"


def record(point: DesignPoint) -> Record:
    return Figures(point, "", {}, Frequency.over([100.0]), ("", ""), lut=10, ff=7).as_json()


def interrupted(points: list[DesignPoint], *_given: object, **_named: object) -> Iterator[Outcome]:
    yield Outcome(points[1], record(points[1]), seconds=1.0)
    raise KeyboardInterrupt


def test_interrupt_keeps_what_is_finished(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "evaluate_all", interrupted)
    status = main(["evaluate", "trivium", "--radix", "1,2,4", "--json"])
    printed = capsys.readouterr()
    assert status == 130
    assert [(record["radix"], record["lut"]) for record in json.loads(printed.out)] == [(2, 10)]
    assert printed.err.splitlines()[-1] == "headwater: interrupted"
    assert main(["evaluate", "trivium", "--radix", "1,2,4"]) == 130
    lines = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert lines[0].split()[:3] == ["cipher", "target", "radix"]
    assert [line.split()[:3] for line in lines[2:]] == [["trivium", "ecp5-25k", "2"]]


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "trivium", "--radix", "8"),
        ("reproduce", "spartan"),
        ("study", "masking-randomness", "--target", "osu018"),
        ("optimize", "trivium"),
        ("choose", "--bits-per-cycle", "8", "--measure"),
    ],
    ids=lambda words: words[0],
)
def test_every_verb_that_measures_takes_a_time_limit(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = []

    def noted(*_given: object, time_limit_s: float, **_named: object) -> Iterator[Outcome]:
        limits.append(time_limit_s)
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(progress, "evaluate_all", noted)
    assert main([*words, "--time-limit", "5400"]) == 130
    assert limits == [5400]


def test_estimates_take_little_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is made up: an estimate takes 2 s, so that the next is due 100 s later."""
    clock = [1000.0]
    asked: list[float] = []

    def estimated(_store: object, _points: object) -> tuple[float, int]:
        asked.append(clock[0])
        clock[0] += 2
        return 60.0, 0

    monkeypatch.setattr(progress, "monotonic", lambda: clock[0])
    monkeypatch.setattr(progress, "estimated_seconds", estimated)
    with empty_store() as store:
        estimate = progress._Estimate(store)
        for _ in range(20):
            assert estimate.left([], 2) == "about 30 s left"
            clock[0] += 10
    assert asked == [1000.0, 1102.0]


def test_control_characters_of_a_tool_do_nothing(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a failure, in a table of failures, and in JSON."""
    bad = "tool said \x1b[2J\x07\r\x9b2J"

    def fails(
        points: list[DesignPoint], store: Store, *_: object, **_named: object
    ) -> Iterator[Outcome]:
        store.fail(Failure("1", "point", bad, 1.0, "2026"))
        yield Outcome(points[0], None, bad, 2.0)

    monkeypatch.setattr(progress, "evaluate_all", fails)
    assert main(["evaluate", "trivium"]) == 2
    assert main(["results", "list", "--failed", "--wide"]) == 0
    told = capsys.readouterr()
    written = r"tool said \x1b[2J\x07\x0d\x9b2J"
    assert f"headwater: {written}\n" in told.err
    assert r"tool said \x1b[2J" in told.out
    assert all(character.isprintable() or character == "\n" for character in told.out)
    assert main(["results", "list", "--failed", "--json"]) == 0
    printed = capsys.readouterr().out
    assert json.loads(printed)[0]["reason"] == bad
    assert all(character.isprintable() or character == "\n" for character in printed)


def test_failed_point_is_told_and_others_are_printed(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def one_fails(
        points: list[DesignPoint], _store: object, workers: Workers, **_named: object
    ) -> Iterator[Outcome]:
        assert workers.width == 2
        yield Outcome(points[2], record(points[2]), seconds=1.0)
        yield Outcome(points[0], None, "tool failed", 2.0)
        yield Outcome(points[1], record(points[1]), seconds=3.0)

    monkeypatch.setattr(progress, "evaluate_all", one_fails)
    status = main(["evaluate", "trivium", "--radix", "4,2,8", "--json", "--jobs", "2"])
    printed = capsys.readouterr()
    assert status == 2
    # In the order asked for, not in the order of completion.
    assert [record["radix"] for record in json.loads(printed.out)] == [2, 8]
    options = " ".join(f"{name}={value}" for name, value in DEFAULTS.items())
    point = f"trivium radix {{0}}, load width {{0}}, {options} on ecp5-25k"
    assert printed.err.splitlines()[1:] == [
        f"[1/3] {point.format(8)} (1 s): 5 slices, 100 MHz",
        f"[2/3] {point.format(4)} (2 s): FAILED",
        f"[3/3] {point.format(2)} (3 s): 5 slices, 100 MHz",
        "headwater: tool failed",
    ]


@pytest.mark.parametrize(
    "words",
    [
        (*KEYSTREAM, "--bits", "4000000"),
        ("list",),
    ],
)
def test_reader_that_goes_away(words: tuple[str, ...]) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "headwater", *words],
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_closed_stdout_is_no_mistake() -> None:
    command = f"{shlex.quote(sys.executable)} -m headwater list >&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_closed_stdin_has_nothing() -> None:
    command = f"{shlex.quote(sys.executable)} -m headwater encrypt trivium --key - --text 00 <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        2,
        "headwater: IV must be given as hexadecimal digits\n",
    )
