# SPDX-License-Identifier: Apache-2.0
"""The verb `codesign`."""

from __future__ import annotations

import argparse

from headwater.api.systems import library_of, simulated
from headwater.cipher.catalogue import CATALOGUE
from headwater.cli.arguments import cipher_of, names, numbers, options
from headwater.cli.output import say, warn
from headwater.cli.rows import check_columns, filled, print_named, print_rows
from headwater.codesign.sweep import ALL, scenarios
from headwater.measure.layers import open_layered
from headwater.report.systems_table import (
    AREA_COLUMNS,
    SYSTEM_COLUMNS,
    systems_notes,
    systems_table,
)


def run_codesign(args: argparse.Namespace) -> int:
    """`headwater codesign`: one scenario gives one record, lists of choices give a list."""
    target = library_of(args.target)
    check_columns(args, (*SYSTEM_COLUMNS, *(AREA_COLUMNS if target else ())))
    chosen = scenarios(
        [cipher_of(name, args) for name in names("ciphers", args.ciphers, CATALOGUE)],
        args.cpu.split(","),
        args.interface.split(","),
        numbers("wait states", args.wait_states),
        [None] if args.radix is None else numbers("radix", args.radix),
        driver=args.driver,
        stateless=args.stateless,
        load_width=args.load_width,
        options=options(args.option),
        bytes=args.bytes,
        tell=warn,
    )
    if args.dry_run:
        print_named(args, chosen)
        return 0
    with open_layered(args.store) as store:
        done = simulated(chosen, store, again=args.again, told=say, target=target)
    is_sweep = _is_sweep(args)
    if done or (is_sweep and args.format == "json"):
        data = done if is_sweep else done[0]
        print_rows(args, [systems_table(done)], data, [*map(filled, systems_notes(done))])
    for failure in done.failures:
        warn(failure)
    return 2 if done.failures else 0


def _is_sweep(args: argparse.Namespace) -> bool:
    words = (args.ciphers, args.cpu, args.interface, args.wait_states, args.radix or "")
    return any("," in word or word == ALL for word in words)
