# SPDX-License-Identifier: Apache-2.0
"""Products of two shares: the terms of different shares are masked, and pass a register before they
meet the others.

H. Gross, S. Mangard, T. Korak, "Domain-Oriented Masking", TIS 2016. The register is hidden where
products are made of the stages that hold the factors a cycle earlier.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import xor

from amaranth.hdl import Module, Signal, Value

from headwater.core.naming import named
from headwater.kinds.stepped.masked.plan import Plan
from headwater.kinds.stepped.masked.products import Factor, Product, Tap

Pair = tuple[Value, Value]
"""Both shares of a word."""


class Gadgets:
    """The gadgets of all products of a step.

    ``state`` has both shares of each register. Words have ``plan.radix`` bits. ``fresh`` are the
    random bits of a cycle.
    """

    def __init__(
        self,
        plan: Plan,
        state: Mapping[str, tuple[Signal, Signal]],
        fresh: Value | None,
        *,
        kept: bool,
    ) -> None:
        self._plan, self._state, self._fresh = plan, state, fresh
        self._kept = kept
        self._used = 0
        self.registers: list[Signal] = []
        self.notes: dict[str, str] = {}
        self._of: dict[tuple[Product, int], Pair] = {}
        self._inputs: list[tuple[Signal, Value]] = []

    def add(self, m: Module, enable: Value) -> None:
        """Add all gadgets to a circuit; their registers move when ``enable`` is one."""
        for number, (product, ahead) in enumerate(self._plan.gadgets):
            self._of[product, ahead] = self._gadget(m, str(number), product, ahead)
        with m.If(enable):
            m.d.sync += [register.eq(value) for register, value in self._inputs]

    def value(self, factor: Factor, ahead: int) -> Pair:
        """Both shares of a factor, so many cycles before its use."""
        ahead = ahead if self._plan.reads_ahead else 0
        if isinstance(factor, Tap):
            return self.stage(factor, ahead, 0), self.stage(factor, ahead, 1)
        return self._of[factor, ahead]

    def stage(self, tap: Tap, ahead: int, share: int) -> Value:
        """One share of a stage, from where it is so many cycles earlier."""
        moves = ahead if self._plan.reads_ahead else 0
        place = self._plan.registers[tap.register].position(tap.stage)
        begin = place + moves * self._plan.radix
        return self._state[tap.register][share][begin : begin + self._plan.radix]

    def _gadget(self, m: Module, number: str, product: Product, ahead: int) -> Pair:
        """The two shares of a product."""
        left, right = self.value(product.left, ahead + 1), self._right(number, product, ahead + 1)
        masks = self._masks_of(product, ahead + 1)
        shares: list[Value] = []
        for share in (0, 1):
            other = (left[share] & right[1 - share]) ^ masks[share]
            cross = self._register(
                f"cross{number}_share{share}", other, f"{product}: terms of both shares, masked"
            )
            if product.keeps_inner:
                inner: Value = self._register(
                    f"inner{number}_share{share}",
                    left[share] & right[share],
                    f"{product}: terms of share {share}",
                )
            else:
                now = [self.value(one, ahead)[share] for one in (product.left, product.right)]
                inner = now[0] & now[1]
            shares.append(named(m, f"product{number}_share{share}", inner ^ cross))
        return shares[0], shares[1]

    def _right(self, number: str, product: Product, ahead: int) -> Pair:
        """The second factor, with a new mask if it needs one."""
        if not product.refreshed:
            return self.value(product.right, ahead)
        mask, old = self._random(), self.value(product.right, ahead + 1)
        first, second = (
            self._register(
                f"masked{number}_share{share}",
                old[share] ^ mask,
                f"{product.right}, with a new mask",
            )
            for share in (0, 1)
        )
        return first, second

    def _masks_of(self, product: Product, ahead: int) -> Pair:
        if (total := self._plan.masks.get(product)) is None:
            mask = self._random()
            return mask, mask
        first, second = (
            reduce(xor, (self.stage(one, ahead, share) for one in total.stages)) for share in (0, 1)
        )
        return first, second

    def _random(self) -> Value:
        """The next random bits that nothing else uses."""
        assert self._fresh is not None
        begin, self._used = self._used, self._used + self._plan.radix
        return self._fresh[begin : self._used]

    def _register(self, name: str, value: Value, note: str) -> Signal:
        register = Signal(self._plan.radix, name=name, reset_less=self._kept)
        self.registers.append(register)
        self.notes[name] = note
        self._inputs.append((register, value))
        return register
