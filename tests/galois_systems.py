# SPDX-License-Identifier: Apache-2.0
"""Systems of registers, and a simulation of their forms that does not share a line with them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, reduce
from operator import and_, xor
from typing import Any

from headwater.algebra.galois import GaloisForm, galois_form
from headwater.algebra.polynomial import Monomial, Polynomial, Variable
from headwater.cipher import trivium

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


def with_input(function: Polynomial) -> Polynomial:
    names = {"b", "s"}
    return Polynomial(
        frozenset(each for each in function.monomials if any(name not in names for name, _ in each))
    )
