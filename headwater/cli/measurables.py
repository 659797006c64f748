# SPDX-License-Identifier: Apache-2.0
"""Design points and systems together: measured, and where their figures come from."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

from headwater.api.reproduction import lookup_in
from headwater.api.systems import simulated
from headwater.cli.output import say
from headwater.cli.progress import measured
from headwater.codesign.cells import InCells
from headwater.codesign.run import words_of
from headwater.codesign.scenario import Scenario
from headwater.measure.layers import AREA, STALE, UNCHECKED, LayeredStore
from headwater.measure.point import DesignPoint
from headwater.measure.reference import MARK, Entry
from headwater.report.reproduce.comparison import Measurable


def measure_all(
    wanted: Sequence[Measurable], store: LayeredStore, args: argparse.Namespace
) -> list[str]:
    """Measure what is not stored; why it could not be done."""
    points = [one for one in wanted if isinstance(one, DesignPoint)]
    systems = [one for one in wanted if not isinstance(one, DesignPoint)]
    outcomes = list(measured(points, store, args))
    failures = [outcome.reason for outcome in outcomes if outcome.record is None]
    return [*failures, *simulated(systems, store, told=say).failures]


def entry_of(one: Measurable, store: LayeredStore) -> Entry | None:
    """What the reference has of a point or system."""
    if isinstance(one, Scenario):
        return store.known_system(words_of(one, None))
    if isinstance(one, InCells):
        return store.known_system(one.words, AREA)
    return store.entry(one)


def say_origin(wanted: Sequence[Measurable], store: LayeredStore) -> None:
    """Say how many figures are of the reference, and whether they are of today's circuits."""
    states: Counter[str] = Counter()
    lookup = lookup_in(store)
    for one in wanted:
        entry, record = entry_of(one, store), lookup(one)
        if entry is None:
            continue
        state = store.state(entry, one.cipher, one.architecture)
        if record is None and state == STALE:
            say(f"stale, so not shown: the circuit of {one} has changed since it was measured")
        if record and record.get(MARK):
            states[state] += 1
    if states:
        say(f"{states.total()} points and systems are of the reference, measured by others")
    if states[UNCHECKED]:
        say(
            f"{states[UNCHECKED]} of them were measured before sources of the generator changed, "
            "and their circuits not compared since: see headwater reproduce --check"
        )
