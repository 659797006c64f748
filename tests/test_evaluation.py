# SPDX-License-Identifier: Apache-2.0
"""Evaluating many points: workers, and what becomes of the points."""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier, Event, Lock
from typing import Any

import dask
import pytest
from distributed import Client
from distributed.utils import LoopRunner
from stored import ECP5, POINTS, Capture, figures, point, pretend, wait_for

from headwater.cipher.trivium import TRIVIUM
from headwater.cli import progress
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Verilog
from headwater.errors import FaultError, InputError, ToolError
from headwater.flow import doing
from headwater.flow.process import ToolStoppedError, run_tool
from headwater.measure import run, work
from headwater.measure.figures import Figures
from headwater.measure.identity import point_identity, rtl_identity
from headwater.measure.point import DesignPoint
from headwater.measure.reference import FILE
from headwater.measure.run import Outcome, evaluate_all
from headwater.measure.scheduler import connected
from headwater.measure.settings import Settings
from headwater.measure.store import Store
from headwater.measure.work import Measured, Task, measure
from headwater.measure.workers import Workers, local_workers


class Threads(Workers):
    """Workers that are threads of this process, so that what they call can be replaced."""

    width = 0
    travels = False
    death = (BrokenExecutor,)

    def __init__(self, width: int) -> None:
        self.width = width
        self._pool = ThreadPoolExecutor(width)

    def submit(self, call: Callable[..., Any], *arguments: Any) -> Future[Any]:
        return self._pool.submit(call, *arguments)


