# SPDX-License-Identifier: Apache-2.0
"""The circuit of an inversion, tried with every element of its field.

All elements go through at once: a signal is an integer with one bit for each element. Products are
those of the schoolbook, modulo the polynomial of the field: nothing here knows of the tower of
fields that the circuit is made of.
"""

from __future__ import annotations

from collections.abc import Sequence

from headwater.algebra.large_tower import read_parts
from headwater.algebra.straight_line import Program
from headwater.algebra.word import IntegerWord, unnamed


def gives_inverses(parts: Sequence[Program], polynomial: int) -> bool:
    """Whether the parts, one behind the other, take every element of the field to its inverse, and
    zero to zero. They must have all bits of an element as their outputs."""
    bits = polynomial.bit_length() - 1
    elements = _bits_of_all(bits)
    inverses = _read(parts, elements)
    anything = (1 << (1 << bits)) - 2  # every element but zero, which is the lowest bit
    product = _product(elements, inverses, polynomial)
    is_one = product[0] == anything and not any(product[1:])
    return is_one and not any(inverse & 1 for inverse in inverses)


def gives_bits(few: Sequence[Program], full: Sequence[Program], outputs: Sequence[int]) -> bool:
    """Whether the circuit ``few`` gives these outputs of the circuit ``full`` for every input."""
    elements = _bits_of_all(full[0].inputs)
    every = _read(full, elements)
    return _read(few, elements) == [every[place] for place in outputs]


def _bits_of_all(bits: int) -> list[int]:
    """Each bit of all elements: bit v of entry i is bit i of v."""
    count = 1 << bits
    ones = (1 << count) - 1
    return [ones // ((1 << (1 << bit)) + 1) << (1 << bit) for bit in range(bits)]


def _read(parts: Sequence[Program], signals: Sequence[int]) -> list[int]:
    width = 1 << len(signals)
    words = read_parts(parts, [IntegerWord(value, width) for value in signals], unnamed, "y")
    return [word.value for word in words]


def _product(left: Sequence[int], right: Sequence[int], polynomial: int) -> list[int]:
    bits = len(left)
    sums = [0] * (2 * bits - 1)
    for low, one in enumerate(left):
        for high, other in enumerate(right):
            sums[low + high] ^= one & other
    for top in range(len(sums) - 1, bits - 1, -1):
        for place in range(bits):
            if polynomial >> place & 1:
                sums[top - bits + place] ^= sums[top]
    return sums[:bits]
