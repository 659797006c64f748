# SPDX-License-Identifier: Apache-2.0
"""Evaluation of many design points in parallel; stored points are not measured again."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any

from headwater.cipher.description import Cipher
from headwater.cipher.outside import is_from_outside
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Verilog
from headwater.errors import HeadwaterError, of_fault, of_file
from headwater.measure.calls import LargeFile, OtherSourcesError
from headwater.measure.defaults import TIME_LIMIT_S
from headwater.measure.identity import point_identity, rtl_identity
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.measure.store import Failure, Result, Store, now, short_id
from headwater.measure.target import AsicTarget, FpgaTarget
from headwater.measure.work import Measured, Task, measure, write_rtl
from headwater.measure.workers import Workers

_ALERT_S = 0.2
"""How long a wait may last: Python notices a signal only at its end, if the signal comes just
before it, or to another thread. A cluster is looked after as often."""
_TRIES = 2
"""How often a call is made whose worker dies."""
_Core = tuple[Cipher, Architecture]


@dataclass(frozen=True)
class Outcome:
    """The outcome of one design point."""

    point: DesignPoint
    record: Record | None
    """The figures of the point, as ``evaluate --json`` prints them; None if it could not be
    measured."""
    reason: str = ""
    """Why the point could not be measured."""
    seconds: float = 0.0
    """Time that the measurement took, now or when it was stored."""
    stored: bool = False
    """Whether the figures were in the store already."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Content of the files of a layout by name, if they are to be kept."""


@dataclass(frozen=True)
class _Call:
    """A call to a worker: for the Verilog of a core, or, once this is known, for the figures of a
    point."""

    core: _Core
    point: DesignPoint | None = None
    verilog: Verilog | None = None
    identity: str = ""
    tries: int = 1

    @property
    def size(self) -> tuple[int, int]:
        """Sort key that grows with the expected time: radix, then seeds. For Verilog the second
        number is zero."""
        radix = self.core[1].radix
        if self.point is None:
            return radix, 0
        return radix, self.point.settings.seeds if isinstance(self.point.target, FpgaTarget) else 1


class _Queue:
    """The calls that wait: one worker takes them in turn; several take the longest work first, so
    that none is busy alone at the end."""

    def __init__(self, *, longest_first: bool) -> None:
        self._longest_first = longest_first
        self._calls: list[tuple[tuple[int, int], int, _Call]] = []
        self._number = count()

    def __len__(self) -> int:
        return len(self._calls)

    def put(self, call: _Call) -> None:
        """A call waits behind all others, or behind those that take longer."""
        number = next(self._number)
        self._push(call, (0, number), number)

    def put_first(self, call: _Call) -> None:
        """A call waits before all others, or before those that do not take longer."""
        number = -next(self._number)
        self._push(call, (-1, number), number)

    def _push(self, call: _Call, turn: tuple[int, int], number: int) -> None:
        radix, seeds = call.size
        heappush(self._calls, ((-radix, -seeds) if self._longest_first else turn, number, call))

    def next(self) -> _Call:
        """The call whose turn it is, which is taken out."""
        return heappop(self._calls)[-1]


def evaluate_all(
    points: Sequence[DesignPoint],
    store: Store,
    workers: Workers,
    *,
    again: bool = False,
    time_limit_s: float = TIME_LIMIT_S,
    keep: bool = False,
) -> Generator[Outcome, None, None]:
    """Evaluate points, each named once, and yield each as soon as it is known.

    Everything measured is stored before it is yielded. Whatever a point raises is a failure, which
    is stored with its reason and stops no other point; neither does a worker that dies. If the
    workers are lost, all of them, a ToolError is raised. With ``again``, stored points are
    measured as well. ``time_limit_s`` is the longest time that one run of a tool may take. With
    ``keep``, outcomes that are measured now have the files of their layout.
    """
    yield from _Evaluation(points, store, workers, again, time_limit_s, keep).outcomes()


