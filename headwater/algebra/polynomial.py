# SPDX-License-Identifier: Apache-2.0
"""Boolean functions as sums of monomials (algebraic normal form) over named variables."""

from __future__ import annotations

from dataclasses import dataclass

Variable = tuple[str, int]
"""A name and a number: a register and a stage, say."""

Monomial = frozenset[Variable]
"""A product of variables; the empty product is the constant 1."""


@dataclass(frozen=True)
class Polynomial:
    """A polynomial over GF(2): the set of its monomials. Supports ``^ & ~`` like a bit does."""

    monomials: frozenset[Monomial]

    @classmethod
    def variable(cls, name: str, number: int) -> Polynomial:
        """The polynomial that is one variable."""
        return cls(frozenset({frozenset({(name, number)})}))

    @classmethod
    def constant(cls, value: int) -> Polynomial:
        """The polynomial that is 0 or 1."""
        return cls(frozenset({frozenset()} if value else ()))

    def __bool__(self) -> bool:
        raise TypeError("a bit of a description has no value: it goes with & ^ | ~, not with if")

    def __xor__(self, other: Polynomial) -> Polynomial:
        if not isinstance(other, Polynomial):
            return NotImplemented
        return Polynomial(self.monomials ^ other.monomials)

    def __and__(self, other: Polynomial) -> Polynomial:
        if not isinstance(other, Polynomial):
            return NotImplemented
        product: set[Monomial] = set()
        for left in self.monomials:
            for right in other.monomials:
                product ^= {left | right}
        return Polynomial(frozenset(product))

    def __or__(self, other: Polynomial) -> Polynomial:
        return self ^ other ^ (self & other)

    def __invert__(self) -> Polynomial:
        return self ^ Polynomial(frozenset({frozenset()}))

    @property
    def degree(self) -> int:
        """Number of variables in the longest monomial; 0 for a constant."""
        return max((len(monomial) for monomial in self.monomials), default=0)

    @property
    def variables(self) -> frozenset[Variable]:
        """Every variable that the function depends on."""
        return frozenset().union(*self.monomials)

    def without(self, variables: frozenset[Variable]) -> Polynomial:
        """The function with these variables set to zero."""
        return Polynomial(
            frozenset(monomial for monomial in self.monomials if not monomial & variables)
        )


def as_polynomial(bit: Polynomial | int) -> Polynomial:
    """A bit, which may be constant, as a polynomial."""
    return Polynomial.constant(bit) if isinstance(bit, int) else bit
