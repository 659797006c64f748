# SPDX-License-Identifier: Apache-2.0
"""Make the reference: the results that come with the package.

    python tools/reference.py            measures what it lacks, and writes it
    python tools/reference.py --stored   writes what is known without measuring
    python tools/reference.py --check    says what it lacks, and exits with 1 if something is stale,
                                         or a document shows other figures

It has the points of all papers, those of the plans in docs that are named below, and the systems
that docs/codesign.md has figures of. docs/raced.jsonl is another one, of the cores that
benchmarks/race.py puts beside public ones. A result is taken from the store, or from the reference
as it is if circuit, library, tools and settings are the same. All libraries that `reproduce` uses
must be found, but for `--check`, which generates every circuit again and compares its hash.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path

import printed

from headwater.api.systems import simulated
from headwater.cipher.catalogue import find
from headwater.cipher.description import Cipher
from headwater.cli.output import say
from headwater.cli.parser import build_parser
from headwater.cli.reproduction import request_of
from headwater.codesign import run
from headwater.codesign.cells import InCells
from headwater.codesign.scenario import Scenario
from headwater.codesign.sweep import ALL, scenarios
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Verilog
from headwater.files import write_whole
from headwater.measure.identity import rtl_identity
from headwater.measure.layers import AREA, LayeredStore, open_layered
from headwater.measure.plan import read_plan
from headwater.measure.point import DesignPoint
from headwater.measure.reference import (
    FILE,
    MARK,
    Entry,
    as_lines,
    read_reference,
    words_of,
)
from headwater.measure.run import evaluate_all
from headwater.measure.store import Result
from headwater.measure.work import write_rtl
from headwater.measure.workers import local_workers
from headwater.report.study.studies import STUDIES

DOCS = Path(__file__).parents[1] / "docs"
PLANS = [
    *(DOCS / name for name in ("points.toml", "streams.toml")),
    *(study.plan for study in STUDIES.values()),
]
RACED = DOCS / "raced.toml", DOCS / "raced.jsonl"

Item = DesignPoint | Scenario | InCells


def wanted() -> list[Item]:
    """Everything that the reference must have, each once."""
    printed = [
        request_of(build_parser().parse(["reproduce", *words, "--stored"])).needed()
        for words in ([ALL], ["eth", "--layout"])
    ]
    return list(dict.fromkeys([*chain(*printed), *_planned(), *_systems()]))


def _planned() -> Iterator[DesignPoint]:
    """The points that documents and studies show figures of."""
    for plan in PLANS:
        yield from read_plan(plan, say)


def _systems() -> Iterator[Scenario]:
    """The systems of docs/codesign.md."""
    trivium, salsa20 = [find("trivium")], [find("salsa20")]
    yield from scenarios(trivium, ["vexriscv"], [ALL], [0], [64])
    yield from scenarios(trivium, ["vexriscv"], ["bus"], [0], [64], driver="polling")
    for stateless in (False, True):
        yield from scenarios(salsa20, ["vexriscv"], ["bus"], [0], [None], stateless=stateless)


def compared(items: Iterable[Item], file: Path = FILE) -> tuple[list[str], list[str]]:
    """What a reference does not have, and what it has of another circuit."""
    reference = read_reference(file)
    absent, stale = [], []
    for one in items:
        if isinstance(one, Scenario):
            entry = reference.system(run.words_of(one, None))
        elif isinstance(one, InCells):
            entry = reference.system(one.words, AREA)
        else:
            entry = reference.point(one)
        if entry is None:
            absent.append(f"not in the reference: {one}")
        elif entry.circuit != _circuit(one.cipher, one.architecture):
            stale.append(f"stale, as its circuit has changed: {one}")
    return absent, stale


@cache
def _rtl(cipher: Cipher, architecture: Architecture) -> Verilog:
    """The Verilog of a core, generated once for all targets."""
    return write_rtl(cipher, architecture)


def _circuit(cipher: Cipher, architecture: Architecture | None) -> str:
    return _rtl(cipher, architecture).circuit_sha256 if architecture else ""


def entries(items: Iterable[Item], store: LayeredStore) -> Iterator[Entry]:
    """What the store or the reference has of the items, under the hashes of today."""
    for one in items:
        if isinstance(one, Scenario):
            for part, baseline in run.parts_of(one):
                found = store.find_system(run.scenario_identity(part, baseline))
                yield from _entries("system", run.words_of(part, baseline), part, found)
        elif isinstance(one, InCells):
            yield from _entries(AREA, one.words, one, store.find_system(one.identity))
        else:
            found = store.find_point(one, _rtl(one.cipher, one.architecture))
            words = words_of(one)
            yield from _entries("point", words, one, found and _in_words(found, words))


def _in_words(result: Result, words: Mapping[str, object]) -> Result:
    """A result whose record has the words of today, such as options that are new."""
    return replace(result, record={**result.record, **words})


def _entries(
    kind: str, words: Mapping[str, object], one: Item, found: Result | None
) -> Iterator[Entry]:
    if found is None:
        return
    made = one.architecture
    generator = rtl_identity(one.cipher, made) if made else ""
    record = {name: value for name, value in found.record.items() if name != MARK}
    result = replace(found, record=record)
    yield Entry(kind, words, generator, _circuit(one.cipher, made), result)


def _measure(items: Sequence[Item], store: LayeredStore, jobs: int) -> None:
    with local_workers(jobs) as workers:
        points = [one for one in items if isinstance(one, DesignPoint)]
        for outcome in evaluate_all(points, store, workers):
            if not outcome.stored:
                say(f"{outcome.point}: {outcome.reason or 'measured'}")
    systems = [one for one in items if not isinstance(one, DesignPoint)]
    for failure in simulated(systems, store).failures:
        say(failure)


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--stored", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    plan, raced = RACED
    stale = [
        _brought_up_to_date(file, items, given)
        for file, items in ((FILE, wanted()), (raced, read_plan(plan, say)))
    ]
    shown = _differing_documents() if given.check else []
    return 1 if any(stale) or shown else 0


def _differing_documents() -> list[Path]:
    """The documents and figures that do not show what the reference has; each is told."""
    os.environ.pop("HEADWATER_REFERENCE", None)
    found = list(printed.different())
    for page in found:
        say(f"{page}: is of other results; run python tools/printed.py")
    return found


def _brought_up_to_date(file: Path, items: Sequence[Item], given: argparse.Namespace) -> list[str]:
    """Measure and write what is asked for, and say what is missing or stale; the stale ones."""
    os.environ["HEADWATER_REFERENCE"] = str(file)
    if not given.check:
        with open_layered() as store:
            if not given.stored:
                _measure(items, store, given.jobs)
            text = as_lines(entries(items, store))
        write_whole(file, text.encode())
        print(f"{file}: {text.count(chr(10))} results, {len(text.encode())} bytes")
        read_reference.cache_clear()
    absent, stale = compared(items, file)
    for line in (*absent, *stale):
        say(line)
    return stale


if __name__ == "__main__":
    sys.exit(main())
