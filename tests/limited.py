# SPDX-License-Identifier: Apache-2.0
"""A run of slow tests that ends in time, on a machine of any speed.

`pytest --minutes N` runs slow tests in an order that the commit chooses, and skips those that N
minutes after its beginning have not begun. So what one commit leaves out, others have, and a run
that failed can be had again. How many were left out is told at the end; a test that was left out
has not passed.
"""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import pytest
from durations import split
from xdist.workermanage import WorkerController

LEFT_OUT = "left out, as the time of this run was over"
TOGETHER = 8
"""So many cases of a function stay together, as neighbours share what they build."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that limits."""
    text = "run slow tests in the order of this commit, and leave out what has not begun by then"
    parser.addoption("--minutes", type=float, metavar="N", help=text)


def pytest_configure(config: pytest.Config) -> None:
    """Limit if asked for. All processes of a run know when it began."""
    if config.getoption("minutes") is not None:
        begun = getattr(config, "workerinput", {}).get("begun", time.time())
        config.pluginmanager.register(Limited(begun, 60 * config.getoption("minutes")))


def commit(folder: Path) -> str:
    """The hash of what git has of a folder; empty where there is no git."""
    words = ["git", "rev-parse", "HEAD^{tree}"]
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def mixed(tests: Sequence[pytest.Item], seed: float | str) -> list[pytest.Item]:
    """The tests in an order that the seed chooses, few neighbours together."""
    blocks = []
    for _, cases in groupby(tests, key=lambda test: split(test.nodeid)[0]):
        left = list(cases)
        blocks += [left[at : at + TOGETHER] for at in range(0, len(left), TOGETHER)]
    random.Random(seed).shuffle(blocks)
    return [test for block in blocks for test in block]


class Limited:
    """Leaves out slow tests that have not begun ``seconds`` after the run, which ``begun`` then."""

    def __init__(self, begun: float, seconds: float) -> None:
        self._begun, self._end = begun, begun + seconds

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: WorkerController) -> None:
        node.workerinput["begun"] = self._begun

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Others run first, in their own order. Without a commit, the time chooses that of the
        slow."""
        slow = [item for item in items if item.get_closest_marker("slow")]
        others = [item for item in items if not item.get_closest_marker("slow")]
        items[:] = [*others, *mixed(slow, commit(Path(__file__).parent) or self._begun)]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if item.get_closest_marker("slow") and time.time() > self._end:
            pytest.skip(LEFT_OUT)
