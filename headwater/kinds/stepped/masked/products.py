# SPDX-License-Identifier: Apache-2.0
"""Products of a step as products of two: what a gadget of two shares multiplies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from headwater.algebra.polynomial import Monomial
from headwater.cipher.register import Register


@dataclass(frozen=True, order=True)
class Tap:
    """A stage of a register."""

    register: str
    stage: int

    @property
    def taps(self) -> tuple[Tap, ...]:
        """Itself."""
        return (self,)

    @property
    def latency(self) -> int:
        """Cycles from the reading of a stage to its value: none."""
        return 0

    def __str__(self) -> str:
        return f"{self.register}({self.stage})"


@dataclass(frozen=True)
class Product:
    """A product of two factors. Terms of different shares are masked, and pass a register; with
    ``refreshed`` the second factor gets a new mask in a register before."""

    left: Factor
    right: Factor
    refreshed: bool

    @property
    def taps(self) -> tuple[Tap, ...]:
        """The stages that it is the product of."""
        return (*self.left.taps, *self.right.taps)

    @property
    def latency(self) -> int:
        """Cycles from the reading of its stages to its value."""
        return 1 + max(self.left.latency, self.right.latency + self.refreshed)

    @property
    def keeps_inner(self) -> bool:
        """Whether terms of one share pass a register, too: they can be made of the stages a cycle
        later only if both factors are stages."""
        return self.refreshed or not (isinstance(self.left, Tap) and isinstance(self.right, Tap))

    def __str__(self) -> str:
        return " & ".join(map(str, sorted(self.taps)))


Factor = Tap | Product


def products_of(
    monomials: Iterable[Monomial], registers: Mapping[str, Register], radix: int
) -> dict[Monomial, Product]:
    """Each product of two or more stages as products of two, as few and as shallow as a greedy
    choice makes them: in each pass, the pair that most of them have."""
    factors: dict[Monomial, list[Factor]] = {
        one: [*sorted(Tap(*variable) for variable in one)] for one in monomials if len(one) > 1
    }
    while any(len(several) > 1 for several in factors.values()):
        _pair_off(factors, registers, radix)
    return {one: several[0] for one, several in factors.items() if isinstance(several[0], Product)}


def _pair_off(
    factors: dict[Monomial, list[Factor]], registers: Mapping[str, Register], radix: int
) -> None:
    """One pass: multiply factors in pairs, each at most once."""
    made: dict[Monomial, list[Factor]] = {one: [] for one in factors}
    while counts := Counter(
        pair for several in factors.values() for pair in combinations(sorted(several, key=str), 2)
    ):
        most = max(counts.values())
        pairs = [pair for pair, count in counts.items() if count == most]
        left, right = min(
            pairs, key=lambda pair: (_near(pair[0], pair[1], registers, radix), str(pair))
        )
        product = Product(left, right, _near(left, right, registers, radix))
        for one, several in factors.items():
            if left in several and right in several:
                several.remove(left)
                several.remove(right)
                made[one].append(product)
    for one, several in factors.items():
        several.extend(made[one])


def _near(left: Factor, right: Factor, registers: Mapping[str, Register], radix: int) -> bool:
    """Whether a stage of one factor holds in the next cycle what one of the other holds now: a
    probe on a term of different shares would see both shares of this bit in the two cycles."""
    places = {(tap.register, registers[tap.register].position(tap.stage)) for tap in left.taps}
    return any(
        (tap.register, registers[tap.register].position(tap.stage) + way) in places
        for tap in right.taps
        for way in (-radix, radix)
    )


def readings(factor: Factor, ahead: int = 0) -> Iterator[tuple[Tap, int]]:
    """The stages that a factor reads, each with how many cycles before its value is used; the value
    is there ``ahead`` cycles before."""
    if isinstance(factor, Tap):
        yield factor, ahead
        return
    yield from readings(factor.left, ahead + 1)
    yield from readings(factor.right, ahead + 1 + factor.refreshed)
