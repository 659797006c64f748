# SPDX-License-Identifier: Apache-2.0
"""Sums that are made a cycle ahead: which terms can be, what is refused, what the Verilog shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.kinds.registry import build
from headwater.kinds.stepped.properties import PROPERTIES
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.transformations.ahead import Parts, parts_ahead
from headwater.verify.proof import is_kept

AHEAD = {"form": "ahead"}


def cipher_of(name: str) -> ShiftRegisterCipher:
    cipher = CATALOGUE[name]
    assert isinstance(cipher, ShiftRegisterCipher)
    return cipher


def ahead(name: str, radix: int) -> Mapping[int, Parts]:
    cipher = cipher_of(name)
    made = Architecture.choose(cipher, radix=radix, options=AHEAD)
    return parts_ahead(cipher, radix, made.load_width)


def taps(parts: Parts) -> set[str]:
    return {f"{register}{stage}" for register, stage in parts.ahead.variables}


def test_all_that_is_fed_back_is_ahead_at_one_bit_a_cycle() -> None:
    found = ahead("grain128a", 1)
    assert list(found) == [0, 1, 3]  # f, g and y; h is a part of y
    assert not any(parts.rest.monomials for parts in found.values())


def test_a_term_is_not_ahead_where_the_load_puts_words() -> None:
    """At 16 bits a cycle words of the IV come to stages 80 to 95 of s, so that s70 and s81 of f are
    not ahead, and three of its terms are too few."""
    assert list(ahead("grain128a", 16)) == [1, 3]


def test_a_term_is_ahead_if_the_next_cycle_reads_old_bits() -> None:
    _, g, _, y, _ = cipher_of("grain128a").named_sums
    found = ahead("grain128a", 32)
    assert list(found) == [1, 3]  # Two terms of f are left, which save nothing.
    assert taps(found[1]) == {
        "s0",
        "b0",
        "b26",
        "b56",
        "b11",
        "b13",
        "b17",
        "b18",
        "b27",
        "b59",
        "b40",
        "b48",
        "b22",
        "b24",
        "b25",
    }
    assert taps(found[3]) == {"b12", "s8", "s13", "s20", "b2", "b15", "b36", "b45", "b64"}
    for whole, parts in ((g, found[1]), (y, found[3])):
        assert parts.ahead ^ parts.rest == whole
        assert not parts.ahead.monomials & parts.rest.monomials


@pytest.mark.parametrize(
    ("name", "choices", "message"),
    [
        (
            "grain_v1",
            {"radix": 3},
            (
                "radix of grain_v1 with form=ahead must divide the steps of its setup and be at "
                "most 16, not 3"
            ),
        ),
        (
            "grain128a",
            {"radix": 8, "load_width": 8},
            (
                "form of grain128a at radix 8 and load width 8 must be fibonacci, or galois "
                "where it is legal, not 'ahead': no sum of its feedback has a part of 4 bits or "
                "more that can be added a cycle ahead"
            ),
        ),
        (
            "trivium",
            {"radix": 8},
            (
                "form of trivium at radix 8 and load width 8 must be fibonacci, or galois where "
                "it is legal, not 'ahead': no sum of its feedback has a part of 4 bits or more "
                "that can be added a cycle ahead"
            ),
        ),
        (
            "grain_v1",
            {"radix": 1, "output": "split"},
            "output must be plain with form=ahead, not 'split'",
        ),
    ],
)
def test_refusals(name: str, choices: dict[str, Any], message: str) -> None:
    cipher = cipher_of(name)
    options = AHEAD | {key: choices.pop(key) for key in ("output",) if key in choices}
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        Architecture.choose(cipher, options=options, **choices)


def test_the_verilog_shows_both_parts() -> None:
    cipher = cipher_of("grain_v1")
    made = Architecture.choose(cipher, radix=4, options={**AHEAD, "stall": "none"})
    text = generate(cipher, made).text
    assert "wire [3:0] f = f_ahead ^ s[65:62];" in text
    assert re.search(r"^    f_ahead <= s\[7:4\] \^ s\[20:17\] \^", text, re.MULTILINE)
    # What is ahead as a whole is a register of its own name, and h is nothing but a part of z.
    assert re.search(r"^    z <= b\[8:5\] \^", text, re.MULTILINE)
    assert " h = " not in text


def test_a_sum_may_be_complemented() -> None:
    """No part that is ahead has the one, which would be wrong while the state is zero."""
    grain = cipher_of("grain_v1")

    def step(wire: Any, b: Any, s: Any, *, feedback: Any) -> Any:
        t = wire(~(b(1) ^ b(20) ^ (b(30) & b(40))))
        return t, {"b": s(0) ^ t, "s": s(13) ^ s(0) ^ (t & feedback)}

    cipher = replace(grain, step=step)
    (parts,) = parts_ahead(cipher, 4, 4).values()
    assert parts.rest.monomials == {frozenset()}
    core = build(cipher, Architecture.choose(cipher, radix=4, options=AHEAD))
    step_of_cycle = next(one for one in PROPERTIES if one.name == "step")
    assert is_kept(step_of_cycle, core, cipher)
