# SPDX-License-Identifier: Apache-2.0
"""The page with charts and tables of what is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from headwater.errors import InputError, unknown
from headwater.files import check_file, check_folder, write_whole
from headwater.measure.layers import read_layered
from headwater.measure.present import present, present_systems
from headwater.measure.store import Result
from headwater.report.packages import require_packages


def report(
    path: str | Path | None = "report.html",
    *,
    figures: str | Path | None = None,
    target: str | Sequence[str] | None = None,
    store: str | Path | None = None,
    told: Callable[[str], None] = lambda _: None,
) -> list[Path]:
    """Write one HTML page with charts and tables of what is stored; the files that were written.

    Parameters
    ----------
    path
        The page; None for none.
    figures
        A folder into which every chart is written as SVG and PNG.
    target
        Only what was measured there, on one target or several.
    told
        Is called with what is missing, in words.
    """
    require_packages()
    if path:
        check_file(Path(path))
    if figures:
        check_folder(Path(figures))
    # Imported here, after the check that their packages are installed.
    from headwater.report.charts import sections
    from headwater.report.figures import figures as drawn
    from headwater.report.page import page
    from headwater.report.points import points_of
    from headwater.report.systems import systems_of

    with read_layered(Path(store) if store else None) as opened:
        results = _measured_at(present(opened.results(), opened), target)
        simulated = present_systems(opened.systems())
        foreign = [one for one in opened.foreign() if _is_at(one, target)]
    files = {Path(path): page(results, simulated, foreign)} if path else {}
    if figures:
        every = sections(points_of(results), systems_of(simulated))
        charts = [chart for section in every for chart in section.charts]
        files |= {Path(figures) / name: data for name, data in drawn(charts).items()}
        for chart in charts:
            if not chart.rows:
                told(f"no figure of {chart.name}: nothing was measured for it")
    if not results:
        told("nothing is stored: only printed figures are shown")
    for file, data in files.items():
        write_whole(file, data)
    return list(files)


def _measured_at(results: list[Result], target: str | Sequence[str] | None) -> list[Result]:
    if target is None:
        return results
    names = [target] if isinstance(target, str) else target
    stored = sorted({result.record["target"] for result in results})
    if not stored:
        raise InputError(f"nothing is stored of target {names[0]}; evaluate something there")
    for name in names:
        if name not in stored:
            raise unknown("target with stored results", name, stored)
    return [result for result in results if _is_at(result, target)]


def _is_at(result: Result, target: str | Sequence[str] | None) -> bool:
    """Whether something was measured on one of some targets, or on any where none is named."""
    names = [target] if isinstance(target, str) else target
    return names is None or result.record["target"] in names
