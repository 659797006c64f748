# SPDX-License-Identifier: Apache-2.0
"""Files that are kept: made once, whole, and by nobody twice."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from headwater.flow.kept import kept
from headwater.flow.process import run_tool
from headwater.flow.verilator import compile_command


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a user who has none yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "headwater"


class Maker:
    """Slow, so that others come while it works; may fail at first."""

    def __init__(self, failures: int = 0) -> None:
        self.calls = 0
        self._failures = failures

    def __call__(self, folder: Path) -> Path:
        self.calls += 1
        time.sleep(0.05)
        made = folder / "made"
        made.write_text("content")
        if self.calls <= self._failures:
            raise ValueError("not made")
        return made


def kept_in(cache: Path) -> list[str]:
    """All but the folder in which this process makes something."""
    return [path.name for path in cache.iterdir() if not path.name.startswith("headwater-run-")]


def test_made_once_for_all_who_want_it(cache: Path) -> None:
    maker = Maker()
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: kept("name", maker).read_text(), range(8)))
    assert (found, maker.calls) == (["content"] * 8, 1)
    assert kept_in(cache) == ["name"]


def test_a_failure_leaves_nothing_and_is_tried_anew(cache: Path) -> None:
    maker = Maker(failures=1)
    with pytest.raises(ValueError, match="not made"):
        kept("name", maker)
    assert not (cache / "name").exists()
    assert kept("name", maker).read_text() == "content"
    assert kept_in(cache) == ["name"]


@pytest.mark.usefixtures("cache")
def test_a_folder_is_kept_as_well() -> None:
    def make(folder: Path) -> Path:
        (folder / "made").mkdir()
        (folder / "made" / "file").write_text("content")
        return folder / "made"

    assert (kept("name", make) / "file").read_text() == "content"


def test_compiled_headers_are_used(folder: Path) -> None:
    """The compiler prints what it reads, and marks compiled headers that it takes with "!"."""
    (folder / "empty.cpp").write_text("")
    command = [*compile_command(), "-H", "-c", "empty.cpp"]
    read = run_tool(command, cwd=folder, merged=True).splitlines()
    assert [line for line in read if line.startswith(("!", "x"))] == [f"! {command[-4]}.gch"]


def test_compiled_headers_have_no_function_of_queues() -> None:
    """But for templates, which cost nothing until they are used."""
    functions = Path(compile_command()[-1]).with_name("verilated_funcs.h").read_text()
    heads = re.findall(r"(?:^template.*\n)?^static inline [^;{]*\{", functions, re.MULTILINE)
    of_queues = [head for head in heads if "VlQueue" in head]
    assert of_queues
    assert [head for head in of_queues if not head.startswith("template")] == []
