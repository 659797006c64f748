# SPDX-License-Identifier: Apache-2.0
"""Evaluating many design points: in parallel, one after another finished, all kept on Ctrl-C."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from dataclasses import dataclass
from time import monotonic

from headwater.bench.asic import evaluate_in_cells
from headwater.bench.fpga import evaluate_on_fpga
from headwater.bench.point import DesignPoint, Figures
from headwater.bench.target import FpgaTarget
from headwater.emit.verilog import generate
from headwater.errors import HeadwaterError
from headwater.flow.process import stop_all

_STOP_TRIES = 20


@dataclass(frozen=True)
class Outcome:
    """What became of one design point: figures, or the error that stopped it."""

    point: DesignPoint
    figures: Figures | None
    error: HeadwaterError | None
    seconds: float


def evaluate(point: DesignPoint) -> Figures:
    """The figures of one design point; see the two kinds of target for what they are."""
    verilog = generate(point.cipher, point.architecture)
    if isinstance(point.target, FpgaTarget):
        return evaluate_on_fpga(point, point.target, verilog)
    return evaluate_in_cells(point, point.target, verilog)


def evaluate_all(points: Sequence[DesignPoint], jobs: int) -> Generator[Outcome, None, None]:
    """Evaluate points, ``jobs`` at a time, and yield each as soon as it is finished.

    The tools are processes of their own, so threads are enough. Closing the iterator or Ctrl-C
    stops the tools that run and drops what has not begun; a point's failure stops no other point.
    """
    pool = ThreadPoolExecutor(max_workers=jobs)
    futures = [pool.submit(_outcome, point) for point in points]
    try:
        for future in as_completed(futures):
            yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        # More than once, for a point may be between two tools.
        for _ in range(_STOP_TRIES):
            if not wait(futures, timeout=0.05).not_done:
                break
            stop_all()


def _outcome(point: DesignPoint) -> Outcome:
    start = monotonic()
    figures, error = None, None
    try:
        figures = evaluate(point)
    except HeadwaterError as failure:
        error = failure
    return Outcome(point, figures, error, monotonic() - start)
