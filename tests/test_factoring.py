# SPDX-License-Identifier: Apache-2.0
"""Sums of products with factors taken out: the same function, never longer, and in the cores."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest

from headwater.algebra.factoring import Form, as_sum, factored
from headwater.algebra.polynomial import Polynomial
from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.kinds.registry import build
from headwater.kinds.stepped.properties import PROPERTIES
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.sums import NAMED, shorter_sums
from headwater.verify.proof import is_kept

ONE = Polynomial.constant(1)


def v(number: int) -> Polynomial:
    return Polynomial.variable("v", number)


def drawn(variables: int, terms: int, longest: int, seed: int) -> Polynomial:
    """A sum of some products of at most ``longest`` variables, and perhaps of one."""
    chooser = random.Random(seed)
    products = [chooser.sample(range(variables), chooser.randint(0, longest)) for _ in range(terms)]
    return Polynomial(frozenset(frozenset(("v", one) for one in each) for each in products))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    ("variables", "terms", "longest"), [(1, 2, 1), (3, 5, 3), (5, 12, 4), (8, 20, 5), (20, 70, 3)]
)
def test_any_sum_is_the_same_function_and_no_longer(
    variables: int, terms: int, longest: int, seed: int
) -> None:
    function = drawn(variables, terms, longest, seed)
    if not function.variables:
        return
    short, plain = factored(function), as_sum(function)
    assert short.read(Polynomial.variable) == plain.read(Polynomial.variable) == function
    assert short.weight <= plain.weight


@pytest.mark.parametrize(
    ("function", "operator", "weight"),
    [
        (v(0) ^ v(1) ^ (v(0) & v(1)), "|", 1),
        (v(0) ^ (v(0) & v(1) & v(2)), "&", 2),
        ((v(0) & v(1)) ^ (v(0) & v(2)), "&", 3),
        (v(1) ^ (v(0) & v(1)) ^ (v(0) & v(2)), "|", 3),  # v0 ? v2 : v1
        ((v(0) & v(1)) ^ (v(2) & v(3)), "^", 4),  # Nothing in common.
        (v(0) ^ v(1) ^ ONE, "~", 2),
    ],
)
def test_small_functions(function: Polynomial, operator: str, weight: int) -> None:
    short = factored(function)
    assert (short.head, short.weight) == (operator, weight)


def test_single_variables_come_first() -> None:
    function = (v(0) & v(1)) ^ v(5) ^ (v(2) & v(3)) ^ v(4)
    operands = factored(function).operands
    assert operands[:2] == (Form(("v", 4)), Form(("v", 5)))


def cipher_of(name: str) -> ShiftRegisterCipher:
    cipher = CATALOGUE[name]
    assert isinstance(cipher, ShiftRegisterCipher)
    return cipher


def shorter(name: str) -> list[int]:
    return list(shorter_sums(cipher_of(name)))


def test_which_sums_of_the_catalogue_are_shorter() -> None:
    """Of Grain v1 g and h, of Lizard f1. What saves an AND alone is left as the paper has it."""
    assert shorter("grain_v1") == [1, 2]
    assert shorter("lizard") == [0]
    assert not any(map(shorter, ("trivium", "bivium", "grain128a", "espresso")))


def test_a_sum_that_the_description_writes_short_stays() -> None:
    grain = cipher_of("grain_v1")

    def step(wire: Any, b: Any, s: Any, *, feedback: Any) -> Any:
        t = wire((b(1) | b(20)) ^ (s(3) & (b(30) ^ b(40) ^ b(50))))
        return t, {"b": s(0) ^ t, "s": s(13) ^ s(0) ^ (t & feedback)}

    assert not shorter_sums(replace(grain, step=step))


def with_named_parts() -> ShiftRegisterCipher:
    """A cipher with a sum of products of a sum that it names before, and of a control."""

    def step(wire: Any, b: Any, s: Any, *, feedback: Any) -> Any:
        t = wire(b(1) ^ s(20) ^ (b(30) & b(40)))
        u = wire(t ^ s(5) ^ (t & s(5)) ^ (t & s(6) & feedback) ^ (s(5) & s(6) & feedback))
        return u, {"b": s(0) ^ t, "s": s(13) ^ s(0) ^ (u & feedback)}

    return replace(cipher_of("grain_v1"), step=step)


def test_sums_that_were_named_before_and_controls_are_factors_too() -> None:
    (u,) = shorter_sums(with_named_parts()).values()
    assert u.variables == {(NAMED, 0), ("s", 5), ("s", 6), ("feedback", 0)}


@pytest.mark.parametrize("radix", [1, 7])
def test_the_step_with_factors_is_proven_to_be_the_description_s(radix: int) -> None:
    assert keeps_its_step(with_named_parts(), radix)


def test_the_proof_finds_another_function(monkeypatch: pytest.MonkeyPatch) -> None:
    cipher = with_named_parts()
    wrong = {
        1: shorter_sums(cipher)[1] ^ (Polynomial.variable("s", 5) & Polynomial.variable("s", 6))
    }
    monkeypatch.setattr("headwater.kinds.stepped.registers.shorter_sums", lambda _: wrong)
    assert not keeps_its_step(cipher, 1)


def keeps_its_step(cipher: ShiftRegisterCipher, radix: int) -> bool:
    core = build(cipher, Architecture.choose(cipher, radix=radix))
    return is_kept(next(one for one in PROPERTIES if one.name == "step"), core, cipher)


def test_the_verilog_says_what_it_shows() -> None:
    cipher = cipher_of("grain_v1")
    text = generate(cipher, Architecture.choose(cipher, radix=4)).text
    assert re.search(r"// the description's sum, written shorter\n  wire \[3:0\] h = ", text)
    assert "wire [3:0] f = s[65:62] ^ s[54:51] ^" in text  # as in the paper
