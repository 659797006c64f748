# SPDX-License-Identifier: Apache-2.0
"""The README's commands, run as they are written there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Generator
from pathlib import Path

import pytest

from headwater.cli import progress
from headwater.cli.main import main

README = Path(__file__).parents[1].joinpath("README.md").read_text()
CONSOLE = "\n".join(re.findall(r"```console\n(.*?)```", README, re.DOTALL))
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
    # What `evaluate` measures is tested elsewhere and takes minutes; here its words are checked.
    monkeypatch.setattr(progress, "evaluate_all", _nothing_to_do)
    assert main(shlex.split(command)) == 0
    if shown:
        assert capsys.readouterr().out == shown


def test_verilog_shown_is_verilog_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shown,) = re.findall(r"```verilog\n(.*?)```", README, re.DOTALL)
    assert main(["generate", "trivium", "--radix", "64", "-o", str(tmp_path)]) == 0
    assert shown in Path(capsys.readouterr().out.strip()).read_text()


def test_make_targets_exist() -> None:
    makefile = Path(__file__).parents[1].joinpath("Makefile").read_text()
    for target in re.findall(r"^make ([\w-]+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) >= 5
    for link in links:
        assert Path(__file__).parents[1].joinpath(link).exists(), link
