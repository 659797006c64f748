# SPDX-License-Identifier: Apache-2.0
"""Sums of products, written with common factors taken out.

Tools of synthesis hardly find the factors of a sum over GF(2) themselves. So a function is taken
apart by one of its variables, and what is left by the next one, the way that takes the fewest
gates. With q what the variable v is multiplied with, and r the sum of the other terms, a function
is

    v & q ^ r        or        ~v & q ^ (q ^ r)        or        v ? q ^ r : r

The search follows several variables where it begins, one less at each further one, and in the end
the one that is in most terms. Of long sums it follows fewer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from operator import and_, or_, xor
from typing import Any, NamedTuple

from headwater.algebra.polynomial import Monomial, Polynomial, Variable

Terms = frozenset[Monomial]
"""A sum of products."""

XOR_WEIGHT = 2
"""Gates of two inputs and another kind that cost as much as an XOR; an inverter costs nothing."""
_BREADTH = 5
"""Variables that the search begins with at most. More were measured to find nothing shorter."""
_BRANCHES = 160
"""Terms times the variables that the search begins with, at most: it takes a second or so."""
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {"&": and_, "|": or_, "^": xor}


@dataclass(frozen=True)
class Form:
    """A way to write a function: a variable, the constants "0" and "1", the inverse "~" of one
    operand, or two or more operands joined by one of ``& | ^``."""

    head: str | Variable
    operands: tuple[Form, ...] = ()

    @cached_property
    def weight(self) -> int:
        """Gates of two inputs, an XOR counted as `XOR_WEIGHT`."""
        each = XOR_WEIGHT if self.head == "^" else 1
        return each * max(len(self.operands) - 1, 0) + sum(one.weight for one in self.operands)

    def read(self, bit: Callable[[str, int], Any]) -> Any:
        """The function of bits that support ``& | ^ ~``; ``bit(*variable)`` is that of a variable.
        It must not be a constant."""
        if isinstance(self.head, tuple):
            return bit(*self.head)
        values = [operand.read(bit) for operand in self.operands]
        return ~values[0] if self.head == "~" else reduce(_OPERATORS[self.head], values)


def as_sum(function: Polynomial) -> Form:
    """The function as the sum of its products."""
    return _sum_of_products(function.monomials)


def factored(function: Polynomial) -> Form:
    """The function with factors taken out."""
    terms = function.monomials
    return _factored(terms, min(_BREADTH, _BRANCHES // max(len(terms), 1)))


def _sum_of_products(terms: Terms) -> Form:
    products = (_and(*map(Form, term)) for term in sorted(map(sorted, terms)))
    return _xor(*products, sort=False)


@lru_cache(maxsize=4096)
def _factored(terms: Terms, breadth: int) -> Form:
    parts = _parts(terms)
    if len(parts) > 1:
        return _xor(*(_factored(part, breadth) for part in parts))
    counts = Counter(variable for term in terms for variable in term)
    usual = sorted(counts, key=lambda variable: (-counts[variable], variable))
    forms = [_sum_of_products(terms)]
    for variable in (one for one in usual[: max(breadth, 1)] if counts[one] > 1):
        ways = _ways(terms, variable)
        if not breadth:
            ways = [min(ways, key=lambda way: way.joined(*map(_sum_of_products, way.left)).weight)]
        forms += [
            way.joined(*(_factored(left, max(breadth - 1, 0)) for left in way.left)) for way in ways
        ]
    return min(forms, key=lambda form: form.weight)


def _parts(terms: Terms) -> list[Terms]:
    """The terms in groups that have no variable in common, single terms first."""
    groups: list[list[Monomial]] = []
    for term in sorted(terms, key=sorted):
        touched = [group for group in groups if any(term & other for other in group)]
        groups = [group for group in groups if group not in touched]
        groups.append([term, *(other for group in touched for other in group)])
    return sorted(map(frozenset, groups), key=lambda part: (len(part), min(map(sorted, part))))


class _Way(NamedTuple):
    """One way to take a function apart: the two functions that are left, and how they are joined
    again."""

    left: tuple[Terms, Terms]
    joined: Callable[[Form, Form], Form]


def _ways(terms: Terms, variable: Variable) -> list[_Way]:
    factor = frozenset(term - {variable} for term in terms if variable in term)
    others = frozenset(term for term in terms if variable not in term)
    one, zero = Form(variable), _not(Form(variable))
    return [
        _Way((factor, others), lambda q, r: _xor(_and(one, q), r)),
        _Way((factor, factor ^ others), lambda q, s: _xor(_and(zero, q), s)),
        _Way((factor ^ others, others), lambda s, r: _or(_and(one, s), _and(zero, r))),
    ]


# --- forms without constants in them

_ZERO, _ONE = Form("0"), Form("1")


def _and(*forms: Form) -> Form:
    if _ZERO in forms:
        return _ZERO
    return _joined("&", [form for form in forms if form != _ONE], _ONE)


def _or(*forms: Form) -> Form:
    if _ONE in forms:
        return _ONE
    return _joined("|", [form for form in forms if form != _ZERO], _ZERO)


def _xor(*forms: Form, sort: bool = True) -> Form:
    """A sum, by default single variables first; inverted operands make an inverted sum."""
    plain = [_not(form) if form.head in ("~", "1") else form for form in forms]
    inverted = sum(one is not other for one, other in zip(forms, plain, strict=True)) % 2
    whole = _joined("^", [form for form in plain if form != _ZERO], _ZERO)
    if sort and whole.head == "^":
        whole = Form("^", tuple(sorted(whole.operands, key=lambda form: form.weight > 0)))
    return _not(whole) if inverted else whole


def _not(form: Form) -> Form:
    match form:
        case Form("0" | "1"):
            return _ONE if form == _ZERO else _ZERO
        case Form("~", (inner,)):
            return inner
        case Form("&", operands) if all(operand.head == "~" for operand in operands):
            return _joined("|", list(map(_not, operands)), _ZERO)
        case _:
            return Form("~", (form,))


def _joined(operator: str, forms: Sequence[Form], none: Form) -> Form:
    """The forms joined, those of the same operator opened; ``none`` if there is none."""
    flat = [
        inner for form in forms for inner in (form.operands if form.head == operator else (form,))
    ]
    return Form(operator, tuple(flat)) if len(flat) > 1 else flat[0] if flat else none
