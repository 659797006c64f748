# SPDX-License-Identifier: Apache-2.0
"""Measuring on a cluster whose parts come, go, fail and differ: nothing is lost, nothing is stored
twice, and each fault has its sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from clusters import Cluster, cluster
from stored import POINTS

from headwater.bench import run, workers
from headwater.bench.run import Outcome, evaluate_all
from headwater.bench.store import Store
from headwater.bench.workers import cluster_workers
from headwater.emit.verilog import Verilog
from headwater.errors import InputError, ToolError


@pytest.fixture(autouse=True)
def no_verilog(monkeypatch: pytest.MonkeyPatch) -> None:
    """Verilog takes a second each, and these tests do not look at it."""
    monkeypatch.setattr(run, "rtl_identity", lambda _cipher, made: str(made))
    monkeypatch.setattr(
        Store, "rtl", lambda _store, identity: Verilog("core", f"// {identity}", ())
    )


@pytest.fixture
def crew(tmp_path: Path) -> Iterator[Cluster]:
    with cluster(tmp_path) as scheduled:
        yield scheduled


def assert_all_measured_once(found: list[Outcome], store: Store) -> None:
    assert [one.reason for one in found] == [""] * len(found)
    assert len({one.point for one in found}) == len(found)
    assert Counter(one.record["radix"] for one in store.results()) == Counter(
        one.point.architecture.radix for one in found
    )


def test_workers_that_come_late_or_are_killed(crew: Cluster, store: Store) -> None:
    """The only worker is killed after the first outcome; one that came meanwhile does the rest."""
    first = crew.worker(seconds=0.3)
    crew.wait_for_workers(1)
    found: list[Outcome] = []
    with cluster_workers(crew.address) as working:
        assert (working.width, working.travels) == (1, True)
        for outcome in evaluate_all(POINTS, store, working):
            found.append(outcome)
            if len(found) == 1:
                crew.worker()
                crew.wait_for_workers(2)
                first.kill()
    assert_all_measured_once(found, store)
    assert len(found) == len(POINTS)


def test_scheduler_that_is_restarted_goes_on(crew: Cluster, store: Store) -> None:
    crew.worker(seconds=0.3)
    crew.wait_for_workers(1)
    found: list[Outcome] = []
    with cluster_workers(crew.address) as working:
        for outcome in evaluate_all(POINTS, store, working):
            found.append(outcome)
            if len(found) == 1:
                port = crew.address.rpartition(":")[2]
                crew.scheduler.kill()
                crew.scheduler.wait()
                crew.start_scheduler(port)
                crew.worker()
    assert_all_measured_once(found, store)
    assert len(found) == len(POINTS)


def test_scheduler_that_is_gone_is_a_sentence_and_nothing_is_lost(
    crew: Cluster, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_LOST_S", 0.5)
    crew.worker(seconds=0.2)
    crew.wait_for_workers(1)
    found: list[Outcome] = []
    message = "must run until all is measured, and is gone; what was measured is stored"

    def evaluate() -> None:
        with cluster_workers(crew.address) as working:
            for outcome in evaluate_all(POINTS, store, working):
                found.append(outcome)
                crew.scheduler.kill()

    with pytest.raises(ToolError, match=message):
        evaluate()
    assert_all_measured_once(found, store)


def test_fault_at_one_point_on_a_cluster(crew: Cluster, store: Store) -> None:
    crew.worker(also="at.architecture.radix == 2 and [].pop()")
    crew.wait_for_workers(1)
    with cluster_workers(crew.address) as working:
        reasons = {one.point.architecture.radix: one.reason
                   for one in evaluate_all(POINTS, store, working)}  # fmt: skip
    assert reasons.pop(2).startswith("a fault of Headwater itself, which should be reported: "
                                     "IndexError: pop from empty list at stub")  # fmt: skip
    assert reasons == {1: "", 4: "", 8: ""}


def test_cluster_without_workers_is_refused(crew: Cluster) -> None:
    message = rf"^the scheduler {crew.address} must have at least one worker, not none$"
    with pytest.raises(InputError, match=message), cluster_workers(crew.address):
        pass