class _Evaluation:
    def __init__(
        self,
        points: Sequence[DesignPoint],
        store: Store,
        workers: Workers,
        again: bool,
        time_limit_s: float,
        keep: bool,
    ) -> None:
        self._store, self._workers = store, workers
        self._again, self._time_limit_s, self._keep = again, time_limit_s, keep
        self._points: dict[_Core, list[DesignPoint]] = {}
        for point in points:
            self._points.setdefault((point.cipher, point.architecture), []).append(point)
        self._waiting = _Queue(longest_first=workers.travels or workers.width > 1)
        self._running: dict[Future[Any], _Call] = {}
        self._done: SimpleQueue[Future[Any]] = SimpleQueue()

    def outcomes(self) -> Generator[Outcome, None, None]:
        for core in self._points:
            try:
                verilog = self._store.rtl(rtl_identity(*core))
            except Exception as error:
                yield from self._refused(core, _reason_of(error))
                continue
            if verilog is None:
                self._waiting.put(_Call(core))
            else:
                yield from self._look_up(core, verilog)
        while self._waiting or self._running:
            self._workers.check()
            self._fill()
            with suppress(Empty):
                future = self._done.get(timeout=_ALERT_S)
                yield from self._finished(self._running.pop(future), future)

    def _look_up(self, core: _Core, verilog: Verilog) -> Generator[Outcome, None, None]:
        """Yield the stored points of a core; the others are put at the front of the queue."""
        for point in self._points[core]:
            try:
                identity = point_identity(point, verilog.circuit_sha256)
                result = None if self._again else self._store.find_point(point, verilog)
            except Exception as error:
                yield self._failed(point, _reason_of(error))
                continue
            if result:
                yield Outcome(point, result.record, seconds=result.seconds, stored=True)
            else:
                self._waiting.put_first(_Call(core, point, verilog, identity))

    def _fill(self) -> None:
        while self._waiting and len(self._running) < self._workers.width:
            call = self._waiting.next()
            future = self._submit(call)
            self._running[future] = call
            future.add_done_callback(self._done.put)

    def _submit(self, call: _Call) -> Future[Any]:
        """The future of a call; where it cannot be submitted, that is its exception."""
        try:
            return self._submitted(call)
        except Exception as error:
            future: Future[Any] = Future()
            future.set_exception(error)
            return future

    def _submitted(self, call: _Call) -> Future[Any]:
        if call.point is None or call.verilog is None:
            return self._workers.submit(write_rtl, *call.core)
        task = Task.of(call.point, call.verilog, self._time_limit_s, keep=self._keep)
        target = call.point.target
        if self._workers.travels and isinstance(target, AsicTarget):
            return self._workers.submit(measure, task, LargeFile(target.library().path))
        return self._workers.submit(measure, task)

    def _finished(self, call: _Call, future: Future[Any]) -> Generator[Outcome, None, None]:
        error = _error_of(future)
        if error is not None:
            self._workers.check()
        if isinstance(error, OtherSourcesError):
            self._workers.refuse(error)
            self._waiting.put_first(call)
            return
        if isinstance(error, self._workers.death):
            yield from self._try_again(call)
            return
        reason = "" if error is None else _reason_of(error)
        if call.point is None:
            yield from self._generated(call, future, reason)
        else:
            failed = Measured(None, reason, 0.0) if error else None
            yield self._measured(call.point, call.identity, failed or future.result())

    def _try_again(self, call: _Call) -> Generator[Outcome, None, None]:
        if call.tries < _TRIES:
            again = _Call(call.core, call.point, call.verilog, call.identity, call.tries + 1)
            self._waiting.put_first(again)
        elif call.point is None:
            yield from self._refused(call.core, "the worker that wrote its Verilog died, twice")
        else:
            died = Measured(None, "the worker that measured it died, twice", 0.0)
            yield self._measured(call.point, call.identity, died)

    def _generated(
        self, call: _Call, future: Future[Any], reason: str
    ) -> Generator[Outcome, None, None]:
        if reason:
            yield from self._refused(call.core, reason)
            return
        verilog: Verilog = future.result()
        self._store.keep_rtl(rtl_identity(*call.core), verilog)
        yield from self._look_up(call.core, verilog)

    def _refused(self, core: _Core, reason: str) -> Generator[Outcome, None, None]:
        yield from (self._failed(point, reason) for point in self._points[core])

    def _failed(self, point: DesignPoint, reason: str) -> Outcome:
        """The outcome of a point whose circuit is not known, or that has no identity."""
        words = str(point)
        identity = hashlib.sha256(words.encode()).hexdigest()
        self._store.fail(Failure(identity, words, reason, 0.0, now()))
        return Outcome(point, None, reason)

    def _measured(self, point: DesignPoint, identity: str, measured: Measured) -> Outcome:
        if measured.record is None:
            failure = Failure(identity, str(point), measured.reason, measured.seconds, now())
            self._store.fail(failure)
            return Outcome(point, None, measured.reason, measured.seconds)
        record = {"id": short_id(identity), **measured.record, **_described(point.cipher)}
        self._store.keep(Result(identity, record, measured.seconds, now()), point=str(point))
        return Outcome(point, record, seconds=measured.seconds, files=measured.files)


def _error_of(future: Future[Any]) -> BaseException | None:
    """The exception of a call; also that it was cancelled, by workers that are lost."""
    try:
        return future.exception()
    except CancelledError as error:
        return error


def _reason_of(error: BaseException) -> str:
    if isinstance(error, OSError):
        return of_file(error)
    return str(error) if isinstance(error, HeadwaterError) else of_fault(error)


def _described(cipher: Cipher) -> Record:
    """What tells a cipher from outside, whose description may change under its name."""
    return {"description": cipher.digest} if is_from_outside(cipher.name) else {}
