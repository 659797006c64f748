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


def run_codesign(given: argparse.Namespace) -> int:
    """`headwater codesign`: one scenario gives one record, lists of choices give a list."""
    target = library_of(given.target)
    check_columns(given, (*SYSTEM_COLUMNS, *(AREA_COLUMNS if target else ())))
    chosen = scenarios(
        [cipher_of(name, given) for name in names("ciphers", given.ciphers, CATALOGUE)],
        given.cpu.split(","),
        given.interface.split(","),
        numbers("wait states", given.wait_states),
        [None] if given.radix is None else numbers("radix", given.radix),
        driver=given.driver,
        stateless=given.stateless,
        load_width=given.load_width,
        options=options(given.option),
        bytes=given.bytes,
        tell=warn,
    )
    if given.dry_run:
        print_named(given, chosen)
        return 0
    with open_layered(given.store) as store:
        done = simulated(chosen, store, again=given.again, told=say, target=target)
    is_sweep = _is_sweep(given)
    if done or (is_sweep and given.format == "json"):
        data = done if is_sweep else done[0]
        print_rows(given, [systems_table(done)], data, [*map(filled, systems_notes(done))])
    for failure in done.failures:
        warn(failure)
    return 2 if done.failures else 0


def _is_sweep(given: argparse.Namespace) -> bool:
    words = (given.ciphers, given.cpu, given.interface, given.wait_states, given.radix or "")
    return any("," in word or word == ALL for word in words)
