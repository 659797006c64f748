# SPDX-License-Identifier: Apache-2.0
"""Workers: processes of this machine, or a Dask cluster.

Both have the interface of executors in the standard library. If a worker dies, its call is made
once more.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from abc import ABC, abstractmethod
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


class Workers(ABC):
    """Workers that carry out submitted calls."""

    width: int
    """Number of calls that are carried out at the same time."""
    travels: bool
    """Whether workers may be on other machines, without access to the files of this machine."""
    death: tuple[type[BaseException], ...]
    """The exceptions of a call whose worker died."""

    @abstractmethod
    def submit(self, call: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Submit a call; its future."""

    @abstractmethod
    def replace_dead(self) -> None:
        """Replace workers that have died."""


class LocalWorkers(Workers):
    """Processes of this machine. They end when this process ends, even if it is killed."""

    travels = False
    death = (BrokenExecutor,)

    def __init__(self, width: int) -> None:
        self.width = width
        # Not forked from this process, in which threads may run, but from a server that has made
        # the imports.
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
        """Start new processes."""
        self._pool.shutdown(wait=False)
        self._pool = self._new_pool()

    def close(self) -> None:
        """Stop running tools, cancel calls that have not begun, and wait until the processes
        end."""
        self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)


def _begin(stop: Event, ciphers: Sequence[outside.CipherFile]) -> None:
    """Prepare a process: it ignores interrupts, which its parent handles, and ends when its parent
    ends.

    It also gets the ciphers from outside, because tasks refer to functions in their files.
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
    """Add the ciphers from outside on another machine, then carry out a call."""
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
        """Submit a call to the scheduler; its future."""
        if not outside.files():
            return self._executor.submit(call, *arguments)
        pickled = pickle.dumps((call, arguments))
        return self._executor.submit(_with_ciphers, outside.files(), pickled)

    def replace_dead(self) -> None:
        """Do nothing: the scheduler replaces workers."""


@contextmanager
def local_workers(width: int) -> Iterator[Workers]:
    """Workers that are ``width`` processes of this machine."""
    if width < 1:
        raise InputError(f"jobs must be at least 1, not {width}")
    workers = LocalWorkers(width)
    try:
        yield workers
    finally:
        workers.close()


@contextmanager
def cluster_workers(address: str) -> Iterator[Workers]:
    """The workers of the Dask scheduler at an address (tcp://HOST:PORT)."""
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
