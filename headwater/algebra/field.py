# SPDX-License-Identifier: Apache-2.0
"""Fields of 2^n elements, and linear maps of bits.

An element is an integer: bit i is the coefficient of x^i.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Field:
    """GF(2^n) as the polynomials modulo an irreducible one, ``polynomial``, of degree n."""

    polynomial: int

    @property
    def degree(self) -> int:
        """The n of GF(2^n): bits of an element."""
        return self.polynomial.bit_length() - 1

    @property
    def size(self) -> int:
        """Number of elements."""
        return 1 << self.degree

    def multiply(self, left: int, right: int) -> int:
        """The product of two elements."""
        size, product = self.size, 0
        while right:
            if right & 1:
                product ^= left
            left <<= 1
            if left & size:
                left ^= self.polynomial
            right >>= 1
        return product

    def power(self, base: int, exponent: int) -> int:
        """The product of ``exponent`` factors ``base``; the empty product is 1."""
        result = 1
        while exponent:
            if exponent & 1:
                result = self.multiply(result, base)
            base = self.multiply(base, base)
            exponent >>= 1
        return result

    def inverse(self, element: int) -> int:
        """The inverse of ``element``; 0 for 0, as S-boxes define it."""
        return self.power(element, self.size - 2)

    def subfield(self, degree: int) -> list[int]:
        """The elements of the subfield of 2^degree elements, in ascending order."""
        return [x for x in range(self.size) if self.power(x, 1 << degree) == x]


@dataclass(frozen=True)
class LinearMap:
    """A map of bits with f(x ^ y) = f(x) ^ f(y): ``images[i]`` is the image of ``1 << i``."""

    images: tuple[int, ...]

    def __call__(self, value: int) -> int:
        """The image of a value."""
        result = 0
        for place, image in enumerate(self.images):
            if value >> place & 1:
                result ^= image
        return result

    def after(self, first: LinearMap) -> LinearMap:
        """The map that applies ``first`` and then this map."""
        return LinearMap(tuple(map(self, first.images)))

    def rows(self, width: int) -> tuple[int, ...]:
        """For each of ``width`` result bits, the set of input bits whose sum it is."""
        return transposed(self.images, width)

    def inverse(self) -> LinearMap:
        """The inverse map; raises ValueError unless the map is square and its images
        independent."""
        width = len(self.images)
        # Each pair is an image and its argument; elimination makes the images unit vectors.
        pairs = [(image, 1 << place) for place, image in enumerate(self.images)]
        for place in range(width):
            pivot = next((p for p in pairs[place:] if p[0] >> place & 1), None)
            if pivot is None or max(self.images) >> width:
                raise ValueError(f"a map to be inverted must be one to one, not {self!r}")
            pairs.remove(pivot)
            pairs = [
                (image ^ pivot[0], origin ^ pivot[1]) if image >> place & 1 else (image, origin)
                for image, origin in pairs
            ]
            pairs.insert(place, pivot)
        return LinearMap(tuple(origin for _, origin in pairs))


IDENTITY = LinearMap(tuple(1 << place for place in range(8)))
"""The map that leaves a byte as it is."""


def transposed(vectors: Iterable[int], width: int) -> tuple[int, ...]:
    """Rows of a matrix from its columns, or columns from rows; ``width`` is the number of
    results."""
    kept = list(vectors)
    return tuple(
        sum((vector >> place & 1) << index for index, vector in enumerate(kept))
        for place in range(width)
    )


def combined(sets: Iterable[int], rows: Iterable[int]) -> list[int]:
    """For each set of rows, the bits of a number, their sum."""
    return list(map(LinearMap(tuple(rows)), sets))


def express(targets: Iterable[int], spanning: Iterable[int]) -> list[int]:
    """For each wanted vector a set of given vectors whose sum it is; a set is the bits of a number.
    Raises ValueError if there is none."""
    basis: list[tuple[int, int]] = []
    for place, vector in enumerate(spanning):
        left, origin = _reduced(vector, 1 << place, basis)
        if left:
            basis.append((left, origin))
    rows = []
    for vector in targets:
        left, origin = _reduced(vector, 0, basis)
        if left:
            raise ValueError(f"a wanted vector must be a sum of given ones, not {vector:#x}")
        rows.append(origin)
    return rows


def _reduced(vector: int, origin: int, basis: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """A vector reduced by a basis, and the set of given vectors whose sum the reduced vector is."""
    for other, made_of in basis:
        if vector >> other.bit_length() - 1 & 1:
            vector ^= other
            origin ^= made_of
    return vector, origin
