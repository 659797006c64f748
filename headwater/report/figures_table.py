# SPDX-License-Identifier: Apache-2.0
"""The figures of design points (what ``evaluate --json`` prints) as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from headwater.cipher.catalogue import CATALOGUE
from headwater.kinds.stepped.prng.shape import RANDOM_BITS
from headwater.measure.point import DesignPoint
from headwater.measure.record import (
    BEST_OF_RECIPES,
    Record,
    area_of,
    area_unit_of,
    left_out,
    mbps_per_area_of,
    stage_of,
    unfit,
)
from headwater.measure.settings import ONE_RECIPE, SYNTHESIS
from headwater.measure.target import FpgaTarget
from headwater.report.table import Table
from headwater.report.units import plural

AUTHENTICATED = (
    "The radix of an authenticated cipher counts output bits, half of which are keystream; "
    "bits/cycle, Mbit/s and pJ/bit count message bits. Energy of a message includes "
    "header, padding and tag."
)

_PARETO = "no other beats it"
_YES_OR_NO = {None: None, True: "yes", False: "no"}


def _clock(record: Record, shown: Callable[[Record], object]) -> object:
    """What is shown of the clock frequencies, if there are any."""
    return record["fmax_mhz"] and shown(record["fmax_mhz"])


def _range(fmax: Record) -> str:
    return f"{fmax['min']:.0f}..{fmax['max']:.0f}"


def _message(record: Record, length: str) -> object:
    return (record["energy_message_nj"] or {}).get(length)


def _laid_out(record: Record, figure: str) -> object:
    """A figure of the layout or placement, if there is one."""
    return (record.get("layout") or {}).get(figure)


def _options(record: Record) -> str:
    return " ".join(f"{name}={value}" for name, value in record["options"].items())


def _rounded(figure: float | None, digits: int) -> float | None:
    return None if figure is None else round(figure, digits)


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 2)


_Columns = Mapping[str, Callable[[Record], object] | str]
"""By heading the key of a figure in the record, or a function of the record."""

_KEYS: _Columns = {"cipher": "cipher", "target": "target", "radix": "radix"}
_SPEED: _Columns = {
    "fmax MHz": lambda record: _clock(record, lambda fmax: round(fmax["median"], 1)),
    "Mbit/s": lambda record: _rounded(record["throughput_mbps"], 1),
}
_ARCHITECTURE: _Columns = {
    "bits/cycle": lambda record: round(record["bits_per_cycle"], 2),
    "load": "load_width",
    "setup cycles": "setup_cycles",
    "options": _options,
    _PARETO: lambda record: _YES_OR_NO[record.get("non_dominated")],
}

_FPGA: _Columns = {
    **_KEYS,
    "LUT": "lut",
    "FF": "ff",
    "area": area_of,
    "in": lambda record: plural(area_unit_of(record)),
    **_SPEED,
    "Mbit/s/area": lambda record: _rounded(mbps_per_area_of(record), 2),
    "min..max": lambda record: _clock(record, _range),
    "seeds": lambda record: _clock(record, lambda fmax: fmax["seeds"]),
    "mapped for": "mapping",
    **_ARCHITECTURE,
}
_CELLS: _Columns = {
    **_KEYS,
    "GE": "ge",
    **_SPEED,
    "mW": "power_mw",
    "pJ/bit": "energy_pj_per_bit",
    "smallest GE": "ge_smallest",
    "GE cell": "ge_cell",
    "FO4": lambda record: _rounded(record.get("period_fo4"), 1),
    "running MHz": lambda record: _rounded(record.get("running_fmax_mhz"), 1),
    "at MHz": "power_clock_mhz",
    "leak mW": lambda record: record.get("leakage_mw"),
    "setup nJ": "setup_energy_nj",
    "nJ/64 bit": lambda record: _message(record, "one_block"),
    "nJ/64 kbit": lambda record: _message(record, "thousand_blocks"),
    **_ARCHITECTURE,
}

_LAYOUT: _Columns = {
    "die um2": lambda record: _laid_out(record, "die_um2"),
    "density": lambda record: _laid_out(record, "density"),
    "wire mm": lambda record: _laid_out(record, "wire_mm"),
    "wire pF": lambda record: _laid_out(record, "wire_pf"),
    "skew ps": lambda record: _laid_out(record, "clock_skew_ps"),
    "GE before": lambda record: _laid_out(record, "ge_before"),
    "MHz before": lambda record: _laid_out(record, "fmax_mhz_before"),
    "pJ/bit before": lambda record: _laid_out(record, "energy_pj_per_bit_before"),
}
"""Columns of tables with a layout or a placement; "before" is the same netlist before it."""

_GLITCHES: _Columns = {
    "glitch %": lambda record: _percent(record.get("glitch_share")),
    "mW without": lambda record: record.get("power_mw_without_glitches"),
    "pJ/bit without": lambda record: record.get("energy_pj_per_bit_without_glitches"),
}
"""Columns of tables with glitches: their part of the dynamic power, and figures without them."""

_RECIPES: _Columns = {"recipe": "mapping"}
"""The column of tables with netlists of several recipes."""

_SOURCES: _Columns = {
    "cores": lambda record: record.get("instances"),
    "register FF": lambda record: record.get("output_register_ff"),
    "register GE": lambda record: record.get("output_register_ge"),
}
"""Columns of tables with sources of random bits: cores side by side, and what the flip-flops of the
output register cost."""

_SHARES: _Columns = {
    "shares": lambda record: record.get("shares"),
    "fresh bits": lambda record: record.get("fresh_bits_per_cycle"),
    "leakage": lambda record: record.get("leakage"),
}
"""Columns of tables with cores in shares: random bits in each cycle, and the verdict on the
netlist."""


def figure_columns(points: Iterable[DesignPoint], *, compared: bool = False) -> list[str]:
    """The columns that tables of these design points have; those of a Pareto front if they are
    ``compared``."""
    values: dict[str, object] = {}
    for point in points:
        columns = _FPGA if isinstance(point.target, FpgaTarget) else _CELLS
        values |= _said(
            columns,
            compared=compared,
            laid_out=point.settings.stage != SYNTHESIS,
            glitches=point.settings.glitches,
            recipes=point.settings.recipe != ONE_RECIPE,
            sources=RANDOM_BITS in point.architecture.options,
            shares=point.architecture.is_masked,
        )
    return list(values)


def figures_tables(records: Sequence[Record]) -> list[Table]:
    """One table for FPGA parts and one for cell libraries, as far as there are figures."""
    groups = [
        (columns, [record for record in records if record[area] is not None])
        for columns, area in ((_FPGA, "lut"), (_CELLS, "ge"))
    ]
    return [_table(columns, lines) for columns, lines in groups if lines]


def figures_notes(records: Sequence[Record]) -> list[str]:
    """What a reader must know of these figures: notes on authenticated ciphers, and on what does
    not fit or was not routed."""
    halved = [AUTHENTICATED] if any(_halved(one["cipher"]) for one in records) else []
    return (
        halved
        + [
            f"{one['cipher']} at radix {one['radix']} {reason}; its LUTs, "
            "flip-flops and area are what it would take."
            for one in records
            if (reason := unfit(one))
        ]
        + [
            f"{one['cipher']} at radix {one['radix']} {slow}."
            for one in records
            if (slow := left_out(one))
        ]
    )


def _halved(name: str) -> bool:
    """Whether half of a cipher's output bits are keystream."""
    return name in CATALOGUE and CATALOGUE[name].steps_per_bit > 1


