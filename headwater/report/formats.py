# SPDX-License-Identifier: Apache-2.0
"""Tables for documents and for other programs: Markdown and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from headwater.report.table import Table


def as_markdown(table: Table) -> str:
    """A table as GitHub reads it."""
    lines = [table.columns, ["---"] * len(table.columns), *table.rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return text.replace("|", "\\|").replace("\n", " ")


def as_csv(tables: Sequence[Table]) -> str:
    """The rows of all tables under the columns of all; what a table has no column for is empty."""
    columns = dict.fromkeys(name for table in tables for name in table.columns)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    writer.writeheader()
    for table in tables:
        writer.writerows(dict(zip(table.columns, row, strict=True)) for row in table.rows)
    return text.getvalue().rstrip("\n")
