# SPDX-License-Identifier: Apache-2.0
"""The tables of the study of Grain-128AEAD in 65 nm (2019).

The paper's n, pre-output bits in a cycle, is the radix here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from headwater.measure.record import Record
from headwater.measure.settings import PARTS, Settings
from headwater.report.printed import Row, paper
from headwater.report.published import GRAIN
from headwater.report.reproduce.comparison import (
    EVERY,
    Comparison,
    Points,
    Quantity,
    core,
    member,
    only_measured,
    quantity,
)
from headwater.report.reproduce.targets import Targets

_STRAIGHT = {"direction": "encrypt", "authenticator": "direct"}
_SHIFTING = _STRAIGHT | {"controller": "shift"}
_GATED = "latch"
_SPEED = Settings(objective="speed")
_WIDEST_GALOIS = 16
"""The widest radix at which terms of the feedback can be moved."""


def _fast(n: int) -> dict[str, str]:
    """The options of the high-speed version that are legal at a radix."""
    moved = {"form": "galois", "output": "split"} if n <= _WIDEST_GALOIS else {}
    return {"direction": "encrypt", "authenticator": "isolated", **moved}


def _grain(
    options: Callable[[int], dict[str, str]], settings: Settings
) -> Callable[[Row, Targets], Points]:
    def points(row: Row, targets: Targets) -> Points:
        n = row["n"]
        return {"cells": core("grain128aead", n, targets.cells, options(n), settings)}

    return points


_GROUPED = "cells.grouped"


def _both_ways(options: Callable[[int], dict[str, str]]) -> Callable[[Row, Targets], Points]:
    """The fastest netlists without and with groups."""

    def points(row: Row, targets: Targets) -> Points:
        return {
            **_grain(options, _SPEED)(row, targets),
            _GROUPED: _grain(options, replace(_SPEED, hierarchy=PARTS))(row, targets)["cells"],
        }

    return points


def _grouping(records: Record, _row: Row) -> str:
    """Which of both has the shorter period, in the paper's letters."""
    flat, grouped = (_period_ns(records["of"][role], _row) for role in ("cells", _GROUPED))
    return "=" if flat == grouped else "U" if flat < grouped else "G"


def _speed_table(table: str, options: Callable[[int], dict[str, str]]) -> Comparison:
    return Comparison(
        table,
        ("n",),
        _both_ways(options),
        (
            quantity("period ns", "period_ns", "cells", _period_ns, "ns", relative=True),
            quantity("GHz", "freq_ghz", "cells", "fmax_mhz.median", "GHz", measured_factor=1e-3),
            quantity(
                "Gbit/s",
                "throughput_gbps",
                "cells",
                "throughput_mbps",
                "Gbit/s",
                relative=True,
                measured_factor=1e-3,
            ),
            quantity("GE", "area_ge", "cells", "ge", "GE", relative=True),
            quantity("mW", "power_mw", "cells", "power_at_fmax_mw", "mW", relative=True),
            quantity(
                "as printed",
                "kbps_per_ge",
                "cells",
                "mbps_per_area",
                "kbit/s/GE",
                measured_factor=1000,
            ),
            quantity(
                "kbit/s/GE",
                lambda row: round(1e6 * row["throughput_gbps"] / row["area_ge"]),
                "cells",
                "mbps_per_area",
                "kbit/s/GE",
                relative=True,
                measured_factor=1000,
                derived=True,
            ),
            quantity(
                "Gbit/s/mW",
                "gbps_per_mw",
                "cells",
                _per_mw,
                "Gbit/s/mW",
                relative=True,
                doubts="power_mw",
            ),
            quantity(
                "pJ/bit",
                lambda row: round(row["power_mw"] / row["throughput_gbps"], 3),
                "cells",
                "energy_pj_per_bit",
                "pJ/bit",
                relative=True,
                doubts="power_mw",
                derived=True,
            ),
            quantity("grouping", "grouping", EVERY, _grouping, "grouping"),
            only_measured("grouped", _GROUPED, _period_ns, "ns"),
        ),
        reference=1,
        note=_GRAIN_NOTE,
    )


