# SPDX-License-Identifier: Apache-2.0
"""Galois forms against the registers that they stand for."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, reduce
from operator import and_, xor
from typing import Any

import pytest

from headwater.algebra.galois import GaloisForm, galois_form
from headwater.algebra.polynomial import Monomial, Polynomial, Variable
from headwater.cipher import trivium
from headwater.errors import InputError

State = dict[str, int]
"""Content of each register; bit number = position."""

Read = Callable[[str, int], int]

# --- the systems under test


@dataclass(frozen=True)
class System:
    lengths: Mapping[str, int]
    feedback: Mapping[str, Polynomial]
    output: Polynomial
    feedback_steps: int = 0

    def form(self, radix: int, **options: Any) -> GaloisForm:
        observed = self.output.variables
        return galois_form(self.lengths, self.feedback, radix=radix, observed=observed, **options)

    def random_state(self, generator: random.Random) -> State:
        return {name: generator.getrandbits(length) for name, length in self.lengths.items()}


def weight(form: GaloisForm, register: str, depth: int) -> int:
    """The sum of the numbers of state variables in the terms added at a depth."""
    terms = form.terms[register][depth].monomials if depth in form.terms[register] else ()
    return sum(max(1, sum(name in form.lengths for name, _ in term)) for term in terms)


def worst_weight(form: GaloisForm) -> int:
    """The largest weight at any depth of any register."""
    return max(weight(form, name, depth) for name in form.terms for depth in form.terms[name])


def term(text: str) -> Monomial:
    return frozenset((name[0], int(name[1:])) for name in text.split())


def polynomial(text: str) -> Polynomial:
    return Polynomial(frozenset(term(product) for product in text.split("^")))


FEEDBACK = Polynomial.variable("feedback", 0)


def grain(length: int, steps: int, lfsr: str, nfsr: str, h: str, linear: str) -> System:
    y = polynomial(h) ^ polynomial(linear)
    feedback = {
        "b": polynomial(nfsr) ^ polynomial("s0") ^ (y & FEEDBACK),
        "s": polynomial(lfsr) ^ (y & FEEDBACK),
    }
    return System({"b": length, "s": length}, feedback, y, steps)


GRAIN_V1 = grain(
    80,
    160,
    "s62 ^ s51 ^ s38 ^ s23 ^ s13 ^ s0",
    "b62 ^ b60 ^ b52 ^ b45 ^ b37 ^ b33 ^ b28 ^ b21 ^ b14 ^ b9 ^ b0 ^ b63 b60 ^ b37 b33 ^ b15 b9 ^ "
    "b60 b52 b45 ^ b33 b28 b21 ^ b63 b45 b28 b9 ^ b60 b52 b37 b33 ^ b63 b60 b21 b15 ^ "
    "b63 b60 b52 b45 b37 ^ b33 b28 b21 b15 b9 ^ b52 b45 b37 b33 b28 b21",
    "s25 ^ b63 ^ s3 s64 ^ s46 s64 ^ s64 b63 ^ s3 s25 s46 ^ s3 s46 s64 ^ s3 s46 b63 ^ "
    "s25 s46 b63 ^ s46 s64 b63",
    "b1 ^ b2 ^ b4 ^ b10 ^ b31 ^ b43 ^ b56",
)
GRAIN_128A = grain(
    128,
    256,
    "s0 ^ s7 ^ s38 ^ s70 ^ s81 ^ s96",
    "b0 ^ b26 ^ b56 ^ b91 ^ b96 ^ b3 b67 ^ b11 b13 ^ b17 b18 ^ b27 b59 ^ b40 b48 ^ b61 b65 ^ "
    "b68 b84 ^ b22 b24 b25 ^ b70 b78 b82 ^ b88 b92 b93 b95",
    "b12 s8 ^ s13 s20 ^ b95 s42 ^ s60 s79 ^ b12 b95 s94",
    "s93 ^ b2 ^ b15 ^ b36 ^ b45 ^ b64 ^ b73 ^ b89",
)


def trivium_system() -> System:
    registers = trivium.TRIVIUM.registers
    windows = [
        lambda stage, register=register: Polynomial.variable(
            register.name, register.position(stage)
        )
        for register in registers
    ]
    output, feedback = trivium.step(lambda value: value, *windows)
    return System({each.name: each.length for each in registers}, feedback, output)


TRIVIUM = trivium_system()
SYSTEMS = {"grain_v1": GRAIN_V1, "grain128a": GRAIN_128A, "trivium": TRIVIUM}

# --- the reference simulator


def value(function: Polynomial, read: Read, width: int = 1) -> int:
    """The function for ``width`` steps at once; ``read`` may give more bits than that."""
    ones = (1 << width) - 1
    total = 0
    for monomial in function.monomials:
        product = ones
        for variable in monomial:
            product &= read(*variable)
        total ^= product
    return total


def of_state(state: State) -> Read:
    return lambda name, position: state[name] >> position


def original_step(system: System, state: State, inputs: int = 0) -> State:
    """One step of the registers as they were; every input has the value ``inputs``."""

    def read(name: str, position: int) -> int:
        return state[name] >> position if name in state else inputs

    return {
        name: content >> 1 | value(system.feedback[name], read) << system.lengths[name] - 1
        for name, content in state.items()
    }


def form_cycle(
    form: GaloisForm,
    state: State,
    step: int,
    inputs: Callable[[int], int] = lambda _step: 0,
    masks: bool = True,
) -> State:
    """One cycle; ``step`` counts from the load, and ``inputs`` gives every input's value by it."""

    def delayed(depth: int) -> Read:
        word = sum(inputs(step - depth + late) << late for late in range(form.radix))
        return lambda name, position: state[name] >> position if name in state else word

    after = {name: content >> form.radix for name, content in state.items()}
    for name, parts in form.terms.items():
        for depth, function in parts.items():
            if step >= depth or not masks:
                added = value(function, delayed(depth), form.radix)
                after[name] ^= added << form.lengths[name] - form.radix - depth
    return after


