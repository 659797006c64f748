# SPDX-License-Identifier: Apache-2.0
"""The power of a gate netlist under a given activity, by OpenSTA."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from headwater.errors import InputError
from headwater.flow.liberty import Library
from headwater.flow.opensta import Wires, sta_answers, sta_setup

Activity = Mapping[tuple[str, str], float]
"""Toggles per clock cycle of every (instance, output pin); instance "" is for input ports."""


@dataclass(frozen=True)
class Power:
    """Power in watts; ``total`` is the sum of the other three."""

    internal: float
    switching: float
    leakage: float
    total: float

    def plus(self, more: Power, less: Power) -> Power:
        """This power plus the difference of two others."""
        mine, added, taken = astuple(self), astuple(more), astuple(less)
        return Power(*(a + b - c for a, b, c in zip(mine, added, taken, strict=True)))

    def at(self, speed: float) -> Power:
        """The power with a clock ``speed`` times as fast: the dynamic part scales, leakage
        stays."""
        internal, switching = speed * self.internal, speed * self.switching
        return Power(internal, switching, self.leakage, internal + switching + self.leakage)


def power(
    netlist: str,
    library: Library,
    top: str,
    activity: Activity,
    period_ns: float,
    folder: Path,
    *,
    clock_gates: Sequence[tuple[str, str]] = (),
    wires: Wires | None = None,
) -> Power:
    """The power of a netlist under the given activity of its pins.

    A register and the library's driving cell, both outside, drive each input. Their power, which is
    also that of the nets of inputs, does not count.

    Before layout clock pins count with the internal power of their cells, at ideal edges. Nets of
    clocks, gated ones included, cost nothing, because there is no clock tree. With routed wires the
    clock tree is part of the netlist and counts as all other cells do.

    Parameters
    ----------
    activity
        Toggles per cycle of every output pin and input port; what is missing does not toggle. The
        clock's own activity is known.
    clock_gates
        The output pins that clock registers; their clocks count with the toggles of these pins.
    wires
        The routed wires; None before layout.
    """
    if not period_ns > 0:
        raise InputError(f"period_ns must be a positive number of nanoseconds, not {period_ns!r}")
    setup = sta_setup(netlist, library, top, folder, period_ns, wires)

    def found(toggles: Activity, open_: Mapping[tuple[str, str], float]) -> Power:
        gates = _gated_clocks(open_, period_ns)
        told = {pin: rate for pin, rate in toggles.items() if pin not in open_}
        script = [*setup, _drive_inputs(library), *gates, *_set_activity(told)]
        checks = (f"check_activity {i}/{pin}" for (i, pin), rate in told.items() if i and rate)
        numbers = sta_answers([*script, "answer [power]", *checks], folder)
        return Power(*(float(number) for number in numbers[0].split()))

    always = dict.fromkeys(clock_gates, 1.0)
    passed = {gate: activity[gate] / _CLOCK_TOGGLES for gate in clock_gates}
    every = found(activity, always)
    if passed == always:
        return every
    # OpenSTA takes every clock for one that never rests. The saving of a stopped clock does not
    # depend on other activity, so it is computed with no other net toggling.
    still = dict.fromkeys(activity, 0.0)
    resting, busy = found(still, passed), found(still, always)
    return every.plus(resting, busy)


_CLOCK_TOGGLES = 2
_NEVER = 1e6
"""Factor by which the clock behind a closed gate is slower."""


def _gated_clocks(open_: Mapping[tuple[str, str], float], period_ns: float) -> Iterator[str]:
    """Script lines that give the output of each gate a clock of its own, slowed down by the share
    of cycles in which the gate is open."""
    for number, ((instance, pin), part) in enumerate(open_.items()):
        slow = period_ns * min(_NEVER, 1 / part if part else _NEVER)
        yield f"gated_clock gated{number} {instance}/{pin} {slow:.9g}"


def _drive_inputs(library: Library) -> str:
    cell = library.flip_flop_cell
    clocks = " ".join(sorted(pin for name, pin in library.clock_pins if name == cell))
    return f"drive_inputs {cell} {{{clocks}}} {library.driving_cell}"


def _set_activity(activity: Activity) -> Iterator[str]:
    yield "sta::set_power_input_activity 0 0.5"
    # The first computation propagates activities and overwrites all that were set before it.
    yield "power"
    for (instance, pin), toggles in activity.items():
        if instance:
            yield f"activity {instance}/{pin} {toggles:.9g}"
        else:
            yield f"input_activity {{{pin}}} {toggles:.9g}"
