# SPDX-License-Identifier: Apache-2.0
"""Boolean functions over shares, random bits and public bits, in a form where equal sums are equal.

A function is a sum modulo two of atoms. An atom is the constant one, a variable, or a product of
two functions, which is made once. So sums cancel as they do on paper, however gates were arranged,
and nothing is multiplied out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import product

Function = frozenset[int]
"""The atoms of a sum."""

ZERO: Function = frozenset()
ONE: Function = frozenset({0})
_DEEPEST = 64
"""How deep products within products are made shorter: a chain of gates may have thousands."""


class Kind(Enum):
    """What is known of a variable."""

    SHARE = "one of the shares of a secret bit: uniform, but for their sum"
    RANDOM = "uniform, and independent of all others"
    PUBLIC = "known, whatever it is"
    SECRET = "the sum of all shares of a secret bit"


@dataclass(frozen=True)
class Variable:
    """A variable; equal ones are one."""

    name: str
    kind: Kind
    cycle: int | None
    """The cycle that it is of; None if it is of every one."""
    index: int = 0
    """Which of the shares it is."""
    atom: int = 0
    bit: int = 0
    """Its place in sets of variables, which are the bits of an integer."""


class Terms:
    """All functions that one check deals with.

    Parameters
    ----------
    shares
        How many shares each secret bit has.
    """

    def __init__(self, shares: int) -> None:
        self.shares = shares
        self.variables: list[Variable] = []
        self.of_kind = dict.fromkeys(Kind, 0)
        """The set of all variables of each kind."""
        self._firsts = 0
        self._by_key: dict[tuple[str, Kind, int | None], tuple[Variable, ...]] = {}
        self._by_atom: dict[int, Variable] = {}
        self._factors: list[tuple[Function, Function] | None] = [None]
        self._supports = [0]
        self._products: dict[frozenset[Function], int] = {}
        self._depth = 0
        self._sets: dict[Function, tuple[int, int]] = {}

    def variable(self, name: str, kind: Kind, cycle: int | None) -> Variable:
        """The variable of this name in a cycle."""
        (function,) = self._made(name, kind, cycle, 1)
        return function

    def group(self, name: str, cycle: int | None) -> tuple[Variable, ...]:
        """The shares of a secret bit in a cycle."""
        return self._made(name, Kind.SHARE, cycle, self.shares)

    def _made(self, name: str, kind: Kind, cycle: int | None, count: int) -> tuple[Variable, ...]:
        key = (name, kind, cycle)
        if key not in self._by_key:
            if kind is Kind.SHARE:
                self._firsts |= 1 << len(self.variables)
            self._by_key[key] = tuple(self._add(name, kind, cycle, at) for at in range(count))
        return self._by_key[key]

    def _add(self, name: str, kind: Kind, cycle: int | None, index: int) -> Variable:
        atom, place = len(self._factors), len(self.variables)
        variable = Variable(name, kind, cycle, index, atom, 1 << place)
        self._factors.append(None)
        self._supports.append(variable.bit)
        self.variables.append(variable)
        self._by_atom[atom] = variable
        self.of_kind[kind] |= variable.bit
        return variable

    def members(self, several: int) -> Iterable[Variable]:
        """The variables of a set."""
        while several:
            lowest = several & -several
            yield self.variables[lowest.bit_length() - 1]
            several ^= lowest

    def complete(self, support: int) -> int:
        """The secret bits all of whose shares are in a set: the first share of each."""
        firsts = support & self._firsts
        for share in range(1, self.shares):
            firsts &= support >> share
        return firsts

    def whole(self, firsts: int) -> int:
        """All shares of secret bits that are given by their first shares."""
        every = firsts
        for share in range(1, self.shares):
            every |= firsts << share
        return every

    def sets(self, function: Function) -> tuple[int, int]:
        """The variables that are terms of a function, and those in its products."""
        sets = self._sets.get(function)
        if sets is None:
            linear = inside = 0
            for atom in function:
                if self._factors[atom] is None:
                    linear |= self._supports[atom]
                else:
                    inside |= self._supports[atom]
            sets = self._sets[function] = (linear, inside)
        return sets

    def support(self, function: Function) -> int:
        """The variables that a function is written with."""
        linear, inside = self.sets(function)
        return linear | inside

    def products(self, function: Function) -> Iterable[tuple[Function, Function]]:
        """The factors of each product in a function."""
        return (pair for atom in function if (pair := self._factors[atom]) is not None)

    def factors(self, atom: int) -> tuple[Function, Function] | None:
        """The factors of a product; None for a variable and for one."""
        return self._factors[atom]

    def both(self, one: Function, other: Function) -> Function:
        """The product of two functions."""
        flips = (0 in one, 0 in other)
        one, other = one - ONE, other - ONE
        product = self._product(one, other)
        if flips[0]:
            product ^= other
        if flips[1]:
            product ^= one
        return product ^ ONE if flips[0] and flips[1] else product

    def _product(self, one: Function, other: Function) -> Function:
        if not one or not other:
            return ZERO
        if one == other:
            return one
        if self._depth < _DEEPEST:
            self._depth += 1
            shorter = self._shorter_product(one, other)
            self._depth -= 1
            if shorter is not None:
                return shorter
        key = frozenset((one, other))
        atom = self._products.get(key)
        if atom is None:
            atom = self._products[key] = len(self._factors)
            self._factors.append((one, other))
            self._supports.append(self.support(one) | self.support(other))
        return frozenset((atom,))

    def _shorter_product(self, one: Function, other: Function) -> Function | None:
        """A product without what gates multiply twice, that make a sum of products of a sum and its
        parts; None if nothing is."""
        for factor, total in ((one, other), (other, one)):
            if inside := self._multiples(factor, total):
                return self._product(factor, total - inside) ^ inside
            if part := self._own_factor(factor, total):
                return self._product(factor, total ^ part) ^ factor
            if pair := self._without(factor):
                left = total ^ self._product(pair[1], total)
                if len(left) < len(total):
                    return self._product(pair[0], left)
        return None

    def _multiples(self, factor: Function, total: Function) -> Function:
        """The atoms of a sum that have a factor already, or are it."""
        multiple = factor & total if len(factor) == 1 else ZERO
        pairs = self._factors
        return multiple | {atom for atom in total if factor in (pairs[atom] or ())}

    def _own_factor(self, product: Function, total: Function) -> Function:
        """A factor of a product, without which a sum is shorter; nothing if there is none."""
        pairs = [self._factors[atom] for atom in product] if len(product) == 1 else []
        return next(
            (part for pair in pairs for part in pair or () if len(total ^ part) < len(total)), ZERO
        )

    def _without(self, total: Function) -> tuple[Function, Function] | None:
        """The two functions of which a sum is one without the other: their product is added to the
        first."""
        for atom in total:
            pair, rest = self._factors[atom], total - {atom}
            if pair is not None and rest in pair:
                return rest, pair[pair[0] == rest]
        return None

    def replaced(
        self,
        functions: Iterable[Function],
        values: Mapping[int, Function] = {},
        sums: Mapping[Function, Function] = {},
    ) -> list[Function]:
        """The functions with other functions in the place of variables, which are given by their
        atoms, and of whole sums, wherever they are."""
        atoms: dict[int, Function] = dict(values)
        known: dict[Function, Function] = dict(sums)
        touched = sum(self._supports[atom] for atom in values)
        for whole in sums:
            touched |= self.support(whole)

        def new(function: Function) -> Function:
            if not self.support(function) & touched:
                return function
            if function not in known:
                total = ZERO
                for atom in function:
                    total ^= new_atom(atom)
                known[function] = total
            return known[function]

        def new_atom(atom: int) -> Function:
            if atom not in atoms:
                pair = self._factors[atom]
                unchanged = pair is None or not self._supports[atom] & touched
                atoms[atom] = (
                    frozenset((atom,))
                    if unchanged or pair is None
                    else self.both(new(pair[0]), new(pair[1]))
                )
            return atoms[atom]

        return [new(function) for function in functions]

    def tables(
        self, functions: Iterable[Function], order: Mapping[int, int], width: int
    ) -> list[int]:
        """The truth tables of functions: bit ``n`` of an integer is the value where the variables,
        which ``order`` gives a place by their atoms, have the digits of ``n``."""
        every = (1 << (1 << width)) - 1
        atoms = {0: every}
        atoms |= {atom: _digit(place, width) for atom, place in order.items()}

        def of_atom(atom: int) -> int:
            if atom not in atoms:
                pair = self._factors[atom]
                if pair is None:
                    raise KeyError(atom)
                atoms[atom] = of_sum(pair[0]) & of_sum(pair[1])
            return atoms[atom]

        def of_sum(function: Function) -> int:
            total = 0
            for atom in function:
                total ^= of_atom(atom)
            return total

        return [of_sum(function) for function in functions]

    def monomials(self, function: Function, most: int) -> frozenset[int] | None:
        """The products of variables whose sum a function is, each a set of variables; None where
        more than ``most`` would be written down. A function is zero if there are none."""
        atoms: dict[int, set[int]] = {0: {0}}
        written = 0

        def of_atom(atom: int) -> set[int]:
            nonlocal written
            if atom not in atoms:
                pair = self._factors[atom]
                if pair is None:
                    atoms[atom] = {self._supports[atom]}
                else:
                    one, other = of_sum(pair[0]), of_sum(pair[1])
                    written += len(one) * len(other)
                    if written > most:
                        raise OverflowError
                    total: set[int] = set()
                    for first, second in product(one, other):
                        total ^= {first | second}
                    atoms[atom] = total
            return atoms[atom]

        def of_sum(function: Function) -> set[int]:
            total: set[int] = set()
            for atom in function:
                total ^= of_atom(atom)
            return total

        try:
            return frozenset(of_sum(function))
        except OverflowError:
            return None

    def atom_of(self, variable: Variable) -> Function:
        """The function that is one variable."""
        return frozenset((variable.atom,))


@cache
def _digit(place: int, width: int) -> int:
    """The truth table of one of the digits of a number of so many: runs of 2^place zeros and ones,
    the zeros lowest."""
    run = 1 << place
    table, size = (1 << run) - 1 << run, 2 * run
    while size < 1 << width:
        table |= table << size
        size *= 2
    return table
