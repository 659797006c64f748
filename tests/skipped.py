# SPDX-License-Identifier: Apache-2.0
"""What was not tested because a tool is missing, or time was over: told at the end of a run."""

from __future__ import annotations

from collections import Counter

from _pytest.terminal import TerminalReporter
from limited import LEFT_OUT

NEEDS = "Skipped: needs "
"""How the reason of such a skip begins; the tool follows, and how to get it."""


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """For each reason a line with the number of tests that were skipped for it."""
    reports = terminalreporter.getreports("skipped")
    reasons = [str(report.longrepr[2]) for report in reports if isinstance(report.longrepr, tuple)]
    tools = Counter(reason.removeprefix(NEEDS) for reason in reasons if reason.startswith(NEEDS))
    for tool, count in sorted(tools.items()):
        terminalreporter.write_line(f"{count} skipped without {tool}")
    if late := sum(LEFT_OUT in reason for reason in reasons):
        terminalreporter.write_line(f"{late} {LEFT_OUT}; another run has others")
