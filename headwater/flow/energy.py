# SPDX-License-Identifier: Apache-2.0
"""The energy of a toggle inside a cell, from the tables of a liberty file.

A pin rises as often as it falls, so a toggle costs the mean of the rise and the fall energy. Where
conditions count, its edges may belong to different groups, and each costs its own energy. Of the
groups of one pin that have a condition (``when``), the one counts whose condition holds; one
without a condition counts where none of them does. A group of an output pin belongs to toggles that
one input causes (``related_pin``). Groups of a ground pin are left out: what leaves a cell has
entered it by its supply.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from headwater.errors import InputError
from headwater.flow.conditions import Condition, names_in, read_condition
from headwater.flow.liberty import Library
from headwater.flow.liberty_text import Group, read_group, with_cells_alone

_PREFIX = {"": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12, "f": 1e-15}
_SLEW, _LOAD = "input_transition_time", "total_output_net_capacitance"
_EDGES = ("rise_power", "fall_power")


@dataclass(frozen=True)
class Table:
    """A table over slew, load, both or neither; outside it goes on straight.

    Members
    -------
    variables : tuple of str
        What its axes are: `input_transition_time`, `total_output_net_capacitance`.
    axes : tuple of sequences of float
        In seconds and farads.
    values : sequence of float
        In joules, row after row.
    """

    variables: tuple[str, ...]
    axes: tuple[Sequence[float], ...]
    values: Sequence[float]

    def at(self, slew_s: float, load_f: float) -> float:
        """The energy in joules."""
        point = [{_SLEW: slew_s, _LOAD: load_f}[variable] for variable in self.variables]
        return _interpolated(self.axes, self.values, point)


def _interpolated(
    axes: Sequence[Sequence[float]], values: Sequence[float], point: Sequence[float]
) -> float:
    if not axes:
        return values[0]
    axis, size = axes[0], len(values) // len(axes[0])
    rows = [values[size * row : size * (row + 1)] for row in range(len(axis))]
    if len(axis) == 1:
        return _interpolated(axes[1:], rows[0], point[1:])
    below = min(max(bisect_right(axis, point[0]) - 1, 0), len(axis) - 2)
    part = (point[0] - axis[below]) / (axis[below + 1] - axis[below])
    low, high = (_interpolated(axes[1:], rows[row], point[1:]) for row in (below, below + 1))
    return low + part * (high - low)


@dataclass(frozen=True)
class Arc:
    """One group of energies of a pin.

    Members
    -------
    related : str
        The input that causes the toggles of an output; empty for toggles of the pin itself.
    when : Condition or None
        Of the other pins of the cell; None without one.
    tables : pair of Table
        Of a rise and of a fall.
    """

    related: str
    when: Condition | None
    tables: tuple[Table, Table]

    def toggle(self, slew_s: float, load_f: float, rises: int | None = None) -> float:
        """The energy of a toggle in joules; that of a rise or of a fall if it is known to be
        one."""
        edges = self.tables if rises is None else [self.tables[1 - rises]]
        return sum(table.at(slew_s, load_f) for table in edges) / len(edges)


@dataclass(frozen=True)
class CellEnergy:
    """The energies of a cell.

    Members
    -------
    arcs : dict of str to list of Arc
        Of each pin that has any.
    leakage_w : float
    conditions : tuple of str
        The pins that conditions read, in order; empty without conditions.
    missing : str
        What the library does not tell of the cell, as a sentence; empty if nothing is missing.
    """

    arcs: Mapping[str, list[Arc]]
    leakage_w: float
    conditions: tuple[str, ...]
    missing: str


@lru_cache(maxsize=4)
def energies_of(library: Library, cells: frozenset[str]) -> Mapping[str, CellEnergy]:
    """The energies of some cells of a library, by name.

    Raises:
        InputError: the liberty file is not of its form.
    """
    group = read_group(with_cells_alone(library.text, cells))
    units = _Units.of(group)
    return {
        cell.name: _cell(cell, group, units) for cell in group.all("cell") if cell.name in cells
    }


@lru_cache(maxsize=4)
def supply_of(library: Library) -> float | None:
    """The supply voltage of the operating conditions that the timer uses, else the nominal one;
    None if the library tells neither."""
    group = read_group(with_cells_alone(library.text, ()))
    wanted = library.lost_conditions or group.attributes.get("default_operating_conditions")
    named = [
        conditions.attributes
        for conditions in group.all("operating_conditions")
        if conditions.name == wanted
    ]
    told = [*(one.get("voltage") for one in named), group.attributes.get("nom_voltage")]
    return next((float(voltage) for voltage in told if voltage), None)


@dataclass(frozen=True)
class _Units:
    """The units of a library, in seconds, farads, joules and watts."""

    time: float
    capacitance: float
    energy: float
    leakage: float

    @classmethod
    def of(cls, group: Group) -> _Units:
        load = group.first("capacitive_load_unit")
        if load is None:
            raise InputError(f"library {group.name} must state its capacitive_load_unit")
        capacitance = _quantity("".join(load.arguments))
        stated = group.attributes
        volt = _quantity(stated.get("voltage_unit", "1V"))
        return cls(
            _quantity(stated.get("time_unit", "1ns")),
            capacitance,
            capacitance * volt**2,
            _quantity(stated.get("leakage_power_unit", "1nW")),
        )


def _quantity(text: str) -> float:
    """A number with a unit, as ``1ns``, in the unit without its prefix."""
    match = re.fullmatch(r"([\d.eE+-]+)\s*([munpf]?)(?:s|f|v|w)", text.strip().lower())
    if match is None:
        raise InputError(f"a unit of a library must be such as '1ns', not {text!r}")
    return float(match[1]) * _PREFIX[match[2]]


def _cell(cell: Group, library: Group, units: _Units) -> CellEnergy:
    ground = {
        pin.name for pin in cell.all("pg_pin") if "ground" in pin.attributes.get("pg_type", "")
    }
    arcs: dict[str, list[Arc]] = {}
    partial: list[str] = []
    conditions: set[str] = set()
    for pin in cell.all("pin"):
        for power in pin.all("internal_power"):
            if power.attributes.get("related_pg_pin") in ground:
                continue
            tables = _tables(power, library, units)
            if tables is None:
                partial.append(pin.name)
                continue
            when = power.attributes.get("when")
            conditions |= names_in(when) if when else set()
            condition = read_condition(when) if when else None
            for name in pin.arguments:
                arcs.setdefault(name, []).extend(
                    Arc(related, condition, tables)
                    for related in power.attributes.get("related_pin", "").split() or [""]
                )
    return CellEnergy(
        arcs,
        _leakage_w(cell, ground, units),
        tuple(sorted(conditions)),
        _missing(cell, arcs, partial),
    )


def _tables(power: Group, library: Group, units: _Units) -> tuple[Table, Table] | None:
    """The energies of a rise and of a fall; None if the group has only one of them."""
    both = power.first("power")
    edges = [both, both] if both else [power.first(edge) for edge in _EDGES]
    rise, fall = (_table(edge, library, units) if edge else None for edge in edges)
    return (rise, fall) if rise and fall else None


def _table(group: Group, library: Group, units: _Units) -> Table:
    templates = (*library.all("power_lut_template"), *library.all("lu_table_template"))
    template = next((one for one in templates if one.name == group.name), Group(""))
    variables, axes = [], []
    for number in (1, 2):
        variable = template.attributes.get(f"variable_{number}", "")
        axis = group.numbers(f"index_{number}") or template.numbers(f"index_{number}")
        if axis and variable:
            if variable not in (_SLEW, _LOAD):
                raise InputError(f"a table of energies must be over slew and load, not {variable}")
            unit = units.time if variable == _SLEW else units.capacitance
            variables.append(variable)
            axes.append([unit * place for place in axis])
    values = [units.energy * value for value in group.numbers("values")]
    if len(values) != _product([len(axis) for axis in axes]):
        raise InputError(f"a table of {library.name} must have a value for each place of its axes")
    return Table(tuple(variables), tuple(axes), values)


def _product(sizes: Sequence[int]) -> int:
    result = 1
    for size in sizes:
        result *= size
    return result


def _leakage_w(cell: Group, ground: Collection[str], units: _Units) -> float:
    """The leakage of a cell: as it states it, else the mean over the states that are told."""
    if "cell_leakage_power" in cell.attributes:
        return units.leakage * float(cell.attributes["cell_leakage_power"])
    told = [
        group.attributes
        for group in cell.all("leakage_power")
        if group.attributes.get("related_pg_pin") not in ground
    ]
    states = [one for one in told if "when" in one] or told
    return units.leakage * sum(float(one["value"]) for one in states) / max(len(states), 1)


def _missing(cell: Group, arcs: Mapping[str, list[Arc]], partial: Sequence[str]) -> str:
    if partial:
        return (
            f"cell {cell.name} has the energy of one edge alone at "
            f"{', '.join(sorted(set(partial)))}"
        )
    directions = {pin.attributes.get("direction") for pin in cell.all("pin")}
    if not arcs and {"input", "output"} <= directions:
        return f"cell {cell.name} has no internal energy"
    return ""
