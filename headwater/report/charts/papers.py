# SPDX-License-Identifier: Apache-2.0
"""The charts of five papers, drawn again with measured points beside printed ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any

import altair as alt

from headwater.measure.energy import GBIT
from headwater.report.charts.colours import (
    MEASURED,
    PRINTED,
    Palette,
    Row,
    source_colour,
    source_dash,
)
from headwater.report.charts.parts import (
    Chart,
    log_x,
    log_y,
    names_y,
    plot,
    radix_x,
    sources,
    spec_of,
    thin_lines,
)
from headwater.report.points import CELLS, FPGA, Point, points_in, targets_in_words
from headwater.report.printed import paper
from headwater.report.published import (
    ETH,
    ETH_FO4_NS,
    ETH_NAND2_UM2,
    GAJ,
    INTERFACES,
    SPARTAN,
    Printed,
    printed_rows,
)
from headwater.report.slices import least_slices, mbps_per_slice

Value = Callable[[Any], float | None]
"""A figure of a printed row, or of a measured point."""


@dataclass(frozen=True)
class Quantity:
    """A figure that a paper charts: its title with unit, printed and measured."""

    name: str
    title: str
    axis: str
    printed: Value
    measured: Value
    least_first: bool = False
    text: str = ""
    comparable: bool = False
    """Whether its unit (GE, FO4, slices) makes figures of several technologies comparable."""


def rows_of(
    printed: Sequence[Printed], points: Sequence[Point], technology: str, **values: Quantity
) -> list[Row]:
    """Rows with the given quantities, for printed rows and for the measured points of their
    ciphers.

    A printed row or point that lacks one of the values is left out, and a core of several sessions,
    which no paper has.
    """
    ciphers = {each.cipher for each in printed}
    rows: list[Row] = []
    for each in printed:
        figures = {name: quantity.printed(each) for name, quantity in values.items()}
        rows.append(
            {
                "printed": each.key,
                "source": PRINTED,
                "cipher": each.cipher,
                "radix": each.radix,
                "series": f"{each.cipher}, printed",
                **figures,
            }
        )
    for point in points:
        alike = point.technology == technology and point.sessions == 1
        if alike and point.cipher in ciphers:
            figures = {name: quantity.measured(point) for name, quantity in values.items()}
            rows.append(
                {
                    "id": point.id,
                    "source": MEASURED,
                    "cipher": point.cipher,
                    "radix": point["bits_per_cycle"] or point["radix"],
                    "series": point.series,
                    **figures,
                }
            )
    return [row for row in rows if all(row[name] for name in values)]


def technologies(
    name: str, rows: Sequence[Row], points: Sequence[Point], *, comparable: bool = False
) -> str:
    """What was printed and measured in which technology, and whether the values compare."""
    targets = targets_in_words(points_in(rows, points))
    told = [f"Printed: {paper(name).technology}.", *([f"Measured: {targets}."] if targets else [])]
    if targets and not comparable:
        told.append("The technologies differ: compare the order and the ratios, not the values.")
    return " ".join(told)


# ETH Zurich 2006


def _power(point: Point) -> float | None:
    power: float | None = point["power_at_fmax_mw"] or point["power_mw"]
    return power


def _gbps_per_mm2(point: Point) -> float | None:
    mbps, area = point["throughput_mbps"], point["area_um2"]
    return mbps * 1e6 / GBIT / (area / 1e6) if mbps and area else None


def _fo4_per_bit(point: Point) -> float | None:
    period, bits = point["period_fo4"], point["bits_per_cycle"]
    return period / bits if period and bits else None


_ASSUMED_NAND = (
    f"The paper prints µm²: its GE are of an assumed NAND of {ETH_NAND2_UM2} µm², "
    f"and an FO4 is {ETH_FO4_NS} ns there."
)
_AREA = Quantity(
    "area",
    "Area",
    "Area (GE)",
    lambda row: row["area_um2"] / ETH_NAND2_UM2,
    itemgetter("ge"),
    True,
    _ASSUMED_NAND,
    comparable=True,
)
_TIME = Quantity(
    "time",
    "Time of a bit",
    "Time of a bit (FO4)",
    lambda row: 1e9 / (row["throughput_gbps"] * GBIT) / ETH_FO4_NS,
    _fo4_per_bit,
    True,
)
_ETH = (
    Quantity(
        "throughput-per-area",
        "Throughput per area",
        "Gbit/s per mm² (Gbit = 2^30 bits)",
        itemgetter("gbps_per_mm2"),
        _gbps_per_mm2,
    ),
    Quantity(
        "energy",
        "Energy of 1 Gbit",
        "Energy (mJ per 2^30 bits)",
        itemgetter("energy_mj_per_gb"),
        itemgetter("energy_mj_per_gbit"),
        True,
    ),
    _AREA,
    Quantity(
        "period",
        "Critical path",
        "Shortest clock period (FO4)",
        lambda row: 1000 / row["fmax_mhz"] / ETH_FO4_NS,
        itemgetter("period_fo4"),
        True,
        comparable=True,
    ),
    Quantity(
        "power",
        "Power",
        "Power (mW)",
        itemgetter("power_mw"),
        _power,
        True,
        "Printed power is at the highest clock, measured power too where the record has it; "
        "else at the clock that the point tells.",
    ),
)

_ETH_HINT = "headwater evaluate trivium,grain_v1 --target osu018"


def eth(points: Sequence[Point], palette: Palette) -> list[Chart]:
    """Area against the time of a bit, and the paper's figures cipher by cipher."""
    printed = printed_rows(ETH, "postlayout")
    rows = rows_of(printed, points, CELLS, area=_AREA, time=_TIME)
    base = plot(log_x("time", _TIME.axis), log_y("area", _AREA.axis))
    named = base.transform_filter(alt.datum.source == PRINTED)
    labels = named.mark_text(dy=-11, fontSize=10, tooltip=None).encode(text="cipher:N")
    spec = spec_of(sources(base, partial(palette.colour, rows)), labels, height=340)
    source = technologies(ETH, rows, points, comparable=True)
    title = "Area against time of a bit"
    chart = Chart("eth-area-time", title, _ASSUMED_NAND, spec, rows, _ETH_HINT, source)
    return [chart, *(_eth_figure(printed, points, quantity) for quantity in _ETH)]


