# SPDX-License-Identifier: Apache-2.0
"""The verb `leakage`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from headwater.api.leakage import Verdict, leakage
from headwater.cli.output import print_json
from headwater.cli.rows import filled
from headwater.leakage.verdict import CLAIM

_SHOWN = 5
"""Leaks that are shown whole; JSON has all."""
_NAMED = 20
"""Nets that are named; JSON has all."""


def run_leakage(args: argparse.Namespace) -> int:
    """`headwater leakage`: fails unless the claim is proven."""
    verdict = leakage(args.files, args.spec, liberty=args.liberty)
    if args.json:
        print_json(verdict.as_json())
    else:
        print(*map(filled, _lines(verdict)), sep="\n")
    return 0 if verdict.holds else 1


def _lines(verdict: Verdict) -> Iterator[str]:
    yield (
        f"{verdict.top}: {_count(verdict.gates, 'gate')}, "
        f"{_count(verdict.registers, 'register')}, {verdict.shares} shares"
    )
    yield (
        f"{_count(verdict.probes, 'net')} probed with glitches and transitions, in "
        f"{_count(verdict.windows, 'case')} of two neighbouring cycles"
    )
    for leak in verdict.leaks[:_SHOWN]:
        yield "leak: " + "; ".join(leak.sentences())
    rest = len(verdict.leaks) - _SHOWN
    if rest > 0:
        yield f"{_count(rest, 'further net')} leak: --json lists all"
    if verdict.undecided:
        yield f"undecided: {', '.join(verdict.undecided[:_NAMED])}"
    rest = len(verdict.undecided) - _NAMED
    if rest > 0:
        yield f"{_count(rest, 'further net')} undecided: --json lists all"
    for flaw in verdict.flaws:
        yield f"{flaw.what}: {flaw.sentence}"
    yield f"{verdict.verdict}: {CLAIM} is {'proven' if verdict.holds else 'not proven'}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
