# SPDX-License-Identifier: Apache-2.0
"""The verb `choose`."""

from __future__ import annotations

import argparse

from headwater.api.choosing import Choice, checked, chosen, contenders
from headwater.bench.layers import open_layered, read_layered
from headwater.bench.point import area_unit_of
from headwater.bench.target import find
from headwater.cli.arguments import options
from headwater.cli.output import warn
from headwater.cli.progress import check_crew, measured
from headwater.cli.rows import check_columns, filled, print_rows
from headwater.report.choose import Candidate, Wish
from headwater.report.table import Table

_SHOWN = 12


def run_choose(given: argparse.Namespace) -> int:
    """`headwater choose`: exit status 1 if no core meets the requirements."""
    check_crew(given)
    check_columns(given, _COLUMNS)
    wish = checked(_wish(given))
    with (open_layered if given.measure else read_layered)(given.store) as store:
        if given.measure:
            for outcome in measured(contenders(wish), store, given):
                if outcome.record is None:
                    warn(outcome.reason)
        choice = chosen(wish, store)
    _print(choice, given)
    return 0 if choice.winner else 1


def _wish(given: argparse.Namespace) -> Wish:
    return Wish(
        target=find(given.target).name,
        bits_per_cycle=given.bits_per_cycle,
        throughput_mbps=given.throughput,
        max_area=given.max_area,
        max_energy_pj=given.max_energy,
        max_setup_cycles=given.max_setup_cycles,
        max_setup_ns=given.max_setup_ns,
        key_bits=given.key_bits,
        allow_broken=given.allow_broken,
        options=options(given.option),
    )


def _print(choice: Choice, given: argparse.Namespace) -> None:
    data = {"winner": choice.winner, "command": choice.command, "lost": choice.lost}
    notes = ["\n".join(map(filled, choice.explanation))]
    if choice.command:
        notes.append(choice.command)
    rows = [_row(candidate) for candidate in choice.candidates[:_SHOWN]]
    print_rows(given, [Table(_COLUMNS, rows, keys=2)], data, notes)
    if not choice.winner:
        warn("nothing that is stored gives what is asked for")


_COLUMNS = ("cipher", "radix", "bits/cycle", "area", "unit", "Mbit/s", "pJ/bit", "setup cycles",
            "why not")  # fmt: skip


def _row(candidate: Candidate) -> tuple[object, ...]:
    record = candidate.record
    return (
        record["cipher"], record["radix"], record["bits_per_cycle"], candidate.area,
        area_unit_of(record), record["throughput_mbps"], record.get("energy_pj_per_bit"),
        record["setup_cycles"], candidate.lost or "the winner",
    )  # fmt: skip
