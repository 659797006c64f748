# SPDX-License-Identifier: Apache-2.0
"""Records as files: unchanged as JSON, with one column for each figure as CSV and Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from typing import Any

from headwater.errors import InputError, ToolError
from headwater.measure.record import Record

_PICTURE = "picture"
_PARQUET = "pip install 'headwater[parquet]'"


def exported(records: Sequence[Record], kind: str) -> bytes:
    """The content of an exported file; ``kind`` is "csv", "json" or "parquet"."""
    if kind not in _KINDS:
        raise InputError(f"export must end in .{', .'.join(_KINDS)}, not in {'.' + kind!r}")
    return _KINDS[kind](records)


def flat(record: Record) -> dict[str, Any]:
    """The record with members of members as "outer.inner", and lists as JSON; without pictures."""
    columns: dict[str, Any] = {}
    for name, value in record.items():
        if name == _PICTURE:
            continue
        if isinstance(value, dict):
            columns |= {f"{name}.{inner}": each for inner, each in flat(value).items()}
        else:
            columns[name] = json.dumps(value) if isinstance(value, list) else value
    return columns


def _json(records: Sequence[Record]) -> bytes:
    return (json.dumps(list(records), indent=2, ensure_ascii=False) + "\n").encode()


def _csv(records: Sequence[Record]) -> bytes:
    rows = [flat(record) for record in records]
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, _columns(rows), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _parquet(records: Sequence[Record]) -> bytes:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise ToolError(f"pyarrow is not installed; install it with: {_PARQUET}") from error
    rows = [flat(record) for record in records]
    columns = {name: _alike([row.get(name) for row in rows]) for name in _columns(rows)}
    target = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.table(columns), target)
    content: bytes = target.getvalue().to_pybytes()
    return content


def _columns(rows: Sequence[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _alike(values: list[Any]) -> list[Any]:
    """Values of one type for a column: numbers if all are numbers, text if types are mixed."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float}:
        return (
            [None if value is None else float(value) for value in values]
            if (float in kinds)
            else values
        )
    return values if len(kinds) <= 1 else [None if one is None else str(one) for one in values]


_KINDS: dict[str, Callable[[Sequence[Record]], bytes]] = {
    "csv": _csv,
    "json": _json,
    "parquet": _parquet,
}
