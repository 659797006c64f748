# SPDX-License-Identifier: Apache-2.0
"""How near estimated wires are to routed ones: measures the cores of docs/placement.toml with both,
as far as they are not stored, and prints the table of docs/evaluation.md.

A core is placed by other programs at the two stages, so an error is that of placement and estimate
together. The exit status is 1 if a period is off by more than a tenth, 2 if a core could not be
measured.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean

from headwater.bench.layers import open_layered
from headwater.bench.plan import read_plan
from headwater.bench.record import Record
from headwater.bench.run import evaluate_all
from headwater.bench.settings import LAYOUT, PLACEMENT
from headwater.bench.workers import local_workers

PLAN = Path(__file__).parents[1] / "docs" / "placement.toml"
MOST = 0.1
"""How far the period of an estimate may be from that of the layout, as a part of it."""

Figure = Callable[[Record], float]


def period_ns(record: Record) -> float:
    """The shortest clock period."""
    return 1000 / float(record["fmax_mhz"]["median"])


FIGURES: dict[str, tuple[Figure, int]] = {
    "wire mm": (lambda record: record["layout"]["wire_mm"], 1),
    "wire pF": (lambda record: record["layout"]["wire_pf"], 2),
    "period ns": (period_ns, 3),
    "pJ/bit": (lambda record: record["energy_pj_per_bit"], 2),
}
"""The figures that are compared, and the digits behind the point that are shown."""


def measured() -> list[tuple[Record, Record]]:
    """The records of each core: estimated, routed. What failed is told on stderr."""
    found: dict[tuple[str, int], dict[str, Record]] = {}
    points = read_plan(PLAN, lambda text: print(text, file=sys.stderr))
    with open_layered() as store, local_workers(1) as workers:
        for outcome in evaluate_all(points, store, workers):
            print(outcome.reason or outcome.point, file=sys.stderr)
            if outcome.record:
                core = outcome.point.cipher.name, outcome.point.architecture.radix
                found.setdefault(core, {})[outcome.record["stage"]] = outcome.record
    if sum(map(len, found.values())) < len(points):
        return []
    return [(found[core][PLACEMENT], found[core][LAYOUT]) for core in sorted(found)]


def errors(pairs: Sequence[tuple[Record, Record]], figure: Figure) -> list[float]:
    """How far each estimate is from what was routed, as a part of this."""
    return [figure(estimated) / figure(routed) - 1 for estimated, routed in pairs]


def table(pairs: Sequence[tuple[Record, Record]]) -> Iterator[str]:
    """The lines of a table of Markdown."""
    yield f"| cipher | radix | {' | '.join(f'{name} | error' for name in FIGURES)} |"
    yield "|---|---" + "|---|---" * len(FIGURES) + "|"
    for estimated, routed in pairs:
        cells = [routed["cipher"], str(routed["radix"])]
        for figure, digits in FIGURES.values():
            [error] = errors([(estimated, routed)], figure)
            values = (f"{figure(record):.{digits}f}" for record in (routed, estimated))
            cells += [" → ".join(values), f"{error:+.1%}"]
        yield f"| {' | '.join(cells)} |"
    sizes = [[abs(error) for error in errors(pairs, figure)] for figure, _ in FIGURES.values()]
    for name, over in (("mean", fmean), ("largest", max)):
        yield f"| {name} | | {' | '.join(f'| {over(size):.1%}' for size in sizes)} |"


def main() -> int:
    """Print the table."""
    pairs = measured()
    if not pairs:
        return 2
    print("\n".join(table(pairs)))
    return int(max(map(abs, errors(pairs, period_ns))) > MOST)


if __name__ == "__main__":
    sys.exit(main())