_GRAIN_NOTE = (
    "kbit/s/GE and pJ/bit of the printed side are computed from its throughput, area and "
    "power; mW is at the highest clock of each core. The paper's groups are parts of its code, "
    "which it does not name. Here they are two: the controller, with the counter and the phases of "
    "a message, and the datapath, with all registers of cipher and authenticator. Grouped (G), "
    "each is mapped by itself; ungrouped (U), all is one module. The letter is that of the shorter "
    "period, = a tie; other figures are ungrouped."
)


def _per_mw(record: Record, _row: Row) -> float | None:
    power, mbps = record.get("power_at_fmax_mw"), record.get("throughput_mbps")
    return mbps / 1000 / power if power and mbps else None


_PATHS = {"b": "D_yn", "s": "D_yl", "q": "D_ya"}
"""The paper's names of paths from the pre-output y, by the register that they lead into: NFSR, LFSR
or authenticator."""


def _path(record: Record, row: Row) -> str | None:
    """The paper's name of the critical path; its registers where it begins elsewhere than in the
    two that the pre-output is made of."""
    path = record.get("critical_path")
    if not path:
        return None
    first, last = (end.partition("[")[0] for end in (path[0], path[-1]))
    named = first in ("b", "s") and last in _PATHS
    return _PATHS[last] if named else _registers_of_path(record, row)


def _registers_of_path(record: Record, _row: Row) -> str | None:
    """The registers at both ends of the critical path."""
    path = record.get("critical_path")
    return f"{path[0]} to {path[-1]}" if path else None


def _period_ns(record: Record, _row: Row) -> float:
    return round(1000 / float(record["fmax_mhz"]["median"]), 3)


_QUIET, _SHIFT, _FAST = "low_leakage", "low_leakage.shift", "fast"
"""The low-leakage cells with the straightforward and with the optimised controller; the fast
cells."""


def _low_power_table(table: str, clock_mhz: float, power: str) -> Comparison:
    """A table of power at a low clock; ``power`` is the name of this power in a record. As in the
    paper clocks are gated, both controllers are in the same cells, and the energy of a message is
    that of the better controller."""
    return Comparison(
        table,
        ("n",),
        _low_power_points(clock_mhz),
        tuple(_low_power_quantities(power)),
        reference=1,
        note=_LOW_POWER_NOTE,
    )


def _low_power_quantities(power: str) -> Iterator[Quantity]:
    """Area and power of each mapping, how both change, and the energy of two messages."""
    mappings = (
        ("fast", "speed", _FAST),
        ("low leakage", "power", _QUIET),
        ("optimised", "power_opt", _SHIFT),
    )
    for name, column, role in mappings:
        doubts = "" if role == _FAST else "area_ge_speed"
        yield quantity(
            f"GE, {name}", f"area_ge_{column}", role, "ge", "GE", relative=True, doubts=doubts
        )
    for name, column, role in mappings:
        printed = f"power_uw_{column}"
        yield quantity(
            f"uW, {name}", printed, role, power, "uW", relative=True, measured_factor=1000
        )
    for unit, area_or_power, figure in (("GE", "area", "ge"), ("uW", "power", power)):
        for name, column, role in mappings[1:]:
            printed = f"{area_or_power}_percent_{column}"
            change = _percent_over_fast(role, figure)
            yield quantity(f"{unit} change, {name}", printed, EVERY, change, "%")
    for blocks, printed, message in (
        ("block", "energy_nj_1_block", "one_block"),
        ("1000 blocks", "energy_nj_1000_blocks", "thousand_blocks"),
    ):
        least = _least_energy(message)
        yield quantity(f"nJ/{blocks}", printed, EVERY, least, "nJ", relative=True)


