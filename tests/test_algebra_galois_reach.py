# SPDX-License-Identifier: Apache-2.0
"""How far Galois forms take terms apart, and what they leave as it is."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from galois_systems import (
    GRAIN_128A,
    GRAIN_V1,
    STEPS,
    SYSTEMS,
    TRIVIUM,
    System,
    example,
    fibonacci_content,
    form_run,
    galois_content,
    polynomial,
    term,
    weight,
    with_input,
    worst_weight,
)

from headwater.algebra.galois import galois_form
from headwater.algebra.polynomial import Polynomial

# --- what can be reached


@pytest.mark.parametrize(
    ("name", "split", "worst"),
    [
        ("grain128a", 1, {1: 21, 2: 21, 4: 23, 8: 23, 16: 25, 32: 49, 64: 49}),
        ("grain128a", 2, {1: 11, 2: 12, 4: 12, 8: 13, 16: 25, 32: 49}),
        ("grain128a", 3, {1: 7, 2: 8, 4: 9, 8: 13, 16: 25, 32: 49}),
        ("grain_v1", 1, {1: 32, 2: 32, 4: 32, 8: 41, 16: 82, 32: 82}),
        ("grain_v1", 3, {1: 11, 2: 11, 4: 21, 8: 41, 16: 82}),
        ("trivium", 1, {1: 2, 2: 3, 4: 3, 8: 4, 16: 4, 32: 5, 64: 5, 288: 5}),
    ],
)
def test_worst_weight(name: str, split: int, worst: dict[int, int]) -> None:
    forms = {radix: SYSTEMS[name].form(radix, split=split) for radix in worst}
    assert {radix: worst_weight(form) for radix, form in forms.items()} == worst


@pytest.mark.parametrize(
    ("system", "radix"), [(GRAIN_V1, 16), (GRAIN_V1, 17), (GRAIN_128A, 32), (TRIVIUM, 65)]
)
def test_plain_form_where_nothing_can_move(system: System, radix: int) -> None:
    form = system.form(radix, split=3)
    assert form.is_plain
    assert form.delays == ()
    assert form.terms == {name: {0: function} for name, function in system.feedback.items()}
    identity = {
        name: [Polynomial.variable(name, position) for position in range(length)]
        for name, length in system.lengths.items()
    }
    assert fibonacci_content(form) == galois_content(form) == identity


def test_trivium_at_32_gains_nothing_but_may_move_a_tap() -> None:
    form = TRIVIUM.form(32, fixed={term("c45"): 32})
    assert form.delays == (32,)
    assert form.terms["a"][32] == polynomial("c13")
    start, outputs, _ = example("trivium")
    assert form_run(TRIVIUM, form, start, STEPS)[0] == outputs


@pytest.mark.parametrize(("most", "worst"), [(1, 49), (2, 25), (3, 17), (4, 13), (6, 9), (7, 7)])
def test_limit_of_depths(most: int, worst: int) -> None:
    form = GRAIN_128A.form(1, split=3, max_depths=most)
    assert form.delays == tuple(range(1, most))
    assert worst_weight(form) == worst
    assert weight(form, "b", most) == 0


def test_budget_saves_depths() -> None:
    form = GRAIN_128A.form(1, split=3, budget=13)
    assert (worst_weight(form), form.delays) == (13, (1, 2, 3))


def test_split_is_kept_within_a_budget() -> None:
    assert GRAIN_128A.form(2, split=3, budget=49).delays == (2, 4)


@pytest.mark.parametrize(("radix", "deepest"), [(1, 2), (2, 2), (3, 0), (6, 0)])
def test_depth_ends_with_the_register(radix: int, deepest: int) -> None:
    feedback = {"a": polynomial("b20 ^ b21 ^ b22 ^ b23 ^ b24 ^ b25"), "b": polynomial("b0")}
    form = galois_form({"a": 5, "b": 64}, feedback, radix=radix)
    assert form.depth("a") == deepest


@pytest.mark.parametrize("radix", [1, 2, 4, 8])
@pytest.mark.parametrize("split", [1, 2, 3])
def test_split_is_the_same_in_both_registers(radix: int, split: int) -> None:
    form = GRAIN_128A.form(radix, split=split)
    parts = {
        name: {depth: with_input(part) for depth, part in form.terms[name].items()}
        for name in form.terms
    }
    used = {
        name: {depth: part for depth, part in parts[name].items() if part.monomials}
        for name in parts
    }
    assert used["b"] == used["s"]
    assert list(used["b"]) == [radix * number for number in range(split)]


@pytest.mark.parametrize(("radix", "depths"), [(8, (0, 8, 16)), (16, (0, 16))])
def test_split_over_as_many_depths_as_are_legal(radix: int, depths: tuple[int, ...]) -> None:
    form = GRAIN_128A.form(radix, split=3)
    assert tuple(d for d, part in form.terms["s"].items() if with_input(part).monomials) == depths


REPRODUCED = """
from headwater.algebra.galois import galois_form
from headwater.algebra.polynomial import Polynomial
products = [frozenset({("a", n), ("b", 31 * n % 40)}) for n in range(40)]
form = galois_form(dict(a=64, b=64), dict.fromkeys("ab", Polynomial(frozenset(products))), radix=2)
print([(depth, sorted(map(sorted, part.monomials))) for depth, part in form.terms["a"].items()])
"""


def test_same_form_whatever_the_order_of_sets() -> None:
    forms = {
        subprocess.run(
            [sys.executable, "-c", REPRODUCED],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(forms) == 1
