# SPDX-License-Identifier: Apache-2.0
"""The guide for integrators, run as it is written."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest
from coprocessors import needs_compiler
from delivered import printed
from needs import needs_iverilog

from headwater.cli.main import main

sys.path.append(str(Path(__file__).parents[1] / "tools"))

import matrix_tools

GUIDE = Path(__file__).parents[1].joinpath("docs/integrate.md").read_text()
COMMANDS = re.findall(r"^\$ (.*)$", GUIDE, re.MULTILINE)


@needs_iverilog
@needs_compiler
def test_the_commands_of_the_guide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All but the measurement, which takes minutes."""
    monkeypatch.chdir(tmp_path)
    environment = matrix_tools.environment(tmp_path, of_wheel=True)
    (program,) = re.findall(r"```c\n(.*?)```", GUIDE, re.DOTALL)
    Path("main.c").write_text(program)
    said = []
    for command in COMMANDS:
        name, *words = shlex.split(command)
        if name != "headwater":
            said.append(printed([name, *words], tmp_path, environment))
        elif words[0] != "evaluate":
            assert main(words) == 0
    assert len(said) >= 3
    (verdict,) = re.findall(r"`(PASS: [^`]*)`", GUIDE)
    assert any(verdict in text for text in said)
    written = {Path(line).name for line in capsys.readouterr().out.split() if "/" in line}
    named = re.findall(r"^\| (`[^|]*) \|", GUIDE, re.MULTILINE)
    patterns = [name for cell in named for name in re.findall(r"`([^`]+)`", cell)]
    assert all(any(Path(file).match(each) for each in patterns) for file in written)
