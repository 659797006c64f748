# SPDX-License-Identifier: Apache-2.0
"""What signals do to the command, and that temporary folders do not outlive their process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from stored import POINTS, wait_for

from headwater import interrupts
from headwater.errors import ToolError
from headwater.flow.folders import private_folder
from headwater.measure.run import evaluate_all
from headwater.measure.store import read_store
from headwater.measure.workers import Workers

ROOT = Path(__file__).parent.parent

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture(autouse=True)
def interrupts_are_taken() -> Iterator[None]:
    """Also where the tests run in the background of a script, whose shell has them ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@contextmanager
def started(program: str) -> Iterator[subprocess.Popen[str]]:
    """A Python program, which is killed at the end of a test that fails. It takes every signal,
    also where the tests run under `nohup`."""

    def take_signals() -> None:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)

    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=take_signals,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


WAITS = """
import time
from headwater import interrupts
{begin}
try:
    print("ready", flush=True)
    time.sleep(60)
finally:
    print("unwound", flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("number", SIGNALS)
def test_signal_ends_the_process_at_once(number: int) -> None:
    with started(WAITS.format(begin="interrupts.end_at_once()")) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        printed = process.communicate(timeout=10)
    assert (process.returncode, *printed) == (130, "", "headwater: interrupted\n")


def test_second_signal_ends_what_the_first_one_lets_unwind() -> None:
    with started(WAITS.format(begin="interrupts.raise_once()")) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "unwound\n"
        process.send_signal(signal.SIGHUP)
        printed = process.communicate(timeout=10)
    assert (process.returncode, *printed) == (130, "", "headwater: interrupted\n")


def test_signal_in_a_finaliser_is_not_lost() -> None:
    program = """
import signal
from headwater import interrupts
interrupts.raise_once()
class Finalised:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)
made = Finalised()
del made
print("still there")
"""
    with started(program) as process:
        printed = process.communicate(timeout=10)
    assert (process.returncode, *printed) == (130, "", "headwater: interrupted\n")


def test_ignored_signal_stays_ignored() -> None:
    ignored = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
    with started(ignored + WAITS.format(begin="interrupts.end_at_once()")) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGHUP)
        time.sleep(0.1)
        assert process.poll() is None


def test_held_signals_come_afterwards() -> None:
    done = []

    def interrupted() -> None:
        with interrupts.held():
            signal.raise_signal(signal.SIGINT)
            done.append("the rest")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert done == ["the rest"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


class Busy(Workers):
    """A worker that is interrupted in its own thread, and ends long after."""

    width, travels, death = 1, False, (BrokenExecutor,)

    def submit(self, *_call: object) -> Future[Any]:
        self.future: Future[Any] = Future()
        Timer(0.1, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGINT)).start()
        self.end = Timer(3, self.future.set_exception, [ToolError("not interrupted")])
        self.end.start()
        return self.future


def test_a_signal_that_does_not_wake_the_main_thread_is_noticed() -> None:
    """As one does not that comes just before this thread begins to wait."""
    busy = Busy()
    with read_store() as store, pytest.raises(KeyboardInterrupt):
        list(evaluate_all([POINTS[0]], store, busy))
    busy.end.cancel()
    assert not busy.future.done(), "the signal was noticed, but only at the end of the work"


def test_folders_of_a_killed_process_are_removed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    program = """
import time
from headwater.flow.folders import private_folder
with private_folder() as folder:
    (folder / "file").write_text("left")
    print(folder, flush=True)
    time.sleep(60)
"""
    with started(program) as killed, started(program) as alive:
        assert killed.stdout
        assert alive.stdout
        left, used = Path(killed.stdout.readline().strip()), Path(alive.stdout.readline().strip())
        killed.kill()
        killed.wait()
        assert (left / "file").exists()
        with started(program) as following:
            assert following.stdout
            following.stdout.readline()
            assert (used / "file").exists()
        assert not left.parent.exists()


def test_folder_of_another_kind_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "headwater-other").mkdir()
    with private_folder(tmp_path) as folder:
        assert folder.parent.parent == tmp_path
    assert [path.name for path in tmp_path.glob("*other")] == ["headwater-other"]


def test_faults_leave_nothing(tmp_path: Path) -> None:
    """The campaign in small; `tools/faults.py` alone runs a hundred rounds of each fault."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    words = ["--rounds", "1", "--fault", "interrupt", "--fault", "kill", "--latest", "1"]
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "faults.py", *words],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [
        ["interrupt", "1"],
        ["kill", "1"],
    ]
    wait_for(lambda: not list(tmp_path.iterdir()), "the campaign to tidy up")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a full disk")
@pytest.mark.parametrize("words", [["list"], ["--help"]])
def test_output_that_cannot_be_written(words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "headwater", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    message = (
        "headwater: the output, or a temporary file, cannot be used: No space left on device\n"
    )
    assert (done.returncode, done.stderr) == (2, message)
