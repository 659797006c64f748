# SPDX-License-Identifier: Apache-2.0
"""How many random changes of a core its evidence catches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, fields
from pathlib import Path

from headwater.api.core import Core
from headwater.api.design import testbench_of
from headwater.bench.store import Result, Store, now, open_store
from headwater.errors import between
from headwater.flow.folders import private_folder
from headwater.verify.mutation import Hunt
from headwater.verify.mutation_score import (
    CAUGHT,
    EQUIVALENCE,
    EQUIVALENT,
    MISSED,
    NO_ANSWER,
    Finding,
    Score,
    scores,
)

MOST = 1_000_000
"""As many mutants at once."""
_TOGETHER = 200
"""As many mutants in one netlist."""
_LARGEST_SEED = 2**31 - 1
"""What Yosys reads as a seed."""


def mutants(
    core: Core, count: int, *, seed: int = 1, tell: Callable[[str], None] = lambda _: None,
    traces: str | Path | None = None,
) -> list[Score]:  # fmt: skip
    """Change a core at random, and count what proofs, vectors and its testbench catch.

    Parameters
    ----------
    core
        Of any cipher.
    count
        How many changes; fewer if the netlist has no more.
    seed
        The changes are the same for the same seed.
    tell
        Is called with a line for each mutant.
    traces
        A folder, into which a run is written as VCD for each promise that is refuted. Then what the
        proofs have found before is found again.

    Returns
    -------
    list of Score
        Of each of the three, of proofs and vectors together, and of all. What was found is in the
        store, so that a run that was stopped goes on where it was.

    Raises
    ------
    InputError
        If the count is none, the seed is no whole number of 31 bits, or the unchanged core fails a
        check.
    ToolError
        If a run that refutes a promise does not break it in Verilator.
    """
    between(1, MOST, "the number of mutants", count)
    between(0, _LARGEST_SEED, "seed", seed)
    with private_folder() as folder, open_store() as store:
        hunt = Hunt(core.description, core.architecture, testbench_of(core), folder,
                    Path(traces) if traces else None)  # fmt: skip
        mutations = hunt.mutations(count, seed)
        found: list[Finding] = []
        try:
            for begin in range(0, len(mutations), _TOGETHER):
                some = mutations[begin : begin + _TOGETHER]
                hunt.begin(some, begin)
                for place, mutation in enumerate(some, start=begin + 1):
                    new = list(_findings(store, hunt, core.description.name, mutation))
                    found += new
                    said = ", ".join(f"{one.hunter} {one.outcome}" for one in new)
                    tell(f"mutant {place} of {len(mutations)}: {said}")
        finally:
            hunt.close()
    return scores(found)


def _findings(store: Store, hunt: Hunt, cipher: str, mutation: str) -> Iterator[Finding]:
    """What every hunter says of a mutant. Whether it is one is asked of what no simulation shows;
    if it is none, no proof is needed."""
    simulated = [_finding(store, hunt, cipher, mutation, one) for one in ("vectors", "testbench")]
    yield from simulated
    if all(one.outcome != CAUGHT for one in simulated):
        known = _finding(store, hunt, cipher, mutation, EQUIVALENCE)
        yield known
        if known.outcome == EQUIVALENT:
            yield Finding(mutation, "proofs", MISSED)
            return
    yield _finding(store, hunt, cipher, mutation, "proofs")


def _finding(store: Store, hunt: Hunt, cipher: str, mutation: str, hunter: str) -> Finding:
    """What a hunter says, from the store if it is there. What it did not answer in time is not
    kept, as it may have more time in another run."""
    identity = hunt.identity(mutation, hunter)
    known = store.find_mutant(identity)
    if known and not (hunter == "proofs" and hunt.traces):
        return Finding(**{each.name: known.record[each.name] for each in fields(Finding)})
    begun = time.monotonic()
    finding = hunt.finding(mutation, hunter)
    if finding.outcome != NO_ANSWER:
        record = {"cipher": cipher, **asdict(finding)}
        store.keep_mutant(Result(identity, record, time.monotonic() - begun, now()))
    return finding
