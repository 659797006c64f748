# SPDX-License-Identifier: Apache-2.0
"""Why a claim does not hold today: a reason with figures, and inequalities that test it.

Figures are computed from the reproduced tables, of printed or measured values, and from
experiments: design points that are measured for a reason alone. A reason whose inequalities do not
hold is said to be refuted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from headwater.bench.record import Record
from headwater.bench.settings import Settings
from headwater.report.reproduce.checks import NotMeasured, find_line
from headwater.report.reproduce.comparison import Measurable, core, member
from headwater.report.reproduce.reproduction import Figure, Reproduction
from headwater.report.reproduce.targets import Targets

Term = Mapping[str, Any]
"""One figure: ``number``; ``experiment`` and the member ``of`` its record; or of a ``table`` the
``row`` and the heading ``of``, measured, or ``printed``. The terms of the lists ``less``, ``times``
and ``over`` are subtracted from it, then it is multiplied with them, then divided by them."""

Found = Mapping[str, Record | None]
"""The records of experiments, by name."""

EXPERIMENTS: Mapping[str, Callable[[Targets], Measurable]] = {
    "grain_v1 with a parallel load": lambda targets: core(
        "grain_v1", 1, targets.slices, load_width=144
    ),
    "grain128aead with the authenticator behind a register": lambda targets: core(
        "grain128aead", 8, targets.cells,
        {"direction": "encrypt", "authenticator": "isolated"}, Settings(objective="speed"),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Reason:
    """A reason, with figures by the names that stand in its text."""

    text: str
    figures: Mapping[str, Term]
    below: Sequence[tuple[str, str]]
    """Pairs of figures: the reason holds if the first of each is below the second."""

    @property
    def experiments(self) -> list[str]:
        """Names of the experiments that it needs."""
        terms = [part for term in self.figures.values() for part in _parts(term)]
        return [term["experiment"] for term in terms if "experiment" in term]

    def told(self, table: str, tables: Mapping[str, Reproduction], found: Found) -> str:
        """The reason with its figures, and whether they refute it."""
        try:
            values = {name: _value(term, table, tables, found)
                      for name, term in self.figures.items()}  # fmt: skip
        except NotMeasured:
            return "What shows the reason is not measured."
        refuted = [f"{one} {values[one]:.4g} is not below {other} {values[other]:.4g}"
                   for one, other in self.below if not values[one] < values[other]]  # fmt: skip
        text = self.text.format(**{name: f"{value:.4g}" for name, value in values.items()})
        return f"{text} Refuted: {'; '.join(refuted)}." if refuted else text


def _parts(term: Term) -> list[Term]:
    """The term and all terms in it."""
    inner = [one for name in ("less", "times", "over") for one in term.get(name, ())]
    return [term, *(part for one in inner for part in _parts(one))]


def _value(term: Term, table: str, tables: Mapping[str, Reproduction], found: Found) -> float:
    def value(one: Term) -> float:
        return _value(one, table, tables, found)

    own = _own(term, table, tables, found) - sum(map(value, term.get("less", ())))
    return own * prod(map(value, term.get("times", ()))) / prod(map(value, term.get("over", ())))


def _own(term: Term, table: str, tables: Mapping[str, Reproduction], found: Found) -> float:
    if "number" in term:
        return float(term["number"])
    if "experiment" in term:
        record = found[term["experiment"]]
        number: Figure = member(term["of"])(record, {}) if record else None
    else:
        pair = find_line(tables[term.get("table", table)], term["row"]).pair(term["of"])
        if pair is None:
            raise KeyError(term["of"])
        number = pair.printed if term.get("printed") else pair.measured
    if not isinstance(number, int | float):
        raise NotMeasured
    return float(number)
