# SPDX-License-Identifier: Apache-2.0
"""The controls of a step function in every cycle of a setup, position by position.

A load cycle uses the first `k` / lanes positions of the unrolled steps, a blank cycle the first
`d`. If `d` does not divide the blank steps, there are two ways. Either the first running cycle
makes the rest at its first positions, and the output is read as many steps ahead. Or one more blank
cycle makes the rest, and the output of its other positions is kept: a word has the last bits of the
cycle before, then the first bits of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from headwater.core.architecture import Architecture
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import Injected, SteppedCipher
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.transformations.retiming import Retiming, retiming

Wave = tuple[bool | None, ...]
"""A value for each load cycle, each blank cycle and the first running one; None where it is not
used. Zero afterwards."""


def retiming_of(cipher: SteppedCipher, architecture: Architecture) -> Retiming | None:
    """How the feedback of a core is moved; None for the plain form."""
    return retiming(cipher, architecture.radix, architecture["form"], architecture["output"])


@dataclass(frozen=True)
class Timeline:
    """The setup of one cipher at one architecture, in cycles."""

    cipher: SteppedCipher
    architecture: Architecture

    @property
    def controls(self) -> tuple[str, ...]:
        """Controls that are one in some cycle."""
        return self.cipher.controls

    @property
    def steps_per_cycle(self) -> int:
        """Steps of a cycle outside the load."""
        return self.architecture.radix // self.cipher.word_bits

    @property
    def load_cycles(self) -> int:
        """Load words of the longest load."""
        return self.cipher.load_cycles(self.architecture.load_width)

    @property
    def counted_load_cycles(self) -> int:
        """Load words that are counted: zero where ``last`` ends the load."""
        return 0 if self.cipher.any_length else self.load_cycles

    @property
    def load_steps_per_cycle(self) -> int:
        """Bits of each lane in a load word."""
        return self.architecture.load_width // self.cipher.lane_count

    @property
    def slow_steps(self) -> int:
        """Blank steps that are made in cycles like those of the load. They are the remainder of the
        division by `d`, where a load cycle makes fewer steps than others: the multiplexers between
        both are there anyway."""
        left, width = self._left_over, self.load_steps_per_cycle
        can = isinstance(self.cipher.load, Injected) and width < self.steps_per_cycle
        return left if can and left % width == 0 else 0

    @property
    def slow_cycles(self) -> int:
        """Cycles of the slow steps, the first after the load."""
        return self.slow_steps // self.load_steps_per_cycle

    @property
    def blank_cycles(self) -> int:
        """Cycles between the last load word and the first running cycle."""
        return self.slow_cycles + self.cipher.blank_steps // self.steps_per_cycle + self.latency

    @property
    def decides_early(self) -> bool:
        """Whether a cycle decides what the next one does with the registers: at one step a cycle,
        where nothing empties the registers at once."""
        cipher, architecture = self.cipher, self.architecture
        parts = isinstance(cipher, ClockedCipher) and cipher.early_step is not None
        alone = self.steps_per_cycle == self.load_steps_per_cycle == 1
        return parts and alone and architecture["clear"] != "instant"

    @property
    def latency(self) -> int:
        """Cycles by which the output is later than its state."""
        retimed = retiming_of(self.cipher, self.architecture)
        return retimed.latency if retimed else int(self.decides_early or self.surplus_bits > 0)

    @property
    def steps_ahead(self) -> int:
        """Steps by which the output is read ahead of the state: the rest of the blank steps, unless
        output bits are kept."""
        return 0 if self.surplus_bits else self._left_over - self.slow_steps

    @property
    def surplus_bits(self) -> int:
        """The last output bits of a cycle that wait for the next one in registers, so that the
        first word begins with the first bit. They are kept where this costs fewer gates than to
        read the output ahead."""
        if not isinstance(self.cipher, ShiftRegisterCipher):
            return 0
        return self.cipher.kept_bits(self.steps_per_cycle)

    @property
    def _left_over(self) -> int:
        return self.cipher.blank_steps % self.steps_per_cycle

    @property
    def positions(self) -> int:
        """Positions at which a control is ever used."""
        load = self.load_steps_per_cycle if isinstance(self.cipher.load, Injected) else 0
        return max(load, self.steps_per_cycle + self.steps_ahead)

    def wave(self, control: str, position: int) -> Wave:
        """The values of a control at one position of the unrolled steps. A load that may have any
        length is given as one cycle."""
        cycles = 1 if self.cipher.any_length else self.load_cycles
        load = [self._loading(control, cycle - cycles, position) for cycle in range(cycles)]
        blank = [self._blank(control, cycle, position) for cycle in range(self.blank_cycles)]
        left_over = self.cipher.control_at(control, self._first_step(self.blank_cycles) + position)
        return (*load, *blank, left_over)

    @property
    def slow_wave(self) -> Wave:
        """When a cycle makes only the steps of a load cycle."""
        load = 1 if self.cipher.any_length else self.load_cycles
        slow = load + self.slow_cycles
        return (
            *(True for _ in range(slow)),
            *(False for _ in range(slow, load + self.blank_cycles + 1)),
        )

    def _first_step(self, cycle: int) -> int:
        """The step after the load with which a blank cycle begins."""
        if cycle < self.slow_cycles:
            return cycle * self.load_steps_per_cycle
        return self.slow_steps + (cycle - self.slow_cycles) * self.steps_per_cycle

    def _loading(self, control: str, cycle: int, position: int) -> bool | None:
        """The value in a cycle of the load; cycles are numbered down from -1, the last."""
        width = self.load_steps_per_cycle
        if not isinstance(self.cipher.load, Injected) or position >= width:
            return None
        return self.cipher.control_at(control, cycle * width + position)

    def _blank(self, control: str, cycle: int, position: int) -> bool | None:
        slow = cycle < self.slow_cycles
        if position >= (self.load_steps_per_cycle if slow else self.steps_per_cycle):
            return None
        return self.cipher.control_at(control, self._first_step(cycle) + position)
