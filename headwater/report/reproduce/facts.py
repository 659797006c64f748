# SPDX-License-Identifier: Apache-2.0
"""The table of features, which is derived from the descriptions without measurement."""

from __future__ import annotations

from headwater.cipher.catalogue import CATALOGUE
from headwater.report.printed import Paper
from headwater.report.reproduce.comparison import Line, Pair, Reproduction


def features(paper: Paper) -> Reproduction:
    """Table 1 of the phase 2 study: lengths of key, IV and state, taken from the descriptions."""
    table = paper.table("table1")
    lines = []
    for row in table.rows:
        cipher = CATALOGUE[row["cipher"]]
        ours = {
            "key_bits": cipher.key_bits,
            "iv_bits": cipher.iv_bits[-1],
            "state_bits": cipher.state_bits,
        }
        pairs = (Pair(name, _number(row[name]), value, "bits", doubtful=table.doubt(row, name))
                 for name, value in ours.items())  # fmt: skip
        lines.append(Line({"cipher": row["cipher"]}, tuple(pairs)))
    return Reproduction(
        paper.name, table.id, table.title, paper.technology, "the descriptions",
        f"Of printed ranges, the longest. {table.note}", tuple(lines),
    )  # fmt: skip


def _number(value: object) -> float | None:
    """A printed length; of several lengths the last."""
    words = str(value).replace("<=", " ").replace("..", " ").split()
    return float(words[-1]) if words and words[-1].isdigit() else None
