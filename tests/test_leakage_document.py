# SPDX-License-Identifier: Apache-2.0
"""The page about leakage: its example prints what stands there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from command_line import Capture
from leakage_cases import DOM_BARE

from headwater.cli.main import main
from headwater.leakage.exact import MOST_VARIABLES
from headwater.leakage.spec import Spec
from headwater.leakage.verdict import CLAIM

PAGE = (Path(__file__).parents[1] / "docs" / "leakage.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    (text,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return text


def test_the_example(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    Path("masked.v").write_text(block("verilog"))
    Path("masked.toml").write_text(block("toml"))
    Path("bare.v").write_text(DOM_BARE.replace("module masked", "module bare"))
    runs = re.findall(r"```console\n\$ headwater (.*)\n((?:.*\n)*?)```", PAGE)
    assert len(runs) == 2
    for status, (command, shown) in enumerate(runs):
        assert main(shlex.split(command)) == status
        assert capsys.readouterr().out == shown
    exec(compile(block("python"), "leakage.md", "exec"), {})
    assert capsys.readouterr().out == "secure 17\n"


def test_what_it_says_of_the_code() -> None:
    words = " ".join(PAGE.split())
    assert CLAIM in words.replace("**First-order", "first-order").replace(
        "randomness**", "randomness"
    )
    assert f"counted, up to {MOST_VARIABLES} variables" in words
    keys = re.findall(r"^\| `\[?(\w+)\]?` \| (?!1|0)", PAGE, re.MULTILINE)
    assert {key for key in keys if key in Spec.model_fields} == set(Spec.model_fields)
