# SPDX-License-Identifier: Apache-2.0
"""`verify --mutants`: how many wrong circuits the evidence of a core catches, and with `--each`
which of its properties are tested."""

from __future__ import annotations

import argparse
from dataclasses import asdict, astuple

from headwater.api.core import Core
from headwater.api.mutation import mutants, try_properties, try_properties_of_source
from headwater.cli.arguments import only_core, refuse_others
from headwater.cli.output import say
from headwater.cli.prng import random_bits_of
from headwater.cli.rows import print_rows
from headwater.report.table import Table
from headwater.verify.mutation_score import Score

COLUMNS = ("against", "mutants", "caught", "equivalent", "no answer", "holes", "score %")


EACH_COLUMNS = ("property", "mutants", "refuted", "equivalent", "no answer", "first")
_SHOWN = EACH_COLUMNS[:-1]

_OTHERS = ("vectors", "engine", "prove", "netlist", "target", "liberty", "clock_gating")
"""Options that ask for something else."""


def run_mutants(args: argparse.Namespace) -> int:
    """`headwater verify --mutants N`: fails if a mutant that does something else gets by the
    proofs, the vectors and the testbench. Those that the solver has no answer about are counted in
    a column of their own."""
    cipher, chosen = only_core(args, "mutants", _OTHERS)
    core = Core(cipher, chosen)
    findings = mutants(core, args.mutants, seed=_seed(args), tell=say, traces=args.traces)
    rows = [
        (
            one.hunters,
            one.mutants,
            one.caught,
            one.equivalent,
            one.no_answer,
            len(one.holes),
            one.percent,
        )
        for one in findings
    ]
    print_rows(args, [Table(COLUMNS, rows)], [_plain(cipher.name, core, one) for one in findings])
    every = findings[-1]
    for mutation in every.holes:
        say(f"a hole: nothing catches {mutation}")
    return 1 if every.holes else 0


def run_each(args: argparse.Namespace) -> int:
    """`headwater verify --mutants N --each`: a row for each property; fails if one refutes no
    mutant."""
    asked = {"seed": _seed(args), "jobs": args.jobs or 1, "tell": say, "traces": args.traces}
    if args.random_bits is None:
        cipher, chosen = only_core(args, "mutants", _OTHERS)
        findings = try_properties(Core(cipher, chosen), args.mutants, **asked)
        named = {"cipher": cipher.name, "radix": chosen.radix}
    else:
        refuse_others(args, "mutants", _OTHERS)
        source = random_bits_of(args)
        findings = try_properties_of_source(source, args.mutants, **asked)
        named = {"cipher": source.shape.cipher.name, "radix": source.shape.architecture.radix}
    table = Table(EACH_COLUMNS, [astuple(one) for one in findings], shown=_SHOWN)
    print_rows(args, [table], [named | asdict(one) for one in findings])
    for one in findings:
        if not one.refuted:
            say(f"not tested: {one.property} refutes no mutant")
    return 0 if all(one.refuted for one in findings) else 1


def _seed(args: argparse.Namespace) -> int:
    return 1 if args.seed is None else args.seed


def _plain(cipher: str, core: Core, score: Score) -> dict[str, object]:
    """A score as plain data."""
    return {
        "cipher": cipher,
        "radix": core.architecture.radix,
        "against": score.hunters,
        "mutants": score.mutants,
        "caught": score.caught,
        "equivalent": score.equivalent,
        "no_answer": score.no_answer,
        "holes": list(score.holes),
        "score_percent": score.percent,
    }
