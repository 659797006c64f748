# SPDX-License-Identifier: Apache-2.0
"""Completion in the shell, as argcomplete asks for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from headwater.cipher.catalogue import CATALOGUE
from headwater.cli.parser import VERBS
from headwater.interface import INTERFACES

SEPARATOR = "\v"


def environment(line: str) -> dict[str, str]:
    """What a shell sets before it asks for completion at the end of a line."""
    return {
        "_ARGCOMPLETE": "1",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line.encode())),
        "_ARGCOMPLETE_IFS": SEPARATOR,
        "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
    }


CASES: dict[str, Iterable[str]] = {
    "headwater ": VERBS,
    "headwater keystream tri": ["trivium"],
    "headwater evaluate trivium,grain_v": ["trivium,grain_v1"],
    "headwater generate trivium --option stall=": ["stall=stream", "stall=none"],
    "headwater generate zuc --option feed": ["feedback=tree", "feedback=early"],
    "headwater generate trivium --interface ": INTERFACES,
    "headwater generate trivium --key-by ": ["stream", "axi4lite"],
    "headwater evaluate trivium --target ecp5-25k,ice40-hx": ["ecp5-25k,ice40-hx8k"],
    "headwater verify trivium --engine ": ["model", "rtl", "c"],
    "headwater show grain_v1 --radix ": map(str, CATALOGUE["grain_v1"].legal_radices()),
    "headwater codesign salsa20 --cpu i": ["ibex"],
    "headwater list op": ["options"],
    "headwater list options phe": ["phelix"],
    "headwater results li": ["list"],
    "headwater encrypt nea": ["nea4", "nea5", "nea6"],
    "headwater generate nea": ["nea4", "nea5", "nea6"],
    "headwater keystream trivium --key - --engine r": ["rtl"],
    "headwater evaluate --plan pl": ["plan.toml"],
    "headwater evaluate trivium --obj": ["--objective"],
}


ANSWER = """
import io, json, os, sys
from headwater.cli.completion import complete
from headwater.cli.parser import build_parser

answers = []
for asked in json.load(sys.stdin):
    os.environ |= asked
    answer = io.StringIO()
    complete(build_parser(), lambda _status: None, answer)
    answers.append(answer.getvalue())
print(json.dumps(answers))
"""
"""A process of its own answers, since argcomplete takes a file descriptor that pytest uses."""


@pytest.fixture(scope="module")
def offered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The words that are offered at the end of each line, in a folder with one file."""
    folder = tmp_path_factory.mktemp("completion")
    (folder / "plan.toml").touch()
    done = subprocess.run(
        [sys.executable, "-c", ANSWER],
        cwd=folder,
        text=True,
        input=json.dumps(list(map(environment, CASES))),
        check=True,
        capture_output=True,
    )
    words = [answer.split(SEPARATOR) for answer in json.loads(done.stdout)]
    return {
        line: {word.strip() for word in found if word}
        for line, found in zip(CASES, words, strict=True)
    }


@pytest.mark.parametrize("line", CASES)
def test_offered(offered: dict[str, set[str]], line: str) -> None:
    assert offered[line] - {"-h", "--help", "--version", "--cipher-file"} == set(CASES[line])


def test_the_command_answers_a_shell(tmp_path: Path) -> None:
    answer = tmp_path / "answer"
    asked = {**environment("headwater show trivi"), "_ARGCOMPLETE_STDOUT_FILENAME": str(answer)}
    command = [sys.executable, "-m", "headwater"]
    done = subprocess.run(command, env={**os.environ, **asked}, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert answer.read_text().strip() == "trivium"


def test_completion_does_not_slow_the_start() -> None:
    code = "import sys, headwater.cli.main; print('argcomplete' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
