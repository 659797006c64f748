# SPDX-License-Identifier: Apache-2.0
"""Descriptions with one mistake in them, of the kinds that are made in cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import and_, xor
from typing import Any

from headwater.algebra.polynomial import Polynomial, Variable, as_polynomial
from headwater.kinds.stepped.description import Placed
from headwater.kinds.stepped.runs import RunCipher
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher

_OUTPUT = "the output"
_MOVES = (1, -1)


@dataclass(frozen=True)
class Fault:
    """A mistake, and the description that has it."""

    cause: str
    """As a phrase."""
    cipher: RunCipher


def faults_of_load(cipher: RunCipher) -> Iterator[Fault]:
    """Mistakes of a load that places key and IV: padding at the other end, constants that are
    missing, a string that is reversed in its register."""
    if not isinstance(cipher, ShiftRegisterCipher):
        return
    empty = cipher.load.content(
        [_Symbol.variable("key", n) for n in range(cipher.key_bits)],
        [_Symbol.variable("iv", n) for n in range(cipher.iv_bits[-1])],
    )
    for register in cipher.registers:
        stages = [
            bit if isinstance(bit, Polynomial) else Polynomial.constant(bit & 1)
            for bit in empty[register.name]
        ]
        string = [place for place, bit in enumerate(stages) if bit.variables]
        ones = [place for place, bit in enumerate(stages) if bit.monomials == {frozenset()}]
        name = register.name
        if ones:
            yield Fault(
                f"the ones that the load puts into register {name} are zeros",
                _loading(cipher, name, _without(ones)),
            )
        names = {one[0] for place in string for one in stages[place].variables}
        if len(names) != 1:
            continue
        what = "IV" if "iv" in names else "key"
        padding = len(stages) - len(string)
        if padding and string in ([*range(len(string))], [*range(padding, len(stages))]):
            way = padding if string[0] == 0 else -padding
            yield Fault(
                f"the padding of the {what} is at the other end of register {name}",
                _loading(cipher, name, _rotated(way)),
            )
        yield Fault(
            f"the {what} enters register {name} in the reverse order of stages",
            _loading(cipher, name, _reversed(string)),
        )


class _Symbol(Polynomial):
    """A bit of key or IV, to which a load may add a constant."""

    def __xor__(self, other: Polynomial | int) -> _Symbol:
        return _Symbol(self.monomials ^ as_polynomial(other).monomials)

    __rxor__ = __xor__


Change = Callable[[Sequence[Any]], Sequence[Any]]


def _without(places: Sequence[int]) -> Change:
    return lambda stages: [0 if at in places else bit for at, bit in enumerate(stages)]


def _rotated(way: int) -> Change:
    return lambda stages: [stages[(at - way) % len(stages)] for at in range(len(stages))]


def _reversed(string: Sequence[int]) -> Change:
    turned = dict(zip(string, reversed(string), strict=True))
    return lambda stages: [stages[turned.get(at, at)] for at in range(len(stages))]


def _loading(cipher: ShiftRegisterCipher, register: str, change: Change) -> ShiftRegisterCipher:
    def content(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
        loaded = dict(cipher.load.content(key, iv))
        loaded[register] = change([*loaded[register]])
        return loaded

    return replace(cipher, load=Placed(content))


def faults_of_step(cipher: RunCipher) -> Iterator[Fault]:
    """Mistakes of a step of shift registers: a tap one stage off, a term that is missing, no
    products at all, an input of a register that is inverted."""
    if not isinstance(cipher, ShiftRegisterCipher):
        return
    output, entering = cipher.feedback
    functions = {_OUTPUT: output} | {_input_of(name): one for name, one in entering.items()}
    linear = {
        what: Polynomial(frozenset(one for one in function.monomials if len(one) < 2))
        for what, function in functions.items()
    }
    if linear != functions:
        yield Fault("no products: every AND is missing", _stepping(cipher, linear))
    every = sorted(frozenset().union(*(one.variables for one in functions.values())))
    for variable in every:
        for move in _MOVES:
            other = variable[0], variable[1] + move
            if not _is_stage(cipher, other):
                continue
            text = f"a tap is off by one: stage {other[1]} of {other[0]} instead of {variable[1]}"
            reading = [what for what, one in functions.items() if variable in one.variables]
            yield Fault(
                text,
                _stepping(
                    cipher,
                    functions
                    | {what: _substituted(functions[what], variable, other) for what in reading},
                ),
            )
            for what in reading:
                if len(reading) > 1:
                    changed = _substituted(functions[what], variable, other)
                    yield Fault(
                        f"{text}, in {what}", _stepping(cipher, functions | {what: changed})
                    )
    for what, function in functions.items():
        yield Fault(f"{what} is inverted", _stepping(cipher, functions | {what: ~function}))
        for monomial in sorted(function.monomials, key=sorted):
            if not monomial or any(name in cipher.controls for name, _ in monomial):
                continue
            product = " AND ".join(f"{name}({stage})" for name, stage in sorted(monomial))
            left = Polynomial(function.monomials - {monomial})
            yield Fault(
                f"{product} is missing in {what}", _stepping(cipher, functions | {what: left})
            )


def faults_of_setup(cipher: RunCipher) -> Iterator[Fault]:
    """Mistakes of the setup: what a control does there is missing."""
    for control in cipher.controls:
        yield Fault(f"the setup leaves out {control}", _not_controlled(cipher, control))


def _not_controlled(cipher: RunCipher, control: str) -> RunCipher:
    def step(*words: Any, **named: Any) -> tuple[Any, Mapping[str, Any]]:
        return cipher.step(*words, **named | {control: named[control] ^ named[control]})

    return replace(cipher, step=step, laws=())


def _input_of(register: str) -> str:
    return f"the input of register {register}"


def _is_stage(cipher: ShiftRegisterCipher, variable: Variable) -> bool:
    return any(
        one.name == variable[0]
        and min(one.newest, one.oldest) <= variable[1] <= max(one.newest, one.oldest)
        for one in cipher.registers
    )


def _substituted(function: Polynomial, variable: Variable, other: Variable) -> Polynomial:
    changed: frozenset[Any] = frozenset()
    for monomial in function.monomials:
        moved = frozenset(other if one == variable else one for one in monomial)
        changed ^= {moved}
    return Polynomial(changed)


def _stepping(
    cipher: ShiftRegisterCipher, functions: Mapping[str, Polynomial]
) -> ShiftRegisterCipher:
    """The cipher whose step computes these functions."""
    names = [register.name for register in cipher.registers]

    def step(wire: Any, *windows: Any, **controls: Any) -> tuple[Any, Mapping[str, Any]]:  # noqa: ARG001
        read = dict(zip(names, windows, strict=True))

        def value(function: Polynomial) -> Any:
            zero = windows[0](cipher.registers[0].oldest)
            total = zero ^ zero
            terms = []
            for monomial in function.monomials:
                if not monomial:
                    total = ~total
                    continue
                terms.append(
                    reduce(
                        and_,
                        (
                            controls[name] if name in controls else read[name](stage)
                            for name, stage in sorted(monomial)
                        ),
                    )
                )
            return reduce(xor, terms, total)

        return value(functions[_OUTPUT]), {
            name: value(functions[_input_of(name)]) for name in names
        }

    return replace(cipher, step=step, laws=())
