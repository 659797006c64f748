# SPDX-License-Identifier: Apache-2.0
"""Feedback in parts: the Galois form of a cipher's registers, and its output in a pipeline.

The option ``form=galois`` moves terms of the feedback to inner stages. ``output=split`` moves terms
of the output where it is fed back during the setup, and adds the same partial sums in a pipeline
while the cipher runs. Both shorten the longest path and do not change the output.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from headwater.algebra.galois import GaloisForm, galois_form
from headwater.algebra.polynomial import Monomial, Polynomial
from headwater.errors import InputError

_ONE: Monomial = frozenset()
_PARTS_OF_OUTPUT = 3
"""Sums that the output is split over where the radix allows it, as in the Grain papers."""

_MOST_DEPTHS = 8
"""Distinct depths of a form: each costs a flip-flop or two of control."""


ShiftRegisters = Any
"""A `ShiftRegisterCipher`, which reads this file."""


@dataclass(frozen=True)
class Retiming:
    """A cipher's registers in the form that an architecture selects."""

    form: GaloisForm
    """Of the running cipher's registers; positions are bit numbers."""
    output: Mapping[int, Polynomial]
    """The output as partial sums, by depth."""

    @property
    def latency(self) -> int:
        """Cycles by which the output is later than in the plain form."""
        return max(self.output) // self.form.radix

    @property
    def delays(self) -> int:
        """Cycles by which the deepest term is added later."""
        return max(self.form.delays, default=0) // self.form.radix


@lru_cache(maxsize=256)
def retiming(cipher: ShiftRegisters, radix: int, form: str, output: str) -> Retiming | None:
    """The retiming that these options select; None for the plain form. An error if nothing can be
    moved at this radix."""
    if form != "galois" and output != "split":
        return None
    refuse_radix(cipher, radix, "in Galois form or with split output")
    system, output_terms = _system(cipher)
    fixed = (
        {}
        if form == "galois"
        else {
            term: 0
            for feedback in system.values()
            for term in feedback.monomials
            if not inputs_of(cipher, term)
        }
    )
    galois = galois_form(
        {
            register.name: register.length
            for register in cipher.registers
            if register.name in system
        },
        system,
        radix=radix,
        observed=output_terms.variables,
        split=_PARTS_OF_OUTPUT if output == "split" else 1,
        max_depths=_MOST_DEPTHS,
        fixed=fixed,
    )
    parts = _output_parts(galois, output_terms) if output == "split" else {0: output_terms}
    _refuse_plain(cipher, radix, form, output, galois, parts)
    return Retiming(galois, parts)


def refuse_radix(cipher: ShiftRegisters, radix: int, form: str) -> None:
    """An error if feedback cannot be made in parts at this radix; ``form`` names the parts."""
    if any(phase.steps % radix for phase in cipher.phases) or radix > cipher.natural_radix:
        raise InputError(
            f"radix of {cipher.name} {form} must divide the steps of its setup and be at most "
            f"{cipher.natural_radix}, not {radix}"
        )


def _refuse_plain(
    cipher: ShiftRegisters,
    radix: int,
    form: str,
    output: str,
    galois: GaloisForm,
    parts: Mapping[int, Polynomial],
) -> None:
    if form == "galois" and galois.is_plain:
        raise InputError(
            f"form of {cipher.name} at radix {radix} must be fibonacci, not 'galois': "
            "no term of its feedback can be moved"
        )
    if output == "split" and len(parts) == 1:
        raise InputError(
            f"output of {cipher.name} at radix {radix} must be plain, not 'split': "
            "no term of it can be moved"
        )


def _system(cipher: ShiftRegisters) -> tuple[dict[str, Polynomial], Polynomial]:
    """Feedback of the running cipher's registers, and its output, over bit numbers."""
    output, entering = cipher.feedback
    return (
        {
            name: _by_position(cipher, function)
            for name, function in entering.items()
            if name not in cipher.beside
        },
        _by_position(cipher, output),
    )


def _by_position(cipher: ShiftRegisters, function: Polynomial) -> Polynomial:
    registers = {register.name: register for register in cipher.registers}
    return Polynomial(
        frozenset(
            frozenset(
                (name, registers[name].position(stage) if name in registers else stage)
                for name, stage in term
            )
            for term in function.monomials
        )
    )


def inputs_of(cipher: ShiftRegisters, term: Monomial) -> Monomial:
    """The controls in a term."""
    return frozenset(variable for variable in term if variable[0] in cipher.controls)


def _output_parts(form: GaloisForm, output: Polynomial) -> dict[int, Polynomial]:
    """The output as the partial sums that are fed back, each lowered to its depth. They are in the
    register that contains all of them: those fed-back terms which, moved up again, are terms of the
    output."""
    parts: dict[int, set[Monomial]] = {}
    for depth, terms in next(iter(form.terms.values())).items():
        for term in terms.monomials:
            state = frozenset(variable for variable in term if variable[0] in form.lengths)
            raised = frozenset((name, position + depth) for name, position in state)
            if state != term and raised in output.monomials:
                parts.setdefault(depth, set()).add(state)
    # A constant goes with the last part, past the registers, which thus are zero after zeros.
    if any(_ONE in terms for terms in parts.values()):
        parts = {depth: terms - {_ONE} for depth, terms in parts.items()}
        parts[max(parts)].add(_ONE)
        parts = {depth: terms for depth, terms in parts.items() if terms}
    sums = {depth: Polynomial(frozenset(terms)) for depth, terms in sorted(parts.items())}
    if sum(len(part.monomials) for part in sums.values()) != len(output.monomials):
        return {0: output}
    return sums
