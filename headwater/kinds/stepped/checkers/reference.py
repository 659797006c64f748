# SPDX-License-Identifier: Apache-2.0
"""The reference for a core: the description one step at a time, and the setup in steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from amaranth.hdl import Module, Value

from headwater.core.memory import StoredMemory
from headwater.kinds.stepped.core import SteppedCore
from headwater.kinds.stepped.description import Injected, SteppedCipher
from headwater.kinds.stepped.facts import SteppedFacts
from headwater.kinds.stepped.unrolling import unroll

State = Mapping[str, Any]
"""Registers as values, memories as a `StoredMemory`."""


def as_word(held: Value | StoredMemory) -> Value:
    """What a register or a memory holds, as one word."""
    return held.content if isinstance(held, StoredMemory) else held


@dataclass(frozen=True)
class Schedule:
    """The setup of a cipher at an architecture in steps, counted from the end of the load."""

    cipher: SteppedCipher
    words: int
    """Load words; one where a load may have any length, which then stands for all."""
    width: int
    """Steps, or bits of each lane, of a load word."""
    radix: int
    """Steps of other cycles."""
    latency: int
    """Cycles by which the output is later than its state."""

    @classmethod
    def of(cls, cipher: SteppedCipher, core: SteppedCore) -> Schedule:
        """The schedule for ``cipher``, at the architecture of ``core``."""
        architecture = core.architecture
        width = architecture.load_width // cipher.lane_count
        words = 1 if cipher.any_length else -(-cipher.load_steps // width)
        latency = SteppedFacts(cipher, architecture).timeline.latency
        steps = architecture.radix // cipher.word_bits
        return cls(cipher, words, width, steps, latency)

    @property
    def injected(self) -> bool:
        """Whether a load takes steps."""
        return isinstance(self.cipher.load, Injected)

    @property
    def first_steps(self) -> list[int]:
        """The first step of each cycle after the load, up to the first running cycle. The remainder
        of the division by the radix is made first, in cycles like those of the load, if possible;
        else the output is read ahead."""
        left, steps = self.cipher.blank_steps % self.radix, [0]
        slow = self.injected and self.width < self.radix and left % self.width == 0
        while slow and steps[-1] < left:
            steps.append(steps[-1] + self.width)
        end = self.cipher.blank_steps + self.latency * self.radix
        while steps[-1] + self.radix <= end:
            steps.append(steps[-1] + self.radix)
        return steps

    @property
    def ahead(self) -> int:
        """Steps by which the output is later than the state in the first running cycle."""
        return self.cipher.blank_steps + self.latency * self.radix - self.first_steps[-1]

    def made(self, cycle: int) -> int:
        """Steps that a cycle after the load makes."""
        steps = self.first_steps
        return steps[cycle + 1] - steps[cycle] if cycle + 1 < len(steps) else self.radix


@dataclass(frozen=True)
class Steps:
    """A cipher followed for some steps."""

    after: Callable[[int], State]
    """The registers after that many steps."""
    outputs: Sequence[Value]
    """The output of each step."""


def single_steps(
    m: Module,
    cipher: SteppedCipher,
    state: State,
    count: int,
    controls: Callable[[str, int], Value],
    entering: Callable[[int], Value],
) -> Steps:
    """The description evaluated ``count`` times, one step each time."""
    unrolled = unroll(
        m, cipher, state, radix=count, at_once=1, controls=controls, entering=entering
    )
    return Steps(unrolled.after, unrolled.outputs)
