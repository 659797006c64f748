# SPDX-License-Identifier: Apache-2.0
"""The power of a gate netlist under a given activity: the sum over all toggles.

The timer of Debian has a sum of its own, which counts rise and fall for each toggle; here it tells
slews and loads alone (`headwater.flow.opensta.electrical`), and `headwater.flow.energy` what a
toggle costs inside a cell. A net costs half of C V^2 for each toggle.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from headwater.errors import InputError, ToolError
from headwater.flow.energy import Arc, CellEnergy, energies_of, supply_of
from headwater.flow.liberty import Library
from headwater.flow.opensta import Instance, Wires, electrical

Activity = Mapping[tuple[str, str], float]
"""Toggles per clock cycle of every (instance, output pin); instance "" is for input ports."""

States = Mapping[tuple[str, str], Mapping[int, float]]
"""Toggles per clock cycle of an (instance, input pin) by the values of the pins that conditions of
its cell read: the first of these is bit 0; the bit above the last is 1 for a rise."""

CLOCK = "clk"
_CLOCK_TOGGLES = 2.0


@dataclass(frozen=True)
class Power:
    """Power in watts; ``total`` is the sum of the other three."""

    internal: float
    switching: float
    leakage: float
    total: float

    def at(self, speed: float) -> Power:
        """The power with a clock ``speed`` times as fast: the dynamic part scales, leakage
        stays."""
        internal, switching = speed * self.internal, speed * self.switching
        return Power(internal, switching, self.leakage, internal + switching + self.leakage)


class NoEnergyError(InputError):
    """A library does not tell all energies of a netlist."""


def power(
    netlist: str,
    library: Library,
    top: str,
    activity: Activity,
    period_ns: float,
    folder: Path,
    *,
    states: States | None = None,
    clock_gates: Collection[tuple[str, str]] = (),
    wires: Wires | None = None,
) -> Power:
    """The power of a netlist under the given activity of its pins.

    A register and the library's driving cell, both outside, drive each input. Their power, which is
    also that of the nets of inputs, does not count.

    Before layout clock pins count with the internal energy of their cells, at ideal edges. Nets of
    clocks, gated ones included, cost nothing, because there is no clock tree. With routed wires the
    clock tree is part of the netlist and counts as all other cells do.

    Parameters
    ----------
    activity
        Toggles per cycle of every output pin and input port; what is missing does not toggle. The
        clock's own activity is known.
    states
        Of input pins of cells with conditions.
    clock_gates
        The output pins that clock registers; their clocks count with the toggles of these pins.
    wires
        The routed wires; None before layout.

    Raises
    ------
    NoEnergyError
        If the library has no internal energy of a cell in use, or that of one edge alone.
    """
    if not period_ns > 0:
        raise InputError(f"period_ns must be a positive number of nanoseconds, not {period_ns!r}")
    instances = electrical(netlist, library, top, folder, period_ns, wires)
    energies = energies_of(library, frozenset(one.cell for one in instances))
    missing = [cell.missing for cell in energies.values() if cell.missing]
    supply_v = supply_of(library)
    if missing or supply_v is None:
        what = missing[0] if missing else "it has no voltage"
        raise NoEnergyError(f"library {library.name} cannot tell power: {what}")
    rates = _rates(instances, activity)
    ideal = frozenset() if wires else _clock_nets(instances, clock_gates)
    internal = switching = leakage = 0.0
    for one in instances:
        cell = energies[one.cell]
        leakage += cell.leakage_w
        internal += sum(_internal(one, cell, rates, states or {}, ideal))
        switching += sum(
            rates[pin.net] * pin.load_f
            for pin in one.pins.values()
            if pin.drives and pin.net not in ideal
        )
    per_second = 1e9 / period_ns
    internal *= per_second
    switching *= per_second * supply_v**2 / 2
    return Power(internal, switching, leakage, internal + switching + leakage)


def _rates(instances: Sequence[Instance], activity: Activity) -> dict[str, float]:
    """The toggles per cycle of every net; an error for activity of a pin that drives none."""
    pins = [(one.name, name, pin) for one in instances for name, pin in one.pins.items()]
    driving = {(instance, name) for instance, name, pin in pins if pin.drives}
    for instance, name in activity:
        if instance and (instance, name) not in driving:
            raise ToolError(f"activity must be of pins that drive a net, not of {instance}/{name}")
    rates = {pin.net: activity.get(("", pin.net), 0.0) for _, _, pin in pins}
    rates |= {
        pin.net: activity.get((instance, name), 0.0) for instance, name, pin in pins if pin.drives
    }
    return rates | {CLOCK: _CLOCK_TOGGLES}


def _clock_nets(
    instances: Sequence[Instance], clock_gates: Collection[tuple[str, str]]
) -> frozenset[str]:
    """The nets that a clock tree would drive."""
    gated = (
        pin.net
        for one in instances
        for name, pin in one.pins.items()
        if (one.name, name) in clock_gates
    )
    return frozenset({CLOCK, *gated})


def _internal(
    one: Instance,
    cell: CellEnergy,
    rates: Mapping[str, float],
    states: States,
    ideal: Collection[str],
) -> Iterator[float]:
    """The energy of each pin of a cell in a cycle, in joules."""

    def slew(pin: str) -> float:
        net = one.pins.get(pin)
        return net.slew_s if net and net.net not in ideal else 0.0

    for name, pin in one.pins.items():
        rate, arcs = rates[pin.net], cell.arcs.get(name)
        if arcs and rate:
            load = pin.load_f if pin.drives and pin.net not in ideal else 0.0
            shares = list(_shares(one, cell, name, arcs, rates, states))
            each = (
                part * arc.toggle(slew(arc.related or name), load, rises)
                for part, arc, rises in shares
            )
            # The toggles of an output are those that its inputs cause.
            whole = sum(part for part, _, _ in shares) if pin.drives else rate
            yield rate * sum(each) / whole if whole else rate * _mean(arcs, slew, name, load)


def _mean(arcs: Sequence[Arc], slew: Callable[[str], float], name: str, load: float) -> float:
    return sum(arc.toggle(slew(arc.related or name), load) for arc in arcs) / len(arcs)


def _shares(
    one: Instance,
    cell: CellEnergy,
    name: str,
    arcs: Sequence[Arc],
    rates: Mapping[str, float],
    states: States,
) -> Iterator[tuple[float, Arc, int | None]]:
    """For each group of a pin how many toggles per cycle of its cause it belongs to, and whether
    the pin then rises; None if this is not known."""
    for related in dict.fromkeys(arc.related for arc in arcs):
        cause = related or name
        if cause not in one.pins:
            continue
        rate = rates[one.pins[cause].net]
        group = [arc for arc in arcs if arc.related == related]
        by_state = states.get((one.name, cause), {0: rate} if rate else {})
        # Which way an output goes, the edge of an input does not tell.
        known = (one.name, cause) in states and not related
        for state, toggles in by_state.items():
            rises = state >> len(cell.conditions) & 1 if known else None
            values = {pin: state >> place & 1 for place, pin in enumerate(cell.conditions)}
            valid = [arc for arc in group if arc.when and arc.when(values)]
            valid = valid or [arc for arc in group if not arc.when]
            yield from ((toggles / len(valid), arc, rises) for arc in valid)
