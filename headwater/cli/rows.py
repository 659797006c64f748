# SPDX-License-Identifier: Apache-2.0
"""Rows on stdout: the format, the columns and the width that the command line asks for."""

from __future__ import annotations

import argparse
import shutil
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from headwater.cli.output import print_json
from headwater.errors import InputError, harmless, unknown
from headwater.report.formats import as_csv, as_markdown
from headwater.report.table import Table, as_text

FORMATS = ("table", "md", "csv", "json")

_WIDTH_WITHOUT_TERMINAL = 80


def add_format(verb: argparse.ArgumentParser) -> None:
    """Arguments of a verb that prints rows."""
    verb.add_argument(
        "--format", choices=FORMATS, default="table", help="how rows are printed (default table)"
    )
    verb.add_argument(
        "--json",
        dest="format",
        action="store_const",
        const="json",
        help="the same as --format json",
    )
    verb.add_argument(
        "--wide", action="store_true", help="all columns side by side, however wide the terminal is"
    )


def add_rows(verb: argparse.ArgumentParser) -> None:
    """Arguments of a verb that prints rows whose columns can be chosen."""
    add_format(verb)
    verb.add_argument("--columns", metavar="A[,B..]", help="only these columns, in this order")


def table_format(args: argparse.Namespace) -> Callable[[Table], str]:
    """The function that prints one table in the format asked for: table or md."""
    if args.format == "md":
        return as_markdown
    width = None if args.wide else terminal_width()
    return lambda table: as_text(table, width)


def terminal_width() -> int:
    """Columns of the terminal on stdout, or of ``$COLUMNS``."""
    return shutil.get_terminal_size((_WIDTH_WITHOUT_TERMINAL, 0)).columns


def check_columns(args: argparse.Namespace, legal: Sequence[str]) -> None:
    """Refuse unknown columns, before anything takes time."""
    if args.columns is None:
        return
    if args.format == "json":
        raise InputError("--columns must come with table, md or csv: JSON always has every member")
    for name in args.columns.split(","):
        if name not in legal:
            raise unknown("column", name, legal)


def print_rows(
    args: argparse.Namespace, tables: Sequence[Table], data: Any, notes: Sequence[str] = ()
) -> None:
    """Print tables, or the data that they were made of as JSON; notes follow what people read. The
    columns were checked."""
    if args.format == "json":
        print_json(data)
        return
    chosen = [one for table in tables if (one := _chosen(table, args)).columns]
    if args.format == "csv":
        print(as_csv(chosen))
    else:
        print(harmless("\n\n".join([*map(table_format(args), chosen), *notes])))


def filled(text: str) -> str:
    """A sentence in lines that are as wide as the terminal."""
    return textwrap.fill(text, terminal_width())


def print_named(args: argparse.Namespace, every: Iterable[object]) -> None:
    """Print what each is called, in lines that are as wide as the terminal, or in one if the
    command line asks for wide ones; or a list in JSON."""
    if args.format == "json":
        print_json([str(one) for one in every])
        return
    for one in every:
        print(
            one if args.wide else textwrap.fill(str(one), terminal_width(), subsequent_indent="  ")
        )


def filled_command(command: str) -> str:
    """A command in lines that are as wide as the terminal; a shell takes them for one."""
    lines = textwrap.wrap(
        command,
        terminal_width() - 2,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return " \\\n".join(lines)


def _chosen(table: Table, args: argparse.Namespace) -> Table:
    if args.columns is not None:
        return table.only(args.columns.split(","))
    is_whole = args.wide or args.format == "csv" or table.shown is None
    return table if is_whole else table.only(table.shown or ())
