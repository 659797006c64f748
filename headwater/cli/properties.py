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


def run_properties(args: argparse.Namespace) -> int:
    """`headwater verify --properties`: a row for each property, and for what is simulated."""
    if args.random_bits is None:
        rows = evidence(*only_core(args, "properties", _WITHOUT))
    else:
        refuse_others(args, "properties", _WITHOUT)
        rows = evidence_of_source(random_bits_of(args).shape)
    table = Table(COLUMNS, [astuple(one) for one in rows], shown=_SHOWN)
    by_hand = [
        filled(f"invariants of {one.property} by hand: {one.by_hand}")
        for one in rows
        if one.by_hand
    ]
    print_rows(args, [table], [asdict(one) for one in rows], [filled(_LEGEND), *by_hand])
    return 0
