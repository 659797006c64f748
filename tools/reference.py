# SPDX-License-Identifier: Apache-2.0
"""Make the reference: the results that come with the package.

    python tools/reference.py            measures what it lacks, and writes it
    python tools/reference.py --stored  writes what is known without measuring
    python tools/reference.py --check   says what it lacks, and exits with 1 if it lacks anything

It has the points of all papers, those of docs/points.toml, and the systems that docs/codesign.md
has figures of. A result is taken from the store, or from the reference as it is if circuit,
library, tools and settings are the same. All libraries that `reproduce` uses must be found.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from headwater.bench.identity import rtl_identity
from headwater.bench.layers import LayeredStore, open_layered
from headwater.bench.plan import read_plan
from headwater.bench.point import DesignPoint
from headwater.bench.reference import FILE, MARK, Entry, as_lines, circuit_sha256, words_of
from headwater.bench.run import evaluate_all
from headwater.bench.store import Result
from headwater.bench.workers import local_workers
from headwater.cipher.catalogue import find
from headwater.cli.output import say, write_whole
from headwater.cli.parser import build_parser
from headwater.cli.reproduction import request_of
from headwater.codesign import run
from headwater.codesign.scenario import Scenario
from headwater.codesign.sweep import ALL, scenarios
from headwater.emit.verilog import generate
from headwater.errors import ToolError

POINTS = Path(__file__).parents[1] / "docs" / "points.toml"


def wanted() -> list[DesignPoint | Scenario]:
    """Everything that the reference must have, each once."""
    request = request_of(build_parser().parse(["reproduce", ALL]))
    if request.targets.fast is None or request.targets.low_leakage is None:
        raise ToolError("the libraries of both thresholds must be found")
    return list(dict.fromkeys([*request.needed(), *read_plan(POINTS, say), *_systems()]))


def _systems() -> Iterator[Scenario]:
    """The systems of docs/codesign.md."""
    trivium, salsa20 = [find("trivium")], [find("salsa20")]
    yield from scenarios(trivium, ["vexriscv"], [ALL], [0], [64])
    yield from scenarios(trivium, ["vexriscv"], ["bus"], [0], [64], driver="polling")
    for stateless in (False, True):
        yield from scenarios(salsa20, ["vexriscv"], ["bus"], [0], [None], stateless=stateless)


def entries(items: Iterable[DesignPoint | Scenario], store: LayeredStore) -> Iterator[Entry]:
    """What the store or the reference has of the items, under the hashes of today."""
    for one in items:
        if isinstance(one, Scenario):
            yield from _of_system(one, store)
        else:
            yield from _of_point(one, store)


def _of_point(point: DesignPoint, store: LayeredStore) -> Iterator[Entry]:
    verilog = generate(point.cipher, point.architecture)
    words = words_of(point)
    if found := store.find_point(point, verilog):
        identity = rtl_identity(point.cipher, point.architecture)
        circuit = circuit_sha256(verilog)
        yield Entry("point", words, identity, circuit, _plain(found, words))


def _of_system(scenario: Scenario, store: LayeredStore) -> Iterator[Entry]:
    for part, baseline in run.parts_of(scenario):
        if found := store.find_system(run.scenario_identity(part, baseline)):
            made = part.architecture
            generator = rtl_identity(part.cipher, made) if made else ""
            yield Entry("system", run.words_of(part, baseline), generator, "", _plain(found))


def _plain(result: Result, words: Mapping[str, object] | None = None) -> Result:
    """A result without the mark of the reference, with the words of today."""
    record = {name: value for name, value in result.record.items() if name != MARK}
    return replace(result, record=record | dict(words or {}))


def _measure(items: Iterable[DesignPoint | Scenario], store: LayeredStore, jobs: int) -> None:
    items = list(items)
    with local_workers(jobs) as workers:
        points = [one for one in items if isinstance(one, DesignPoint)]
        for outcome in evaluate_all(points, store, workers):
            if not outcome.stored:
                say(f"{outcome.point}: {outcome.reason or 'measured'}")
    for one in items:
        if isinstance(one, Scenario):
            run.measure(one, store)


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--stored", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    items = wanted()
    with open_layered() as store:
        if not (given.check or given.stored):
            _measure(items, store, given.jobs)
        found = list({(one.kind, str(one.words)): one for one in entries(items, store)}.values())
    lines = as_lines(found)
    measured = [one.words for one in found]
    lacks = [
        one for one in items
        if (run.words_of(one, None) if isinstance(one, Scenario) else words_of(one)) not in measured
    ]  # fmt: skip
    for one in lacks:
        say(f"not in the reference: {one}")
    if not given.check:
        write_whole(FILE, lines.encode())
        print(f"{FILE}: {len(found)} results, {len(lines.encode())} bytes")
    return 1 if lacks else 0


if __name__ == "__main__":
    sys.exit(main())
