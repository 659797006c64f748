# SPDX-License-Identifier: Apache-2.0
"""Which tests are slow: by processor time that was measured, not by taste.

`pytest --measure` runs the tests and writes what each took to `durations.json`; what is known of
tests that did not run stays. From it, tests are marked `slow`: of each test function the quickest
cases stay, as many as fit into `ALLOWANCE_S`, and one in any case unless it takes longer than
`LONGEST_S`. A function that is marked `every_cipher` keeps all its cases, so that no cipher is left
out. Tests that take longer than `LONG_S` are run first, so that none of them is left over for one
processor at the end.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ALLOWANCE_S = 0.15
LONGEST_S = 1.0
LONG_S = 5.0
NOTED_S = 0.2
"""Of a function whose cases are all quicker, only the name is noted."""
UNKNOWN_S = 0.07
"""What a case of a function that was not measured is taken to last."""
FILE = Path(__file__).with_name("durations.json")

Durations = Mapping[str, Mapping[str, float]]
"""Seconds of processor time, by function and case; the case of a function without any is empty.
A function without seconds is quick."""


def read() -> Durations:
    """What was measured."""
    measured: Durations = json.loads(FILE.read_text())
    return measured


def update(measured: Durations, *, whole: bool) -> None:
    """Note what was measured, beside what is known of tests that were not and are still there. In a
    ``whole`` run every case of a function was measured that is still there."""
    known = {name: cases for name, cases in read().items() if _is_there(name)}
    others = {} if whole else known
    write(known | {name: {**others.get(name, {}), **cases} for name, cases in measured.items()})


def _is_there(name: str) -> bool:
    module, _, function = name.partition("::")
    path = FILE.with_name(module)
    return path.exists() and f"def {function}(" in path.read_text()


def write(measured: Durations) -> None:
    """Write the file."""
    noted = {
        name: cases if max(cases.values(), default=0.0) >= NOTED_S else {}
        for name, cases in sorted(measured.items())
    }
    lines = (f"{json.dumps(name)}: {json.dumps(cases)}" for name, cases in noted.items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def slow(cases: list[str], measured: Mapping[str, float] | None) -> set[str]:
    """The cases of a function that do not fit. One that was not measured is taken to last as long
    as the others do on average."""
    if measured is None:
        average, measured = UNKNOWN_S, {}
    else:
        average = sum(measured.values()) / max(len(measured), 1)
    left, found = ALLOWANCE_S, set()
    for place, case in enumerate(sorted(cases, key=lambda case: measured.get(case, average))):
        seconds = measured.get(case, average)
        left -= seconds
        if seconds > LONGEST_S or (left < 0 and place > 0):
            found.add(case)
    return found


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that are slow."""
    durations = read()
    functions: dict[str, dict[str, pytest.Item]] = defaultdict(dict)
    for item in items:
        function, case = split(item.nodeid)
        functions[function][case] = item
    for function, by_case in functions.items():
        for case in slow(list(by_case), durations.get(function)):
            if not by_case[case].get_closest_marker("every_cipher"):
                by_case[case].add_marker("slow")
    items.sort(key=lambda item: _precedence(item, durations))


def _precedence(item: pytest.Item, measured: Durations) -> float:
    """The longest tests have the lowest, and all others the same, so that they keep their order:
    neighbours share what they build."""
    function, case = split(item.nodeid)
    seconds = measured.get(function, {}).get(case, 0.0)
    return -seconds if seconds > LONG_S else 0.0


def split(test: str) -> tuple[str, str]:
    """Function and case of a test's name."""
    function, _, case = test.partition("[")
    return function.removeprefix("tests/"), case.removesuffix("]")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that measures."""
    text = f"measure the processor time of each test and write it to {FILE.name}"
    parser.addoption("--measure", action="store_true", help=text)


def pytest_configure(config: pytest.Config) -> None:
    """Measure if asked for."""
    if config.getoption("measure"):
        config.pluginmanager.register(Measuring())


class Measuring:
    """Measures every test with what it needs, in this process and in the tools that it runs."""

    def __init__(self) -> None:
        self._begun = 0.0
        self._measured: dict[str, dict[str, float]] = defaultdict(dict)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        self._begun = _processor_time()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Iterator[None]:
        if call.when == "teardown":
            item.user_properties.append(("seconds", _processor_time() - self._begun))
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, seconds in report.user_properties:
            if name == "seconds" and report.when == "teardown":
                function, case = split(report.nodeid)
                self._measured[function][case] = round(float(str(seconds)), 1)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        config = session.config
        if hasattr(config, "workerinput"):
            return
        ended = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        chosen = config.getoption("keyword") or config.getoption("markexpr")
        named = config.args_source == config.ArgsSource.ARGS
        update(self._measured, whole=ended and not named and not chosen)


def _processor_time() -> float:
    """Seconds, of this process and of those that it has waited for."""
    times = os.times()
    return sum(times[:4])
