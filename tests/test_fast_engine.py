# SPDX-License-Identifier: Apache-2.0
"""The engine for texts of any length gives what the model gives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.message import Message
from headwater.errors import ToolError
from headwater.verify import fast_engine
from headwater.verify.c_engine import CEngine
from headwater.verify.engine import ModelEngine
from headwater.verify.fast_engine import FastEngine
from headwater.verify.segments import Segment

TRIVIUM = CATALOGUE["trivium"]
SEGMENT = Segment(bytes(10), bytes(10), 3, 9000)


@pytest.fixture
def slow_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """However fast the model is, the C is taken."""
    monkeypatch.setattr(fast_engine, "_LONG_S", 0.0)


@pytest.mark.usefixtures("slow_model")
@pytest.mark.parametrize("bits", [4095, 4097, 9000])
def test_keystream(bits: int) -> None:
    segment = replace(SEGMENT, bits=bits)
    assert FastEngine(TRIVIUM).run([segment]) == ModelEngine(TRIVIUM).run([segment])


@pytest.mark.usefixtures("slow_model")
def test_message() -> None:
    cipher = CATALOGUE["grain128aead"]
    text = bytes(index % 251 for index in range(1500))
    message = Message(bytes(16), bytes(12), text[:700], text, 12000)
    assert FastEngine(cipher).process([message]) == ModelEngine(cipher).process([message])


@pytest.mark.usefixtures("slow_model")
@pytest.mark.parametrize("segment", [SEGMENT, replace(SEGMENT, offset=9000, bits=8)])
def test_c_that_begins_otherwise_is_refused(
    segment: Segment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C is asked for what is long, and for what begins late."""
    monkeypatch.setattr(CEngine, "run", lambda _self, segments: [b"other" for _ in segments])
    with pytest.raises(
        ToolError, match=r"^the C of trivium must begin as its model, but does not$"
    ):
        FastEngine(TRIVIUM).run([segment])


@pytest.mark.usefixtures("slow_model")
def test_without_a_compiler_the_model_does_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str, _install: str) -> Path:
        raise ToolError(f"{name} is not installed")

    monkeypatch.setattr("headwater.flow.c_library.find_program", missing)
    assert FastEngine(TRIVIUM).run([SEGMENT]) == ModelEngine(TRIVIUM).run([SEGMENT])


def test_short_texts_need_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(fast_engine, "CEngine")
    short = replace(SEGMENT, bits=4096)
    assert FastEngine(TRIVIUM).run([short]) == ModelEngine(TRIVIUM).run([short])
