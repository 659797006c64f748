# SPDX-License-Identifier: Apache-2.0
"""Figures of public cores, and those of ours that are measured in the same way.

They were measured from the sources of the repository that each row names. LUTs of an ECP5 are those
of mapping without wide look-up tables; the frequency is the median of three seeds in a shell of
shift registers, mapped with wide ones; GE is the area in osu018 without a timing goal.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from headwater.bench.record import Record
from headwater.report.study.source_tables import SourceCell
from headwater.report.table import Table

FPGA, CELLS = "ecp5-25k", "osu018"
"""The targets of the figures."""
SEEDS = 3

_LUT_MAPPING, _SPEED_MAPPING = "balanced", "speed"
_COLUMNS = ("random bits", "cipher", "core", "GE", "register GE", "LUT", "MHz")

_OURS = (
    "Ours are of one core, with seed words, setup, reseeding, a watch of zeros and an output "
    "register, whose flip-flops stand beside the GE that they are part of."
)

Peer = dict[str, Any]
Figures = Mapping[str, Any]


@cache
def peers() -> tuple[Peer, ...]:
    """The rows: cipher, repository, radix, bits per cycle, figures; ``without`` says what a source
    of randomness leaves out, ``note`` what else must be known, ``load_width`` and ``options`` what
    our core beside it has. ``computes`` is the cipher of a peer that is a relative of ours. A
    ``bare`` one has neither a count of its setup nor a handshake."""
    found: list[Peer] = json.loads(Path(__file__).with_name("peers.json").read_text())
    return tuple(found)


def figures_like_peers(fpga: Record | None, cells: Record | None) -> Figures:
    """Our figures of the same quantities; those of a record that is absent are None, and so is the
    frequency of a mapping that has none."""
    clocks = fpga["mappings"][_SPEED_MAPPING].get("fmax_by_seed") if fpga else None
    return {
        "lut": fpga["mappings"][_LUT_MAPPING]["lut"] if fpga else None,
        "fmax_mhz": statistics.median(clocks) if clocks else None,
        "ge": cells["ge_smallest"] if cells else None,
    }  # fmt: skip


def beside_peers(cells: Sequence[SourceCell]) -> Table:
    """Public sources of randomness, each below ours of one core with as many bits."""
    rows: list[Sequence[object]] = []
    for peer, ours in _beside(cells):
        in_cells = ours.get(CELLS)
        register = in_cells["output_register_ge"] if in_cells else None
        rows.append(_row(peer, "ours", figures_like_peers(ours.get(FPGA), in_cells), register))
        rows.append(_row(peer, peer["peer"].partition("/")[2], peer, None))
    return Table(_COLUMNS, rows, keys=3)


def notes_of_peers(cells: Sequence[SourceCell]) -> list[str]:
    """What must be known of the public sources beside ours, each sentence once."""
    notes = []
    for peer, _ in _beside(cells):
        notes += [_OURS, f"{peer['peer']} is without {peer['without']}."]
        if "note" in peer:
            notes.append(f"{peer['peer']}, {peer['cipher']}: {peer['note']}.")
    return list(dict.fromkeys(notes))


def _beside(cells: Sequence[SourceCell]) -> Iterator[tuple[Peer, Mapping[str, Record | None]]]:
    """The public sources of randomness, each with our records by target, of one core with as many
    bits."""
    for peer in peers():
        ours = {
            cell.target.name: cell.record for cell in cells
            if (cell.point.cipher.name, cell.bits, cell.source.instances)
            == (peer["cipher"], peer["radix"], 1)
        }  # fmt: skip
        if "without" in peer and ours:
            yield peer, ours


def _row(peer: Peer, core: str, figures: Figures, register: float | None) -> Sequence[object]:
    shown = (figures["ge"], register, figures["lut"], figures["fmax_mhz"])
    return (peer["radix"], peer["cipher"], core, *shown)