def _eth_figure(printed: Sequence[Printed], points: Sequence[Point], quantity: Quantity) -> Chart:
    rows = rows_of(printed, points, CELLS, value=quantity)
    source = technologies(ETH, rows, points, comparable=quantity.comparable)
    return _by_cipher(f"eth-{quantity.name}", quantity, rows, _ETH_HINT, source)


def _by_cipher(name: str, quantity: Quantity, rows: Sequence[Row], hint: str, source: str) -> Chart:
    base = plot(
        log_x("value", quantity.axis), names_y(rows, "value", least_first=quantity.least_first)
    )
    spec = spec_of(sources(base, source_colour), height=alt.Step(24))
    return Chart(name, quantity.title, quantity.text, spec, rows, hint, source)


# Six ciphers on Spartan-3A, 2012


def _per_slice(point: Point) -> float | None:
    return mbps_per_slice(point.record)


_FPGA_HINT = "headwater evaluate trivium,grain_v1,mickey2,e0_payload,zuc,snow3g --target ecp5-25k"
_SLICES_NOTE = "Measured: the least number of slices with two LUTs and two flip-flops each."


def spartan(points: Sequence[Point], _palette: Palette) -> list[Chart]:
    """Throughput per slice."""
    quantity = Quantity(
        "throughput-per-slice",
        "Throughput per slice",
        "Throughput per area (Mbit/s per slice)",
        itemgetter("mbps_per_slice"),
        _per_slice,
        text=_SLICES_NOTE,
    )
    rows = rows_of(printed_rows(SPARTAN, "fig7"), points, FPGA, value=quantity)
    source = technologies(SPARTAN, rows, points)
    return [_by_cipher("spartan3-throughput-per-slice", quantity, rows, _FPGA_HINT, source)]


# Phase 2 eSTREAM candidates on Spartan-3, 2007


_THROUGHPUT = Quantity(
    "throughput",
    "Throughput against radix",
    "Throughput (Mbit/s)",
    itemgetter("throughput_mbps"),
    itemgetter("throughput_mbps"),
)
_PER_SLICE = Quantity(
    "throughput-per-area",
    "Throughput per area against radix",
    "Throughput per area (Mbit/s per slice)",
    itemgetter("mbps_per_slice"),
    _per_slice,
    text=_SLICES_NOTE,
)


def gaj(points: Sequence[Point], palette: Palette) -> list[Chart]:
    """Throughput, and throughput per area, against radix."""
    printed = [
        row
        for table in ("table4", "table5", "table6", "table7")
        for row in printed_rows(GAJ, table)
    ]
    printed += [
        row for row in printed_rows(GAJ, "table8") if row.cipher in ("mickey128", "salsa20")
    ]
    hint = "headwater evaluate trivium --radix 1,2,4,8,16,32,64 --target ecp5-25k"
    return [
        _against_radix("gaj", GAJ, printed, points, quantity, hint, palette)
        for quantity in (_THROUGHPUT, _PER_SLICE)
    ]


def _against_radix(
    prefix: str,
    name: str,
    printed: Sequence[Printed],
    points: Sequence[Point],
    quantity: Quantity,
    hint: str,
    palette: Palette,
) -> Chart:
    rows = rows_of(printed, points, FPGA, value=quantity)
    rows = [row for row in rows if row["radix"]]
    base = plot(radix_x("Bits per cycle", rows), log_y("value", quantity.axis))
    lines = base.encode(palette.colour(rows), detail="series:N", strokeDash=source_dash())
    spec = spec_of(thin_lines(lines), sources(base, partial(palette.colour, rows)), height=320)
    source = technologies(name, rows, points, comparable=quantity.comparable)
    chart = f"{prefix}-{quantity.name}"
    return Chart(chart, quantity.title, quantity.text, spec, rows, hint, source)


# Hardware/software interfaces, 2007


_SLICES = Quantity(
    "area",
    "Phelix unrolled: area",
    "Area (slices)",
    itemgetter("area_slices"),
    lambda point: least_slices(point.record),
    text=_SLICES_NOTE,
    comparable=True,
)
_CLOCK = Quantity(
    "clock",
    "Phelix unrolled: clock",
    "Clock frequency (MHz)",
    itemgetter("clock_mhz"),
    attrgetter("fmax_mhz"),
)


def interfaces(points: Sequence[Point], palette: Palette) -> list[Chart]:
    """Area and clock of Phelix by the number of blocks per cycle."""
    hint = "headwater evaluate phelix --radix 16,32,256 --target ecp5-25k"
    printed = printed_rows(INTERFACES, "table3")
    return [
        _against_radix("interfaces-phelix", INTERFACES, printed, points, quantity, hint, palette)
        for quantity in (_SLICES, _CLOCK)
    ]
