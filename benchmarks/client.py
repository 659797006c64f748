# SPDX-License-Identifier: Apache-2.0
"""What a sweep costs the process that directs it: processor time for each point, by their number.

Workers measure nothing here and are done at once, so that all the time is the client's: identities,
the queue, the store. It must not grow with the number of points; the exit status is 1 if the time
of a point differs by more than a factor of 1.3.

    python benchmarks/client.py [--points 1000,10000,100000]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from itertools import islice, product
from pathlib import Path
from time import process_time
from typing import Any

from headwater.cipher.trivium import TRIVIUM
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Verilog
from headwater.measure.figures import Figures, Frequency
from headwater.measure.point import DesignPoint
from headwater.measure.run import evaluate_all
from headwater.measure.settings import Settings
from headwater.measure.store import open_store
from headwater.measure.target import TARGETS
from headwater.measure.work import Measured, Task
from headwater.measure.workers import Workers

MOST = 1.3
"""How much more a point may take among many."""
WIDTH = 64
SEEDS = range(1, 1001)
RADICES = range(1, 129)


class Stub(Workers):
    """Workers that are done at once."""

    width, travels, death = WIDTH, False, (BrokenExecutor,)

    def submit(self, _call: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """A future that is done."""
        future: Future[Any] = Future()
        (task, *_) = arguments
        future.set_result(
            _measured(task) if isinstance(task, Task) else Verilog("core", f"// {arguments[1]}", ())
        )
        return future


def _measured(task: Task) -> Measured:
    figures = Figures(
        task.point, "hash", {"tool": "1.0"}, Frequency.over([100.0]), ("a", "b"), lut=10, ff=7
    )
    return Measured(figures.as_json(), "", 1.0)


def points(number: int) -> list[DesignPoint]:
    """So many points, of as many cores as there are radices."""
    target = TARGETS["ecp5-25k"]
    made = [Architecture.choose(TRIVIUM, radix=radix) for radix in RADICES]
    return [
        DesignPoint(TRIVIUM, one, target, Settings(seeds))
        for seeds, one in islice(product(SEEDS, made), number)
    ]


def seconds_per_point(number: int) -> float:
    """Processor time of a sweep, divided by its points."""
    swept = points(number)
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "store") as store:
        start = process_time()
        assert sum(bool(one.record) for one in evaluate_all(swept, store, Stub())) == number
        return (process_time() - start) / number


def main() -> int:
    """Print a line for each number; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--points", default="1000,10000,100000", metavar="N[,N..]")
    numbers = [int(word) for word in parser.parse_args().points.split(",")]
    seconds_per_point(100)  # Imports, and the hashes of sources.
    times = []
    for number in numbers:
        times.append(seconds_per_point(number))
        print(f"{number:8} points {times[-1] * 1e6:8.0f} us each", flush=True)
    ratio = max(times) / min(times)
    print(f"they differ by a factor of {ratio:.2f}, and may by {MOST}")
    return 1 if ratio > MOST else 0


if __name__ == "__main__":
    sys.exit(main())
