# SPDX-License-Identifier: Apache-2.0
"""The value of a polynomial over GF(2^64) by Horner's rule, some bits of a coefficient per cycle.

A coefficient comes as two words, the upper one first. Each word is added to its half of the present
value. Then the product grows from the uppermost digit on, while the lower half of the old value
waits for its word.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import xor
from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.core.naming import named
from headwater.core.toeplitz import ToeplitzProduct
from headwater.kinds.telephony.description import FIELD, WORD_BITS

_TAIL = tuple(power for power in range(FIELD.degree) if FIELD.polynomial >> power & 1)
"""The powers whose sum is x^64, 0 among them."""


class PolynomialValue:
    """The registers and the logic, as a part of a core that drives ``odd``, ``starts`` and
    ``entering``. A coefficient takes ``digit`` bits per cycle; ``register(bits, name)`` makes a
    register with secret content. ``notes`` explain the signals."""

    notes: ClassVar[dict[str, str]] = {
        "point": "P, then Q: what is multiplied by",
        "value": "the value of the polynomial, or as much as there is of the next one",
        "present": "the value, or nothing where a new one begins",
        "total": "the value moved up by a digit, with the digit times the point; to be reduced",
        "lower": "the lower half of the value, which waits for its word",
        "digits": "digits of the word that are still to be taken in, the next one on top",
        "odd": "the next word is the lower one of its block",
        "starts": "a word is taken in",
        "entering": "the word that is taken in",
        "added": "the sum of the word and its half of the value",
        "digit": "the bits to multiply in this cycle",
        "product": "the product of the point and the bits so far",
    }
    """Of the signals by name, for comments in the Verilog."""

    def __init__(self, digit: int, register: Callable[[int, str], Signal]) -> None:
        self._digit = digit
        self.point = register(FIELD.degree, "point")
        self.value = register(FIELD.degree, "value")
        self.lower = register(WORD_BITS, "lower")
        self.digits = register(WORD_BITS - digit, "digits")
        self.odd = Signal(name="odd")
        self.starts = Signal(name="starts")
        self.entering = Signal(WORD_BITS, name="entering")

    @property
    def registers(self) -> tuple[Signal, ...]:
        """The registers with secret content."""
        digits = (self.digits,) if len(self.digits) else ()
        return (self.point, self.value, self.lower, *digits)

    def connect(
        self, m: Module, word: Value, *, running: Value, gather: Value, goes_on: Value
    ) -> None:
        """Add the logic. The keystream ``word`` is zero while the core is not running; then the
        registers become zero. With ``gather`` it becomes the lower half of the point. While there
        are digits left the product ``goes_on``."""
        first = self.starts & ~self.odd
        added = named(m, "added", self.entering ^ Mux(self.odd, self.lower, self.value[WORD_BITS:]))
        digit = self._next_digit(m, added, goes_on | ~running)
        product = named(m, "product", self._product(m, digit, Mux(first, 0, self.value)))
        with m.If(gather | ~running):
            m.d.sync += self.point.eq(Cat(word, self.point[:WORD_BITS]))
        with m.If(first | ~running):
            m.d.sync += self.lower.eq(self.value[:WORD_BITS])
        with m.If(self.starts | goes_on | ~running):
            m.d.sync += self.value.eq(Mux(running, product, 0))

    def _next_digit(self, m: Module, added: Value, goes_on: Value) -> Value:
        """The uppermost digit of a new word, or of the rest of the present one, which shifts up."""
        left = WORD_BITS - self._digit
        if not left:
            return added
        moved = Cat(Const(0, self._digit), self.digits)[:left]
        with m.If(self.starts | goes_on):
            m.d.sync += self.digits.eq(Mux(self.starts, added[:left], moved))
        return named(m, "digit", Mux(self.starts, added[left:], self.digits[-self._digit :]))

    def _product(self, m: Module, digit: Value, value: Value) -> Value:
        """The value shifted up by a digit, plus the digit times the point."""
        sums = ToeplitzProduct(m).of_polynomials(digit, self.point, "digits_point")
        moved = Cat(Const(0, len(digit)), named(m, "present", value))
        return _reduced(named(m, "total", sums ^ moved))


def _reduced(element: Value) -> Value:
    """An element of the field, of a polynomial of some more bits: those bits are added below, times
    the tail of the field's polynomial."""
    over = element[FIELD.degree :]
    shifted = [Cat(Const(0, power), over, Const(0, FIELD.degree)) for power in _TAIL]
    return reduce(xor, (each[: FIELD.degree] for each in shifted), element[: FIELD.degree])