def original_run(system: System, state: State, steps: int) -> tuple[int, State]:
    outputs = 0
    for step in range(steps):
        outputs |= value(system.output, of_state(state)) << step
        state = original_step(system, state, int(step < system.feedback_steps))
    return outputs, state


def form_run(
    system: System, form: GaloisForm, state: State, steps: int, masks: bool = True
) -> tuple[int, State]:
    outputs = 0
    for step in range(0, steps, form.radix):
        outputs |= value(system.output, of_state(state), form.radix) << step
        state = form_cycle(
            form, state, step, lambda when: int(0 <= when < system.feedback_steps), masks
        )
    return outputs, state


def mapped(content: Mapping[str, list[Polynomial]], state: State) -> State:
    return {
        name: sum(value(bit, of_state(state)) << place for place, bit in enumerate(bits))
        for name, bits in content.items()
    }


STEPS = 448


@cache
def example(name: str) -> tuple[State, int, State]:
    """A random state of a cipher, the output from there and the state reached."""
    system = SYSTEMS[name]
    start = system.random_state(random.Random(name))
    return (start, *original_run(system, start, STEPS))


def finished(form: GaloisForm, state: State) -> State:
    """The part of the state that is the same as in the original registers."""
    return {
        name: content & (1 << form.lengths[name] - form.depth(name)) - 1
        for name, content in state.items()
    }


# --- forms are legal and say the same


def raised(function: Polynomial, names: Iterable[str], depth: int) -> Polynomial:
    return Polynomial(
        frozenset(
            frozenset(
                (name, number + depth if name in names else number) for name, number in monomial
            )
            for monomial in function.monomials
        )
    )


def check_legal(form: GaloisForm, feedback: Mapping[str, Polynomial], output: Polynomial) -> None:
    for name, parts in form.terms.items():
        assert list(parts) == sorted(parts)
        assert all(depth % form.radix == 0 for depth in parts)
        whole = (raised(part, form.lengths, depth) for depth, part in parts.items())
        assert reduce(xor, whole) == feedback[name]
    if form.is_plain:
        return
    functions = [output, *(part for parts in form.terms.values() for part in parts.values())]
    read: set[Variable] = set().union(*(function.variables for function in functions))
    for name, position in read:
        if name in form.lengths:
            newest = form.lengths[name] - 1 - form.depth(name)
            assert 0 <= position <= newest - form.radix + 1


def fibonacci_content(form: GaloisForm) -> dict[str, list[Polynomial]]:
    """The original registers' content, position by position, from that of a form.

    It holds from the step on in which every mask is open and every input, delayed or not, is and
    stays zero. Then a cycle of the form followed by this map is this map followed by ``radix``
    original steps, for every content of the form, reached or not.
    """

    @cache
    def original(name: str, position: int) -> Polynomial:
        return _completed(form, name, position, original)

    return {name: [original(name, bit) for bit in range(form.lengths[name])] for name in form.terms}


def galois_content(form: GaloisForm) -> dict[str, list[Polynomial]]:
    """The content of a form for an original content, if every input was zero: the inverse of
    `fibonacci_content`.

    Loaded instead of plain content, it needs no masks; inputs are delayed all the same.
    """
    return {
        name: [_completed(form, name, bit, Polynomial.variable) for bit in range(length)]
        for name, length in form.lengths.items()
    }


def _completed(
    form: GaloisForm, register: str, position: int, read: Callable[[str, int], Polynomial]
) -> Polynomial:
    """The finished value of a bit: the bit and every term that is added to it later. ``read`` gives
    the bits of the original registers."""
    bit = Polynomial.variable(register, position)
    for depth, polynomial in form.terms[register].items():
        wait = position - form.lengths[register] + depth
        for term in polynomial.monomials if wait >= 0 else ():
            if all(name in form.lengths for name, _ in term):
                bit ^= reduce(
                    and_,
                    (read(name, place + wait) for name, place in term),
                    ~Polynomial(frozenset()),
                )
    return bit


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


def with_input(function: Polynomial) -> Polynomial:
    names = {"b", "s"}
    return Polynomial(
        frozenset(each for each in function.monomials if any(name not in names for name, _ in each))
    )


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
