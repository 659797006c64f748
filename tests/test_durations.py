# SPDX-License-Identifier: Apache-2.0
"""Which tests a short run leaves out, and what a run says of tools that are missing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import durations
import limited
import pytest

CASES = ["a", "b", "c", "d"]


def test_the_quickest_stay_as_long_as_they_fit() -> None:
    shares = {"a": 0.5, "b": 0.3, "c": 0.1, "d": 0.4}
    measured = {case: share * durations.ALLOWANCE_S for case, share in shares.items()}
    assert durations.slow(CASES, measured) == {"a"}


def test_one_stays_even_if_it_does_not_fit() -> None:
    assert durations.slow(CASES, dict.fromkeys(CASES, durations.LONGEST_S)) == {"b", "c", "d"}


def test_none_stays_that_takes_too_long() -> None:
    assert durations.slow(CASES, dict.fromkeys(CASES, durations.LONGEST_S + 1)) == set(CASES)


def test_a_new_case_counts_as_an_average_one() -> None:
    measured = {"a": 0.0, "b": durations.ALLOWANCE_S}
    assert durations.slow(["a", "new"], measured) == set()
    assert durations.slow(["a", "b", "new"], measured) == {"b"}


def test_few_cases_of_a_new_function_stay() -> None:
    cases = [str(number) for number in range(20)]
    kept = len(cases) - len(durations.slow(cases, None))
    assert kept == durations.ALLOWANCE_S // durations.UNKNOWN_S > 0
    assert durations.slow(cases, {}) == set()


SUITE = """
import pytest

@pytest.mark.parametrize("case", ["quick", "long"])
def test_some(case): pass

@pytest.mark.every_cipher
@pytest.mark.parametrize("case", ["quick", "long"])
def test_each(case): pass

@pytest.mark.skipif(True, reason="needs sta: apt-get install opensta")
@pytest.mark.parametrize("case", [1, 2])
def test_tool(case): pass

@pytest.mark.skipif(True, reason="nothing is unwritable for root")
def test_other(): pass
"""
TOOL = """
import time
while time.process_time() < 0.35: pass
"""
MEASURED = {"quick": 0.1, "long": 3.0}


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder of tests with the hooks of this one, but its own measured times."""
    monkeypatch.setattr(durations, "FILE", pytester.path / "durations.json")
    durations.write({"test_suite.py::test_some": MEASURED, "test_suite.py::test_each": MEASURED})
    pytester.makeconftest('pytest_plugins = ["durations", "limited", "skipped"]')
    pytester.makeini("[pytest]\nmarkers =\n  slow: x\n  every_cipher: x\n")
    pytester.makepyfile(test_suite=SUITE)
    return pytester


def test_short_run_leaves_slow_cases_out(suite: pytest.Pytester) -> None:
    suite.runpytest_inprocess().assert_outcomes(passed=4, skipped=3)
    suite.runpytest_inprocess("-m", "not slow").assert_outcomes(passed=3, skipped=3, deselected=1)
    suite.runpytest_inprocess("-m", "slow").assert_outcomes(passed=1, deselected=6)


def test_long_tests_come_first(suite: pytest.Pytester) -> None:
    longer, longest = durations.LONG_S + 1, durations.LONG_S + 2
    durations.write(
        {
            "test_suite.py::test_some": {"quick": 0.1, "long": longer},
            "test_suite.py::test_each": {"quick": longest, "long": 0.1},
        }
    )
    printed = suite.runpytest_inprocess("--collect-only", "-q").outlines
    assert [line.partition("::")[2] for line in printed[:4]] == [
        "test_each[quick]",
        "test_some[long]",
        "test_some[quick]",
        "test_each[long]",
    ]


def test_slow_cases_are_left_out_when_time_is_over(suite: pytest.Pytester) -> None:
    late = suite.runpytest_inprocess("--minutes", "0")
    late.assert_outcomes(passed=3, skipped=4)
    late.stdout.fnmatch_lines([f"1 {limited.LEFT_OUT}*"])
    assert not any(limited.LEFT_OUT in line for line in suite.runpytest_inprocess().outlines)
    suite.runpytest_inprocess("--minutes", "1").assert_outcomes(passed=4, skipped=3)


def test_commit_is_the_hash_of_what_git_has(tmp_path: Path) -> None:
    assert limited.commit(tmp_path) == ""
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], check=True)
    assert limited.commit(tmp_path) == ""
    hashes = []
    for text in ("a", "b", "a"):
        (tmp_path / "file").write_text(text)
        subprocess.run([*git, "add", "file"], check=True)
        subprocess.run([*git, "commit", "-qm", text], check=True)
        hashes.append(limited.commit(tmp_path))
    assert hashes[0] == hashes[2] != hashes[1]


def test_each_commit_has_another_order_of_all_slow_cases(pytester: pytest.Pytester) -> None:
    cases = pytester.makepyfile(
        "import pytest\n@pytest.mark.parametrize('case', range(80))\ndef test_some(case): pass"
    )
    tests = pytester.genitems([pytester.getpathnode(cases)])
    orders = [limited.mixed(tests, str(seed)) for seed in range(20)]
    assert all(sorted(order, key=tests.index) == tests for order in orders)
    assert len({order[0].nodeid for order in orders}) > 3
    assert all(tests.index(order[1]) == tests.index(order[0]) + 1 for order in orders)


def test_missing_tools_are_named_at_the_end(suite: pytest.Pytester) -> None:
    printed = suite.runpytest_inprocess().outlines
    assert [line for line in printed if "skipped without" in line] == [
        "2 skipped without sta: apt-get install opensta"
    ]


def test_measured_times_are_written(suite: pytest.Pytester) -> None:
    body = "time.process_time() < end: pass"
    busy = f"def test_busy():\n  end = time.process_time() + 0.3\n  while {body}\n"
    run = f"subprocess.run([sys.executable, '-c', {TOOL!r}])"
    tool = f"import sys, subprocess\ndef test_tool():\n  {run}\n"
    suite.makepyfile(test_suite=f"import time\n{busy}\n{tool}\ndef test_quick(): pass")
    suite.runpytest_inprocess("--measure").assert_outcomes(passed=3)
    measured = durations.read()
    assert measured.pop("test_suite.py::test_quick") == {}
    assert set(measured) == {"test_suite.py::test_busy", "test_suite.py::test_tool"}
    assert all(0.3 <= cases[""] < 3 for cases in measured.values())


@pytest.mark.usefixtures("suite")
def test_what_was_not_measured_anew_stays_while_it_is_there() -> None:
    kept = {"test_suite.py::test_each": {}, "test_suite.py::test_some": MEASURED}
    gone = {"test_suite.py::test_gone": MEASURED, "test_other.py::test_each": MEASURED}
    durations.write(kept | gone)
    durations.update({"test_suite.py::test_some": {"quick": 0.7}}, whole=False)
    assert durations.read() == kept | {"test_suite.py::test_some": {**MEASURED, "quick": 0.7}}


@pytest.mark.parametrize(
    ("chosen", "stays"), [([], False), (["-k", "quick"], True), (["test_suite.py"], True)]
)
def test_cases_that_are_gone_stay_where_not_all_were_asked_for(
    suite: pytest.Pytester, chosen: list[str], stays: bool
) -> None:
    durations.write({"test_suite.py::test_some": {**MEASURED, "gone": 5.0}})
    suite.runpytest_inprocess("--measure", *chosen)
    assert ("gone" in durations.read()["test_suite.py::test_some"]) == stays
