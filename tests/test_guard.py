# SPDX-License-Identifier: Apache-2.0
"""Tools die with the process that started them, however that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from stored import wait_for
from test_flow_process import is_alive, needs_proc

from headwater.flow import guard
from headwater.flow.process import run_tool
from headwater.measure.workers import local_workers

CALLER = """
import sys
from pathlib import Path
from headwater.flow.guard import arm
from headwater.flow.process import run_tool

arm()
run_tool(["sh", "-c", {tool!r}], cwd=Path({folder!r}))
"""
FAMILY = "echo $$ > tool; setsid sh -c 'echo $$ > child; sleep 600' & sleep 600"
"""A tool with a child that leaves its group."""
END_S = 2.0


@pytest.fixture
def caller(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    program = CALLER.format(tool=FAMILY, folder=str(tmp_path))
    process = subprocess.Popen([sys.executable, "-c", program])
    yield process
    process.kill()
    process.wait()


def numbers(folder: Path) -> list[int]:
    files = [folder / "tool", folder / "child"]
    wait_for(lambda: all(file.exists() and file.read_text().strip() for file in files), "the tool")
    return [int(file.read_text()) for file in files]


def assert_all_end(processes: list[int]) -> None:
    until = time.monotonic() + END_S
    while any(map(is_alive, processes)) and time.monotonic() < until:
        time.sleep(0.02)
    assert [one for one in processes if is_alive(one)] == []


@needs_proc
def test_tool_and_its_family_end_with_a_killed_caller(
    tmp_path: Path, caller: subprocess.Popen[bytes]
) -> None:
    family = numbers(tmp_path)
    caller.kill()
    assert_all_end(family)


@needs_proc
def test_tool_of_another_process_goes_on(tmp_path: Path, caller: subprocess.Popen[bytes]) -> None:
    (tmp_path / "other").mkdir()
    program = CALLER.format(tool=FAMILY, folder=str(tmp_path / "other"))
    other = subprocess.Popen([sys.executable, "-c", program])
    family, others = numbers(tmp_path), numbers(tmp_path / "other")
    caller.kill()
    assert_all_end(family)
    assert all(map(is_alive, others))
    other.kill()
    other.wait()
    assert_all_end(others)


@needs_proc
def test_guard_that_was_killed_is_replaced(tmp_path: Path) -> None:
    guard.arm()
    run_tool(["true"], cwd=tmp_path)
    key, first = list(guard._guards.items())[-1]
    assert key[0] == os.getpid()
    run_tool(["true"], cwd=tmp_path)
    assert guard._guards[key] == first
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: not is_alive(first), "the end of the guard")
    run_tool(["true"], cwd=tmp_path)
    assert guard._guards[key] != first


def napping(folder: str) -> None:
    run_tool(["sh", "-c", FAMILY], cwd=Path(folder))


def own_number() -> int:
    return os.getpid()


@needs_proc
def test_tool_ends_with_a_killed_local_worker(tmp_path: Path) -> None:
    """It does not go on beside the call that is made again."""
    with local_workers(1) as workers:
        worker = workers.submit(own_number).result(timeout=60)
        call = workers.submit(napping, str(tmp_path))
        family = numbers(tmp_path)
        os.kill(worker, signal.SIGKILL)
        assert isinstance(call.exception(timeout=60), workers.death)
        assert_all_end(family)


@needs_proc
def test_program_that_is_no_tool_is_left_alone(tmp_path: Path) -> None:
    """What a user of the Python interface starts may outlive the program."""
    program = (
        "import subprocess, headwater.api\n"
        "from pathlib import Path\n"
        "from headwater.flow.process import run_tool\n"
        f"run_tool(['true'], cwd=Path({str(tmp_path)!r}))\n"
        "print(subprocess.Popen(['sleep', '600'], stdout=-3).pid, flush=True)\n"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, check=True, timeout=60
    )
    own = int(printed.stdout)
    time.sleep(0.6)
    assert is_alive(own)
    os.kill(own, signal.SIGKILL)
