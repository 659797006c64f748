# SPDX-License-Identifier: Apache-2.0
"""The value of the hash of GCM-SST, some bits of a block per cycle.

A block is added to the value and multiplied by the point in the field of POLYVAL, where every
product is divided by x^128. From the lowest bit of a factor on, each bit adds the point and divides
by x. So the bits of a block are needed in the order in which its bytes are sent, and the product of
a digit of w bits is (p + d * point) / x^w, where p is the product so far: the lowest w bits are
made zero by multiples of the field's polynomial, and dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import xor
from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.core.naming import named
from headwater.core.toeplitz import ToeplitzProduct

DEGREE = 128
_POWERS = (121, 126, 127, 128)
"""The powers of x in the field's polynomial, but for the constant."""
_AT_ONCE = 64
"""Bits that are made zero in one stage. Below x^121 the polynomial has its constant alone, so that
up to 121 bits are their own multipliers."""


class HashValue:
    """The registers and the logic, as a part of a core that drives ``starts``, ``block_ends`` and
    ``entering``. A digit has ``digit`` bits; ``register(bits, name)`` makes a register with secret
    content. ``notes`` explain the signals."""

    notes: ClassVar[dict[str, str]] = {
        "point": "H, then Q: what is multiplied by",
        "operand": "the value of the hash; while a block is taken in, the bits still to multiply",
        "product": "the product of the point and the bits so far",
        "starts": "a word is taken in",
        "block_ends": "the digit of this cycle is the last of its block",
        "entering": "the word that is taken in, its first byte the lowest one",
        "added": "the next bits to multiply, with the word that is taken in",
        "digits_point": "the product of the digit of this cycle and the point",
        "next_product": "the product with the digit of this cycle",
    }
    """Of the signals by name, for comments in the Verilog."""

    def __init__(self, digit: int, word_bits: int, register: Callable[[int, str], Signal]) -> None:
        self._digit = digit
        self.point = register(DEGREE, "point")
        self.operand = register(DEGREE, "operand")
        self.product = register(DEGREE, "product") if digit < DEGREE else None
        self.starts = Signal(name="starts")
        self.block_ends = Signal(name="block_ends")
        self.entering = Signal(word_bits, name="entering")

    @property
    def registers(self) -> tuple[Signal, ...]:
        """The registers with secret content."""
        return (self.point, self.operand, *((self.product,) if self.product is not None else ()))

    def connect(self, m: Module, *, running: Value, goes_on: Value, leaves: Value) -> None:
        """Add the logic, but for that of the point. While there are digits left the product
        ``goes_on``. Where the value ``leaves``, its words follow each other in the lowest place.
        While the core is not running the registers become zero."""
        word = Mux(self.starts, self.entering, 0)
        added = Cat(named(m, "added", self.operand[: len(word)] ^ word), self.operand[len(word) :])
        product = Const(0, DEGREE) if self.product is None else self.product
        after = named(m, "next_product", self._product(m, added[: self._digit], product))
        moved = Cat(added[self._digit :], Const(0, self._digit))[:DEGREE]
        passed = Cat(self.operand[len(word) :], Const(0, len(word)))[:DEGREE]
        multiplies = self.starts | goes_on
        with m.If(multiplies | leaves | ~running):
            kept = Mux(leaves, passed, Mux(self.block_ends, after, moved))
            m.d.sync += self.operand.eq(Mux(running, kept, 0))
        if self.product is not None:
            with m.If(multiplies | ~running):
                ends = self.block_ends | ~running
                m.d.sync += self.product.eq(Mux(ends, 0, after))

    def _product(self, m: Module, digit: Value, product: Value) -> Value:
        """The product so far with a further digit."""
        sums = ToeplitzProduct(m).of_polynomials(digit, self.point, "digits_point")
        total, width = named(m, "digits_point", sums) ^ product, len(digit)
        while width:
            now = min(width, _AT_ONCE)
            total = _divided(named(m, "dividend", total), now)
            width -= now
        return total[:DEGREE]


def _divided(element: Value, count: int) -> Value:
    """A polynomial divided by a power of x in the field: for each of its lowest bits that is one,
    the field's polynomial is added there."""
    low, rest = element[:count], len(element) - count
    terms = [Cat(Const(0, power - count), low) for power in _POWERS]
    length = max(rest, DEGREE)
    padded = [Cat(term, Const(0, length))[:length] for term in (element[count:], *terms)]
    return reduce(xor, padded)
