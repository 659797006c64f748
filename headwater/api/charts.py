# SPDX-License-Identifier: Apache-2.0
"""The charts of the report as Altair charts, for a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from headwater.api.records import as_result
from headwater.errors import InputError, unknown
from headwater.measure.layers import read_layered
from headwater.measure.present import present, present_systems
from headwater.measure.record import Record
from headwater.report.packages import require_packages

if TYPE_CHECKING:
    from altair import Chart as AltairChart

    from headwater.report.charts.parts import Chart


def charts(records: Sequence[Record] | None = None) -> dict[str, str]:
    """Title by name of every chart that these records, or all stored ones, have figures for."""
    return {name: one.title for name, one in _drawn(records).items() if one.rows}


def chart(name: str, records: Sequence[Record] | None = None) -> AltairChart:
    """A chart of the report, with these records, or with all that is stored.

    Raises
    ------
    InputError
        If there is no such chart, or nothing was measured for it.
    """
    drawn = _drawn(records)
    if name not in drawn:
        raise unknown("chart", name, drawn)
    chosen = drawn[name]
    if not chosen.rows:
        raise InputError(f"nothing was measured for the chart {name}; for example: {chosen.hint}")
    from altair import Chart as AltairChart

    from headwater.report.figures import whole

    altair_chart: AltairChart = AltairChart.from_dict(whole(chosen))
    return altair_chart


def _drawn(records: Sequence[Record] | None) -> dict[str, Chart]:
    require_packages()
    from headwater.report.charts import sections
    from headwater.report.points import points_of
    from headwater.report.systems import systems_of

    if records is None:
        with read_layered() as store:
            results, simulated = present(store.results(), store), present_systems(store.systems())
    else:
        results, simulated = [as_result(one) for one in records], []
    every = sections(points_of(results), systems_of(simulated))
    return {one.name: one for section in every for one in section.charts}
