# SPDX-License-Identifier: Apache-2.0
"""The page that says how a cipher is described: its examples run, and nothing is left out."""

from __future__ import annotations

import dataclasses
import json
import re
import shlex
from pathlib import Path

import pytest
from command_line import as_process

from headwater.algebra import word
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.register import Register
from headwater.kinds.registry import KINDS
from headwater.kinds.stepped.description import Injected, Phase, Placed
from headwater.kinds.stepped.word_cipher import Entered
from headwater.verify.entries import READERS

PAGE = Path(__file__).parents[1].joinpath("CONTRIBUTING.md").read_text()
EXAMPLES = {
    re.findall(r'name="(.*?)"', text)[-1]: text
    for text in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
}
PROSE = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
KEY = "00112233445566778899aabbccddeeff0123456789abcdef0011223344556677"
IV = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"


def test_examples_of_every_kind_that_others_can_use() -> None:
    assert list(EXAMPLES) == ["mixer", "stopgo", "wordy", "sealed", "chacha12", "trace"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_gives_the_same_in_model_and_verilog(name: str, tmp_path: Path) -> None:
    file = tmp_path / "example.py"
    file.write_text(EXAMPLES[name])
    shown = as_process("--cipher-file", file, "show", name, "--json")
    assert shown.returncode == 0, shown.stderr
    sheet = json.loads(shown.stdout)
    key = KEY[: sheet["key_bits"] // 4]
    iv = IV[: max(sheet["iv_bits"]) // 4]
    words = {
        "keystream": ("keystream", name, "--bits", "200"),
        "aead": ("encrypt", name, "--text", KEY[:14], "--ad", "0102"),
        "self-synchronising": ("encrypt", name, "--text", KEY[:14]),
    }[sheet["kind"]]
    made = []
    for engine in (("model",), ("rtl",), ("rtl", "--radix", str(sheet["legal_radices"][-1]))):
        done = as_process(
            "--cipher-file", file, *words, "--key", key, "--iv", iv, "--engine", *engine
        )
        assert done.returncode == 0, done.stderr
        made.append(done.stdout)
    assert len(set(made)) == 1


def test_every_field_of_every_description_is_named() -> None:
    classes = {*map(type, CATALOGUE.values()), Register, Phase, Placed, Injected, Entered}
    named = {(field.name, kind.__name__) for kind in classes for field in dataclasses.fields(kind)}
    hidden = {("content", "Placed"), ("phases", "Injected"), ("phases", "Entered"),
              ("plain", "WordCipher")}  # fmt: skip
    quoted = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", PROSE))))
    assert not {(field, kind) for field, kind in named - hidden if field not in quoted}
    assert {type(cipher).__name__ for cipher in CATALOGUE.values()} <= quoted


def test_every_operation_and_every_kind_of_vector_is_named() -> None:
    public = [name for name, value in vars(word).items()
              if getattr(value, "__module__", "") == word.__name__ and name[0].islower()
              and name[0] != "_"]  # fmt: skip
    assert public
    assert not [name for name in public if f"{name}(" not in PAGE and f"`{name}`" not in PAGE]
    assert not [kind for kind in READERS if f"`{kind}`" not in PAGE]
    modules = re.findall(r"`headwater\.kinds\.(\w+)", PAGE)
    assert set(modules) <= set(KINDS)


def test_the_first_steps_are_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (console,) = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    commands = [line.removeprefix("$ headwater ") for line in console.splitlines()]
    assert len(commands) == 3
    for command in commands:
        done = as_process(*shlex.split(command.replace(" --prove", " --radix 4")))
        assert done.returncode == 0, done.stderr


def test_lines_are_short() -> None:
    assert max(map(len, PAGE.splitlines())) <= 120
