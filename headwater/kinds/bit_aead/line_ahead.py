# SPDX-License-Identifier: Apache-2.0
"""Sums of the authenticator's shift register, made a cycle before the accumulator needs them.

The accumulator takes in a word of message bits by a product that is split (`core.toeplitz`): it
needs sums of two bits of the line, which is the shift register and what enters it, half a word
apart. Where both bits are in the shift register the sum can be a register itself. While words
enter, it moves as the shift register does. In other cycles of a message the shift register stands,
and the sums are made from it; so they are right from the first word on, which enters in the second
cycle of a message at the earliest.
"""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal, Value

from headwater.core.naming import named, part


class LineAhead:
    """The sums of a shift register of ``tag`` bits that takes in words of ``width`` bits. If
    ``kept``, ``rst`` leaves them as they are."""

    def __init__(self, tag: int, width: int, *, kept: bool) -> None:
        self._width, self._half = width, width // 2
        self.register = Signal(tag - self._half, name="line_ahead", reset_less=kept)
        """Bit i: the sum of the bits i and i + width / 2 of the shift register."""

    def sums(self, m: Module, line: Value) -> Value:
        """The sums of all bits of the line that are half a word apart."""
        entering = named(m, "line_entering", self._apart(line)[len(self.register) :])
        return Cat(self.register, entering)

    def move(self, m: Module, line: Value, sums: Value, shifts: Value) -> None:
        """Keep the sums beside the shift register. They are zero a cycle after it is."""
        following = part(sums, self._width, self._width + len(self.register))
        m.d.sync += self.register.eq(Mux(shifts, following, self.meant(line)))

    def meant(self, line: Value) -> Value:
        """What the register must hold beside this line."""
        return self._apart(line)[: len(self.register)]

    def _apart(self, line: Value) -> Value:
        return line[: len(line) - self._half] ^ line[self._half :]
