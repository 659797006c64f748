# SPDX-License-Identifier: Apache-2.0
"""Workers: processes of this machine, or a Dask cluster.

Both have the interface of executors in the standard library. If a worker dies, its call is made
once more.
"""

from __future__ import annotations

import logging
import os
import pickle
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
)
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from headwater import interrupts
from headwater.errors import InputError, ToolError
from headwater.measure.calls import LargeFile, OtherSourcesError, carry_out, packed
from headwater.measure.scheduler import close, connected

if TYPE_CHECKING:
    from distributed import Client

_PATIENCE_S = 2.0
"""How long a local worker may take to stop its tools."""
_POLL_S = 0.005
_ASK_S = 1.0
"""How often a scheduler is asked how many workers it has."""
_ALERT_S = 0.2
_LOST_S = 30.0
"""How long a scheduler may be away."""


class Workers(ABC):
    """Workers that carry out submitted calls."""

    travels: bool
    """Whether workers may be on other machines, without access to the files of this machine."""
    death: tuple[type[BaseException], ...]
    """The exceptions of a call whose worker died."""

    @property
    @abstractmethod
    def width(self) -> int:
        """Number of calls that can be carried out at the same time, at this moment."""

    @abstractmethod
    def submit(self, call: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Submit a call; its future."""

    def check(self) -> None:  # noqa: B027
        """Raise a ToolError if the workers are lost, all of them and for good."""

    def refuse(self, error: OtherSourcesError) -> None:
        """Use a worker no more that has other sources."""
        raise error

    @property
    def refused(self) -> list[str]:
        """Why workers are not used, a sentence for each."""
        return []

    @property
    def doing(self) -> list[str]:
        """What the workers do at the moment, as far as that is known."""
        return []


class _Process:
    """The process of a local worker: `headwater.measure.worker`."""

    def __init__(self) -> None:
        self.doing = ""
        modules = os.pathsep.join(folder or str(Path.cwd()) for folder in sys.path)
        # In a session of its own: what a terminal sends is for the caller to handle.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "headwater.measure.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": modules},
        )

    def result(self, call: bytes) -> Any:
        """The result of a call; its exception is raised, and BrokenExecutor if the process dies."""
        calls, results = self._process.stdin, self._process.stdout
        assert calls
        assert results
        try:
            pickle.dump(call, calls)
            calls.flush()
            while isinstance(outcome := pickle.load(results), str):
                self.doing = outcome
        except (EOFError, OSError, ValueError, pickle.UnpicklingError) as error:
            self.wait()
            raise BrokenExecutor("a worker died") from error
        finally:
            self.doing = ""
        succeeded, result = pickle.loads(outcome)
        if succeeded:
            return result
        raise result

    def terminate(self) -> None:
        """Have the process stop its tools and end."""
        self._process.terminate()

    def wait(self) -> None:
        """Wait for its end, which comes soon in any case."""
        if not self._ends():
            self._process.kill()
            self._ends()

    def _ends(self) -> bool:
        """Whether it ends soon. This takes no lock: a signal may have come while one was held."""
        until = monotonic() + _PATIENCE_S
        while self._process.poll() is None and monotonic() < until:
            sleep(_POLL_S)
        return self._process.returncode is not None

    def close(self) -> None:
        """Close its pipes, which no thread uses any more."""
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe
            with suppress(BrokenPipeError):
                pipe.close()


class LocalWorkers(Workers):
    """Processes of this machine. They end when this process ends, even if it is killed."""

    travels = False
    death = (BrokenExecutor,)

    def __init__(self, width: int) -> None:
        self._width = width
        self._threads = ThreadPoolExecutor(width)
        self._mine = threading.local()
        self._processes: list[_Process] = []
        self._starting = threading.RLock()
        self._ended = False
        _every.add(self)

    @property
    def width(self) -> int:
        """Number of processes."""
        return self._width

    def submit(self, call: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have a call carried out in one of the processes."""
        return self._threads.submit(self._carry_out, packed(call, arguments))

    @property
    def doing(self) -> list[str]:
        """What each busy process does."""
        return [process.doing for process in list(self._processes) if process.doing]

    def _carry_out(self, call: bytes) -> Any:
        """Carry out a call in the process of this thread; in a new one if the last one died."""
        process = getattr(self._mine, "process", None) or self._new_process()
        self._mine.process = process
        try:
            return process.result(call)
        except BrokenExecutor:
            self._mine.process = None
            raise

    def _new_process(self) -> _Process:
        with self._starting:
            if self._ended:
                raise BrokenExecutor("the workers have ended")
            process = _Process()
            self._processes.append(process)
        return process

    def end(self) -> None:
        """End the processes with their tools; the calls in them fail."""
        with self._starting:
            self._ended = True
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.wait()

    def close(self) -> None:
        """Cancel calls that have not begun, and end the processes with their tools."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self.end()
        self._threads.shutdown(wait=True)
        for process in self._processes:
            process.close()


_every: WeakSet[LocalWorkers] = WeakSet()


def _end_all() -> None:
    for workers in list(_every):
        workers.end()


interrupts.at_end.append(_end_all)


class ClusterWorkers(Workers):
    """The workers of a Dask scheduler, as many as it has at the moment: some come late, some
    leave. A scheduler that comes back soon at its address is used again."""

    travels = True

    def __init__(self, client: Client, executor: Executor, death: type[BaseException]) -> None:
        self._client, self._executor = client, executor
        # Calls are cancelled by the loss of the scheduler.
        self.death = (death, CancelledError)
        self._threads: dict[str, int] = {}
        self._asked = -_ASK_S
        self._refused: dict[str, str] = {}
        self._sent: dict[tuple[LargeFile, int], Any] = {}

    @property
    def width(self) -> int:
        """Number of threads of all workers that are used, which is asked for now and then.

        A ToolError is raised if there are workers and none can be used."""
        if monotonic() - self._asked >= _ASK_S:
            with suppress(OSError, TimeoutError):
                self._threads = dict(self._client.nthreads())
            self._asked = monotonic()
            if self._threads and not self._used:
                raise ToolError(next(iter(self._refused.values())))
        return sum(self._threads[address] for address in self._used)

    @property
    def _used(self) -> list[str]:
        return [address for address in self._threads if address not in self._refused]

    def refuse(self, error: OtherSourcesError) -> None:
        """Use a worker no more that has other sources."""
        if not error.worker:
            raise error
        self._refused[error.worker] = str(error)
        self._asked = -_ASK_S

    @property
    def refused(self) -> list[str]:
        """Why workers are not used, a sentence for each."""
        return list(self._refused.values())

    def check(self) -> None:
        """Wait for the scheduler if it is lost; a ToolError if it does not come back."""
        until = monotonic() + _LOST_S
        while self._client.status != "running":
            if self._client.status not in ("connecting", "newly-created") or monotonic() > until:
                raise ToolError(
                    "the Dask scheduler must run until all is measured, and is gone; what was "
                    "measured is stored, and the same command goes on from there"
                )
            sleep(_ALERT_S)

    @property
    def doing(self) -> list[str]:
        """That nobody is there, if so."""
        return [] if self._threads else ["the scheduler has no worker: waiting for one"]

    def submit(self, call: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Submit a call to the scheduler; its future."""
        contents = [self._content(one) for one in arguments if isinstance(one, LargeFile)]
        # Others are used only if these have left: their refusal comes back.
        chosen = {"workers": self._used, "allow_other_workers": True} if self._refused else {}
        sent = packed(call, arguments, travels=True)
        return self._executor.submit(carry_out, sent, *contents, **chosen)

    def _content(self, file: LargeFile) -> Any:
        """The content of a file as data of the cluster, which each worker asks for once."""
        key = file, file.path.stat().st_mtime_ns
        if key not in self._sent or self._sent[key].status != "finished":
            self._sent[key] = self._client.scatter(file.content(), broadcast=True)
        return self._sent[key]


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


def in_order(
    width: int, call: Callable[..., Any], several: Iterable[Sequence[Any]]
) -> Iterator[Any]:
    """What a call gives for each of several lists of arguments, each as soon as it and those before
    it are there; by ``width`` processes of this machine, or by this one alone."""
    if width == 1:
        yield from (call(*arguments) for arguments in several)
        return
    with local_workers(width) as workers:
        futures = [workers.submit(call, *arguments) for arguments in several]
        try:
            yield from (future.result() for future in futures)
        except workers.death as error:
            raise ToolError("a worker died at its work") from error


@contextmanager
def cluster_workers(address: str) -> Iterator[Workers]:
    """The workers of the Dask scheduler at an address (tcp://HOST:PORT)."""
    client = connected(address)
    from distributed import KilledWorker

    # The sentence of `check` is all that there is to say.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    try:
        executor = client.get_executor(pure=False)
        workers = ClusterWorkers(client, executor, KilledWorker)
        if not workers.width:
            raise InputError(f"the scheduler {address} must have at least one worker, not none")
        yield workers
    finally:
        executor.shutdown(wait=False)
        close(client)
