# SPDX-License-Identifier: Apache-2.0
"""The README's commands, run as they are written there."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Generator
from pathlib import Path

import pytest
from stored import point

from headwater.cli import progress
from headwater.cli.main import main
from headwater.report.figures_table import figure_columns
from headwater.report.table import Table, as_text

README = Path(__file__).parents[1].joinpath("README.md").read_text()
MAKEFILE = Path(__file__).parents[1].joinpath("Makefile").read_text()
CONSOLE = "".join(re.findall(r"```console\n(.*?)```", README, re.DOTALL))
COMMANDS = re.findall(r"^\$ headwater (.*)\n((?:[^$].*\n)*)", CONSOLE, re.MULTILINE)


def test_there_are_commands() -> None:
    assert len(COMMANDS) >= 4


def _nothing_to_do(*_given: object, **_settings: object) -> Generator[None, None, None]:
    yield from ()


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_command(
    command: str,
    shown: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HEADWATER_REFERENCE", raising=False)
    if command.startswith("bench"):  # It judges what an earlier command wrote.
        assert main(["generate", "trivium", "--radix", "64", "-o", "build"]) == 0
    # What `evaluate` measures is tested elsewhere and takes minutes; here its words are checked.
    monkeypatch.setattr(progress, "evaluate_all", _nothing_to_do)
    assert main(shlex.split(command)) == 0
    if shown:
        assert capsys.readouterr().out == shown


def test_the_printed_claim_has_the_measured_figures() -> None:
    """Of Trivium at 64 bits a cycle over one: printed and measured, rate and area."""
    found = (Path(__file__).parents[1] / "docs" / "reproduced.txt").read_text(encoding="utf-8")
    rate, area = (
        float(re.findall(rf"^64 .* {printed} +([\d.]+)$", found, re.MULTILINE)[0])
        for printed in ("60.5", "2.06")
    )
    told = " ".join(README.split())
    assert "60.5 times as fast as at one, for 2.06 times the area" in told
    assert f"it is {rate:.1f} times for {area:.2f} times the area" in told


def test_verilog_shown_is_verilog_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shown,) = re.findall(r"```verilog\n(.*?)```", README, re.DOTALL)
    assert main(["generate", "trivium", "--radix", "64", "-o", str(tmp_path)]) == 0
    assert shown in Path(capsys.readouterr().out.strip()).read_text()


def test_figures_are_laid_out_as_the_demo_prints_them() -> None:
    """Its figures come from a measurement; how they stand there is what the command prints."""
    (columns,) = re.findall(r"^COLUMNS_SHOWN := (.*)$", MAKEFILE, re.MULTILINE)
    assert set(columns.split(",")) <= set(figure_columns([point(1), point(1, target="osu018")]))
    shown, _ = re.findall(r"^```text\n(target .*?)\n```", README, re.DOTALL | re.MULTILINE)
    found: list[str] = []
    for part in shown.split("\n\n"):
        heading, _, *lines = part.splitlines()
        names = tuple(re.split(r" {2,}", heading))
        rows = [[_value(cell) for cell in line.split()] for line in lines]
        assert as_text(Table(names, rows), 80) == part
        found += names
    assert set(found) == set(columns.split(","))


def _value(cell: str) -> object:
    return ast.literal_eval(cell) if cell[0].isdigit() else cell


def test_make_targets_exist() -> None:
    for target in re.findall(r"^make ([\w-]+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE)


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) >= 5
    for link in links:
        assert Path(__file__).parents[1].joinpath(link).exists(), link
