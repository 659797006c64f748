# SPDX-License-Identifier: Apache-2.0
"""How many random changes of a core its evidence catches."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from headwater.api.core import Core
from headwater.api.design import testbench_of
from headwater.api.random_bits import RandomBits
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.errors import between
from headwater.flow.folders import private_folder
from headwater.kinds.stepped.prng.properties import properties_of_source
from headwater.kinds.stepped.prng.shape import PrngShape
from headwater.measure.store import Result, Store, now, open_store
from headwater.measure.workers import in_order
from headwater.prove.mutants import NAMED
from headwater.verify.alone import Tested, Trial, tested, tested_by_name, trial_of_core, tried
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
from headwater.verify.prng_proof import trial_of_source

MOST = 1_000_000
"""As many mutants at once."""
_TOGETHER = 200
"""As many mutants in one netlist."""
_LARGEST_SEED = 2**31 - 1
"""What Yosys reads as a seed."""


def mutants(
    core: Core,
    count: int,
    *,
    seed: int = 1,
    tell: Callable[[str], None] = lambda _: None,
    traces: str | Path | None = None,
) -> list[Score]:
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
        A folder, into which a run is written as VCD for each property that is refuted. Then what
        the proofs have found before is found again.

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
        If a run that refutes a property does not break it in Verilator.
    """
    between(1, MOST, "the number of mutants", count)
    between(0, _LARGEST_SEED, "seed", seed)
    with private_folder() as folder, open_store() as store:
        hunt = Hunt(
            core.description,
            core.architecture,
            testbench_of(core),
            folder,
            Path(traces) if traces else None,
        )
        mutations = hunt.mutations(count, seed)
        findings: list[Finding] = []
        try:
            for begin in range(0, len(mutations), _TOGETHER):
                some = mutations[begin : begin + _TOGETHER]
                hunt.begin(some, begin)
                for place, mutation in enumerate(some, start=begin + 1):
                    new = list(_findings(store, hunt, core.description.name, mutation))
                    findings += new
                    said = ", ".join(f"{one.hunter} {one.outcome}" for one in new)
                    tell(f"mutant {place} of {len(mutations)}: {said}")
        finally:
            hunt.close()
    return scores(findings)


def try_properties(
    core: Core,
    count: int,
    *,
    seed: int = 1,
    jobs: int = 1,
    tell: Callable[[str], None] = lambda _: None,
    traces: str | Path | None = None,
    only: Collection[str] | None = None,
) -> list[Tested]:
    """Say of each property of a core whether it is tested: change the core at random near what the
    property reads, and count what this property refutes when it runs alone. What is not said here
    is as for `mutants`.

    Parameters
    ----------
    count
        How many changes for each property.
    jobs
        Properties at a time.
    tell
        Is called with a line for each property.
    traces
        A folder, into which the first run is written as VCD that refutes each property.
    only
        The names of the properties, if not all.

    Returns
    -------
    list of Tested
        One for each property. It is tested if it refutes at least one change.
    """
    between(1, MOST, "the number of mutants", count)
    between(0, _LARGEST_SEED, "seed", seed)
    description, architecture = core.description, core.architecture
    names = [name for name in tried(description, architecture) if only is None or name in only]
    several = [(description, architecture, name, count, seed, _folder(traces)) for name in names]
    return _told(_try, several, jobs, tell)


def try_properties_of_source(
    source: RandomBits,
    count: int,
    *,
    seed: int = 1,
    jobs: int = 1,
    tell: Callable[[str], None] = lambda _: None,
    traces: str | Path | None = None,
) -> list[Tested]:
    """The same of a source of random bits; see `try_properties`. Its mutants are not compared with
    it."""
    between(1, MOST, "the number of mutants", count)
    between(0, _LARGEST_SEED, "seed", seed)
    names = [prop.name for prop in properties_of_source(source.shape)]
    several = [(source.shape, name, count, seed, _folder(traces)) for name in names]
    return _told(_try_of_source, several, jobs, tell)


def _folder(traces: str | Path | None) -> Path | None:
    return Path(traces) if traces else None


def _told(
    call: Callable[..., Tested],
    several: Sequence[Sequence[Any]],
    jobs: int,
    tell: Callable[[str], None],
) -> list[Tested]:
    """What a call says of each of several properties, told as soon as it is there."""
    lines = []
    for number, one in enumerate(in_order(jobs, call, several), start=1):
        tell(
            f"property {number} of {len(several)}: {one.property} refutes {one.refuted} of "
            f"{one.mutants} mutants"
        )
        lines.append(one)
    return lines


def _try(
    cipher: Cipher,
    architecture: Architecture,
    prop: str,
    count: int,
    seed: int,
    traces: Path | None,
) -> Tested:
    """What the mutants near one property of a core say of it, or one with a name."""
    if prop in NAMED:
        return tested_by_name(cipher, architecture, prop)
    with private_folder() as folder:
        trial = trial_of_core(cipher, architecture, prop, folder, traces)
        return _tries(trial, cipher.name, prop, count, seed)


def _try_of_source(
    shape: PrngShape, prop: str, count: int, seed: int, traces: Path | None
) -> Tested:
    """What the mutants near one property of a source say of it."""
    with private_folder() as folder:
        trial = trial_of_source(shape, prop, folder, traces)
        return _tries(trial, shape.cipher.name, prop, count, seed)


def _tries(trial: Trial, cipher: str, prop: str, count: int, seed: int) -> Tested:
    """What the mutants of a trial say. Whether they are equivalent is asked if none is refuted."""
    with open_store() as store:
        mutations = trial.mutations(count, seed)
        trial.begin(mutations)
        findings = [_finding(store, trial, cipher, one, trial.hunter) for one in mutations]
        if trial.knows_equivalence and all(one.outcome != CAUGHT for one in findings):
            findings += [_finding(store, trial, cipher, one, EQUIVALENCE) for one in mutations]
    return tested(prop, findings)


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


def _finding(store: Store, hunt: Hunt | Trial, cipher: str, mutation: str, hunter: str) -> Finding:
    """What a hunter says, from the store if it is there. What it did not answer in time is not
    kept, as it may have more time in another run."""
    identity = hunt.identity(mutation, hunter)
    known = store.find_mutant(identity)
    if known and not (hunter == hunt.hunter and hunt.traces):
        return Finding(**{each.name: known.record[each.name] for each in fields(Finding)})
    begun = time.monotonic()
    finding = hunt.finding(mutation, hunter)
    if finding.outcome != NO_ANSWER:
        record = {"cipher": cipher, **asdict(finding)}
        store.keep_mutant(Result(identity, record, time.monotonic() - begun, now()))
    return finding
