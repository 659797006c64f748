# SPDX-License-Identifier: Apache-2.0
"""Archives: a figure that the tools alone measure again."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from parts import keep_only
from stored import ECP5, Capture, figures, result

from headwater.cli.main import main
from headwater.errors import InputError, ToolError
from headwater.flow.fpga import lattice
from headwater.measure import replicate as archives
from headwater.measure.target import TARGETS

OSU018 = TARGETS["osu018"]


def test_an_archive_is_of_today_s_verilog_and_of_the_same_figures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Comments of the Verilog may have changed since; no figure may."""
    monkeypatch.setattr(archives, "evaluate", lambda at, _: figures(at))
    stored = result("0123", rtl_sha256="of other comments")
    made = archives.replicate(stored, ECP5)
    with tarfile.open(fileobj=io.BytesIO(made)) as archive:
        member = archive.extractfile("headwater-0123/record.json")
        assert member
        assert json.load(member) == stored.record | {"rtl_sha256": "hash"}
    with pytest.raises(ToolError, match="measuring again must give the stored lut, 11, not 10"):
        archives.replicate(result("0123", lut=11), ECP5)


def test_names_of_files_are_no_commands_of_the_script(tmp_path: Path) -> None:
    """A tool in a folder whose name has a line of its own, and what a shell would carry out."""
    folder = tmp_path / "a\ntouch harm; `touch harm`$(touch harm)'\""
    folder.mkdir()
    tool = folder / "no-tool-on-path"
    tool.write_text("#!/bin/sh\necho printed\n")
    tool.chmod(0o755)
    recorder = archives._Recorder()
    work = tmp_path / "work"
    work.mkdir()
    recorder.before([tool, "a\nb"], work, "", merged=False)
    recorder.after(work, "printed")
    script = recorder.script("a point\ntouch harm")
    place = tmp_path / "archive"
    for name, content in {"run.sh": script.encode(), **recorder.files()}.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(content)
    ran = subprocess.run(["sh", "run.sh"], cwd=place, capture_output=True, text=True, check=False)
    assert ran.stdout == f"1/1 {tool}\nevery step gave what it gave before\n"
    assert (ran.returncode, list(place.rglob("harm"))) == (0, [])


@pytest.mark.real
def test_stored_figure_is_repeated_by_its_archive(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On an FPGA, of one way to map; the script runs the tools alone, without this package."""
    keep_only(monkeypatch, lattice.ECP5, "area")
    assert main(["evaluate", "trivium", "--seeds", "1", "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    archive = tmp_path / "figure.tar.gz"
    assert main(["results", "replicate", record["id"], "-o", str(archive)]) == 0
    subprocess.run(["tar", "-xzf", archive], cwd=tmp_path, check=True)
    folder = tmp_path / f"headwater-{record['id']}"
    assert json.loads((folder / "record.json").read_text())["fmax_mhz"] == record["fmax_mhz"]
    assert_repeats(folder)
    # A wrong input is noticed.
    (design,) = sorted(folder.glob("steps/*/inputs/design.v"))[:1]
    design.write_text(design.read_text().replace("a[", "b[", 1))
    assert repeated(folder).returncode != 0


def test_public_tools_alone_do_not_sum_up_power() -> None:
    with pytest.raises(InputError, match="must be of an FPGA, not of osu018: power in standard"):
        archives.replicate(result("0123"), OSU018)


def assert_repeats(folder: Path, **environment: str) -> None:
    """That the script of an archive finds what was found before."""
    done = repeated(folder, **environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "every step gave what it gave before"


def repeated(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A run of the script of an archive, with the tools that are beside Python."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(
        ["sh", str(folder / "run.sh")],
        env={**os.environ, "PATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
