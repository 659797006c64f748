# SPDX-License-Identifier: Apache-2.0
"""Galois forms against the registers that they stand for."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from operator import xor
from typing import Any

import pytest
from galois_systems import (
    FEEDBACK,
    GRAIN_128A,
    STEPS,
    SYSTEMS,
    System,
    check_legal,
    example,
    fibonacci_content,
    finished,
    form_cycle,
    form_run,
    galois_content,
    mapped,
    of_state,
    original_run,
    original_step,
    polynomial,
    term,
    value,
    with_input,
)

from headwater.algebra.galois import GaloisForm, galois_form
from headwater.algebra.polynomial import Polynomial
from headwater.errors import InputError

CASES = [
    *(
        (name, radix, split)
        for name in ("grain_v1",)
        for radix in (1, 2, 4, 8)
        for split in (1, 2, 3)
    ),
    *(("grain128a", radix, split) for radix in (1, 2, 4, 8, 16) for split in (1, 2, 3)),
    *(("trivium", radix, 1) for radix in (1, 2, 4, 8, 16, 32)),
]


@pytest.mark.parametrize(("name", "radix", "split"), CASES)
def test_form_is_the_same_cipher(name: str, radix: int, split: int) -> None:
    system = SYSTEMS[name]
    start, outputs, end = example(name)
    form = system.form(radix, split=split)
    check_legal(form, system.feedback, system.output)
    assert form.is_plain == ((name, radix) == ("trivium", 32))
    seen, reached = form_run(system, form, start, STEPS)
    assert seen == outputs
    assert finished(form, reached) == finished(form, end)
    assert mapped(fibonacci_content(form), reached) == end


@pytest.mark.parametrize(("name", "radix", "split"), CASES)
def test_transformed_load_needs_no_masks(name: str, radix: int, split: int) -> None:
    system = SYSTEMS[name]
    start, outputs, _ = example(name)
    form = system.form(radix, split=split)
    loaded = mapped(galois_content(form), start)
    assert mapped(fibonacci_content(form), loaded) == start
    assert form_run(system, form, loaded, STEPS, masks=False)[0] == outputs


@pytest.mark.parametrize(("name", "radix", "split"), CASES)
def test_map_to_original_content_holds_for_every_state(name: str, radix: int, split: int) -> None:
    system = SYSTEMS[name]
    form = system.form(radix, split=split)
    check_map(system, form, random.Random(radix))


def check_map(system: System, form: GaloisForm, generator: random.Random) -> None:
    content, inverse = fibonacci_content(form), galois_content(form)
    for _ in range(8):
        state = system.random_state(generator)
        before = mapped(content, state)
        assert mapped(inverse, before) == state
        for _ in range(form.radix):
            before = original_step(system, before)
        assert mapped(content, form_cycle(form, state, 0, masks=False)) == before


# --- mistakes are seen by the same simulation

PUBLISHED = {
    0: "b12 s8 ^ s13 s20 ^ b95 s42",
    1: "b12 b95 s94 ^ b73 ^ b2 ^ s60 s79",
    2: "s93 ^ b89 ^ b15 ^ b36 ^ b45 ^ b64",
}


def published_form() -> GaloisForm:
    depths = {
        monomial: depth
        for depth, text in PUBLISHED.items()
        for monomial in (polynomial(text) & FEEDBACK).monomials
    }
    return GRAIN_128A.form(1, fixed=depths)


def changed(form: GaloisForm, depth: int, difference: Polynomial) -> GaloisForm:
    terms = {
        name: {at: part ^ difference if at == depth else part for at, part in parts.items()}
        for name, parts in form.terms.items()
    }
    return replace(form, terms=terms)


def test_published_split_of_grain_128aead() -> None:
    form = published_form()
    y126 = polynomial("b11 b94 s93 ^ b72 ^ b1 ^ s59 s78") & FEEDBACK
    y125 = polynomial("s91 ^ b87 ^ b13 ^ b34 ^ b43 ^ b62") & FEEDBACK
    for name in ("b", "s"):
        assert with_input(form.terms[name][1]) == y126
        assert with_input(form.terms[name][2]) == y125
    start, outputs, _ = example("grain128a")
    assert form_run(GRAIN_128A, form, start, STEPS)[0] == outputs


def test_misprint_in_published_split_is_caught() -> None:
    misprint = polynomial("s59 s78 ^ s50 s78") & FEEDBACK
    start, outputs, _ = example("grain128a")
    form = changed(published_form(), 1, misprint)
    assert form_run(GRAIN_128A, form, start, STEPS)[0] != outputs


@pytest.mark.parametrize("name", SYSTEMS)
def test_masks_are_needed(name: str) -> None:
    start, outputs, _ = example(name)
    form = SYSTEMS[name].form(1)
    assert form_run(SYSTEMS[name], form, start, STEPS, masks=False)[0] != outputs


def test_delay_of_inputs_is_needed() -> None:
    start, outputs, _ = example("grain128a")
    form = GRAIN_128A.form(1, split=3)
    undelayed: tuple[Callable[[int], int], ...] = (lambda _step: 0, lambda _step: 1)
    state, seen = start, 0
    for step in range(STEPS):
        seen |= value(GRAIN_128A.output, of_state(state)) << step
        state = form_cycle(form, state, step, undelayed[step < GRAIN_128A.feedback_steps])
    assert seen != outputs


# --- small systems at random


def random_system(generator: random.Random) -> System:
    lengths = {name: generator.randint(6, 20) for name in "xyz"[: generator.randint(1, 3)]}
    names = list(lengths)

    def monomial() -> Polynomial:
        product = ~Polynomial(frozenset())
        for _ in range(generator.randint(0, 3)):
            name = generator.choice(names)
            product &= Polynomial.variable(name, generator.randrange(lengths[name] * 3 // 4))
        return product

    shared = monomial() ^ monomial() ^ monomial()
    feedback = {
        name: reduce(xor, (monomial() for _ in range(6)), Polynomial.variable(name, 0))
        ^ (shared & FEEDBACK)
        for name in names
    }
    return System(lengths, feedback, Polynomial.variable(names[-1], 0), feedback_steps=12)


def random_form(system: System, generator: random.Random) -> GaloisForm:
    """Terms where the function puts them, or as deep as their smallest position if it can be."""
    radix, split = generator.choice((1, 1, 2, 3)), generator.randint(1, 3)
    monomials = {each for function in system.feedback.values() for each in function.monomials}
    deepest = {
        each: min(position for _, position in each) // radix * radix
        for each in sorted(monomials, key=sorted)
        if each and all(name in system.lengths for name, _ in each) and generator.random() < 0.7
    }
    try:
        return system.form(radix, split=split, max_depths=32, fixed=deepest)
    except InputError:
        return system.form(radix, split=split, max_depths=32)


def test_random_systems() -> None:
    generator = random.Random(1)
    moved = deep = 0
    for _ in range(200):
        system = random_system(generator)
        form = random_form(system, generator)
        check_legal(form, system.feedback, system.output)
        check_map(system, form, generator)
        start = system.random_state(generator)
        outputs, end = original_run(system, start, 36)
        seen, reached = form_run(system, form, start, 36)
        assert seen == outputs
        assert finished(form, reached) == finished(form, end)
        moved += not form.is_plain
        deep += any(bit.degree > 3 for bits in fibonacci_content(form).values() for bit in bits)
    assert moved > 100
    assert deep > 0


def test_unfinished_bits_that_lack_terms_of_unfinished_bits() -> None:
    feedback = {"a": polynomial("a0 ^ a7 a8 ^ a7")}
    fixed = {term("a7 a8"): 6, term("a7"): 7}
    form = galois_form({"a": 10}, feedback, radix=1, fixed=fixed)
    assert max(bit.degree for bit in fibonacci_content(form)["a"]) > 2
    assert max(bit.degree for bit in galois_content(form)["a"]) == 2
    check_map(System({"a": 10}, feedback, polynomial("a0")), form, random.Random(3))


def test_linear_register_with_all_taps_moved_to_its_oldest_bit() -> None:
    taps = (2, 3, 7)
    feedback = {"a": polynomial("a0 ^ a2 ^ a3 ^ a7")}
    fixed = {term(f"a{tap}"): tap for tap in taps}
    form = galois_form({"a": 8}, feedback, radix=1, fixed=fixed)
    assert form.terms["a"] == {depth: polynomial("a0") for depth in (0, *taps)}
    check_map(System({"a": 8}, feedback, polynomial("a0")), form, random.Random(2))


# --- what is refused


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"radix": 0}, "Radix must be a positive integer, not 0"),
        ({"radix": -2}, "Radix must be a positive integer, not -2"),
        ({"split": 0}, "Split must be a positive integer, not 0"),
        ({"max_depths": 0}, "Number of depths must be a positive integer, not 0"),
        ({"observed": [("s", 128)]}, "Position in register s must be between 0 and 127, not 128"),
        (
            {"radix": 8, "fixed": {term("b26"): 4}},
            "Depth of b26 must be one of 0, 8, 16, 24, not 4",
        ),
        ({"radix": 16, "fixed": {term("b56"): 32}}, "Depth of b56 must be one of 0, 16, not 32"),
        ({"radix": 32, "fixed": {term("b56"): 32}}, "Depth of b56 must be one of 0, not 32"),
        ({"fixed": {term("b1 b2"): 1}}, "Fixed term must be one of the feedback, not b1 b2"),
    ],
)
def test_illegal_choices(options: dict[str, Any], message: str) -> None:
    options = {"radix": 1, "observed": GRAIN_128A.output.variables, **options}
    with pytest.raises(InputError) as caught:
        galois_form(GRAIN_128A.lengths, GRAIN_128A.feedback, **options)
    assert str(caught.value) == message


def test_registers_and_feedback_must_agree() -> None:
    with pytest.raises(InputError, match="Registers with a feedback must be b, s, not b"):
        galois_form(GRAIN_128A.lengths, {"b": polynomial("b0")}, radix=1)
