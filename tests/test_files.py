# SPDX-License-Identifier: Apache-2.0
"""Files that users ask for: whole or not at all, and refused before anything takes time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Capture, refused
from made_up import made_up

from headwater.cli import results
from headwater.errors import InputError
from headwater.files import check_file, check_folder, write_whole
from headwater.measure.store import open_store

BELOW_A_FILE = "cannot be written: Not a directory"


def test_a_file_is_written_with_its_folders(tmp_path: Path) -> None:
    path = tmp_path / "some" / "folder" / "file"
    write_whole(path, b"first")
    write_whole(path, b"second")
    assert [one.name for one in path.parent.iterdir()] == ["file"]
    assert path.read_bytes() == b"second"


def test_checks_leave_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine\n")
    check_file(tmp_path / "file")
    check_file(tmp_path / "some" / "folder" / "file")
    check_folder(tmp_path / "some" / "folder")
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "mine\n"


@pytest.mark.parametrize("check", [check_file, check_folder])
def test_what_cannot_be_written_is_refused(check: Callable[[Path], None], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine\n")
    for path in (tmp_path / "file" / "below", tmp_path / ("x" * 300), Path("/proc/nowhere/x")):
        with pytest.raises(InputError):
            check(path)
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_device_is_not_replaced() -> None:
    with pytest.raises(InputError, match="output must be a file, not /dev/null"):
        write_whole(Path("/dev/null"), b"")


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o660])
def test_who_may_read_a_file_that_is_there_stays(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"")
    path.chmod(mode)
    write_whole(path, b"secret")
    assert path.stat().st_mode & 0o777 == mode
    assert path.read_bytes() == b"secret"


def test_a_link_stays(tmp_path: Path) -> None:
    """What it leads to is written, whether it was there or not."""
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "real")
    for data in (b"first", b"second"):
        write_whole(link, data)
        assert link.is_symlink()
        assert (tmp_path / "real").read_bytes() == data


def test_nothing_is_written_where_one_of_two_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("mine\n")
    message = f"output must be a folder, not the file {tmp_path / 'file'}"
    refused(capsys, ("report", "-o", "page.html", "--figures", "file/below"), message)
    Path("vectors").write_text("mine\n")
    refused(capsys, ("new-cipher", "mine"), f"vectors/mine.json {BELOW_A_FILE}")
    Path("out/trivium_r1_tb.v").mkdir(parents=True)
    words = ("generate", "trivium", "--testbench", "-o", "out")
    refused(capsys, words, "output must be a file, not out/trivium_r1_tb.v")
    assert sorted(map(str, Path().rglob("*"))) == ["file", "out", "out/trivium_r1_tb.v", "vectors"]


def test_an_archive_that_cannot_be_written_is_not_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delattr(results, "replicate")
    result = made_up("trivium", 8)
    with open_store(Path("store")) as store:
        store.keep(result)
    words = ("results", "replicate", result.id, "--store", "store", "-o", "store/figure.tar.gz")
    refused(capsys, words, f"store/figure.tar.gz {BELOW_A_FILE}")
