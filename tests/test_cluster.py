# SPDX-License-Identifier: Apache-2.0
"""Measuring on a cluster whose parts come, go, fail and differ: nothing is lost, nothing is stored
twice, and each fault has its sentence."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from clusters import Cluster, cluster
from small_library import write_library
from stored import POINTS, wait_for

from headwater.cipher import outside
from headwater.emit.verilog import Verilog
from headwater.errors import InputError, ToolError
from headwater.measure import run, workers
from headwater.measure.calls import LargeFile, OtherSourcesError, carry_out, packed
from headwater.measure.run import Outcome, evaluate_all
from headwater.measure.store import Store, read_store
from headwater.measure.target import from_liberty
from headwater.measure.workers import cluster_workers
from headwater.sources import PACKAGE


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
        reasons = {
            one.point.architecture.radix: one.reason for one in evaluate_all(POINTS, store, working)
        }
    assert reasons.pop(2).startswith(
        "a fault of Headwater itself, which should be reported: "
        "IndexError: pop from empty list at stub"
    )
    assert reasons == {1: "", 4: "", 8: ""}


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a package of the same version, one source of which was edited."""
    folder = tmp_path_factory.mktemp("edited")
    ignored = shutil.ignore_patterns("*.jsonl", "__pycache__")
    shutil.copytree(PACKAGE, folder / "headwater", ignore=ignored)
    with (folder / "headwater" / "flow" / "liberty.py").open("a") as file:
        file.write("# edited\n")
    return folder


def test_worker_with_other_sources_is_not_used(crew: Cluster, store: Store, edited: Path) -> None:
    """It would be the quicker one."""
    crew.worker(package=edited)
    crew.worker(seconds=0.3)
    crew.wait_for_workers(2)
    with cluster_workers(crew.address) as working:
        assert working.width == 2
        found = list(evaluate_all(POINTS, store, working))
        assert working.width == 1
        (sentence,) = working.refused
    assert sentence == (
        "every worker must have the same sources of Headwater as the command, and the one on "
        f"{socket.gethostname()} has others"
    )
    assert_all_measured_once(found, store)
    assert len(found) == len(POINTS)


def test_cluster_of_other_sources_alone_is_a_sentence(
    crew: Cluster, store: Store, edited: Path
) -> None:
    crew.worker(package=edited)
    crew.wait_for_workers(1)
    with (
        cluster_workers(crew.address) as working,
        pytest.raises(ToolError, match=r"^every worker must have the same sources of Headwater"),
    ):
        list(evaluate_all(POINTS, store, working))
    assert store.results() == []
    assert store.failures() == []


def test_cipher_from_outside_must_be_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of an installed package, which does not travel."""
    monkeypatch.setitem(outside._origins, "trivium", Path("elsewhere.py"))
    call = packed(pow, (2, 5), travels=True)
    assert carry_out(call) == 32
    monkeypatch.delitem(outside._origins, "trivium")
    with pytest.raises(OtherSourcesError, match="must have the same sources of trivium as"):
        carry_out(call)


def test_library_travels_once(
    crew: Cluster, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two workers measure on a library that only the client has a path to; what they read is
    written where their temporary files are, and is the same."""
    library = write_library(tmp_path)
    library.write_text(library.read_text() + 1_000_000 * " ")
    points = [replace(one, target=from_liberty(library)) for one in POINTS]
    sent: list[int] = []
    content, send = LargeFile.content, workers.packed

    def once(file: LargeFile) -> bytes:
        sent.append(1)
        return content(file)

    def small(*call: Any, **named: Any) -> bytes:
        task = send(*call, **named)
        assert len(task) < 100_000
        return task

    monkeypatch.setattr(LargeFile, "content", once)
    monkeypatch.setattr(workers, "packed", small)
    read = "at.target.source.read_text()"
    for _ in range(2):
        crew.worker(
            seconds=0.1,
            also=f"assert len({read}) > 1_000_000 and 'tiny.lib' in "
            "at.target.source.name and 'headwater-libraries' in str(at.target.source)",
        )
    crew.wait_for_workers(2)
    with cluster_workers(crew.address) as working:
        found = list(evaluate_all(points, store, working))
    assert_all_measured_once(found, store)
    assert sent == [1]


def test_worker_with_a_full_disk(crew: Cluster, store: Store) -> None:
    crew.worker(also="if at.architecture.radix == 4: raise OSError(28, 'No space left on device')")
    crew.wait_for_workers(1)
    with cluster_workers(crew.address) as working:
        reasons = {
            one.point.architecture.radix: one.reason for one in evaluate_all(POINTS, store, working)
        }
    full = "the output, or a temporary file, cannot be used: No space left on device"
    assert reasons == {1: "", 2: "", 4: full, 8: ""}


def test_client_that_is_killed_goes_on(crew: Cluster, tmp_path: Path) -> None:
    crew.worker(seconds=0.5)
    crew.wait_for_workers(1)
    path = tmp_path / "store"
    words = [
        sys.executable,
        "-m",
        "headwater",
        "evaluate",
        "a51",
        "--radix",
        "1,2,4",
        "--store",
        str(path),
        "--scheduler",
        crew.address,
        "--json",
    ]
    environment = {**os.environ, "HEADWATER_REFERENCE": "none"}

    def stored() -> int:
        with suppress(InputError), read_store(path) as store:
            return len(store.results())
        return 0

    with subprocess.Popen(words, stdout=subprocess.DEVNULL, env=environment) as client:
        wait_for(lambda: stored() >= 1, "the first point")
        client.kill()
    before = stored()
    assert before < 3
    printed = subprocess.run(words, capture_output=True, text=True, env=environment, check=True)
    assert f"{before} design point(s) were measured before" in printed.stderr
    assert len(json.loads(printed.stdout)) == stored() == 3


def test_cluster_without_workers_is_refused(crew: Cluster) -> None:
    message = rf"^the scheduler {crew.address} must have at least one worker, not none$"
    with pytest.raises(InputError, match=message), cluster_workers(crew.address):
        pass
