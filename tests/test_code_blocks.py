# SPDX-License-Identifier: Apache-2.0
"""Code in documents that no test of its own runs: commands that exist, a plan, a C program.

README.md, CONTRIBUTING.md, ARTIFACT.md, start.md and integrate.md have tests that run their blocks;
guides are run as scripts (test_site.py).
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from command_line import Capture

import headwater as hw
from headwater.cli.main import main
from headwater.cli.parser import VERBS, build_parser
from headwater.measure.plan import read_plan

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.py")]


def commands(text: str) -> list[str]:
    """What is given to `headwater` in a document, in blocks of code and in sentences."""
    one_line = re.sub(r"\n(# )?", " ", text)
    return [
        *re.findall(r"^(?:\$ )?headwater (.*)$", text, re.MULTILINE),
        *re.findall(r"`headwater ([^`]+)`", one_line),
    ]


PARSER = build_parser()


def refused(command: str) -> str:
    """Why a command line is refused; empty if it is not. A verb alone names the verb; what stands
    in brackets may be left out, and is given here."""
    words = shlex.split(re.sub(r"[][]", "", command), comments=True)
    if words[0] == "--cipher-file":
        words = words[2:]
    if words in ([verb] for verb in VERBS) or words == ["VERB", "..."]:
        return ""
    try:
        PARSER.parse(words)
    except Exception as error:
        return f"{command}: {error}"
    return ""


def test_commands_exist() -> None:
    """The change log and its history tell of past ones."""
    found = {
        command
        for path in DOCUMENTS
        if path.name not in ("CHANGELOG.md", "history.md")
        for command in commands(path.read_text())
    }
    assert len(found) > 60
    assert [why for command in sorted(found) if (why := refused(command))] == []


def test_unknown_commands_are_found() -> None:
    assert commands("`headwater list\nciphers`\n$ headwater x\n") == ["x", "list ciphers"]
    for command in ("lst", "list --formt md", "show", "show trivium --radx 8"):
        assert bool(refused(command)) == (command != "show")


def test_plan_of_the_page_on_evaluation(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "evaluation.md").read_text()
    (block,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    plan = tmp_path / "plan.toml"
    plan.write_text(block)
    points = read_plan(plan, pytest.fail)
    # Two ciphers, three radices, two values of an option, two targets, two objectives.
    assert len(points) == 48


def test_program_of_the_page_on_c(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    if not shutil.which("gcc"):
        pytest.skip("needs gcc: apt-get install gcc")
    text = (ROOT / "docs" / "c-model.md").read_text()
    command, files = re.findall(r"\$ headwater (.*)\n((?:c/.*\n)+)", text)[0]
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(command)) == 0
    assert capsys.readouterr().out == files
    (program,) = re.findall(r"```c\n(.*?)```", text, re.DOTALL)
    (tmp_path / "c" / "main.c").write_text(program)
    build = ["gcc", "-std=c99", "-Wall", "-Werror", "main.c", "trivium_r64.c", "-o", "main"]
    subprocess.run(build, cwd=tmp_path / "c", check=True)
    run = subprocess.run([tmp_path / "c" / "main"], capture_output=True, text=True, check=True)
    expected = hw.cipher("trivium").keystream(bytes([0x80, *bytes(9)]), bytes(10), bits=128)
    assert run.stdout == expected.hex()
