# SPDX-License-Identifier: Apache-2.0
"""When the inverses enter the LFSR in a core, and the setup that follows from it.

Step u is the step whose LFSR content, after u clocks, is inverted. The cipher adds a bit of that
inverse to cell c of the LFSR in step u + d, where d is the delay of the pipeline. As cells only
move, the bit may be added k steps earlier to cell c + k, if no tap reads the cells between in the
meantime. So most bits are injected at once, higher up. A bit with a tap close above its cell waits
in flip-flops, or in the registers that cut the inverter into stages. The delay of the output needs
no pipeline either: the output of step u + d - 1 is made from the content of step u, so the LFSR
runs ahead of the output.
"""

from __future__ import annotations

from dataclasses import dataclass

from headwater.core.architecture import Architecture
from headwater.kinds.filtered.description import FilteredLfsr
from headwater.kinds.stepped.timeline import Timeline, Wave


@dataclass(frozen=True)
class Pace:
    """Steps and cycles of a core."""

    cipher: FilteredLfsr
    radix: int
    """Steps of a running cycle."""
    rate: int
    """Steps of a cycle of the setup."""
    cuts: int
    """Pipeline registers in each inverter."""

    @classmethod
    def of(cls, cipher: FilteredLfsr, architecture: Architecture) -> Pace:
        """The pace of an architecture."""
        rate = cipher.setup_rate(architecture.radix, architecture["setup"])
        return cls(cipher, architecture.radix, rate, int(architecture["stages"]) - 1)

    @property
    def last_injected(self) -> int:
        """The step of the last inverse that is injected; the first is that of step 1."""
        return self.cipher.blank_steps - self.cipher.delay

    @property
    def first_output(self) -> int:
        """The step whose content gives the first bit of keystream."""
        return self.cipher.blank_steps + 1 - (self.cipher.delay - 1)

    def longest_wait(self, bit: int) -> int:
        """Steps that a bit of an inverse must wait at most before it can be injected."""
        cipher, cell = self.cipher, self.cipher.injected_cells[bit]
        taps = (*cipher.feedback_cells, *cipher.filter_cells)
        above = min(tap for tap in taps if tap > cell)
        return max(0, cipher.delay - (above - cell))

    @property
    def changes(self) -> bool:
        """Whether a running cycle makes another number of steps than a cycle of the setup."""
        return self.rate != self.radix

    @property
    def first_step(self) -> int:
        """The step of the first running cycle. Its output may be that of earlier steps. Where the
        number of steps per cycle changes, all inverses must have been injected."""
        if self.changes:
            return self.cipher.blank_steps
        return -(-self.first_output // self.radix) * self.radix

    @property
    def lag(self) -> int:
        """Steps by which the output is later than the LFSR, without the inverters' registers."""
        return self.first_step - self.first_output

    @property
    def lag_in_setup(self) -> int:
        """Steps by which the authenticator's input in the setup is later than the LFSR. One step is
        left out, so that the setup ends with the last inverse that is injected, not with the one
        after it."""
        return self.lag + 1

    @property
    def setup_cycles(self) -> int:
        """Cycles of the setup at its own rate, after the load."""
        return self.first_step // self.rate + (0 if self.changes else self.cuts)

    @property
    def blank_cycles(self) -> int:
        """Cycles between the load and the first running cycle. In the last of them the inverters
        fill with the inputs of the running core."""
        return self.first_step // self.rate + self.cuts

    def waiting(self, bit: int) -> range:
        """The steps, from the first of a cycle, whose inverse has this bit waiting at that time."""
        return range(-self.longest_wait(bit), -self.cuts * self.rate)

    @property
    def arriving(self) -> range:
        """The steps whose inverses leave the inverters in a cycle."""
        first = -self.cuts * self.rate
        return range(first, first + self.rate)

    def enters(self, bit: int, step: int) -> bool:
        """Whether the bit is injected in this cycle: no tap has still to read past its place."""
        return step - self.rate < -self.longest_wait(bit)


@dataclass(frozen=True)
class FilteredTimeline(Timeline):
    """The setup, cycle by cycle. Controls, by position: ``injecting`` says whether the output of an
    inverter is injected; ``absorbing`` whether the authenticator takes its bit; ``narrow`` whether
    a cycle makes the steps of the setup."""

    @property
    def pace(self) -> Pace:
        """Steps and cycles."""
        assert isinstance(self.cipher, FilteredLfsr)
        return Pace.of(self.cipher, self.architecture)

    @property
    def controls(self) -> tuple[str, ...]:
        """The controls of the core, which replace the description's."""
        pace = self.pace
        absorbing = ("absorbing",) if pace.cipher.authenticates else ()
        return ("injecting", *absorbing, *(("narrow",) if pace.changes else ()))

    @property
    def blank_cycles(self) -> int:
        """Cycles between the last load word and the first running cycle."""
        return self.pace.blank_cycles

    latency = 0
    """Zero: where inverters are pipelined, the setup ends later."""

    steps_ahead = surplus_bits = 0

    @property
    def positions(self) -> int:
        """Positions at which a control is used."""
        return self.pace.rate

    def wave(self, control: str, position: int) -> Wave:
        """The values of a control at one position."""
        before = control == "narrow" and self.architecture.load_width != self.architecture.radix
        load = (before for _ in range(self.load_cycles))
        blank = (self._blank_value(control, cycle, position) for cycle in range(self.blank_cycles))
        return (*load, *blank, False)

    def _blank_value(self, control: str, cycle: int, position: int) -> bool:
        pace = self.pace
        if control == "narrow":
            return cycle < pace.setup_cycles
        step = (cycle - pace.cuts) * pace.rate + position
        if control == "absorbing":
            return step - pace.lag_in_setup >= 1
        return 1 <= step <= pace.last_injected
