# SPDX-License-Identifier: Apache-2.0
"""Sums that a step names, in two parts: one that is made a cycle ahead, and the rest.

The option ``form=ahead`` makes what it can of each sum that is fed back from the bits that the sum
will read in the next cycle, and keeps it in a register. A term can be ahead if the next cycle finds
each of its bits one radix higher in the present state, in a load cycle as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from headwater.algebra.polynomial import Monomial, Polynomial
from headwater.errors import InputError
from headwater.kinds.stepped.loading import Plan, Stage, load_plan
from headwater.kinds.stepped.transformations.retiming import ShiftRegisters, refuse_radix

AHEAD = "ahead"
"""The value of the option ``form``."""
_FEWEST_VARIABLES = 4
"""A part of fewer bits saves no level of LUTs, and was measured to cost some."""


@dataclass(frozen=True)
class Parts:
    """A sum in two parts, over registers and stages."""

    ahead: Polynomial
    rest: Polynomial


@lru_cache(maxsize=256)
def parts_ahead(cipher: ShiftRegisters, radix: int, load_width: int) -> Mapping[int, Parts]:
    """The sums of which a part can be ahead, by their place among those that a step names. An error
    if there is none."""
    refuse_radix(cipher, radix, "with form=ahead")
    plan = load_plan(cipher, load_width)
    sums = {
        place: _parts(cipher, plan, radix, whole)
        for place, whole in enumerate(cipher.named_sums)
        if _is_fed_back(cipher, place)
    }
    by_register = {
        place: parts
        for place, parts in sums.items()
        if len(parts.ahead.variables) >= _FEWEST_VARIABLES
    }
    if not by_register:
        raise InputError(
            f"form of {cipher.name} at radix {radix} and load width {load_width} must be "
            "fibonacci, or galois where it is legal, not 'ahead': no sum of its feedback has a "
            f"part of {_FEWEST_VARIABLES} bits or more that can be added a cycle ahead"
        )
    return by_register


def _is_fed_back(cipher: ShiftRegisters, place: int) -> bool:
    """Whether a named sum enters a register, alone or with controls, and is not a part of another
    one that does."""
    sums = cipher.named_sums
    larger = [one for one in sums if one.monomials > sums[place].monomials]
    return _enters(cipher, sums[place]) and not any(_enters(cipher, one) for one in larger)


def _enters(cipher: ShiftRegisters, whole: Polynomial) -> bool:
    """Whether each term of a sum, which has no control, is in what enters one of the registers,
    with the same controls."""
    if not whole.monomials or any(name in cipher.controls for name, _ in whole.variables):
        return False
    first = next(iter(whole.monomials))
    return any(
        whole.monomials <= {term - used for term in entering.monomials if used <= term}
        for entering in cipher.feedback[1].values()
        for used in {term - first for term in entering.monomials if first <= term}
        if all(name in cipher.controls for name, _ in used)
    )


def _parts(cipher: ShiftRegisters, plan: Plan, radix: int, whole: Polynomial) -> Parts:
    ahead = frozenset(term for term in whole.monomials if _moves(cipher, plan, radix, term))
    return Parts(Polynomial(ahead), Polynomial(whole.monomials - ahead))


def _moves(cipher: ShiftRegisters, plan: Plan, radix: int, term: Monomial) -> bool:
    """Whether all bits that the windows of a term read come from one radix higher, in a step and in
    a load cycle."""
    places = {register.name: register.position for register in cipher.registers}
    return bool(term) and all(
        name not in cipher.beside and plan[name][place] == Stage(name, place + radix)
        for name, stage in term
        for place in range(places[name](stage), places[name](stage) + radix)
    )
