# SPDX-License-Identifier: Apache-2.0
"""`verify --mutants`: how many wrong circuits the evidence of a core catches."""

from __future__ import annotations

import argparse

from headwater.api.core import Core
from headwater.api.mutation import mutants
from headwater.cli.arguments import only_core
from headwater.cli.output import say
from headwater.cli.rows import print_rows
from headwater.report.table import Table
from headwater.verify.mutation_score import Score

COLUMNS = ("against", "mutants", "caught", "equivalent", "no answer", "holes", "score %")


def run_mutants(given: argparse.Namespace) -> int:
    """`headwater verify --mutants N`: fails if a mutant that does something else gets by the
    proofs, the vectors and the testbench. Those that the solver has no answer about are counted in
    a column of their own."""
    others = ("vectors", "engine", "prove", "netlist", "target", "liberty", "clock_gating")
    cipher, chosen = only_core(given, "mutants", others)
    core = Core(cipher, chosen)
    found = mutants(core, given.mutants, seed=1 if given.seed is None else given.seed, tell=say,
                    traces=given.traces)  # fmt: skip
    rows = [(one.hunters, one.mutants, one.caught, one.equivalent, one.no_answer, len(one.holes),
             one.percent) for one in found]  # fmt: skip
    print_rows(given, [Table(COLUMNS, rows)], [_plain(cipher.name, core, one) for one in found])
    every = found[-1]
    for mutation in every.holes:
        say(f"a hole: nothing catches {mutation}")
    return 1 if every.holes else 0


def _plain(cipher: str, core: Core, score: Score) -> dict[str, object]:
    """A score as plain data."""
    return {"cipher": cipher, "radix": core.architecture.radix, "against": score.hunters,
            "mutants": score.mutants, "caught": score.caught, "equivalent": score.equivalent,
            "no_answer": score.no_answer, "holes": list(score.holes),
            "score_percent": score.percent}  # fmt: skip
