# SPDX-License-Identifier: Apache-2.0
"""What a core leaves to others of what the default form of cores of ours has, found by what it
does."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from headwater.foreign.netlist import Netlist
from headwater.foreign.search import RUNS

SETUP_COUNTER, BACK_PRESSURE, CLEAR = FEATURES = ("setup counter", "back-pressure", "clear")
"""An output, or silence, says when keystream is there; an input makes the state wait; an input
wipes the state, at once or in the cycles after it."""

_ONES = (1 << RUNS) - 1
_SPARE = 32
"""Cycles more than the state has bits, after which a state that is wiped bit by bit is empty."""


@dataclass(frozen=True)
class Running:
    """A core in a running cycle, in all runs."""

    netlist: Netlist
    state: Sequence[int]
    """What the flip-flops hold."""
    inputs: Sequence[int]
    """What enters."""
    flops: Sequence[int]
    """The flip-flops of the cipher's state."""
    data: frozenset[str]
    """The inputs for key and IV: what enters there wipes nothing."""

    def lacks(self, *, counts: bool) -> list[str]:
        """The features that the core lacks, in the order of `FEATURES`; ``counts`` says whether it
        tells when its setup is over."""
        has = {SETUP_COUNTER: counts, BACK_PRESSURE: self._waits(), CLEAR: self._is_wiped()}
        return [name for name in FEATURES if not has[name]]

    def _waits(self) -> bool:
        held = self._of_cipher(self.state)
        return any(
            self._of_cipher(self.netlist.cycle(self.state, inputs, _ONES)[0]) == held
            for inputs in self._with_one_changed()
        )

    def _is_wiped(self) -> bool:
        return any(
            self._becomes_constant(changed, after)
            for changed in self._with_one_changed()
            for after in (changed, self.inputs)
        )

    def _becomes_constant(self, first: Sequence[int], later: Sequence[int]) -> bool:
        """Whether the state becomes the same in all runs, once inputs enter for a cycle, and others
        from then on."""
        source, state, inputs = random.Random(1), self.state, first
        for _ in range(len(self.flops) + _SPARE):
            entering = [
                source.getrandbits(RUNS) if port in self.data else value
                for (port, _), value in zip(self.netlist.input_bits, inputs, strict=True)
            ]
            state, _ = self.netlist.cycle(state, entering, _ONES)
            if all(state[flop] in (0, _ONES) for flop in self.flops):
                return True
            inputs = later
        return False

    def _of_cipher(self, state: Sequence[int]) -> list[int]:
        return [state[flop] for flop in self.flops]

    def _with_one_changed(self) -> Iterator[list[int]]:
        """What enters where one input of one bit has the other value."""
        for place, (port, _) in enumerate(self.netlist.input_bits):
            alone = self.netlist.ports[port][1] == 1 and port not in self.data
            if alone and self.inputs[place] in (0, _ONES):
                changed = [*self.inputs]
                changed[place] ^= _ONES
                yield changed
