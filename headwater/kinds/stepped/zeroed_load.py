# SPDX-License-Identifier: Apache-2.0
"""The circuit that shifts zeros in with the first load words."""

from __future__ import annotations

from amaranth.hdl import Module, Signal, Value

from headwater.core.counter import first_reached
from headwater.kinds.stepped.zeroing import Zeroing


class ZeroedLoad:
    """Registers that no reset makes zero, and a load that begins from zeros.

    Members
    -------
    plan : Zeroing
        Which bits take part, and how long.
    zeroing : Signal
        Whether zeros are shifted in: in idle and with the first load words.
    """

    def __init__(self, plan: Zeroing) -> None:
        self.plan = plan
        self.zeroing = Signal(init=1, name="zeroing")

    def advance(self, m: Module, count: Signal) -> None:
        """Go on with a load word. ``count`` counts them, from its initial value on."""
        last = first_reached(count, self.plan.cycles - 1)
        m.d.sync += self.zeroing.eq(self.zeroing & ~last)

    def take(self, m: Module, register: Signal, load_word: Value) -> None:
        """What the register takes otherwise than in a step. Must be called after that."""
        with m.If(self.zeroing):
            m.d.sync += [
                register[place].eq(0 if bit is None else load_word[bit])
                for (name, place), bit in self.plan.taken.items()
                if name == register.name
            ]
