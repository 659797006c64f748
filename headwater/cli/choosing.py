# SPDX-License-Identifier: Apache-2.0
"""The verb `choose`."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from headwater.bench.point import DesignPoint, Record, area_unit_of
from headwater.bench.store import Store, open_store, read_store
from headwater.bench.target import find
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cli.arguments import options
from headwater.cli.output import say
from headwater.cli.progress import measured
from headwater.cli.rows import check_columns, print_rows, terminal_width
from headwater.core.architecture import Architecture
from headwater.errors import InputError, at_least
from headwater.kinds.registry import facts_of
from headwater.report.choose import Candidate, Wish, choose, command, explanation
from headwater.report.table import Table

_SHOWN = 12


def run_choose(given: argparse.Namespace) -> int:
    """`headwater choose`: exit status 1 if no core meets the requirements."""
    at_least(1, "jobs", given.jobs)
    check_columns(given, _COLUMNS)
    _check_limits(given)
    wish = _wish(given)
    with (open_store if given.measure else read_store)(given.store) as store:
        if given.measure:
            _measure(wish, store, given)
        records: list[Record] = [one.record for one in store.results(target=wish.target)]
    if not records:
        raise InputError(
            f"nothing is stored of target {wish.target}; add --measure, or evaluate something there"
        )
    candidates = choose(records, wish)
    winner = candidates[0] if candidates[0].fits else None
    data = {
        "winner": winner and winner.record,
        "command": winner and command(winner.record),
        "lost": [{**one.record, "lost": one.lost} for one in candidates if one.lost],
    }
    _print(candidates, winner, data, given, explanation(candidates, wish))
    return 0 if winner else 1


def _check_limits(given: argparse.Namespace) -> None:
    """At least one limit must be given, and each must be more than nothing."""
    limits = {name: getattr(given, name) for name in _LIMITS}
    if all(value is None for value in limits.values()):
        raise InputError("choose must be given a limit, such as --throughput MBPS or --max-area A")
    for name, value in limits.items():
        if value is not None and not value > 0:
            raise InputError(f"{name.replace('_', ' ')} must be more than 0, not {value:g}")


_LIMITS = ("bits_per_cycle", "throughput", "max_area", "max_energy", "max_setup_cycles",
           "max_setup_ns", "key_bits")  # fmt: skip


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


def _measure(wish: Wish, store: Store, given: argparse.Namespace) -> None:
    """Evaluate, for every cipher that may win, the least radix that meets the requirements."""
    points = [
        DesignPoint(cipher, made, find(wish.target))
        for cipher in CATALOGUE.values()
        for made in _architectures(cipher, wish)
    ]
    for outcome in measured(points, store, given):
        if outcome.record is None:
            say(f"headwater: {outcome.reason}")


def _architectures(cipher: Cipher, wish: Wish) -> Iterator[Architecture]:
    """The least radix with enough bits per cycle; for a throughput also every doubling of it, since
    the frequency is not known."""
    if not cipher.has_keystream or (cipher.broken and not wish.allow_broken):
        return
    if wish.key_bits is not None and cipher.key_bits < wish.key_bits:
        return
    chosen = _fitting(cipher, wish.options)
    if chosen is None:
        return
    least = 0.0
    for radix in cipher.legal_radices():
        if least and radix < 2 * least:
            continue
        made = Architecture.choose(cipher, radix=radix, options=chosen)
        if facts_of(cipher, made).bits_per_cycle >= (wish.bits_per_cycle or 0):
            yield made
            least = radix
            if wish.throughput_mbps is None:
                return


def _fitting(cipher: Cipher, wished: Mapping[str, str]) -> dict[str, str] | None:
    """The requested options, if the cipher has them all."""
    legal = {option.name: option.values for option in cipher.choices}
    fits = all(value in legal.get(name, ()) for name, value in wished.items())
    return dict(wished) if fits else None


def _print(
    candidates: list[Candidate],
    winner: Candidate | None,
    data: dict[str, Any],
    given: argparse.Namespace,
    told: list[str],
) -> None:
    notes = ["\n".join(textwrap.fill(line, terminal_width()) for line in told)]
    if winner:
        notes.append(command(winner.record))
    table = Table(_COLUMNS, [_row(candidate) for candidate in candidates[:_SHOWN]], keys=2)
    print_rows(given, [table], data, notes)
    if not winner:
        say("headwater: nothing that is stored gives what is asked for")


_COLUMNS = ("cipher", "radix", "bits/cycle", "area", "unit", "Mbit/s", "pJ/bit", "setup cycles",
            "why not")  # fmt: skip


def _row(candidate: Candidate) -> tuple[object, ...]:
    record = candidate.record
    return (
        record["cipher"], record["radix"], record["bits_per_cycle"], candidate.area,
        area_unit_of(record), record["throughput_mbps"], record.get("energy_pj_per_bit"),
        record["setup_cycles"], candidate.lost or "the winner",
    )  # fmt: skip
