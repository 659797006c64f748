# SPDX-License-Identifier: Apache-2.0
"""The generated Verilog of every catalogued cipher: form, and the same circuit."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from emitted import OF_A_FAMILY, assert_equivalent, iverilog_warnings
from needs import needs_iverilog

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cipher.zuc import CONSTANTS, ZUC
from headwater.core.architecture import Architecture
from headwater.emit.ordering import natural
from headwater.emit.verilog import generate
from headwater.errors import ToolError
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher

CIPHERS = [cipher for cipher in CATALOGUE.values() if cipher.name != "trivium"]


@needs_iverilog
@pytest.mark.parametrize("cipher", CIPHERS, ids=lambda cipher: cipher.name)
def test_no_warning_of_iverilog_as_verilog_2001(cipher: Cipher) -> None:
    legal = [radix for radix in cipher.legal_radices() if radix <= cipher.natural_radix]
    for radix in {legal[0], legal[-1]}:
        made = generate(cipher, Architecture.choose(cipher, radix=radix))
        assert iverilog_warnings(made.text) == ""


# --- form


def two_radices() -> list[object]:
    """Of each cipher its usual radix, and one above it."""
    cases = []
    for cipher in CATALOGUE.values():
        usual = cipher.default_radix
        higher = [radix for radix in cipher.legal_radices() if radix > usual][:3]
        for radix in (usual, *higher[-1:]):
            cases.append(pytest.param(cipher, radix, id=f"{cipher.name}-{radix}"))
    return cases


@pytest.mark.parametrize(("cipher", "radix"), two_radices())
def test_form(cipher: Cipher, radix: int) -> None:
    architecture = Architecture.choose(cipher, radix=radix)
    made = generate(cipher.with_parameters(architecture.options), architecture)
    code = re.sub(r" *//.*", "", made.text)
    assert re.findall(r"\b_\d+_\b|\$", code) == []
    assert max(map(len, made.text.splitlines())) <= 100
    names = declared_names(code)
    assert len(names) == len(set(names))
    # Every name is declared, and read or given to somewhere else.
    found = Counter(re.findall(r"\w+", code))
    assert [name for name in names if found[name] < 2] == []
    state = code[code.find("// Cipher state") :]
    numbered = [name for name in registers_of(state) if re.fullmatch(r"s\d+", name)]
    assert numbered == sorted(numbered, key=natural)


def declared_names(code: str) -> list[str]:
    """What a module declares outside its functions."""
    outside = re.sub(r"function.*?endfunction", "", code, flags=re.DOTALL)
    return [
        *re.findall(r"(?:wire|localparam) (?:\[\d+:\d+\] )?(\w+) =", outside),
        *registers_of(outside),
    ]


def registers_of(code: str) -> list[str]:
    """The registers declared, in their order."""
    lists = re.findall(r"\n  reg (?:\[\d+:\d+\] )?([^;]*);", code)
    return [name.strip() for names in lists for name in names.split(",")]


def test_constants_of_zuc_are_those_of_the_standard() -> None:
    made = generate(ZUC, Architecture.choose(ZUC))
    rows = re.findall(r"16'h(\w{4}),? +// load word (\d+)\n", made.text)
    assert {int(word): int(value, 16) for value, word in rows} == dict(enumerate(CONSTANTS))


@pytest.mark.parametrize(
    ("name", "functions"),
    [
        ("aes_ofb", {"sr_box"}),
        ("zuc", {"s0_box", "s1_box"}),
        ("snow3g", {"sr_box", "sq_box", "mul_alpha", "div_alpha"}),
        ("sfinks", {"invert_full_a", "invert_full_b", "invert_full_c", "invert_full_d"}),
    ],
)
def test_boxes_are_functions(name: str, functions: set[str]) -> None:
    cipher = CATALOGUE[name]
    made = generate(cipher, Architecture.choose(cipher))
    assert set(re.findall(r"function automatic \[\d+:0\] (\w+)\(", made.text)) == functions
    for function in functions:
        assert len(re.findall(rf"\b{function}\(", made.text)) > 1


# --- the same circuit


COMPARED = [
    cipher
    for cipher in CIPHERS
    if isinstance(cipher, ShiftRegisterCipher | ClockedCipher) or cipher.name in ("aes_ofb", "zuc")
    if cipher.name not in ("mickey128", *OF_A_FAMILY)
]
"""One of each family that the solver compares in some seconds."""


def to_compare(cipher: Cipher) -> Architecture:
    """One that is unrolled where that is possible, and is small enough to compare."""
    legal = [radix for radix in cipher.legal_radices() if 2 <= radix <= 4]
    return Architecture.choose(cipher, radix=legal[0] if legal else None)


@pytest.mark.parametrize("cipher", COMPARED, ids=lambda cipher: cipher.name)
def test_text_is_the_circuit(cipher: Cipher) -> None:
    architecture = to_compare(cipher)
    text = generate(cipher, architecture).text
    assert_equivalent(cipher, architecture, text, bitwise=cipher.name == "e0")


def test_constant_that_is_another_is_found() -> None:
    cipher = CATALOGUE["mickey2"]
    architecture = to_compare(cipher)
    made = generate(cipher, architecture).text
    digit = made.index("'h", made.index("R_TAPS =")) + 2
    wrong = made[:digit] + f"{int(made[digit], 16) ^ 1:x}" + made[digit + 1 :]
    with pytest.raises(ToolError, match="unproven"):
        assert_equivalent(cipher, architecture, wrong)
