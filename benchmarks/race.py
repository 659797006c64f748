# SPDX-License-Identifier: Apache-2.0
"""Cores of Headwater beside public cores of the same cipher and width: how far is each ahead?

    python benchmarks/race.py [--jobs N] [--store FILE] [--cipher NAME[,NAME]]

``headwater.report.study.peers`` has the figures of the public cores, and says how they were
measured. Ours are measured now, or taken from the store, in two forms: free-running without
clearing, as nearly all public cores are, and the default one. A ratio above one says that ours is
ahead.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import headwater as hw
from headwater.bench.run import Outcome
from headwater.bench.settings import Settings
from headwater.errors import HeadwaterError
from headwater.report.study.peers import CELLS, FPGA, SEEDS, Peer, figures_like_peers, peers
from headwater.report.table import Table, as_text

FORMS: Mapping[str, Mapping[str, str]] = {
    "free": {"stall": "none", "clear": "none"},
    "default": {},
}
COLUMNS = ("cipher", "bits/cycle", "peer", "LUT", "MHz", "GE",
           "LUT ratio", "MHz ratio", "GE ratio", "rate/LUT", "bits/GE")  # fmt: skip

Figures = dict[str, Any]


def main() -> None:
    """Measure, and print a table for each form."""
    parser = argparse.ArgumentParser(description="compare with public cores")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--store", type=Path)
    parser.add_argument("--cipher", help="only these")
    given = parser.parse_args()
    public = peers()
    if given.cipher:
        public = tuple(peer for peer in public if peer["cipher"] in given.cipher.split(","))
    for form in FORMS:
        print(f"{form} form")
        rows = [compared(peer, ours(peer, form, given)) for peer in public]
        print(as_text(Table(COLUMNS, [*map(shown, rows), mean(rows)])), end="\n\n")
        for note in dict.fromkeys(f"{peer['peer']}, {peer['cipher']}: {peer['note']}"
                                  for peer in public if "note" in peer):  # fmt: skip
            print(note)
        print()


def chosen(peer: Peer, form: str) -> dict[str, str]:
    """The options of our core: of the form, and what the row chooses, in all forms or in this."""
    return {**FORMS[form], **peer.get("options", {}), **peer.get(f"options_{form}", {})}


def ours(peer: Peer, form: str, given: argparse.Namespace) -> Figures:
    """Figures of our core at the width of a peer."""
    records = hw.evaluate(
        peer["cipher"], peer["radix"], target=(FPGA, CELLS),
        load_width=peer.get("load_width"), settings=Settings(seeds=SEEDS), jobs=given.jobs,
        store=given.store, told=tell, **chosen(peer, form),
    )  # fmt: skip
    if records.failures:
        raise HeadwaterError("; ".join(records.failures))
    fpga, cells = records
    return {"bits_per_cycle": fpga["bits_per_cycle"], **figures_like_peers(fpga, cells)}


def tell(outcome: Outcome) -> None:
    """Say that a point was measured now."""
    if not outcome.stored:
        print(f"{outcome.point}: {outcome.seconds:.0f} s", file=sys.stderr)


def compared(peer: Peer, own: Figures) -> Peer:
    """A row: our figures, and how many times better each is than the peer's."""
    ratio = {
        "lut": peer["lut"] / own["lut"],
        "fmax": own["fmax_mhz"] / peer["fmax_mhz"],
        "ge": peer["ge"] / own["ge"],
    }
    width = own["bits_per_cycle"] / peer["bits_per_cycle"]
    rate_per_lut, bits_per_ge = width * ratio["lut"] * ratio["fmax"], width * ratio["ge"]
    return {**peer, "own": own, "ratio": ratio, "rate_per_lut": rate_per_lut,
            "bits_per_ge": bits_per_ge}  # fmt: skip


def shown(row: Peer) -> list[object]:
    """The cells of a row."""
    own, ratio = row["own"], row["ratio"]
    ratios = (ratio["lut"], ratio["fmax"], ratio["ge"], row["rate_per_lut"], row["bits_per_ge"])
    return [row["cipher"], own["bits_per_cycle"], row["peer"].partition("/")[2], own["lut"],
            round(own["fmax_mhz"], 1), own["ge"], *(round(each, 2) for each in ratios)]  # fmt: skip


def mean(rows: Iterable[Peer]) -> list[object]:
    """The geometric means of throughput per LUT and of bits per cycle and GE."""
    rows = list(rows)
    means = [round(statistics.geometric_mean([row[name] for row in rows]), 2)
             for name in ("rate_per_lut", "bits_per_ge")]  # fmt: skip
    return ["geometric mean", *[None] * (len(COLUMNS) - 3), *means]


if __name__ == "__main__":
    try:
        main()
    except HeadwaterError as error:
        sys.exit(f"race: {error}")
