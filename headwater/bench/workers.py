# SPDX-License-Identifier: Apache-2.0
"""Who works: processes of this machine, or a Dask cluster.

Both are executors of the standard library's kind. A worker that dies costs what it was doing, and
that is done once more.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait
from multiprocessing.synchronize import Event
from typing import Any

from headwater.cipher import outside
from headwater.errors import InputError, ToolError
from headwater.flow.process import stop_all

_LOOK_EVERY_S = 0.2
_CONNECT_S = 10
_DASK = "pip install 'headwater[distributed]'"


class Workers:
    """Somebody to submit calls to.

    Members
    -------
    width
        How many calls are carried out at the same time.
    travels
        Whether workers may be on other machines, without the files of this one.
    death
        What a call ends with whose worker died.
    """

    width: int
    travels: bool
    death: tuple[type[BaseException], ...]

    def submit(self, call: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have a call carried out."""
        raise NotImplementedError

    def replace_dead(self) -> None:
        """Make the workers whole again after one of them has died."""
        raise NotImplementedError


class LocalWorkers(Workers):
    """Processes of this machine, which end when this one does, whatever ends it."""

    travels = False
    death = (BrokenExecutor,)

    def __init__(self, width: int) -> None:
        self.width = width
        # Not forked from here, where threads may run; each begins with the imports done.
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["headwater.bench.work"])
        self._stop = self._context.Event()
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self.width, self._context, initializer=_begin, initargs=(self._stop, outside.files())
        )

    def submit(self, call: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have a call carried out in one of the processes."""
        try:
            return self._pool.submit(call, *arguments)
        except BrokenExecutor:
            self.replace_dead()
            return self._pool.submit(call, *arguments)

    def replace_dead(self) -> None:
        """Begin with new processes."""
        self._pool.shutdown(wait=False)
        self._pool = self._new_pool()

    def close(self) -> None:
        """Stop the tools that run, drop what has not begun, and wait for the processes' end."""
        self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)


def _begin(stop: Event, ciphers: Sequence[outside.CipherFile]) -> None:
    """Prepare a process: interruption is its parent's business, and it must not outlive it.

    It has the same ciphers from outside: tasks name functions of their files.
    """
    _add_ciphers(ciphers)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_watch, args=(stop,), daemon=True).start()


def _add_ciphers(ciphers: Sequence[outside.CipherFile]) -> None:
    outside.add_installed()
    for file in ciphers:
        outside.add_source(file)


def _with_ciphers(ciphers: Sequence[outside.CipherFile], pickled: bytes) -> Any:
    """Carry out a call on another machine, which gets the files that its ciphers are in first."""
    _add_ciphers(ciphers)
    call, arguments = pickle.loads(pickled)
    return call(*arguments)


def _watch(stop: Event) -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    while not stop.is_set():
        if wait([parent.sentinel], timeout=_LOOK_EVERY_S):
            stop_all(for_good=True)
            os._exit(1)
    stop_all(for_good=True)


class ClusterWorkers(Workers):
    """The workers of a Dask scheduler."""

    travels = True

    def __init__(self, executor: Executor, width: int, death: type[BaseException]) -> None:
        self._executor = executor
        self.width = width
        self.death = (death,)

    def submit(self, call: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have a call carried out somewhere."""
        if not outside.files():
            return self._executor.submit(call, *arguments)
        pickled = pickle.dumps((call, arguments))
        return self._executor.submit(_with_ciphers, outside.files(), pickled)

    def replace_dead(self) -> None:
        """The scheduler has done that already."""


@contextmanager
def local_workers(width: int) -> Iterator[Workers]:
    """So many processes of this machine.

    Raises
    ------
    InputError
        If there are none.
    """
    if width < 1:
        raise InputError(f"jobs must be at least 1, not {width}")
    workers = LocalWorkers(width)
    try:
        yield workers
    finally:
        workers.close()


@contextmanager
def cluster_workers(address: str) -> Iterator[Workers]:
    """The workers of the Dask scheduler at an address (tcp://HOST:PORT).

    Raises
    ------
    InputError
        If nothing answers there, or no worker is there.
    ToolError
        If Dask is not installed.
    """
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise ToolError(f"distributed is not installed; install it with: {_DASK}") from error
    try:
        client = Client(address, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(
            f"scheduler must be the address of a running Dask scheduler, not {address!r}"
        ) from error
    with client:
        width = sum(client.nthreads().values())
        if not width:
            raise InputError(f"the scheduler {address} must have at least one worker, not none")
        executor = client.get_executor(pure=False)
        try:
            yield ClusterWorkers(executor, width, KilledWorker)
        finally:
            executor.shutdown(wait=False)
