# SPDX-License-Identifier: Apache-2.0
"""The generated Verilog of every catalogued cipher: lint, and tidying that changes nothing."""

from __future__ import annotations

import pytest
from emitted import assert_equivalent, each_choice, iverilog_warnings, raw_and_tidied
from needs import needs_iverilog

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError, ToolError
from headwater.flow import verilator
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher

CIPHERS = [cipher for cipher in CATALOGUE.values() if cipher.name != "trivium"]

LARGER_OF_A_FAMILY = ("vest16", "vest32", "vest16-ae", "vest32-ae")
"""Their options do what those of the smallest do, and each core takes a quarter of a minute."""


def radices(cipher: Cipher) -> list[int]:
    """All of a short list; of a long one narrow, odd, natural, chained and very wide ones."""
    legal = cipher.legal_radices()
    if len(legal) < 20:
        return list(legal)
    natural = cipher.natural_radix
    return [1, 3, natural, natural + 1, 2 * natural + 3, legal[-1]]


def architectures() -> list[object]:
    cases = []
    for cipher in CIPHERS:
        middle = radices(cipher)[len(radices(cipher)) // 2]
        asked_for = [(radix, {}) for radix in radices(cipher)]
        if cipher.name not in LARGER_OF_A_FAMILY:
            asked_for += [(middle, options) for options in each_choice(cipher)]
        for radix, options in asked_for:
            try:
                chosen = Architecture.choose(cipher, radix=radix, options=options)
            except InputError:
                continue
            label = "-".join((cipher.name, str(radix), *(f"{n}={v}" for n, v in options.items())))
            cases.append(pytest.param(cipher, chosen, id=label))
    return cases


@pytest.mark.parametrize(("cipher", "architecture"), architectures())
def test_no_warning_of_verilator(cipher: Cipher, architecture: Architecture) -> None:
    made = generate(cipher.with_parameters(architecture.options), architecture)
    assert verilator.lint(made.name, made.text) == []


@needs_iverilog
@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda cipher: cipher.name)
def test_no_warning_of_iverilog_as_verilog_2001(cipher: Cipher) -> None:
    legal = [radix for radix in cipher.legal_radices() if radix <= cipher.natural_radix]
    for radix in {legal[0], legal[-1]}:
        made = generate(cipher, Architecture.choose(cipher, radix=radix))
        assert iverilog_warnings(made.text) == ""


TIDIED = [
    cipher
    for cipher in CIPHERS
    if isinstance(cipher, ShiftRegisterCipher | ClockedCipher) or cipher.name == "aes_ofb"
]
"""One of each family that the solver compares in some seconds."""


def for_tidying(cipher: Cipher) -> Architecture:
    """One whose Verilog is tidied a good deal, and is small enough to compare."""
    legal = cipher.legal_radices()
    return Architecture.choose(cipher, radix=3 if 3 in legal else cipher.default_radix)


@pytest.mark.parametrize("cipher", TIDIED, ids=lambda cipher: cipher.name)
def test_tidying_changes_nothing(monkeypatch: pytest.MonkeyPatch, cipher: Cipher) -> None:
    assert_equivalent(*raw_and_tidied(monkeypatch, cipher, for_tidying(cipher)))


def test_constant_that_is_another_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    cipher = CATALOGUE["mickey2"]
    raw, made = raw_and_tidied(monkeypatch, cipher, for_tidying(cipher))
    first = made.index("localparam")
    digit = made.index("'h", first) + 2
    wrong = made[:digit] + f"{int(made[digit], 16) ^ 1:x}" + made[digit + 1 :]
    with pytest.raises(ToolError, match="unproven"):
        assert_equivalent(raw, wrong)
