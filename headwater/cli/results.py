# SPDX-License-Identifier: Apache-2.0
"""The verb `results`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from headwater.api.records import described, selected
from headwater.cli.output import print_files, print_json, say
from headwater.cli.rows import check_columns, print_rows
from headwater.cli.upkeep import run_check, run_merge, run_repair
from headwater.errors import InputError, quoted
from headwater.files import check_file, write_whole
from headwater.foreign.record import MARK as FOREIGN
from headwater.measure import target
from headwater.measure.diff import Comparison, compare
from headwater.measure.export import exported
from headwater.measure.layers import read_layered
from headwater.measure.record import Record, area_of, area_unit_of, stage_of
from headwater.measure.reference import MARK
from headwater.measure.replicate import replicate
from headwater.measure.store import Result, Store, read_store
from headwater.report.table import Table

_SHORT = 12


def run_results(args: argparse.Namespace) -> int:
    """`headwater results list|show|export|diff|replicate|check|repair|merge`."""
    if args.action in _OF_FILES:
        return _OF_FILES[args.action](args)
    with read_layered(args.store) as store:
        return _ACTIONS[args.action](args, store)


def _list(args: argparse.Namespace, store: Store) -> int:
    if args.failed:
        if args.cipher or args.target:
            raise InputError("results list must be given --failed or a filter, not both")
        check_columns(args, _FAILED)
        failures = [asdict(failure) for failure in store.failures()]
        rows = [
            (one["id"][:_SHORT], one["point"], one["reason"].splitlines()[0]) for one in failures
        ]
        return _printed(args, failures, Table(_FAILED, rows))
    check_columns(args, _COLUMNS)
    results = selected(store, args.cipher, args.target)
    table = Table(_COLUMNS, [_row(result) for result in results], shown=_SHOWN)
    return _printed(args, [described(result) for result in results], table)


_FAILED = ("id", "design point", "reason")
_COLUMNS = (
    "id",
    "cipher",
    "radix",
    "target",
    "stage",
    "area",
    "unit",
    "fmax MHz",
    "Mbit/s",
    "measured",
    "from",
)
_SHOWN = ("id", "cipher", "radix", "target", "area", "unit", "Mbit/s", "from")


def _row(result: Result) -> tuple[object, ...]:
    record = result.record
    fmax = record["fmax_mhz"]
    return (
        result.id[:_SHORT],
        record["cipher"],
        record["radix"],
        record["target"],
        stage_of(record),
        area_of(record),
        area_unit_of(record),
        fmax and fmax["median"],
        record["throughput_mbps"],
        result.measured_at[:19],
        _origin(record),
    )


def _origin(record: Record) -> str:
    """Whose figures these are: the reference's, of a foreign core, or measured here."""
    if FOREIGN in record:
        return f"foreign: {record[FOREIGN]}"
    return MARK if record.get(MARK) else "here"


def _printed(
    args: argparse.Namespace,
    data: Sequence[Record],
    table: Table,
) -> int:
    if data or args.format == "json":
        print_rows(args, [table], data)
    else:
        say("nothing is stored")
    return 0


def _show(args: argparse.Namespace, store: Store) -> int:
    print_json(described(_one(args.id, store)))
    return 0


def _one(prefix: str, store: Store) -> Result:
    matches = [*store.results(prefix=prefix), *store.foreign(prefix=prefix)] if prefix else []
    if len(matches) != 1:
        what = "the id of no result" if not matches else f"the beginning of {len(matches)} ids"
        raise InputError(f"id must be one that `results list` prints, not {prefix!r}, {what}")
    return matches[0]


def _export(args: argparse.Namespace, store: Store) -> int:
    results = selected(store, args.cipher, args.target)
    kind = args.output.suffix.removeprefix(".")
    write_whole(args.output, exported([described(result) for result in results], kind))
    print_files([args.output], as_json=args.json)
    return 0


def _replicate(args: argparse.Namespace, store: Store) -> int:
    check_file(args.output)
    result = _one(args.id, store)
    if FOREIGN in result.record:
        raise InputError(
            "replicate must be given a core of Headwater: sources of a foreign one, "
            f"as {quoted(args.id)} is, are not stored"
        )
    where = (
        target.from_liberty(args.liberty) if args.liberty else target.find(result.record["target"])
    )
    say("Measuring once more, and writing down how")
    write_whole(args.output, replicate(result, where))
    print_files([args.output], as_json=args.json)
    return 0


_ACTIONS: dict[str, Callable[[argparse.Namespace, Store], int]] = {
    "list": _list,
    "show": _show,
    "export": _export,
    "replicate": _replicate,
}


_DIFFERENCES = ("design point", "figure", "before", "after", "%")


def _diff(args: argparse.Namespace) -> int:
    check_columns(args, _DIFFERENCES)
    comparison = compare(_records(args.before), _records(args.after), _tolerances(args.tolerance))
    _print_comparison(comparison, args)
    return 1 if comparison.differences or comparison.missing else 0


def _records(path: Path) -> list[Record]:
    """The records of a store, or of a JSON file of them."""
    if not path.is_file():
        raise InputError(f"results must be in a file, and {path} is none")
    with path.open("rb") as file:
        is_json = file.read(1) in (b"[", b" ", b"\n")
    if not is_json:
        with read_store(path) as store:
            return [result.record for result in store.results()]
    try:
        records = json.loads(path.read_text())
    except (ValueError, RecursionError) as error:
        raise InputError(f"results must be a store or JSON, and {path} is neither") from error
    if not isinstance(records, list) or not all(map(_is_record, records)):
        raise InputError(f"each record in {path} must be one that evaluate --json prints")
    return records


def _is_record(value: Any) -> bool:
    """Whether this is data that tell a design point."""
    if not isinstance(value, dict):
        return False
    plain = all(name in value for name in ("cipher", "radix", "load_width", "target"))
    return plain and all(isinstance(value.get(name), dict) for name in ("options", "flow"))


def _tolerances(words: Sequence[str]) -> dict[str, float]:
    tolerances = {}
    for word in words:
        name, _, percent = word.partition("=")
        try:
            tolerances[name] = float(percent.removesuffix("%"))
        except ValueError as error:
            raise InputError(f"tolerance must be NAME=PERCENT, not {quoted(word)}") from error
        if not tolerances[name] >= 0:
            raise InputError(f"tolerance must be at least 0 %, not {quoted(word)}")
    return tolerances


def _print_comparison(comparison: Comparison, args: argparse.Namespace) -> None:
    rows = [
        (one.point, one.figure, one.before, one.after, one.percent)
        for one in comparison.differences
    ]
    listed = [f"missing: {point}" for point in comparison.missing]
    listed += [f"new: {point}" for point in comparison.new]
    tables = [Table(_DIFFERENCES, rows)] if rows else []
    if tables or listed or args.format == "json":
        print_rows(args, tables, asdict(comparison), ["\n".join(listed)] if listed else [])
    say(
        f"{comparison.same} design point(s) are the same, {len({row[0] for row in rows})} differ, "
        f"{len(comparison.missing)} missing, {len(comparison.new)} new"
    )


_OF_FILES: dict[str, Callable[[argparse.Namespace], int]] = {
    "diff": _diff,
    "check": run_check,
    "repair": run_repair,
    "merge": run_merge,
}
