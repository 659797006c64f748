# SPDX-License-Identifier: Apache-2.0
"""Public cores, their figures, and those of ours that are measured in the same way.

``peers.toml`` says which cores there are and what they leave out, ``peers.json`` has what
benchmarks/peers.py measured of them. A core is one netlist on the FPGA: LUTs and frequency are of
the way of mapping that has the highest frequency per LUT, on both sides. In cells it is the area in
GE without a timing goal, with clock gates on both sides or on neither.
"""

from __future__ import annotations

import json
import statistics
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from headwater.measure.record import Record
from headwater.measure.settings import AUTO_GATING, NO_GATING
from headwater.report.study.source_tables import SourceCell
from headwater.report.table import Table

FPGA, CELLS = "ecp5-25k", "osu018"
"""The targets of the figures."""
SEEDS = 3
GATING = (NO_GATING, AUTO_GATING)
FIGURES = Path(__file__).with_name("peers.json")

_BARE = {"setup counter", "handshake"}
_COLUMNS = ("random bits", "cipher", "core", "leaves out", "GE", "register GE", "LUT", "MHz")
_OURS = (
    "Ours are of one core, with seed words, setup, reseeding, a watch of zeros and an output "
    "register, whose flip-flops stand beside the GE that they are part of. GE are with clock gates "
    "on both sides; LUT and MHz are of the mapping with the most MHz per LUT, on both sides."
)

Peer = dict[str, Any]
Figures = Mapping[str, Any]


@cache
def sources() -> tuple[Peer, ...]:
    """Public cores as the head of ``peers.toml`` describes them, a row for each width, without
    figures; ``peer`` is their repository."""
    text = FIGURES.with_suffix(".toml").read_text(encoding="utf-8")
    listed = tomllib.loads(text)["core"]
    return tuple(_row(core, width) for core in listed for width in core["at"])


def _row(core: Peer, width: Peer) -> Peer:
    """A core at one width."""
    usual = {"bits_per_cycle": width["radix"], "source": False, "peer": core["repository"]}
    row = {**usual, **core, **width}
    row["parameters"] = core.get("parameters", {}) | width.get("parameters", {})
    return {name: value for name, value in row.items() if name not in ("repository", "at")}


def name_of(peer: Peer) -> str:
    """The name of a row."""
    return f"{peer['peer']} {peer['cipher']} {peer['radix']}"


@cache
def peers() -> tuple[Peer, ...]:
    """The rows of `sources`, with figures: ``mappings`` as a record has them, and GE by way of
    gating, ``ge``; either may be absent."""
    known: dict[str, Peer] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return tuple(row | known.get(name_of(row), {}) for row in sources())


def is_bare(peer: Peer) -> bool:
    """Whether a core is no more than a datapath."""
    return set(peer["without"]) >= _BARE


def short_name(peer: Peer) -> str:
    """The name of its repository without that of the owner."""
    name: str = peer["peer"].partition("/")[2]
    return name


def leaves_out(peer: Peer) -> str:
    """What a core leaves out, in words."""
    return ", ".join(peer["without"]) or "nothing"


def on_fpga(core: Mapping[str, Any] | None) -> Figures:
    """LUTs, frequency and way of the mapping of a record, or of a peer, that has the highest
    frequency per LUT; without frequencies, of the smallest. None where nothing is known."""
    mappings = core.get("mappings") if core else None
    mapped = [_mapped(way, facts) for way, facts in (mappings or {}).items()]
    none = {"way": None, "lut": None, "fmax_mhz": None}
    return max(
        mapped, key=lambda one: ((one["fmax_mhz"] or 0) / one["lut"], -one["lut"]), default=none
    )


def _mapped(way: str, facts: Mapping[str, Any]) -> Figures:
    clocks = facts.get("fmax_by_seed")
    return {
        "way": way,
        "lut": facts["lut"],
        "fmax_mhz": statistics.median(clocks) if clocks else None,
    }


def in_cells(peer: Peer, gating: str) -> float | None:
    """GE of a peer."""
    area: float | None = peer.get("ge", {}).get(gating)
    return area


def beside_peers(cells: Sequence[SourceCell]) -> Table:
    """Public sources of randomness below ours of one core with as many bits."""
    rows: dict[tuple[object, ...], Sequence[object]] = {}
    for peer, ours in _beside(cells):
        record = ours.get(CELLS) or {}
        own = (record.get("ge_smallest"), record.get("output_register_ge"))
        theirs = (in_cells(peer, AUTO_GATING), None)
        for row in (
            _shown(peer, "ours", "", own, ours.get(FPGA)),
            _shown(peer, short_name(peer), leaves_out(peer), theirs, peer),
        ):
            rows[tuple(row[:3])] = row
    return Table(_COLUMNS, list(rows.values()), keys=3)


def notes_of_peers(cells: Sequence[SourceCell]) -> list[str]:
    """What must be known of the public sources beside ours, each sentence once."""
    rows = [peer for peer, _ in _beside(cells)]
    notes = [f"{short_name(peer)}: {peer['note']}." for peer in rows if "note" in peer]
    return list(dict.fromkeys([_OURS, *notes])) if rows else []


def of_sources() -> list[Peer]:
    """The public cores that are sources of random bits, or make them."""
    return [peer for peer in peers() if peer["source"] or is_bare(peer)]


def _beside(cells: Sequence[SourceCell]) -> Iterator[tuple[Peer, Mapping[str, Record | None]]]:
    """The public sources of randomness, each with our records by target, of one core with as many
    bits."""
    for peer in sorted(of_sources(), key=lambda one: (one["cipher"], one["radix"])):
        ours = {
            cell.target.name: cell.record
            for cell in cells
            if (cell.point.cipher.name, cell.bits, cell.source.instances)
            == (peer["cipher"], peer["radix"], 1)
        }
        if ours:
            yield peer, ours


def _shown(
    peer: Peer, core: str, without: str, ge: Sequence[object], mapped: Record | Peer | None
) -> Sequence[object]:
    figures = on_fpga(mapped)
    return (peer["radix"], peer["cipher"], core, without, *ge, figures["lut"], figures["fmax_mhz"])
