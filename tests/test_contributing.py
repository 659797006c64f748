# SPDX-License-Identifier: Apache-2.0
"""The pages that say how a cipher is described: nothing is left out."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest
from command_line import as_process

from headwater.algebra import word
from headwater.cipher.catalogue import CATALOGUE
from headwater.cli.starting_files import KINDS as KINDS_OF_FILES
from headwater.verify.entries import READERS

sys.path.append(str(Path(__file__).parents[1] / "tools"))

import descriptions

PAGE = Path(__file__).parents[1].joinpath("CONTRIBUTING.md").read_text()


def test_the_page_is_no_longer_than_a_reader_likes() -> None:
    assert len(PAGE.encode()) <= 15_000


def test_every_class_and_every_kind_of_starting_file_is_named() -> None:
    prose = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
    quoted = set(re.findall(r"[\w-]+", " ".join(re.findall(r"`([^`]+)`", prose))))
    assert {type(cipher).__name__ for cipher in CATALOGUE.values()} <= quoted
    assert set(KINDS_OF_FILES) <= quoted


def test_the_classes_are_documented_field_by_field() -> None:
    """A field that a class changes from that of the class it is made from may say nothing new."""
    assert descriptions.PAGE.read_text() == descriptions.page()
    said = re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", descriptions.page(), re.MULTILINE)
    assert {name for name, _ in said} == {name for name, meaning in said if meaning}


def test_every_operation_and_every_kind_of_vector_is_named() -> None:
    public = [
        name
        for name, value in vars(word).items()
        if getattr(value, "__module__", "") == word.__name__
        and name[0].islower()
        and name[0] != "_"
    ]
    assert public
    assert not [name for name in public if f"{name}(" not in PAGE and f"`{name}`" not in PAGE]
    assert not [kind for kind in READERS if f"`{kind}`" not in PAGE]


def test_the_first_steps_are_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (console,) = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    commands = [line.removeprefix("$ headwater ") for line in console.splitlines()]
    assert len(commands) == 3
    for command in commands:
        done = as_process(*shlex.split(command.replace(" --prove", " --radix 4")))
        assert done.returncode == 0, done.stderr
