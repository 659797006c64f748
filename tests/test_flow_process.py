# SPDX-License-Identifier: Apache-2.0
"""Running tools: failures with their log, time limits, and nothing left behind."""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from pathlib import Path

import pytest

from headwater.errors import ToolError
from headwater.flow import process
from headwater.flow.folders import private_folder
from headwater.flow.process import (
    TookTooLongError,
    find_program,
    run_tool,
    stop_all,
    written_json,
)


def failed(message: str) -> object:
    return pytest.raises(ToolError, match=f"^{re.escape(message)}$")


def test_stdout_is_given_back_and_stderr_is_not(tmp_path: Path) -> None:
    assert run_tool(["sh", "-c", "echo out; echo err >&2"], cwd=tmp_path) == "out\n"


def test_stderr_is_given_back_where_it_is_merged(tmp_path: Path) -> None:
    command = ["sh", "-c", "echo out; echo err >&2; echo end"]
    assert run_tool(command, cwd=tmp_path, merged=True) == "out\nerr\nend\n"


def test_stdin_and_folder(tmp_path: Path) -> None:
    printed = run_tool(["sh", "-c", "cat; pwd -P"], cwd=tmp_path, stdin="words\n")
    assert printed == f"words\n{tmp_path.resolve()}\n"


def test_no_shell_reads_the_arguments(tmp_path: Path) -> None:
    assert run_tool(["echo", "$HOME; *", Path("a b")], cwd=tmp_path) == "$HOME; * a b\n"


def test_missing_program(tmp_path: Path) -> None:
    message = (
        "no-such-tool cannot be run: No such file or directory; "
        "install it with: apt-get install no-such-tool"
    )
    with failed(message):
        run_tool(["no-such-tool"], cwd=tmp_path, install="apt-get install no-such-tool")


def test_missing_program_that_nothing_installs(tmp_path: Path) -> None:
    with failed("no-such-tool cannot be run: No such file or directory"):
        run_tool([tmp_path / "no-such-tool"], cwd=tmp_path)


def test_program_that_may_not_be_run(tmp_path: Path) -> None:
    (tmp_path / "tool").write_text("")
    with failed("tool cannot be run: Permission denied; install it with: make tool"):
        run_tool([tmp_path / "tool"], cwd=tmp_path, install="make tool")


def test_failure_shows_status_and_output_then_log(tmp_path: Path) -> None:
    with failed("sh failed with exit status 3:\nout\nerr"):
        run_tool(["sh", "-c", "echo err >&2; echo out; exit 3"], cwd=tmp_path)


def test_failure_shows_the_tail_of_a_long_log(tmp_path: Path) -> None:
    tail = "\n".join(f"line {number}" for number in range(489, 501))
    with failed(f"sh failed with exit status 1:\n{tail}"):
        run_tool(["sh", "-c", "seq -f 'line %g' 500; exit 1"], cwd=tmp_path)


def test_failure_of_a_tool_in_python_is_its_last_line(tmp_path: Path) -> None:
    with failed("python failed with exit status 1:\nOSError: no room"):
        run_tool(
            [Path(sys.executable).with_name("python"), "-c", "raise OSError('no room')"],
            cwd=tmp_path,
        )


def test_long_output_on_both_streams_is_read_to_its_end(tmp_path: Path) -> None:
    both = "seq 100000 >&2; seq 100000"
    assert run_tool(["sh", "-c", both], cwd=tmp_path).count("\n") == 100000


def test_output_that_is_not_text(tmp_path: Path) -> None:
    with failed("sh failed with exit status 1:\n\ufffd"):
        run_tool(["sh", "-c", r"printf '\377'; exit 1"], cwd=tmp_path)


def test_time_limit(tmp_path: Path) -> None:
    with pytest.raises(TookTooLongError, match=r"^sleep took longer than 0\.2 s and was stopped$"):
        run_tool(["sleep", "60"], cwd=tmp_path, time_limit_s=0.2)


