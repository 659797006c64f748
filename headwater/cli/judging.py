# SPDX-License-Identifier: Apache-2.0
"""The verb `bench`: cores that others wrote."""

from __future__ import annotations

import argparse
from pathlib import Path

from headwater.api.judging import judge_core
from headwater.cli.output import print_json, say


def run_bench(given: argparse.Namespace) -> int:
    """`headwater bench`: exit status 1 if the core is not shown to be the cipher."""
    targets = given.target.split(",") if given.target is not None else []
    limit = {} if given.time_limit is None else {"limit_s": given.time_limit}
    verdict = judge_core(
        [Path(name) for name in given.files], given.cipher, ports=given.ports, targets=targets,
        tell=say, **limit,
    )  # fmt: skip
    if given.json:
        print_json(verdict.as_json())
    else:
        print(*verdict.lines(), sep="\n")
    return 0 if verdict.passes else 1
