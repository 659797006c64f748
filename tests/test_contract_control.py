# SPDX-License-Identifier: Apache-2.0
"""The contract of every core: a session that is ended at any moment, by a new load, a reset or
`clear`, leaves nothing for the next one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from contract import FEW_CORES, Core, Session, assert_sessions, run, session


def moments(core: Core, given: Session) -> Iterator[list[str]]:
    """Commands that end around start, middle and end of the setup, later, within the words, and
    behind them."""
    yield from ([given.loading(), f"idle {cycles}"] for cycles in cycles_of(core, given))
    (talk, *tag) = given.taken
    if not core.takes_messages:
        yield from ([given.loading(), f"take {count}"] for count in (1, 2))
        return
    words = talk.split()
    for count in (1, len(words) // 2):
        yield [given.loading(), " ".join([*words[: 2 + count], "..."]), "idle 1"]
    if tag:
        yield from ([given.loading(), talk, f"idle {cycles}"] for cycles in (0, 1, 9, 60))


def cycles_of(core: Core, given: Session) -> list[int]:
    blank = core.facts.setup_cycles - len(given.load)
    around = {0, 1, 2, blank // 2, blank - 2, blank - 1, blank, blank + 1, blank + 2, blank + 23}
    return sorted(cycles for cycles in around if cycles >= 0)


def ends(core: Core) -> list[list[str]]:
    """What ends a session apart from a load. For longer than a setup nothing is offered then."""
    long = f"idle {core.facts.setup_cycles + 5}"
    clears = [["clear"], ["clear", long]] if core.architecture.clear != "none" else []
    return [["reset 1"], ["reset 3", long], *clears]


def assert_nothing_left(core: Core, before: list[list[str]]) -> None:
    """Behind each of these the next session is as ever, and takes as long."""
    given = session(core, 2)
    parts = run(core, *(part for one in before for part in (one, given.commands)))
    assert_sessions(given, parts[1::2])
    cycles = [
        behind.cycle - first.cycle for first, behind in zip(parts[::2], parts[1::2], strict=True)
    ]
    assert max(cycles) - min(cycles) <= core.architecture.streams


@FEW_CORES
def test_a_new_load_at_any_moment(core: Core) -> None:
    assert_nothing_left(core, list(moments(core, session(core, 1))))


@FEW_CORES
def test_a_reset_or_clear_at_any_moment(core: Core) -> None:
    given = session(core, 1)
    assert_nothing_left(
        core, [[*moment, *end] for moment, end in product(moments(core, given), ends(core))]
    )


@FEW_CORES
def test_a_load_that_is_broken_off(core: Core) -> None:
    """By a reset or `clear`, or in a core that cannot wait by a gap."""
    given = session(core, 1)
    if len(given.load) == 1:
        pytest.skip("a load is one word")
    counts = {1, 2, len(given.load) // 2, len(given.load) - 1} & {*range(1, len(given.load))}
    some = [*ends(core), *([] if core.facts.waits else [["idle 1"], ["idle 5"]])]
    parts = [given.loading(slice(count)) for count in sorted(counts)]
    assert_nothing_left(core, [[part, *end] for part, end in product(parts, some)])


@FEW_CORES
def test_idle_after_a_reset(core: Core) -> None:
    """Nothing is offered or taken until a load: the simulator checks that."""
    assert_nothing_left(core, [["idle 3"], ["reset 1", f"idle {2 * core.facts.setup_cycles}"]])
