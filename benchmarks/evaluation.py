# SPDX-License-Identifier: Apache-2.0
"""What evaluation costs: cold, from the store, one job against two, and outside the tools.

Every number is the median of some runs in one go on this machine; only ratios travel.

    python benchmarks/evaluation.py [RUNS]
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from time import perf_counter
from typing import Any

from headwater.cipher.trivium import TRIVIUM
from headwater.core.architecture import Architecture
from headwater.flow.process import recording
from headwater.measure.point import DesignPoint
from headwater.measure.run import evaluate_all
from headwater.measure.store import open_store
from headwater.measure.target import TARGETS
from headwater.measure.workers import Workers

HEADWATER = (sys.executable, "-m", "headwater", "evaluate")
COLD = ("trivium", "--radix", "1,8,64", "--target", "ecp5-25k,osu018")
PLAN = """\
seeds = 1

[[grid]]
ciphers = ["trivium"]
radices = [{radices}]
targets = ["ecp5-25k"]
"""
WARM_POINTS = 200


class _Here(Workers):
    """One worker: this process, so that its tools can be timed."""

    width = 1
    travels = False
    death = (BrokenExecutor,)

    def submit(self, call: Callable[..., Any], *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(call(*arguments))
        return future

    def replace_dead(self) -> None:
        raise AssertionError


class _ToolTime:
    """Seconds that tools took."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._start = 0.0

    def before(self, _command: Sequence[str | Path], _cwd: Path, _stdin: str) -> None:
        self._start = perf_counter()

    def after(self, _cwd: Path, _output: str) -> None:
        self.seconds += perf_counter() - self._start


def main() -> None:
    """Print one line per question."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    one = [_command_seconds(*COLD, "--jobs", "1") for _ in range(runs)]
    two = [_command_seconds(*COLD, "--jobs", "2") for _ in range(runs)]
    print(f"cold, Trivium at radix 1, 8, 64 on ECP5 (5 seeds) and osu018, 2 jobs: {_told(two)}")
    print(f"the same, 1 job: {_told(one)}")
    ratios = [second / first for first, second in zip(one, two, strict=True)]
    print(f"two jobs / one job: {statistics.median(ratios):.2f}")
    print(f"outside the tools, cold: {100 * _overhead():.1f} % of the time")
    print(f"{WARM_POINTS} points of a finished plan: {_told(_warm(runs))}")


def _told(seconds: Sequence[float]) -> str:
    return f"{statistics.median(seconds):.1f} s ({min(seconds):.1f}..{max(seconds):.1f})"


def _command_seconds(*words: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        start = perf_counter()
        subprocess.run(
            [*HEADWATER, *words, "--store", f"{folder}/results.sqlite"],
            check=True,
            capture_output=True,
        )
        return perf_counter() - start


def _overhead() -> float:
    """The part of the time that no tool was running in, one point after another."""
    targets = [TARGETS[name] for name in COLD[-1].split(",")]
    points = [
        DesignPoint(TRIVIUM, Architecture.choose(TRIVIUM, radix=radix), target)
        for radix in (1, 8, 64)
        for target in targets
    ]
    tools = _ToolTime()
    with tempfile.TemporaryDirectory() as folder:
        start = perf_counter()
        with open_store(Path(folder) / "results.sqlite") as store, recording(tools):
            for _ in evaluate_all(points, store, _Here()):
                pass
        return 1 - tools.seconds / (perf_counter() - start)


def _warm(runs: int) -> list[float]:
    """The command on a plan whose points are all stored; their figures are copies of one."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plan, path = folder / "plan.toml", folder / "results.sqlite"
        radices = TRIVIUM.legal_radices()[:WARM_POINTS]
        plan.write_text(PLAN.format(radices=", ".join(map(str, radices))))
        _fill(path, plan)
        return [_warm_seconds(path, plan) for _ in range(runs)]


def _warm_seconds(store: Path, plan: Path) -> float:
    start = perf_counter()
    done = subprocess.run(
        [*HEADWATER, "--plan", str(plan), "--store", str(store), "--json"],
        check=True,
        capture_output=True,
        text=True,
    )
    seconds = perf_counter() - start
    assert f"{WARM_POINTS} design point(s) were measured before" in done.stderr, done.stderr
    return seconds


def _fill(path: Path, plan: Path) -> None:
    from headwater.measure import work
    from headwater.measure.figures import Figures, Frequency
    from headwater.measure.plan import read_plan

    real = work.evaluate
    work.evaluate = lambda at, verilog: Figures(
        at, verilog.sha256, at.target.tools(), Frequency.over([100.0]), ("a", "b"), lut=1, ff=1
    )
    try:
        with open_store(path) as store:
            for _ in evaluate_all(read_plan(plan), store, _Here()):
                pass
    finally:
        work.evaluate = real


if __name__ == "__main__":
    main()
