# SPDX-License-Identifier: Apache-2.0
"""Every kind of mistake that the page for authors lists is made, and named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hand_written import core

from headwater.cipher.catalogue import CATALOGUE, find
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.foreign.judging import judge
from headwater.foreign.settings import Settings
from headwater.foreign.verdict import NO, Verdict
from headwater.kinds.stepped.faults import (
    Fault,
    faults_of_load,
    faults_of_setup,
    faults_of_step,
)
from headwater.kinds.stepped.runs import is_of_bits, run_cipher

PAGE = (Path(__file__).parents[1] / "docs" / "judging-cores.md").read_text(encoding="utf-8")

LOAD = "s <= {4'b0, iv, 13'b0, key};"

BY_HAND = [
    (
        "a tap one stage off",
        ("assign z = t1", "assign z = s[65] ^ s[93]"),
        "a tap is off by one: stage 65 of a instead of 66, in the output",
        "keystream bit 0",
    ),
    (
        "a term or every AND left out",
        (" ^ s[171]", ""),
        "b(171) is missing in the input of register b",
        "b(94), in s[94]",
    ),
    (
        "a term or every AND left out",
        ("s[91] & s[92] ^ ", ""),
        "a(91) AND a(92) is missing in the input of register b",
        "b(94), in s[94]",
    ),
    (
        "an inverted input of a register",
        ("s[92:1], t2 ^", "s[92:1], ~t2 ^"),
        "the input of register a is inverted",
        "a(1), in s[1]",
    ),
    (
        "an inverted input of a register",
        ("z = t1 ^ t2", "z = ~t1 ^ t2"),
        "the output is inverted",
        "keystream bit 0",
    ),
    (
        "key or IV at the other end of its register",
        (LOAD, "s <= {4'b0, iv, key, 13'b0};"),
        "the padding of the key is at the other end of register a",
        "a(1) is loaded with 0",
    ),
    (
        "key or IV at the other end of its register",
        (LOAD, "s <= {iv, 17'b0, key};"),
        "the padding of the IV is at the other end of register b",
        "b(94) is loaded with 0",
    ),
    (
        "another warm-up count",
        ("rounds == 708", "rounds == 709"),
        "the warm-up count is 709 steps, not 708",
        "keystream bit 0",
    ),
]


def faults(name: str) -> Iterator[Fault]:
    cipher = run_cipher(find(name))
    yield from faults_of_load(cipher)
    yield from faults_of_setup(cipher)
    yield from faults_of_step(cipher)


MADE = [
    ("reversed", "espresso", "the IV enters register x231 in the reverse order of stages"),
    (
        "ones of the load left out",
        "grain_v1",
        "the ones that the load puts into register s are zeros",
    ),
    ("a setup without its feedback", "grain_v1", "the setup leaves out feedback"),
    ("a tap one stage off", "grain_v1", r"a tap is off by one: .*, in the input of register s"),
]


def judged(folder: Path, text: str, cipher: str) -> Verdict:
    (folder / "core.v").write_text(text)
    return judge([folder / "core.v"], find(cipher), Settings())[0]


@pytest.mark.parametrize(("kind", "change", "cause", "bit"), BY_HAND)
def test_a_mistake_by_hand(
    kind: str, change: tuple[str, str], cause: str, bit: str, tmp_path: Path
) -> None:
    assert kind in listed()
    verdict = judged(tmp_path, core("bivium", change), "bivium")
    assert verdict.result("vectors") == NO
    assert not verdict.passes
    assert verdict.causes[0] == cause
    assert verdict.wrong[0].startswith(bit)


@pytest.mark.parametrize(("kind", "name", "cause"), MADE)
def test_a_mistake_of_another_cipher(kind: str, name: str, cause: str, tmp_path: Path) -> None:
    """The core is made of the description with the mistake, with a handshake and its own ways to
    write sums, and judged without being told."""
    assert kind in listed()
    fault = next(one for one in faults(name) if re.fullmatch(cause, one.cause))
    text = generate(fault.cipher, Architecture.choose(fault.cipher)).text
    verdict = judged(tmp_path, text, name)
    assert not verdict.passes
    assert verdict.causes[0] == fault.cause
    assert verdict.wrong


@pytest.mark.parametrize("name", [one.name for one in CATALOGUE.values() if is_of_bits(one)])
def test_mistakes_of_every_cipher_can_be_made(name: str) -> None:
    """No description of bits keeps the causes from being looked for."""
    causes = [one.cause for one in faults(name)]
    assert len(causes) == len(set(causes))


def listed() -> str:
    """The sentence of the page that lists the causes."""
    (found,) = re.findall(r"These are tried: (.*?)\.\n", PAGE, re.DOTALL)
    return " ".join(found.split())