def _table(columns: _Columns, records: Sequence[Record]) -> Table:
    """The columns of which some row says something."""
    compared = any(record.get("non_dominated") is not None for record in records)
    laid_out = any(record.get("layout") for record in records)
    glitches = any(record.get("glitch_share") is not None for record in records)
    sources = any("random_bits" in record for record in records)
    recipes = any(BEST_OF_RECIPES in stage_of(record) for record in records)
    said = _said(
        columns,
        compared=compared,
        laid_out=laid_out,
        glitches=glitches,
        recipes=recipes,
        sources=sources,
        shares=any("shares" in record for record in records),
    )
    rows = [
        [record[figure] if isinstance(figure, str) else figure(record) for figure in said.values()]
        for record in records
    ]
    return Table(tuple(said), rows, keys=len(_KEYS))


def _said(
    columns: _Columns,
    *,
    compared: bool,
    laid_out: bool,
    glitches: bool,
    recipes: bool,
    sources: bool,
    shares: bool,
) -> _Columns:
    said = {name: figure for name, figure in columns.items() if compared or name != _PARETO}
    layout = {"stage": stage_of, **_LAYOUT} if laid_out else {}
    return {
        **said,
        **layout,
        **(_GLITCHES if glitches else {}),
        **(_RECIPES if recipes else {}),
        **(_SOURCES if sources else {}),
        **(_SHARES if shares else {}),
    }
