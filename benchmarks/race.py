# SPDX-License-Identifier: Apache-2.0
"""Cores of Headwater beside public cores of the same cipher and width: how far is each ahead?

    python benchmarks/race.py [--cipher NAME[,NAME]]

``headwater.report.study.peers`` has the public cores, and says how they were measured. Ours are
those of docs/raced.toml, which tools/reference.py measures, in three forms: free-running without
clearing, as nearly all public cores are; its datapath alone, beside public cores that have neither
a count of their setup nor a handshake; and waiting for its streams and cleared, the default.
Sources of random bits stand beside public ones. A ratio above one says that ours is ahead. Each
form has three tables. On the FPGA LUTs and frequency are of one netlist: of the ways of mapping,
which both sides have, the one with the most throughput per LUT. In cells neither side has clock
gates, or both have. A last table has our cores alone: what the default form costs, and how close
all are to the flip-flops that the state must have. The first table has what ``headwater bench``
says of each public core.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from headwater.cipher.catalogue import find
from headwater.errors import HeadwaterError, unknown
from headwater.foreign.verdict import LAYERS
from headwater.kinds.stepped.prng.shape import PrngShape
from headwater.measure.chosen import Chosen
from headwater.measure.layers import LayeredStore, read_layered
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.measure.settings import AUTO_GATING, NO_GATING, Settings
from headwater.measure.target import find as find_target
from headwater.report.choose import fmax_of
from headwater.report.study.peers import (
    CELLS,
    FPGA,
    SEEDS,
    Peer,
    in_cells,
    is_bare,
    leaves_out,
    on_fpga,
    peers,
    short_name,
)
from headwater.report.table import Table, as_text

REFERENCE = Path(__file__).parents[1] / "docs" / "raced.jsonl"
FREE = {"stall": "none", "clear": "none"}
GATES = {
    NO_GATING: "in cells, no clock gates on either side",
    AUTO_GATING: "in cells, clock gates on both sides",
}
ON_FPGA = (
    "cipher",
    "bits/cycle",
    "public core",
    "it leaves out",
    "LUT",
    "MHz",
    "its LUT",
    "its MHz",
    "LUT ratio",
    "MHz ratio",
    "rate/LUT",
)
IN_CELLS = (
    "cipher",
    "bits/cycle",
    "public core",
    "it leaves out",
    "GE",
    "its GE",
    "GE ratio",
    "bits/GE",
)
JUDGED = ("cipher", "bits/cycle", "public core", *LAYERS, "wrong, or why not")
COSTS = (
    "cipher",
    "radix",
    "LUT",
    "MHz",
    "GE",
    "MHz in cells",
    "datapath GE/state",
    "free GE/state",
    "GE/state",
)


@dataclass(frozen=True)
class Form:
    """A form of our cores, and the public cores that it stands beside."""

    title: str
    options: Mapping[str, str]
    beside: Callable[[Peer], bool]


FREE_FORM, BARE_FORM, DEFAULT_FORM, SOURCES = FORMS = (
    Form("free-running form", FREE, lambda peer: not peer["source"]),
    Form("datapath alone, beside bare cores", FREE | {"datapath": "apart"}, is_bare),
    Form("default form", {}, lambda peer: not peer["source"]),
    Form("sources of random bits", {}, lambda peer: peer["source"]),
)


def main() -> None:
    """Print the tables of each form, then what the default one costs."""
    parser = argparse.ArgumentParser(description="compare with public cores")
    parser.add_argument("--cipher", help="only these")
    given = parser.parse_args()
    os.environ.setdefault("HEADWATER_REFERENCE", str(REFERENCE))
    public = asked_for(given.cipher.split(",") if given.cipher else [])
    print(f"public cores, judged\n{as_text(judged(public))}", end="\n\n")
    with read_layered() as store:
        for form in FORMS:
            if rows := [peer for peer in public if form.beside(peer)]:
                for title, table in tables(form, rows, store):
                    print(f"{form.title}, {title}\n{as_text(table)}", end="\n\n")
        print("default form over the free-running one, and all over the flip-flops of the state")
        print(as_text(costs(public, store)), end="\n\n")
    for note in dict.fromkeys(
        f"{peer['peer']}, {peer['cipher']}: {peer['note']}" for peer in public if "note" in peer
    ):
        print(note)


def judged(public: Sequence[Peer]) -> Table:
    """What is said of each public core whose sources can be had."""
    verdicts = [(peer, peer["verdict"]) for peer in public if "verdict" in peer]
    rows = [
        [
            peer["cipher"],
            rounded(float(peer["bits_per_cycle"])),
            short_name(peer),
            *(verdict[layer] for layer in LAYERS),
            verdict["said"],
        ]
        for peer, verdict in verdicts
    ]
    return Table(JUDGED, rows)


def asked_for(ciphers: Sequence[str]) -> list[Peer]:
    """The public cores of these ciphers; of none, all."""
    names = list(dict.fromkeys(peer["cipher"] for peer in peers()))
    for cipher in ciphers:
        if cipher not in names:
            raise unknown("cipher with a public core", cipher, names)
    return [peer for peer in peers() if not ciphers or peer["cipher"] in ciphers]


def point(peer: Peer, form: Form, target: str, gating: str = AUTO_GATING) -> DesignPoint:
    """Our core beside a public one."""
    cipher, radix = find(peer["cipher"]), peer["radix"]
    if peer["source"]:
        chosen = Chosen.source(cipher, PrngShape.choose(cipher, radix))
    else:
        options = {**form.options, **peer.get("options", {})}
        chosen = Chosen.choose(cipher, radix, peer.get("load_width"), options)
    return chosen.at(find_target(target), Settings(seeds=SEEDS, clock_gating=gating))


def stored(store: LayeredStore, at: DesignPoint) -> Record | None:
    """The figures of a core of ours; None if they are not known."""
    found = store.known(at)
    return found.record if found else None


def tables(form: Form, public: Sequence[Peer], store: LayeredStore) -> Iterator[tuple[str, Table]]:
    """The tables of a form, each with what it is of."""
    rows = [on_the_fpga(peer, stored(store, point(peer, form, FPGA))) for peer in public]
    yield "on ECP5, each side in its best mapping", summed_up(ON_FPGA, rows, 1)
    for gating, title in GATES.items():
        rows = [
            cells(peer, stored(store, point(peer, form, CELLS, gating)), gating) for peer in public
        ]
        yield title, summed_up(IN_CELLS, rows, 2)


def on_the_fpga(peer: Peer, record: Record | None) -> list[object]:
    """A row on the FPGA."""
    ours, theirs = on_fpga(record), on_fpga(peer)
    smaller = over(theirs["lut"], ours["lut"])
    faster = over(ours["fmax_mhz"], theirs["fmax_mhz"])
    rate = times(smaller, faster, wider(peer, record))
    figures = (ours["lut"], ours["fmax_mhz"], theirs["lut"], theirs["fmax_mhz"])
    return [*named(peer, record), *figures, smaller, faster, rate]


def cells(peer: Peer, record: Record | None, gating: str) -> list[object]:
    """A row in cells."""
    ours, theirs = record and record["ge_smallest"], in_cells(peer, gating)
    smaller = over(theirs, ours)
    return [*named(peer, record), ours, theirs, smaller, times(smaller, wider(peer, record))]


def named(peer: Peer, record: Record | None) -> list[object]:
    """What a row is of."""
    bits = record and round(record["bits_per_cycle"], 1)
    return [peer["cipher"], bits, short_name(peer), leaves_out(peer)]


def wider(peer: Peer, record: Record | None) -> float | None:
    """How many times the bits per cycle of a public core ours has."""
    return record and record["bits_per_cycle"] / peer["bits_per_cycle"]


def over(more: float | None, less: float | None) -> float | None:
    """A ratio; None if a part of it is not known."""
    return more / less if more and less else None


def times(*factors: float | None) -> float | None:
    """A product; None if a part of it is not known."""
    product = 1.0
    for factor in factors:
        if factor is None:
            return None
        product *= factor
    return product


def summed_up(columns: Sequence[str], rows: Sequence[Sequence[object]], ratios: int) -> Table:
    """A table, below it the geometric means of the last columns, and how many rows are behind."""
    ends = [
        [value for row in rows if isinstance(value := row[place], float)]
        for place in range(-ratios, 0)
    ]
    blank = [None] * (len(columns) - ratios - 1)
    means = [
        "geometric mean",
        *blank,
        *(statistics.geometric_mean(end) if end else None for end in ends),
    ]
    behind = [
        "rows behind",
        *blank,
        *(f"{sum(one < 1 for one in end)} of {len(end)}" for end in ends),
    ]
    return Table(columns, [list(map(rounded, row)) for row in (*rows, means, behind)])


def rounded(value: object) -> object:
    """A figure with the digits that are shown: two of a ratio, one of a frequency or an area."""
    return round(value, 2 if abs(value) < 100 else 1) if isinstance(value, float) else value


def costs(public: Sequence[Peer], store: LayeredStore) -> Table:
    """For each core what the default form has of the figures of the free-running one, and how many
    times both, and the datapath alone where it stands beside a bare core, have the area of the
    flip-flops that the cipher's state must have; in cells with clock gates."""
    rows: dict[str, list[object]] = {}
    for peer in public:
        if peer["source"]:
            continue
        slow, fast = (
            on_fpga(stored(store, point(peer, form, FPGA))) for form in (DEFAULT_FORM, FREE_FORM)
        )
        forms = [DEFAULT_FORM, FREE_FORM, *([BARE_FORM] if is_bare(peer) else [])]
        default, free, *bare = (stored(store, point(peer, form, CELLS)) for form in forms)
        records = [*(bare or [None]), free, default]
        areas = [record and record["ge_smallest"] for record in records]
        state = free and find(peer["cipher"]).state_bits * free["ff_ge"]
        found = [
            over(slow["lut"], fast["lut"]),
            over(slow["fmax_mhz"], fast["fmax_mhz"]),
            over(areas[2], areas[1]),
            over(*(record and fmax_of(record) for record in (default, free))),
            *(over(area, state) for area in areas),
        ]
        name = str(point(peer, FREE_FORM, CELLS))
        rows.setdefault(name, [peer["cipher"], peer["radix"], *map(rounded, found)])
    return Table(COSTS, list(rows.values()))


if __name__ == "__main__":
    try:
        main()
    except HeadwaterError as error:
        sys.exit(f"race: {error}")
