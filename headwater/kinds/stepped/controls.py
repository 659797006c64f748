# SPDX-License-Identifier: Apache-2.0
"""The controls of a step function as signals: a phase flag of the core where possible, else a
register that changes in the same cycles as the control."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from amaranth.hdl import Const, Module, Signal, Value

from headwater.kinds.stepped.timeline import Timeline, Wave


@dataclass(frozen=True)
class Phases:
    """The core's place in the setup."""

    loading: Value
    """Before the last load word is taken."""
    running: Value
    """After the last blank cycle."""
    ends: Callable[[int], Value]
    """Whether this is that cycle of the timeline, while the count runs."""
    goes_on: Value
    """Whether the cipher runs, and the state moves."""
    waits: bool
    """Whether the state may wait before its first step, while the count goes on."""


class ControlSignals:
    """The value of each control at each position; those in ``beside`` are not made here."""

    def __init__(self, timeline: Timeline, beside: Sequence[str] = ()) -> None:
        self._load = 1 if timeline.cipher.any_length else timeline.load_cycles
        self._total = self._load + timeline.blank_cycles
        self._signals: dict[tuple[str, int], Value] = {}
        self.flags: dict[Wave, Signal] = {}
        self._slow_wave = timeline.slow_wave
        self.slow: Value = Const(0, 1)
        """Whether a cycle makes the steps of a load cycle only."""
        self._waves = {
            (control, position): timeline.wave(control, position)
            for control in timeline.controls
            if control not in beside
            for position in range(timeline.positions)
        }

    def connect(self, phases: Phases) -> None:
        """Choose a signal for each control at each position."""
        for (control, position), wave in self._waves.items():
            self._signals[control, position] = self._signal(control, wave, phases)
        self.slow = self._signal("slow", self._slow_wave, phases)

    def __call__(self, control: str, position: int) -> Value:
        """The control's value; zero at positions that only the output uses."""
        return self._signals.get((control, position), Const(0, 1))

    def _signal(self, control: str, wave: Wave, phases: Phases) -> Value:
        load, blank = wave[: self._load], wave[self._load : self._total]
        first = wave[self._total]

        def only(part: Wave, *values: bool | None) -> bool:
            return set(part) <= {*values, None}

        if only(wave, False):
            return Const(0, 1)
        if not first and only(load, True) and only(blank, False):
            return phases.loading
        if not first and only(load, True) and only(blank, True):
            return ~phases.running
        whole = _filled(wave)
        if whole not in self.flags:
            names = {flag.name for flag in self.flags.values()}
            name = control if control not in names else f"{control}_{len(self.flags)}"
            self.flags[whole] = Signal(name=name, init=whole[0])
        return self.flags[whole]

    def update(self, m: Module, phases: Phases) -> None:
        """Update the control registers. Must be called under the condition that the count advances.
        A control rises in the setup only, because the count wraps around while the core runs."""
        for wave, flag in self.flags.items():
            value, last = Value.cast(flag), len(wave) - 1
            lasts = phases.waits and wave[last]
            for cycle, (now, then) in enumerate(zip(wave, (*wave[1:], False), strict=True)):
                if now and not then:
                    event = self._event(cycle, phases)
                    value = value & ~(event & ~phases.running if lasts and cycle < last else event)
                elif then and not now:
                    value = value | (self._event(cycle, phases) & ~phases.running)
            m.d.sync += flag.eq(value)

    def _event(self, cycle: int, phases: Phases) -> Value:
        return phases.goes_on if cycle == self._total else phases.ends(cycle)


def _filled(wave: Wave) -> tuple[bool, ...]:
    """The wave with unused cycles filled: with the value before, or else the first one."""
    used = [value for value in wave if value is not None]
    filled, last = [], used[0]
    for value in wave:
        last = last if value is None else value
        filled.append(last)
    return tuple(filled)
