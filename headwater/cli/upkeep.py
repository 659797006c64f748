# SPDX-License-Identifier: Apache-2.0
"""The actions of the verb `results` that keep stores in order: `check`, `repair`, `merge`."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from headwater.cli.output import print_json, say
from headwater.errors import harmless
from headwater.measure.database import default_path
from headwater.measure.merge import Conflict, merged
from headwater.measure.upkeep import Soundness, checked, repaired


def run_check(args: argparse.Namespace) -> int:
    """Say what is whole and what is not."""
    path = args.store or default_path()
    found = checked(path)
    if args.json:
        print_json({"sound": found.is_sound, **asdict(found)})
    elif not found.is_sound:
        _print_damage(found)
    say(f"{path} is {'sound' if found.is_sound else 'damaged'}: {_counted(found.whole)} whole")
    if found.unchecked:
        say("its rows have no checksums yet; the next command that writes adds them")
    return 0 if found.is_sound else 1


def run_repair(args: argparse.Namespace) -> int:
    """Keep what is whole."""
    path = args.store or default_path()
    found, damaged = repaired(path)
    if args.json:
        print_json({"damaged_store": damaged and str(damaged), **asdict(found)})
    elif damaged:
        _print_damage(found)
    if damaged is None:
        say(f"{path} is sound: nothing was changed")
    else:
        say(f"{path} has {_counted(found.whole)} again; as it was it is {damaged}")
    return 0


def _print_damage(found: Soundness) -> None:
    lines = [f"damaged: {row}" for row in found.damaged]
    lines += [f"not readable: part of the table {table}" for table in found.unreadable]
    lines += [f"file: {wrong}" for wrong in found.file]
    # What was read from a damaged file may be anything.
    print(*map(harmless, lines), sep="\n")


def _counted(rows: dict[str, int]) -> str:
    return ", ".join(f"{number} {table.replace('_', ' ')}(s)" for table, number in rows.items())


def run_merge(args: argparse.Namespace) -> int:
    """Join stores, and list where they do not agree."""
    into = args.store or default_path()
    found = merged(into, args.stores)
    if args.json:
        print_json(asdict(found))
    else:
        for conflict in found.conflicts:
            _print_conflict(conflict)
    say(
        f"{into}: {_counted(found.added)} added, {found.same} the same, "
        f"{len(found.conflicts)} with other figures, which were not added"
    )
    return 1 if found.conflicts else 0


def _print_conflict(conflict: Conflict) -> None:
    print(harmless(f"{conflict.table} {conflict.id[:16]}"))
    for name, values in conflict.figures.items():
        for store, value in values:
            print(harmless(f"  {name} {value!s:.60} in {store}"))
