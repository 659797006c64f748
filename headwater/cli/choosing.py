# SPDX-License-Identifier: Apache-2.0
"""The verb `choose`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence

from headwater.api.choosing import Choice, checked, chosen, contenders, unmeasured
from headwater.cli.arguments import options
from headwater.cli.output import in_words, warn
from headwater.cli.progress import check_crew, measured, say_estimate
from headwater.cli.rows import check_columns, filled, filled_command, print_named, print_rows
from headwater.measure.estimate import estimated_seconds
from headwater.measure.layers import open_layered, read_layered
from headwater.measure.record import area_unit_of
from headwater.measure.store import Store
from headwater.measure.target import find
from headwater.report.between import Estimate
from headwater.report.choose import Candidate, Wish, fmax_of, unusual
from headwater.report.table import Table

_SHOWN = 12
_FEW = 3
"""As many estimates are shown."""


def run_choose(args: argparse.Namespace) -> int:
    """`headwater choose`: exit status 1 if no core meets the requirements."""
    check_crew(args)
    check_columns(args, list(_columns(args)))
    wish = checked(_wish(args))
    with (open_layered if args.measure else read_layered)(args.store) as store:
        if args.dry_run:
            missing = unmeasured(wish, store)
            print_named(args, missing)
            say_estimate(missing, store, args.jobs)
            return 0
        if args.measure:
            for outcome in measured(contenders(wish), store, args):
                if outcome.record is None:
                    warn(outcome.reason)
        choice = chosen(wish, store)
        _print(choice, args, store)
    return 0 if choice.winner else 1


def _wish(args: argparse.Namespace) -> Wish:
    return Wish(
        target=find(args.target).name,
        bits_per_cycle=args.bits_per_cycle,
        throughput_mbps=args.throughput,
        max_area=args.max_area,
        max_energy_pj=args.max_energy,
        max_setup_cycles=args.max_setup_cycles,
        max_setup_ns=args.max_setup_ns,
        key_bits=args.key_bits,
        allow_broken=args.allow_broken,
        options=options(args.option),
        random_bits=args.random_bits,
        min_mhz=args.min_mhz,
    )


def _print(choice: Choice, args: argparse.Namespace, store: Store) -> None:
    data = {
        "winner": choice.winner,
        "command": choice.command,
        "lost": choice.lost,
        "foreign": [one.record for one in choice.foreign],
        "estimates": [one.as_json() for one in choice.estimates],
        "elsewhere": choice.elsewhere and choice.elsewhere.winner,
    }
    notes = ["\n".join(map(filled, choice.explanation))]
    if choice.command:
        notes.append(filled_command(choice.command))
    if choice.estimates:
        notes.append(_to_measure(choice.estimates[0], store))
    columns = _columns(args)
    shown = [*(choice.elsewhere or choice).candidates[:_SHOWN], *choice.foreign[:_SHOWN]]
    rows = [[cell(candidate) for cell in columns.values()] for candidate in shown]
    tables = [Table(tuple(columns), rows, keys=3, shown=_TOLD)]
    if choice.estimates:
        tables.append(_estimated(choice.estimates[:_FEW]))
    print_rows(args, tables, data, notes)
    _say_unmeasured(choice, args, store)


def _estimated(cores: Sequence[Estimate]) -> Table:
    columns = tuple(_ESTIMATED)
    rows = [[cell(core) for cell in _ESTIMATED.values()] for core in cores]
    shown = tuple(name for name in columns if name not in ("bits/cycle", "of areas"))
    return Table(columns, rows, keys=3, shown=shown)


def _to_measure(core: Estimate, store: Store) -> str:
    """The command that measures an estimated core, and how long it takes."""
    seconds, unknown = estimated_seconds(store, [core.point])
    time = "" if unknown else f" in about {in_words(seconds)}"
    told = f"Estimates lie between two measured radices. This measures the smallest{time}:"
    return f"{filled(told)}\n{filled_command(core.command)}"


def _say_unmeasured(choice: Choice, args: argparse.Namespace, store: Store) -> None:
    """What is left to measure, where it may change the choice."""
    if choice.winner and choice.wish.random_bits is None:
        return
    if not choice.winner:
        warn("nothing that is stored gives what is asked for")
    if missing := unmeasured(choice.wish, store):
        what = "cores" if choice.wish.random_bits is None else "sources"
        seconds, unknown = estimated_seconds(store, missing)
        time = "" if unknown else f", in about {in_words(seconds / min(args.jobs, len(missing)))}"
        warn(
            f"{len(missing)} {what} that may win are not stored; choose --measure measures "
            f"them{time}"
        )


_Columns = Mapping[str, Callable[[Candidate], object]]
_CORES: _Columns = {
    "cipher": lambda one: one.record["cipher"],
    "radix": lambda one: one.record["radix"],
    "options": lambda one: _in_words(unusual(one.record)),
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
_ESTIMATED: Mapping[str, Callable[[Estimate], object]] = {
    "not measured": lambda one: one.point.cipher.name,
    "radix": lambda one: one.record["radix"],
    "options": lambda one: _in_words(unusual(one.record)),
    "bits/cycle": lambda one: one.record["bits_per_cycle"],
    "estimated area": lambda one: one.area,
    "estimated Mbit/s": lambda one: one.record["throughput_mbps"],
    "from radices": lambda one: f"{one.below['radix']}, {one.above['radix']}",
    "of areas": lambda one: "{:g}, {:g}".format(*one.measured_areas),
}
_TOLD = ("cipher", "radix", "options", "cores", "area", "Mbit/s", "MHz", "why not")
"""Columns that fit a terminal."""
_LOST: _Columns = {"why not": lambda one: one.lost or "the winner"}


def _columns(args: argparse.Namespace) -> _Columns:
    """The columns for cores, or for sources of random bits."""
    return {**(_CORES if args.random_bits is None else _SOURCES), **_LOST}


def _in_words(options: Mapping[str, str]) -> str | None:
    return " ".join(f"{name}={value}" for name, value in options.items()) or None
