# SPDX-License-Identifier: Apache-2.0
"""The verb `vectors`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from headwater.api.vectors import COUNT, converted_vectors, vector_files, vectors
from headwater.cipher.catalogue import CATALOGUE
from headwater.cli.output import say
from headwater.cli.rows import check_columns, print_rows
from headwater.errors import InputError, unknown
from headwater.files import check_file, write_whole
from headwater.report.table import Table
from headwater.verify.published.holdings import Holding
from headwater.verify.published.writing import as_text

_COLUMNS = (
    "format",
    "algorithm",
    "ciphers",
    "vectors",
    "invalid",
    "acceptable",
    "key_bits",
    "iv_bits",
)


def run_vectors(args: argparse.Namespace) -> int:
    """`headwater vectors`: what a file holds, or vectors as a file."""
    check_columns(args, _COLUMNS)
    is_cipher = len(args.what) == 1 and args.what[0] in CATALOGUE
    if not is_cipher and args.count is not None:
        raise InputError("--count must come with a cipher, not with a file")
    if is_cipher and args.cipher is not None:
        raise InputError("--cipher must come with a file, not with a cipher")
    if not is_cipher and args.shape is None:
        if args.cipher is not None or args.output is not None:
            raise InputError("--cipher and --output of a file must come with --as json")
        return _say_what_they_hold(args)
    if (args.shape or "json", args.format) != ("json", "json") and args.format != "table":
        raise InputError(
            f"--format must come with a file, to say what it holds, not with vectors "
            f"as {args.shape or 'json'}"
        )
    if args.output is not None:
        check_file(args.output)
    text = _of_cipher(args) if is_cipher else _of_files(args)
    if args.output is None:
        print(text, end="")
    else:
        write_whole(args.output, text.encode())
        say(f"{args.output} was written")
    return 0


def _of_cipher(args: argparse.Namespace) -> str:
    return vectors(
        args.what[0], args.shape or "json", count=COUNT if args.count is None else args.count
    )


def _of_files(args: argparse.Namespace) -> str:
    _check_files(args.what)
    if args.shape != "json":
        raise unknown("format of what is made of a file", args.shape, ["json"])
    return as_text(converted_vectors(args.what, args.cipher))


def _check_files(names: Sequence[str]) -> None:
    """Refuse what is neither cipher nor file with the names of both."""
    for name in names:
        if not Path(name).exists():
            listed = unknown("cipher", name, CATALOGUE)
            raise InputError(f"there is no vector file {name}, and {listed}")


def _say_what_they_hold(args: argparse.Namespace) -> int:
    _check_files(args.what)
    found = vector_files(args.what)
    print_rows(
        args, [Table(_COLUMNS, [_row(one) for one in found])], [one.as_json() for one in found]
    )
    return 0


def _row(one: Holding) -> Sequence[object]:
    return (
        one.format,
        one.algorithm or None,
        ", ".join(one.ciphers) or None,
        one.count,
        one.invalid,
        one.acceptable,
        _listed(one.key_bits),
        _listed(one.iv_bits),
    )


def _listed(lengths: Sequence[int]) -> str:
    return ", ".join(map(str, lengths))
