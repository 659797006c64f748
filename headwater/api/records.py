# SPDX-License-Identifier: Apache-2.0
"""Records of what was measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.cipher.catalogue import CATALOGUE
from headwater.errors import ToolError, unknown
from headwater.measure.export import flat
from headwater.measure.layers import read_layered
from headwater.measure.record import Record
from headwater.measure.store import Result, Store
from headwater.measure.target import TARGETS

if TYPE_CHECKING:
    from pandas import DataFrame

_PANDAS = "pip install 'headwater[notebook]'"


class Records(list[Record]):
    """Design points with their figures, each as ``evaluate --json`` prints it.

    Attributes
    ----------
    failures : tuple of str
        Why points that were asked for could not be measured.
    """

    def __init__(self, records: Iterable[Record] = (), failures: Sequence[str] = ()) -> None:
        super().__init__(records)
        self.failures = tuple(failures)

    def __repr__(self) -> str:
        return f"<{len(self)} records>"

    def dataframe(self) -> DataFrame:
        """A row for each record and a column for each figure; members of members are called
        ``outer.inner``."""
        try:
            from pandas import DataFrame
        except ImportError as error:
            raise ToolError(f"pandas is not installed; install it with: {_PANDAS}") from error
        return DataFrame([flat(record) for record in self])


def results(
    cipher: str | None = None, *, target: str | None = None, store: str | Path | None = None
) -> Records:
    """What is stored, in the order of measurement: all, or that of one cipher or target. Cores that
    somebody wrote come last; their records have a member ``foreign``, the name of the core.

    ``store`` is a file; by default ``$HEADWATER_STORE``, or the one in the user's data folder.
    """
    with read_layered(Path(store) if store else None) as opened:
        return Records(map(described, selected(opened, cipher, target)))


def selected(store: Store, cipher: str | None, target: str | None) -> list[Result]:
    """The stored results, or those of one cipher or target: one that is stored or known."""
    for what, name, known in (("cipher", cipher, CATALOGUE), ("target", target, TARGETS)):
        if name is not None and name not in known:
            stored = {one.record[what] for one in (*store.results(), *store.foreign())}
            if name not in stored:
                raise unknown(what, name, sorted(stored | known.keys()))
    return [
        *store.results(cipher=cipher, target=target),
        *store.foreign(cipher=cipher, target=target),
    ]


def described(result: Result) -> Record:
    """The record of a stored result, with when it was measured, and how long that took."""
    return {**result.record, "measured_at": result.measured_at, "seconds": result.seconds}


def as_result(record: Record) -> Result:
    """The stored result of such a record."""
    return Result(
        record.get("id", ""), record, record.get("seconds", 0.0), record.get("measured_at", "")
    )
