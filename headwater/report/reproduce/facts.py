# SPDX-License-Identifier: Apache-2.0
"""The table of features, which is derived from the descriptions without measurement."""

from __future__ import annotations

from headwater.cipher.catalogue import CATALOGUE
from headwater.report.printed import Paper
from headwater.report.reproduce.reproduction import Line, Pair, Reproduction


def features(paper: Paper) -> Reproduction:
    """Table 1 of the phase 2 study: lengths of key, IV and state, taken from the descriptions."""
    table = paper.table("table1")
    lines = []
    for row in table.rows:
        cipher = CATALOGUE[row["cipher"]]
        ours = {
            "key_bits": cipher.key_bits,
            "iv_bits": max(cipher.iv_bits),
            "state_bits": cipher.state_bits,
        }
        pairs = (
            Pair(name, row[name], value, "bits", doubtful=table.doubt(row, name))
            for name, value in ours.items()
        )
        lines.append(Line({"cipher": row["cipher"]}, tuple(pairs)))
    return Reproduction(
        paper.name,
        table.id,
        table.title,
        paper.technology,
        "the descriptions",
        f"Beside a printed range stands the longest. {table.note}",
        tuple(lines),
    )