@pytest.fixture(autouse=True)
def no_verilog(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Verilog takes a second each, and these tests do not look at it."""
    if "real" not in request.keywords:
        monkeypatch.setattr(
            run, "write_rtl", lambda _cipher, made: Verilog("core", f"// {made}", ())
        )


def outcomes(
    points: Sequence[DesignPoint], store: Store, width: int = 1, **named: Any
) -> list[Outcome]:
    return list(evaluate_all(points, store, Threads(width), **named))


# Many points


def test_failure_stops_no_other_point_and_is_stored(
    monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    def evaluate(at: DesignPoint) -> Figures:
        if at.architecture.radix == 2:
            raise ToolError("tool failed")
        return figures(at, lut=at.architecture.radix)

    pretend(monkeypatch, evaluate)
    found = {one.point.architecture.radix: one for one in outcomes(POINTS, store)}
    assert sorted(found) == [1, 2, 4, 8]
    assert (found[2].record, found[2].reason) == (None, "tool failed")
    for radix in (1, 4, 8):
        record = found[radix].record
        assert (record and record["lut"], found[radix].reason) == (radix, "")
    (failure,) = store.failures()
    assert (failure.point, failure.reason) == (str(POINTS[1]), "tool failed")
    assert [one.record["radix"] for one in store.results()] == [1, 4, 8]
    # The next time, only what failed is done, and then it is no failure any more.
    pretend(monkeypatch, figures)
    again = outcomes(POINTS, store)
    assert sorted(one.stored for one in again) == [False, True, True, True]
    assert store.failures() == []


def test_a_worker_that_cannot_go_on_stops_no_other_point(
    monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    """A full disk, say, where no tool fails."""

    def measured(task: Task) -> Measured:
        if task.point.architecture.radix == 2:
            raise ToolError("no space left on device")
        return Measured(json.loads(json.dumps(figures(task.point).as_json())), "", 1.0)

    monkeypatch.setattr(run, "measure", measured)
    reasons = {one.point.architecture.radix: one.reason for one in outcomes(POINTS, store)}
    assert reasons == {1: "", 2: "no space left on device", 4: "", 8: ""}
    (failure,) = store.failures()
    assert failure.reason == reasons[2]


def test_what_is_stored_is_not_measured_again(
    monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    measured: list[DesignPoint] = []

    def evaluate(at: DesignPoint) -> Figures:
        measured.append(at)
        return figures(at)

    pretend(monkeypatch, evaluate)
    first = {one.point: one.record for one in outcomes(POINTS, store)}
    again = outcomes(POINTS, store)
    assert len(measured) == len(POINTS)
    assert {one.point: one.record for one in again} == first
    assert all(one.stored for one in again)
    outcomes(POINTS[:1], store, again=True)
    assert measured[-1] is POINTS[0]


@pytest.mark.parametrize(
    "change",
    ["verilog", "tools", "settings", "target", "sources"],
)
def test_nothing_stale_is_shown(monkeypatch: pytest.MonkeyPatch, store: Store, change: str) -> None:
    """Whatever figures depend on, they are measured anew when it has changed."""
    pretend(monkeypatch, figures)
    at = POINTS[0]
    assert not outcomes([at], store)[0].stored
    if change == "verilog":
        monkeypatch.setattr(run, "write_rtl", lambda *_: Verilog("core", "other", ()))
        monkeypatch.setattr(run, "rtl_identity", lambda *_: "other")
    elif change == "tools":
        monkeypatch.setattr(type(ECP5), "tools", lambda _self: {"yosys": "0.71"})
    elif change == "target":
        monkeypatch.setattr(type(ECP5), "identity", lambda _self: {"name": "ecp5-25k", "speed": 8})
    elif change == "settings":
        at = point(1, Settings(2))
    else:
        monkeypatch.setattr("headwater.measure.identity._sources", lambda *_: "edited")
    assert not outcomes([at], store)[0].stored


def test_comments_make_no_other_circuit(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    pretend(monkeypatch, figures)
    assert not outcomes([POINTS[0]], store)[0].stored
    same = run.write_rtl

    def told(*given: Any) -> Verilog:
        verilog = same(*given)
        return Verilog(verilog.name, f"// other words\n{verilog.text}", verilog.ports)

    monkeypatch.setattr(run, "write_rtl", told)
    monkeypatch.setattr(run, "rtl_identity", lambda *_: "other")
    assert outcomes([POINTS[0]], store)[0].stored


def test_jobs_run_side_by_side(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    meeting = Barrier(2)

    def evaluate(at: DesignPoint) -> Figures:
        meeting.wait(timeout=30)
        return figures(at)

    pretend(monkeypatch, evaluate)
    assert all(one.record for one in outcomes(POINTS, store, 2))


@pytest.mark.parametrize("jobs", [1, 3])
def test_no_more_jobs_than_allowed(
    monkeypatch: pytest.MonkeyPatch, store: Store, jobs: int
) -> None:
    lock, busy, most, pause = Lock(), 0, 0, Event()

    def evaluate(at: DesignPoint) -> Figures:
        nonlocal busy, most
        with lock:
            busy += 1
            most = max(most, busy)
        pause.wait(0.02)
        with lock:
            busy -= 1
        return figures(at)

    pretend(monkeypatch, evaluate)
    assert len(outcomes(POINTS, store, jobs)) == 4
    assert most <= jobs


def test_outcomes_come_as_they_are_finished(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    second_is_there = Event()

    def evaluate(at: DesignPoint) -> Figures:
        if at.architecture.radix == 1:
            assert second_is_there.wait(timeout=30)
        return figures(at)

    pretend(monkeypatch, evaluate)
    radices = []
    for outcome in evaluate_all(POINTS[:2], store, Threads(2)):
        radices.append(outcome.point.architecture.radix)
        second_is_there.set()
    assert radices == [2, 1]


@pytest.mark.parametrize(("width", "begun"), [(1, [8, 2, 4, 1]), (2, [8, 4, 2, 1])])
def test_several_workers_begin_with_the_longest_work(
    monkeypatch: pytest.MonkeyPatch, store: Store, width: int, begun: list[int]
) -> None:
    pretend(monkeypatch, figures)
    outcomes(POINTS[::2] + POINTS[1::2], store)
    order: list[int] = []

    class Watched(Threads):
        def submit(self, call: Callable[..., Any], *arguments: Any) -> Future[Any]:
            order.append(arguments[0].point.architecture.radix)
            return super().submit(call, *arguments)

    list(evaluate_all(POINTS[::2] + POINTS[1::2], store, Watched(width), again=True))
    assert order == begun


def test_what_is_finished_is_stored_before_it_is_told(
    monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    pretend(monkeypatch, figures)
    with closing(evaluate_all(POINTS, store, Threads(1))) as told:
        first = next(told)
    assert [one.record for one in store.results()] == [first.record]


def test_whatever_a_point_raises_is_its_failure(
    monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    """An exception that nobody foresaw in the circuit of one point, at the figures of another, when
    a third is looked up, and when a fourth is handed to a worker."""
    verilog, identity, task = run.write_rtl, run.point_identity, Task.of

    def raising(faulty: int, call: Callable[..., Any]) -> Callable[..., Any]:
        def called(*given: Any, **named: Any) -> Any:
            radix = next(
                one.radix if isinstance(one, Architecture) else one.architecture.radix
                for one in given
                if isinstance(one, Architecture | DesignPoint)
            )
            return [][radix] if radix == faulty else call(*given, **named)

        return called

    monkeypatch.setattr(run, "write_rtl", raising(1, verilog))
    pretend(monkeypatch, raising(2, figures))
    monkeypatch.setattr(run, "point_identity", raising(4, identity))
    monkeypatch.setattr(Task, "of", raising(8, task))
    points = [*POINTS, point(16)]
    found = {one.point.architecture.radix: one for one in outcomes(points, store)}
    assert found.pop(16).record
    fault = "a fault of Headwater itself, which should be reported: IndexError: list index out of"
    assert {radix: one.reason[: len(fault)] for radix, one in found.items()} == dict.fromkeys(
        (1, 2, 4, 8), fault
    )
    assert sorted(one.point for one in store.failures()) == sorted(map(str, POINTS))
    # Whatever failed is forgotten once the point is measured.
    monkeypatch.undo()
    monkeypatch.setattr(run, "write_rtl", lambda _cipher, made: Verilog("core", f"// {made}", ()))
    pretend(monkeypatch, figures)
    assert all(one.record for one in outcomes(points, store))
    assert store.failures() == []


def garbage_and_a_fault(folder: str) -> None:
    run_tool(["sh", "-c", "seq 100; echo garbage"], cwd=Path(folder))
    [].pop()


def test_fault_is_told_with_the_log_of_the_last_tool(tmp_path: Path) -> None:
    with local_workers(1) as workers:
        error = workers.submit(garbage_and_a_fault, str(tmp_path)).exception(timeout=60)
        lines = str(error).splitlines()
        assert lines[0].startswith(
            "a fault of Headwater itself, which should be reported: "
            "IndexError: pop from empty list at test_evaluation.py, line"
        )
        assert lines[1] == "sh, which ran last, printed:"
        assert lines[2:] == [*map(str, range(90, 101)), "garbage"]
        assert isinstance(error, FaultError)
        # The log is of that work alone.
        error = workers.submit(divmod, 1, 0).exception(timeout=60)
        assert "which ran last" not in str(error)


def test_dead_worker_is_given_one_more_chance(
    monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    deaths = {1: 1, 2: 2}

    def dying(task: Task) -> Measured:
        radix = task.point.architecture.radix
        if deaths.get(radix):
            deaths[radix] -= 1
            raise BrokenExecutor("gone")
        return Measured(figures(task.point).as_json(), "", 1.0)

    monkeypatch.setattr(run, "measure", dying)
    workers = Threads(1)
    found = {one.point.architecture.radix: one for one in evaluate_all(POINTS, store, workers)}
    assert found[1].record
    assert found[2].reason == "the worker that measured it died, twice"
    assert [failure.point for failure in store.failures()] == [str(POINTS[1])]


def test_tool_that_crashes_is_run_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[str] = []

    def evaluate(at: DesignPoint) -> Figures:
        tries.append("")
        if len(tries) == 1:
            raise ToolStoppedError("nextpnr took longer than 5 s and was stopped")
        return figures(at)

    pretend(monkeypatch, evaluate)
    task = Task.of(POINTS[0], Verilog("core", "", ()), 60.0)
    assert measure(task).record
    tries[:] = ["", ""]

    def hanging(_at: DesignPoint) -> Figures:
        tries.append("")
        raise ToolStoppedError("nextpnr took longer than 5 s and was stopped")

    pretend(monkeypatch, hanging)
    found = measure(task)
    assert (found.record, found.reason) == (None, "nextpnr took longer than 5 s and was stopped")
    assert len(tries) == 4


@pytest.mark.parametrize("what", ["tools", "generator"])
def test_worker_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    pretend(monkeypatch, figures)
    task = Task.of(POINTS[0], Verilog("core", "", ()), 60.0)
    if what == "tools":
        monkeypatch.setattr(type(ECP5), "tools", lambda _self: {"yosys": "0.1"})
    else:
        monkeypatch.setattr(work, "__version__", "0.0.0")
    assert measure(task).reason.startswith("every worker must have ")


# Real workers


def die(_number: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_local_workers_are_processes_and_are_replaced() -> None:
    with local_workers(2) as workers:
        assert workers.submit(os.getpid).result(timeout=60) != os.getpid()
        with pytest.raises(workers.death):
            workers.submit(die, 1).result(timeout=60)
        assert workers.submit(pow, 2, 5).result(timeout=60) == 32


def sleeping(folder: str) -> None:
    from headwater.flow.process import run_tool

    doing.begin("a nap")
    doing.step("asleep")
    run_tool(["sh", "-c", "echo $$ > tool; sleep 600"], cwd=Path(folder))


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


def test_local_workers_say_what_they_do_and_leaving_stops_their_tools(tmp_path: Path) -> None:
    with local_workers(1) as workers:
        workers.submit(sleeping, str(tmp_path))
        wait_for(
            lambda: (tmp_path / "tool").exists() and bool((tmp_path / "tool").read_text()),
            "the tool",
        )
        assert workers.doing == ["a nap: asleep"]
    assert workers.doing == []
    wait_for(lambda: not alive(int((tmp_path / "tool").read_text())), "the tool's end")


def killed_with_a_tool(folder: str) -> None:
    with local_workers(1) as workers:
        workers.submit(sleeping, folder)
        time.sleep(600)


def test_workers_and_their_tools_do_not_outlive_a_killed_caller(tmp_path: Path) -> None:
    caller = multiprocessing.get_context("spawn").Process(
        target=killed_with_a_tool, args=(str(tmp_path),)
    )
    caller.start()
    wait_for(
        lambda: (tmp_path / "tool").exists() and bool((tmp_path / "tool").read_text()), "the tool"
    )
    caller.kill()
    caller.join()
    wait_for(lambda: not alive(int((tmp_path / "tool").read_text())), "the tool's end")


def test_no_worker_and_no_scheduler_are_refused() -> None:
    with pytest.raises(InputError, match=r"^jobs must be at least 1, not 0$"), local_workers(0):
        pass


# Identity


def test_identity_tells_what_figures_depend_on_and_nothing_else() -> None:
    one, other = point(1), point(8)
    assert point_identity(one, "a") == point_identity(point(1), "a")
    assert point_identity(one, "a") != point_identity(one, "b")
    assert point_identity(one, "a") != point_identity(other, "a")
    assert rtl_identity(TRIVIUM, one.architecture) != rtl_identity(TRIVIUM, other.architecture)


# With the tools themselves


def test_wrong_scheduler(capsys: Capture) -> None:
    assert main(["evaluate", "trivium", "--scheduler", "tcp://127.0.0.1:1"]) == 2
    assert "scheduler must be the address of a running Dask scheduler" in capsys.readouterr().err


def test_a_client_that_is_refused_leaves_nothing_to_the_garbage_collector() -> None:
    """Which would close it at any moment, even where its thread holds the lock that this needs."""
    with dask.config.set({"distributed.comm.require-encryption": True}):
        with pytest.raises(InputError, match="scheduler must be") as kept:
            connected("tcp://127.0.0.1:1")
        left = [one for one in gc.get_objects() if isinstance(one, Client)]
    assert {one.status for one in left} <= {"closed"}
    ended = threading.Event()

    def collect() -> None:
        with LoopRunner._lock:
            gc.collect()
        ended.set()

    del left, kept
    threading.Thread(target=collect, daemon=True).start()
    assert ended.wait(60)


def test_what_is_stored_is_shown_without_measuring(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "evaluate_all", None)
    words = ["evaluate", "trivium", "--target", "ecp5-25k", "--stored", "--json"]
    monkeypatch.setenv("HEADWATER_STORE", str(tmp_path / "none.sqlite"))
    words += ["--seeds"]
    monkeypatch.setenv("HEADWATER_REFERENCE", str(FILE))
    assert main([*words, "5"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert (record["cipher"], record["reference"]) == ("trivium", True)
    assert main([*words, "7"]) == 2
    told = capsys.readouterr()
    assert json.loads(told.out) == []
    assert "7 seeds is not stored" in told.err
