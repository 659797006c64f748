# SPDX-License-Identifier: Apache-2.0
"""The verb `choose`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

from headwater.api.choosing import Choice, checked, chosen, contenders, unmeasured
from headwater.bench.layers import open_layered, read_layered
from headwater.bench.record import area_unit_of
from headwater.bench.target import find
from headwater.cli.arguments import options
from headwater.cli.output import warn
from headwater.cli.progress import check_crew, measured
from headwater.cli.rows import check_columns, filled, filled_command, print_rows
from headwater.report.choose import Candidate, Wish, fmax_of
from headwater.report.table import Table

_SHOWN = 12


def run_choose(given: argparse.Namespace) -> int:
    """`headwater choose`: exit status 1 if no core meets the requirements."""
    check_crew(given)
    check_columns(given, list(_columns(given)))
    wish = checked(_wish(given))
    with (open_layered if given.measure else read_layered)(given.store) as store:
        if given.measure:
            for outcome in measured(contenders(wish), store, given):
                if outcome.record is None:
                    warn(outcome.reason)
        choice, missing = chosen(wish, store), unmeasured(wish, store)
    if missing:
        warn(f"{missing} sources that may win are not stored; choose --measure measures them")
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
        random_bits=given.random_bits,
        min_mhz=given.min_mhz,
    )


def _print(choice: Choice, given: argparse.Namespace) -> None:
    data = {"winner": choice.winner, "command": choice.command, "lost": choice.lost}
    notes = ["\n".join(map(filled, choice.explanation))]
    if choice.command:
        notes.append(filled_command(choice.command))
    columns = _columns(given)
    rows = [
        [cell(candidate) for cell in columns.values()] for candidate in choice.candidates[:_SHOWN]
    ]
    print_rows(given, [Table(tuple(columns), rows, keys=2)], data, notes)
    if not choice.winner:
        warn("nothing that is stored gives what is asked for")


_Columns = Mapping[str, Callable[[Candidate], object]]
_CORES: _Columns = {
    "cipher": lambda one: one.record["cipher"],
    "radix": lambda one: one.record["radix"],
    "bits/cycle": lambda one: one.record["bits_per_cycle"],
    "area": lambda one: one.area,
    "unit": lambda one: area_unit_of(one.record),
    "Mbit/s": lambda one: one.record["throughput_mbps"],
    "pJ/bit": lambda one: one.record.get("energy_pj_per_bit"),
    "setup cycles": lambda one: one.record["setup_cycles"],
}
_SOURCES: _Columns = {
    **_CORES,
    "cores": lambda one: one.record["instances"],
    "MHz": lambda one: fmax_of(one.record),
}
_LOST: _Columns = {"why not": lambda one: one.lost or "the winner"}


def _columns(given: argparse.Namespace) -> _Columns:
    """The columns for cores, or for sources of random bits."""
    return {**(_CORES if given.random_bits is None else _SOURCES), **_LOST}
