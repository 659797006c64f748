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


def run_mutants(given: argparse.Namespace) -> int:
    """`headwater verify --mutants N`: fails if a mutant that does something else gets by the
    proofs, the vectors and the testbench. Those that the solver has no answer about are counted in
    a column of their own."""
    cipher, chosen = only_core(given, "mutants", _OTHERS)
    core = Core(cipher, chosen)
    found = mutants(core, given.mutants, seed=_seed(given), tell=say, traces=given.traces)
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
        for one in found
    ]
    print_rows(given, [Table(COLUMNS, rows)], [_plain(cipher.name, core, one) for one in found])
    every = found[-1]
    for mutation in every.holes:
        say(f"a hole: nothing catches {mutation}")
    return 1 if every.holes else 0


def run_each(given: argparse.Namespace) -> int:
    """`headwater verify --mutants N --each`: a row for each property; fails if one refutes no
    mutant."""
    asked = {"seed": _seed(given), "jobs": given.jobs or 1, "tell": say, "traces": given.traces}
    if given.random_bits is None:
        cipher, chosen = only_core(given, "mutants", _OTHERS)
        found = try_properties(Core(cipher, chosen), given.mutants, **asked)
        named = {"cipher": cipher.name, "radix": chosen.radix}
    else:
        refuse_others(given, "mutants", _OTHERS)
        source = random_bits_of(given)
        found = try_properties_of_source(source, given.mutants, **asked)
        named = {"cipher": source.shape.cipher.name, "radix": source.shape.architecture.radix}
    table = Table(EACH_COLUMNS, [astuple(one) for one in found], shown=_SHOWN)
    print_rows(given, [table], [named | asdict(one) for one in found])
    for one in found:
        if not one.refuted:
            say(f"not tested: {one.property} refutes no mutant")
    return 0 if all(one.refuted for one in found) else 1


def _seed(given: argparse.Namespace) -> int:
    return 1 if given.seed is None else given.seed


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
