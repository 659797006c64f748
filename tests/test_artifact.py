# SPDX-License-Identifier: Apache-2.0
"""What is promised to those who check the artifact: commands, locked packages, citation."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from importlib.metadata import requires
from pathlib import Path

import pytest
from command_line import Capture
from packaging.requirements import Requirement

from headwater.cli.main import main
from headwater.cli.parser import build_parser
from headwater.report.reproduce.check import tolerance_of

ROOT = Path(__file__).parents[1]
ARTIFACT = (ROOT / "ARTIFACT.md").read_text(encoding="utf-8")
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ headwater (.*)$", ARTIFACT, re.MULTILINE)
LOCKED = dict(re.findall(r"^([a-z0-9-]+)==([^ ]+) \\$", LOCK, re.MULTILINE))


def test_each_claim_has_its_command() -> None:
    claims = re.findall(r"^\*\*[CRV]\d\. ", ARTIFACT, re.MULTILINE)
    assert len(COMMANDS) == len(claims) - 1  # The last one is a target of make.


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_are_ones(command: str) -> None:
    build_parser().parse(shlex.split(command))


def _is_the_document(out: str, _err: str) -> None:
    assert out == (ROOT / "docs" / "reproduced.txt").read_text(encoding="utf-8")
    for paper in re.split(r"^printed: ", out, flags=re.MULTILINE)[1:]:
        _tells_what_was_tested(paper, "")


def _tells_what_was_tested(out: str, _err: str) -> None:
    """A paragraph for each verdict, indented from its second line on."""
    claims, _, why = out.partition("why claims fail:\n")
    why = why.partition("\n\n")[0]
    told = [" ".join(one.split()) for one in re.split(r"\n(?! )", why) if one]
    assert len(told) == len(re.findall(r"^\w+ +fails +\S", claims, re.MULTILINE))
    tested = r"No reason tested\.|Tested: .*( Not measured\.| Then the claim \w+.*: .*\d.*\.)"
    assert all(re.search(f" ({tested})$", one) for one in told)


def _names_the_page(out: str, _err: str) -> None:
    assert out == "report.html\n"
    assert "<html" in Path("report.html").read_text(encoding="utf-8")


def _says_why_it_won(out: str, _err: str) -> None:
    assert re.search(r"(\S+) at radix \d+ is the smallest of [^$]*headwater generate \1 ", out)


def _tells_the_time(out: str, err: str) -> None:
    points = [line for line in out.splitlines() if not line.startswith(" ")]
    assert points
    assert f"; {len(points)} of them must be measured first: about " in " ".join(err.split())


def _all_has_passed(out: str, _err: str) -> None:
    rows = [line.split() for line in out.splitlines() if re.match(r"(proof|vectors|lint) ", line)]
    failed = [int(row[-1]) for row in rows if row[-1].isdigit()]
    assert {row[0] for row in rows} == {"proof", "vectors", "lint"}
    assert set(failed) == {0}
    assert "skipped" in out


EXPECTED: dict[str, Callable[[str, str], None]] = {
    "reproduce all --stored": _is_the_document,
    "reproduce grain --stored": _tells_what_was_tested,
    "report -o report.html": _names_the_page,
    "choose --throughput 1000 --target ecp5-25k": _says_why_it_won,
    "reproduce all --check --subset quick --jobs 2 --dry-run": _tells_the_time,
    "verify trivium --radix 8 --prove": _all_has_passed,
}
LONG = {"reproduce all --check --subset quick --jobs 2", "reproduce all --check --jobs 2"}
"""They measure for minutes and hours."""


def test_every_command_is_run_that_takes_less_than_a_minute() -> None:
    assert set(COMMANDS) == EXPECTED.keys() | LONG


@pytest.mark.parametrize("command", EXPECTED)
def test_commands_print_what_is_expected(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    """Those that take seconds without tools and libraries."""
    monkeypatch.delenv("HEADWATER_REFERENCE")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("HEADWATER_PDK_ROOT", "PDK_ROOT"):
        monkeypatch.delenv(name, raising=False)
    if not command.startswith("verify"):
        monkeypatch.setenv("PATH", "")
    assert main(shlex.split(command)) == 0
    printed = capsys.readouterr()
    EXPECTED[command](printed.out, printed.err)


def test_what_it_names_is_there(capsys: Capture) -> None:
    """Files, packages of Debian, targets of make, tolerances, and a command in a sentence."""
    named = re.findall(r"`((?:headwater/|requirements)[\w./]+)`|\]\(([\w./-]+)\)", ARTIFACT)
    assert len(named) > 5
    assert all((ROOT / (code or link)).exists() for code, link in named)
    (software,) = re.findall(r"\*\*Software\.\*\* (.*?)\n\n", ARTIFACT, re.DOTALL)
    install = (ROOT / "tools" / "install.sh").read_text(encoding="utf-8")
    packages = re.findall(r"`([a-z][\w+-]+)`", software)
    assert len(packages) == 5
    assert all(f"[{one}]=" in install for one in packages)
    assert re.search(r"^test-all:", (ROOT / "Makefile").read_text(), re.MULTILINE)
    area, other = (f"{tolerance_of(unit):g} %" for unit in ("GE", "MHz"))
    assert tolerance_of("cycles") == tolerance_of("flip-flops") == 0
    allowed = f"(nothing in cycles and flip-flops, {area} in areas, {other} in all else)"
    assert allowed in " ".join(ARTIFACT.split())
    assert main(["doctor"]) == 0
    assert " for " in capsys.readouterr().out


def test_locked_packages_are_those_that_the_package_wants() -> None:
    assert LOCKED
    wanted = [Requirement(one) for one in requires("headwater") or ()]
    chosen = [
        one
        for one in wanted
        if one.marker is None
        or any(one.marker.evaluate({"extra": extra}) for extra in ("codesign", "fpga", "report"))
    ]
    for one in chosen:
        assert one.specifier.contains(LOCKED[one.name.lower()]), one.name


def test_every_locked_file_has_its_hash_and_no_place() -> None:
    entries = re.split(r"^(?=[a-z0-9])", LOCK, flags=re.MULTILINE)
    assert all("--hash=sha256:" in entry for entry in entries if "==" in entry)
    assert not re.search(r"https?:|--index|--find-links", LOCK)


def test_citation_is_of_this_package() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for line in ("cff-version: 1.2.0", "license: Apache-2.0", "type: software"):
        assert line in citation.splitlines()