def is_alive(number: int) -> bool:
    try:
        # A zombie, which nobody has waited for yet, is dead all the same.
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def assert_dies(number: int) -> None:
    for _ in range(500):
        if not is_alive(number):
            return
        time.sleep(0.02)
    raise AssertionError(f"process {number} is still running")


needs_proc = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="needs /proc to see whether a process lives"
)


@needs_proc
def test_time_limit_stops_the_whole_group(tmp_path: Path) -> None:
    script = "sleep 600 & echo $! > child; wait"
    with failed("sh took longer than 0.5 s and was stopped"):
        run_tool(["sh", "-c", script], cwd=tmp_path, time_limit_s=0.5)
    assert_dies(int((tmp_path / "child").read_text()))


@needs_proc
def test_time_limit_stops_a_child_that_outlives_the_tool(tmp_path: Path) -> None:
    # The child keeps the tool's output open, so the tool is not over when its parent ends.
    with failed("sh took longer than 0.5 s and was stopped"):
        run_tool(["sh", "-c", "sleep 30 & echo $! > child"], cwd=tmp_path, time_limit_s=0.5)
    assert_dies(int((tmp_path / "child").read_text()))


@needs_proc
def test_interrupt_stops_the_whole_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(process.subprocess.Popen):  # type: ignore[misc, type-arg]
        def communicate(self, *_args: object, **_options: object) -> tuple[str, str]:
            while not (tmp_path / "child").exists() or not (tmp_path / "child").read_text():
                time.sleep(0.01)
            raise KeyboardInterrupt

    monkeypatch.setattr(process.subprocess, "Popen", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_tool(["sh", "-c", "sleep 600 & echo $! > child; wait"], cwd=tmp_path)
    assert_dies(int((tmp_path / "child").read_text()))


@needs_proc
def test_stop_all_ends_every_run_as_a_failure(tmp_path: Path) -> None:
    messages = []

    def run(name: str) -> None:
        script = f"sleep 600 & echo $! > {name}; wait"
        try:
            run_tool(["sh", "-c", script], cwd=tmp_path)
        except ToolError as error:
            messages.append(str(error).splitlines()[0])

    names = ["one", "two"]
    threads = [threading.Thread(target=run, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    while not all((tmp_path / name).exists() and (tmp_path / name).read_text() for name in names):
        time.sleep(0.01)
    stop_all()
    for thread in threads:
        thread.join(timeout=30)

    assert messages == ["sh failed with exit status -9:"] * 2
    for name in names:
        assert_dies(int((tmp_path / name).read_text()))


def test_nothing_to_stop() -> None:
    stop_all()


def test_private_folder() -> None:
    with private_folder() as folder:
        assert folder.is_dir()
        assert folder.stat().st_mode & 0o777 == 0o700
        assert folder.stat().st_uid == os.getuid()
        (folder / "file").write_text("secret")
        with private_folder() as other:
            assert other != folder
    assert not folder.exists()


def test_private_folder_goes_after_a_failure() -> None:
    with pytest.raises(ValueError, match="inside"), private_folder() as folder:
        raise ValueError("inside")
    assert not folder.exists()


def test_program_beside_this_python_comes_before_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("bin", "path"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "tool").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "elsewhere" / "python"))
    assert find_program("tool", "make tool") == tmp_path / "path" / "tool"
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    assert find_program("tool", "make tool") == tmp_path / "bin" / "tool"


def test_program_that_is_nowhere() -> None:
    with failed("no-such-tool is not installed; install it with: apt-get install tool"):
        find_program("no-such-tool", "apt-get install tool")


def test_json_that_a_tool_wrote_in_part(tmp_path: Path) -> None:
    (tmp_path / "netlist.json").write_text('{"modules": {"core')
    with failed("netlist.json, which a tool wrote, is not whole: is the disk full?"):
        written_json(tmp_path / "netlist.json")