def _low_power_points(clock_mhz: float) -> Callable[[Row, Targets], Points]:
    fast = Settings(objective="speed", clock_gating=_GATED)
    lowest = Settings(objective="power", clock_mhz=clock_mhz, clock_gating=_GATED)

    def points(row: Row, targets: Targets) -> Points:
        n, slow = row["n"], targets.quiet
        by_controller = {
            _QUIET: core("grain128aead", n, slow, _STRAIGHT, lowest),
            _SHIFT: core("grain128aead", n, slow, _SHIFTING, lowest),
        }
        if targets.fast:
            by_controller[_FAST] = core("grain128aead", n, targets.fast, _STRAIGHT, fast)
        return by_controller

    return points


def _percent_over_fast(role: str, figure: str) -> Callable[[Record, Row], float | None]:
    """How much more a figure is than with fast transistors, in percent."""

    def change(records: Record, row: Row) -> float | None:
        if _FAST not in records["of"]:
            return None
        here, fast = (member(figure)(records["of"][one], row) for one in (role, _FAST))
        return round(100 * (here / fast - 1), 1) if here and fast else None

    return change


def _least_energy(message: str) -> Callable[[Record, Row], float]:
    """The energy of a message with the better controller."""

    def least(records: Record, _row: Row) -> float:
        both = (one for role, one in records["of"].items() if role != _FAST)
        return min(float(one["energy_message_nj"][message]) for one in both)

    return least


_LOW_POWER_NOTE = (
    "Fast and low-leakage transistors are the two thresholds of a library that is looked for below "
    "$HEADWATER_PDK_ROOT; without it low leakage stands for the cells. Clocks are gated. The "
    "optimised controller is in the cells of low leakage; nJ are of the better controller, "
    "uW and nJ at the clock in the title."
)

_LENGTHS = {1: "one_block", 1000: "thousand_blocks"}


def _energies(
    table: str, radices: tuple[int, ...], options: Callable[[int], dict[str, str]], note: str = ""
) -> Comparison:
    """A table whose columns are the radices and whose rows are lengths of a message."""

    def points(_row: Row, targets: Targets) -> Points:
        return {
            f"cells.{n}": core("grain128aead", n, targets.cells, options(n), _SPEED)
            for n in radices
        }

    def energy(record: Record, row: Row) -> float | None:
        return member(f"energy_message_nj.{_LENGTHS[row['blocks']]}")(record, row)

    quantities = tuple(quantity(f"x{n}", f"x{n}", f"cells.{n}", energy, "nJ") for n in radices)
    return Comparison(table, ("blocks",), points, quantities, note=note)


def _optimised(n: int) -> dict[str, str]:
    return _fast(n) | {"controller": "shift"}


def _fastest(n: int) -> dict[str, str]:
    """The options of the high-speed version whose controller has the shorter printed period."""
    regular, optimised = (
        next(row["period_ns"] for row in paper(GRAIN).table(table).rows if row["n"] == n)
        for table in ("table4_regular", "table4_optimized")
    )
    return _fast(n) if regular < optimised else _optimised(n)


_FASTEST_NOTE = (
    'At each n the controller whose printed period is the shorter one: "the highest speed at each '
    'level of parallelization from Table 4".'
)


GRAIN_2019: tuple[Comparison, ...] = (
    Comparison(
        "table1",
        ("n",),
        _grain(lambda _n: _STRAIGHT, _SPEED),
        (
            quantity(
                "period ns", "period_ps", "cells", _period_ns, "ns", relative=True, factor=1e-3
            ),
            quantity("path", "critical_path", "cells", _path, "path"),
            only_measured("registers", "cells", _registers_of_path, "path"),
        ),
        reference=1,
    ),
    _speed_table("table2", lambda _n: _STRAIGHT),
    _energies("table3", (1, 2, 4, 8, 16, 32), lambda _n: _STRAIGHT),
    _speed_table("table4_regular", _fast),
    _speed_table("table4_optimized", _optimised),
    _energies("table5", (1, 2, 4, 8, 16, 32, 64), _fastest, _FASTEST_NOTE),
    _low_power_table("table6", 0.1, "power_at_100khz_mw"),
    _low_power_table("table7", 10.0, "power_at_10mhz_mw"),
)
