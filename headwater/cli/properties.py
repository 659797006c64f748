# SPDX-License-Identifier: Apache-2.0
"""`verify --properties`: what the properties of a core, or of a source of random bits, compare it
with; nothing is proven."""

from __future__ import annotations

import argparse
from dataclasses import asdict, astuple

from headwater.cli.arguments import only_core, refuse_others
from headwater.cli.prng import random_bits_of
from headwater.cli.rows import filled, print_rows
from headwater.report.table import Table
from headwater.verify.readings import evidence, evidence_of_source

COLUMNS = ("property", "against", "compared with", "method", "meaning", "by hand")
_SHOWN = COLUMNS[:4]
_LEGEND = (
    "description: the description's own equations, read again in another way; gates: another path "
    "through the gates of the core; independent: equations, laws or counts that share no code with "
    "core and description; constants and tables are the description's."
)


_WITHOUT = ("vectors", "engine", "prove", "netlist", "target", "liberty", "clock_gating", "mutants")
"""Options that ask for something else."""


def run_properties(given: argparse.Namespace) -> int:
    """`headwater verify --properties`: a row for each property, and for what is simulated."""
    if given.random_bits is None:
        found = evidence(*only_core(given, "properties", _WITHOUT))
    else:
        refuse_others(given, "properties", _WITHOUT)
        found = evidence_of_source(random_bits_of(given).shape)
    table = Table(COLUMNS, [astuple(one) for one in found], shown=_SHOWN)
    by_hand = [
        filled(f"invariants of {one.property} by hand: {one.by_hand}")
        for one in found
        if one.by_hand
    ]
    print_rows(given, [table], [asdict(one) for one in found], [filled(_LEGEND), *by_hand])
    return 0
