# SPDX-License-Identifier: Apache-2.0
"""Cores of Headwater beside public cores of the same cipher and width: how far is each ahead?

    python benchmarks/race.py [--jobs N] [--store FILE] [--stored] [--cipher NAME[,NAME]]

``headwater.report.study.peers`` has the figures of the public cores, and says how they were
measured. Ours are measured now, or taken from the store, in three forms: free-running without
clearing, as nearly all public cores are; the same, but of ours the datapath alone beside a bare
peer, which has neither a count of its setup nor a handshake; and waiting for its streams and
cleared, the default. Each stands there as it is without further options, and with those that a
search finds best, for each target its own, as long as the bits per cycle are about those of the
peer; beside a bare peer also the whole core, if it does better than the datapath. Where the first
has more LUTs than the peer, or a lower clock, the search also looks for the form that is nearest to
both. A ratio above one says that ours is ahead. A last table has our cores alone: what the default
form costs, and how close all are to the flip-flops that the state must have.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from operator import attrgetter
from pathlib import Path

import headwater as hw
from headwater.bench.record import Record
from headwater.bench.run import Outcome
from headwater.bench.settings import Settings
from headwater.cipher.catalogue import find
from headwater.cipher.outside import add_file
from headwater.core.architecture import Architecture
from headwater.errors import HeadwaterError, unknown
from headwater.kinds.registry import facts_of
from headwater.report.choose import fmax_of
from headwater.report.study.peers import CELLS, FPGA, SEEDS, Peer, figures_like_peers, peers
from headwater.report.table import Table, as_text

FREE = {"stall": "none", "clear": "none"}
FORMS: Mapping[str, Callable[[Peer], Sequence[Mapping[str, str]]]] = {
    "free-running form": lambda _: [FREE],
    "free-running form, its datapath alone beside bare peers": lambda peer: as_bare(peer, FREE),
    "default form": lambda _: [{}],
}
"""The options of ours beside a peer, and of others that a search may find."""
RELATIVES = Path(__file__).with_name("grain128.py")
"""Ciphers of public cores that are not in the catalogue."""
REFERENCE = Path(__file__).parents[1] / "docs" / "raced.jsonl"
WANTED = {"": attrgetter("asked"), ", with the options that a search found": attrgetter("best")}
SETTINGS = {FPGA: Settings(seeds=SEEDS), CELLS: Settings()}
Pair = tuple[Record, Record]
"""Records of a core, on the FPGA and in cells."""
ABOUT = (0.9, 1.4)
"""Bits per cycle of a core of ours that stands beside one of a peer, in those of the peer."""
COLUMNS = ("cipher", "bits/cycle", "peer", "LUT", "MHz", "GE",
           "LUT ratio", "MHz ratio", "GE ratio", "rate/LUT", "bits/GE")  # fmt: skip
COSTS = ("cipher", "bits/cycle", "LUT", "LUT and FF", "MHz", "GE", "MHz in cells",
         "datapath GE/state", "free GE/state", "GE/state")  # fmt: skip


def main() -> None:
    """Measure, and print two tables for each form, then what the default one costs."""
    parser = argparse.ArgumentParser(description="compare with public cores")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--store", type=Path)
    parser.add_argument("--stored", action="store_true", help="measure nothing")
    parser.add_argument("--cipher", help="only these")
    given = parser.parse_args()
    os.environ.setdefault("HEADWATER_REFERENCE", str(REFERENCE))
    add_file(RELATIVES)
    public = asked_for(given.cipher.split(",") if given.cipher else [])
    forms: list[list[Pair]] = []
    for form, forms_of in FORMS.items():
        found = [searched(peer, forms_of(peer), given) for peer in public]
        forms.append([(fpga.asked, cells.asked) for fpga, cells in found])
        for what, wanted in WANTED.items():
            print(f"{form}{what}")
            show([compared(peer, *map(wanted, optima))
                  for peer, optima in zip(public, found, strict=True)])  # fmt: skip
        tell_changes(chain(*found))
        show_nearest(public, forms[-1], forms_of, given)
    print("default form over the free-running one, and all over the flip-flops of the state")
    print(as_text(costs(*forms)), end="\n\n")
    for note in dict.fromkeys(f"{peer['peer']}, {peer['cipher']}: {peer['note']}"
                              for peer in public if "note" in peer):  # fmt: skip
        print(note)


def asked_for(ciphers: Sequence[str]) -> list[Peer]:
    """The public cores of these ciphers; of none, all."""
    public = [as_it_is(peer) for peer in peers()]
    names = list(dict.fromkeys(peer["cipher"] for peer in public))
    for cipher in ciphers:
        if cipher not in names:
            raise unknown("cipher with a public core", cipher, names)
    return [peer for peer in public if not ciphers or peer["cipher"] in ciphers]


def as_it_is(peer: Peer) -> Peer:
    """A peer with the cipher that it computes."""
    if "computes" not in peer:
        return peer
    others = {name: value for name, value in peer.items() if name not in ("computes", "note")}
    return {**others, "cipher": peer["computes"]}


def as_bare(peer: Peer, options: Mapping[str, str]) -> Sequence[Mapping[str, str]]:
    """The options of a core. If the peer is no more than a datapath, those of ours come first."""
    return [*([{**options, "datapath": "apart"}] if "bare" in peer else []), options]


def searched(
    peer: Peer, forms: Sequence[Mapping[str, str]], given: argparse.Namespace
) -> tuple[hw.Optimum, hw.Optimum]:
    """The best cores of ours at the width of a peer, on the FPGA and in cells."""
    return best_of(peer, FPGA, forms, given), best_of(peer, CELLS, forms, given)


def best_of(
    peer: Peer, target: str, forms: Sequence[Mapping[str, str]], given: argparse.Namespace
) -> hw.Optimum:
    """The best that searches from several forms find, beside the first of these as it is."""
    optima = [search(peer, target, worth, options, given) for options in forms]
    best = max(optima, key=lambda optimum: worth(optimum.best))
    return replace(best, asked=optima[0].asked)


def search(
    peer: Peer,
    target: str,
    goal: Callable[[Record], float],
    options: Mapping[str, str],
    given: argparse.Namespace,
) -> hw.Optimum:
    """The cores of ours at the width of a peer for a target, and the best of them."""
    width = peer.get("load_width")
    return hw.optimize(
        peer["cipher"], peer["radix"], target=target, load_widths=[width] if width else (),
        settings=SETTINGS[target], goal=goal, only=partial(is_about_as_wide, peer),
        measure=not given.stored, jobs=given.jobs, store=given.store, told=tell,
        **options, **peer.get("options", {}),
    )  # fmt: skip


def show_nearest(
    public: Sequence[Peer],
    pairs: Sequence[Pair],
    forms_of: Callable[[Peer], Sequence[Mapping[str, str]]],
    given: argparse.Namespace,
) -> None:
    """Print the rows that are behind on the FPGA, each in the form that is the least behind."""
    behind = [(peer, cells) for peer, (fpga, cells) in zip(public, pairs, strict=True)
              if ahead_in_both(peer, fpga) < 1]  # fmt: skip
    optima = [search(peer, FPGA, partial(ahead_in_both, peer), forms_of(peer)[0], given)
              for peer, _ in behind]  # fmt: skip
    rows = [shown(compared(peer, one.best, cells))
            for (peer, cells), one in zip(behind, optima, strict=True)]  # fmt: skip
    places = [place for place, column in enumerate(COLUMNS) if "GE" not in column]
    print("rows that are behind in LUTs or in clock, in the form that is nearest to both")
    table = Table([COLUMNS[place] for place in places],
                  [[row[place] for place in places] for row in rows])  # fmt: skip
    print(as_text(table), end="\n\n")
    tell_changes(optima)


def tell_changes(optima: Iterable[hw.Optimum]) -> None:
    """Print what searches chose for a target, if anything, and an empty line."""
    for line in dict.fromkeys(chain.from_iterable(map(changes, optima))):
        print(line)
    print()


def changes(one: hw.Optimum) -> Iterator[str]:
    """What a search chose, if anything."""
    if found := one.changes(one.best):
        words = " ".join(f"{name}={value}" for name, value in found.items())
        yield f"{one.best['cipher']} radix {one.best['radix']} on {one.best['target']}: {words}"


def ahead_in_both(peer: Peer, fpga: Record) -> float:
    """The smaller of both ratios to a peer on the FPGA."""
    return min(ratios(peer, fpga).values())


def worth(record: Record) -> float:
    """Rate per LUT on the FPGA, bits per cycle and GE in cells."""
    if record["target"] == CELLS:
        return record["bits_per_cycle"] / figures_like_peers(None, record)["ge"]
    found = figures_like_peers(record, None)
    return record["bits_per_cycle"] * found["fmax_mhz"] / found["lut"]


def is_about_as_wide(peer: Peer, made: Architecture) -> bool:
    """Whether a core of ours can stand beside one of a peer."""
    least, most = ABOUT
    bits = facts_of(find(peer["cipher"]), made).bits_per_cycle
    return least <= bits / peer["bits_per_cycle"] <= most


def tell(outcome: Outcome) -> None:
    """Say that a point was measured now."""
    if not outcome.stored:
        print(f"{outcome.point}: {outcome.seconds:.0f} s", file=sys.stderr)


def compared(peer: Peer, fpga: Record, cells: Record) -> Peer:
    """A row: our figures, and how many times better each is than the peer's."""
    own, bits = figures_like_peers(fpga, cells), peer["bits_per_cycle"]
    ratio = {**ratios(peer, fpga), "ge": peer["ge"] / own["ge"]}
    return {**peer, "own": {**own, "bits_per_cycle": fpga["bits_per_cycle"]}, "ratio": ratio,
            "rate_per_lut": fpga["bits_per_cycle"] / bits * ratio["lut"] * ratio["fmax"],
            "bits_per_ge": cells["bits_per_cycle"] / bits * ratio["ge"]}  # fmt: skip


