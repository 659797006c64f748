# SPDX-License-Identifier: Apache-2.0
"""The circuit that shifts zeros in with the first load words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amaranth.hdl import Cat, Const, Module, Signal, Value

from headwater.core.counter import first_reached, states_of
from headwater.kinds.stepped.transformations.transformation import State, Transformation
from headwater.kinds.stepped.transformations.zeroing import Zeroing

if TYPE_CHECKING:
    from headwater.kinds.stepped.core import SteppedCore


class ZeroedLoad(Transformation):
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
        self.flags = (self.zeroing,)

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        return {"zeroing": "zeros are shifted in with the first load words"}

    def count(self, m: Module, core: SteppedCore) -> None:
        """Go on with a load word; the count has them, from its initial value on."""
        last = first_reached(core.count, self.plan.cycles - 1)
        m.d.sync += self.zeroing.eq(self.zeroing & ~last)

    def take(self, m: Module, core: SteppedCore, register: Signal) -> None:
        """Zeros, or bits of the load word."""
        with m.If(self.zeroing):
            m.d.sync += [
                register[place].eq(0 if bit is None else core.load_word[bit])
                for (name, place), bit in sorted(self.plan.taken.items(), key=lambda one: one[0])
                if name == register.name
            ]

    def undo(self, m: Module, core: SteppedCore, state: State) -> State:  # noqa: ARG002
        """While zeros are shifted in, a bit that the load has not reached counts as zero."""
        cycles = range(1, self.plan.cycles + 1)
        before = [self.zeroing & has_taken(core, range(words)) for words in cycles]

        def plain(name: str, place: int) -> Value:
            reached = self.plan.reached.get((name, place), self.plan.cycles)
            return state[name][place] & ~before[reached - 1]

        return {
            name: Cat(plain(name, place) for place in range(len(register)))
            for name, register in state.items()
        }

    def old_bits_left(self, core: SteppedCore) -> Value:
        """Whether bits that were left by what they held before are zero, until the load reaches
        them."""
        plan, true = self.plan, Const(1, 1)
        for words in range(1, plan.cycles):
            bits = [
                core.state[name][place]
                for (name, place), cycles in plan.left.items()
                if cycles <= words < plan.reached.get((name, place), plan.cycles)
            ]
            now = self.zeroing & has_taken(core, range(words, words + 1))
            true &= ~(now & Cat(*bits).any())
        return true

    def invariant(self, core: SteppedCore) -> Value:
        """Zeros are shifted in with just the first load words."""
        return self.zeroing == (core.loading & has_taken(core, range(self.plan.cycles)))


def has_taken(core: SteppedCore, words: range) -> Value:
    """Whether the core has taken so many words of a load whose length is fixed."""
    states = states_of(core.count, words.stop)
    return Cat(core.count == states[number] for number in words).any()
