# SPDX-License-Identifier: Apache-2.0
"""A Dask cluster in small: a scheduler and workers, real processes on the loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stored import wait_for

STUB = """
import time
from stored import figures
from headwater.measure import work

def evaluate(at, *_):
    time.sleep({seconds})
    {also}
    return figures(at)

work.evaluate = evaluate
"""
"""What a worker reads first: it measures nothing, but takes its time."""


class Cluster:
    """A scheduler at an address of its own, and workers that come when they are asked for."""

    protocol: tuple[str, ...] = ()
    """Words for the scheduler that choose how it speaks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self._file = folder / "scheduler.json"
        self.scheduler = self.start_scheduler("0")

    def start_scheduler(self, port: str) -> subprocess.Popen[bytes]:
        self._file.unlink(missing_ok=True)
        process = self._start(
            "dask_scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            port,
            "--no-dashboard",
            "--scheduler-file",
            str(self._file),
            *self.protocol,
        )
        wait_for(self._file.exists, "the scheduler")
        return process

    @property
    def address(self) -> str:
        return str(json.loads(self._file.read_text())["address"])

    def worker(
        self, seconds: float = 0.0, also: str = "pass", package: Path | None = None
    ) -> subprocess.Popen[bytes]:
        """A worker whose measurements take so long, and do this, too; with the package in another
        folder, if one is given."""
        name = f"stub{len(self._processes)}.py"
        (self.folder / name).write_text(STUB.format(seconds=seconds, also=also))
        return self._start(
            "dask_worker",
            self.address,
            "--nthreads",
            "1",
            "--no-nanny",
            "--no-dashboard",
            "--host",
            "127.0.0.1",
            "--preload",
            name,
            package=package,
        )

    def wait_for_workers(self, number: int) -> None:
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(number, timeout=120)

    def _start(
        self, name: str, *words: str, package: Path | None = None
    ) -> subprocess.Popen[bytes]:
        first = [str(package)] if package else []
        modules = [*first, str(Path(__file__).parent), *sys.path]
        inherited = {
            **os.environ,
            "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error",
            "PYTHONPATH": os.pathsep.join(modules),
        }
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{name}", *words],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=inherited,
        )
        self._processes.append(process)
        return process

    def end(self) -> None:
        for process in reversed(self._processes):
            process.kill()
            process.wait()


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """A cluster that ends with the context."""
    scheduled = Cluster(folder)
    try:
        yield scheduled
    finally:
        scheduled.end()