def ratios(peer: Peer, fpga: Record) -> dict[str, float]:
    """How many times smaller and faster than a peer on the FPGA a core of ours is."""
    own = figures_like_peers(fpga, None)
    return {"lut": peer["lut"] / own["lut"], "fmax": own["fmax_mhz"] / peer["fmax_mhz"]}


def costs(free: Sequence[Pair], bare: Sequence[Pair], default: Sequence[Pair]) -> Table:
    """For each core what the default form has of the figures of the free-running one, on the FPGA
    both as `evaluate` maps them, and how many times both, and the datapath alone where it stands
    beside a peer, have the area of the flip-flops that the cipher's state must have."""
    rows = {}
    datapaths = {(cells["cipher"], cells["radix"]): figures_like_peers(None, cells)["ge"]
                 for _, cells in bare if "datapath" in cells["options"]}  # fmt: skip
    for (fpga, cells), (waiting_fpga, waiting_cells) in zip(free, default, strict=True):
        lean, waiting = cells["ge_smallest"], waiting_cells["ge_smallest"]
        state = find(cells["cipher"]).state_bits * cells["ff_ge"]
        datapath = datapaths.get((cells["cipher"], cells["radix"]))
        ratios = (
            waiting_fpga["lut"] / fpga["lut"],
            (waiting_fpga["lut"] + waiting_fpga["ff"]) / (fpga["lut"] + fpga["ff"]),
            fmax_of(waiting_fpga) / fmax_of(fpga),
            waiting / lean, fmax_of(waiting_cells) / fmax_of(cells),
            datapath and datapath / state, lean / state, waiting / state,
        )  # fmt: skip
        rows[cells["id"]] = [cells["cipher"], round(cells["bits_per_cycle"], 1),
                             *(each and round(each, 2) for each in ratios)]  # fmt: skip
    return Table(COSTS, list(rows.values()))


def show(rows: Sequence[Peer]) -> None:
    """Print a table."""
    print(as_text(Table(COLUMNS, [*map(shown, rows), mean(rows)])), end="\n\n")


def shown(row: Peer) -> list[object]:
    """The cells of a row."""
    own, ratio = row["own"], row["ratio"]
    ratios = (ratio["lut"], ratio["fmax"], ratio["ge"], row["rate_per_lut"], row["bits_per_ge"])
    bits = round(own["bits_per_cycle"], 1)
    return [row["cipher"], bits, row["peer"].partition("/")[2], own["lut"],
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
