# SPDX-License-Identifier: Apache-2.0
"""The tests in a package, as a user runs them: pytest in its folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from needs import needs_iverilog

from headwater.cli.main import main

Capture = pytest.CaptureFixture[str]

EACH = ["trivium --radix 64 --interface axi4lite", "grain128aead --radix 16 --interface wishbone",
        "uia2 --interface custom", "eea3 --interface bus", "chacha20 --interface dma",
        "moustique --radix 4 --interface custom3", "zuc --interface fifo",
        "ascon_aead128 --interface stream", "zuc --interface axi4stream"]  # fmt: skip


def packaged(folder: Path, words: str) -> None:
    """A package."""
    assert main(["generate", *words.split(), "--package", "-o", str(folder)]) == 0


def run_tests(folder: Path, *more: str, simulator: str = "icarus") -> tuple[int, str]:
    """Exit status and output of pytest in a folder."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *more], cwd=folder,
        env=environment | {"SIM": simulator}, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


@needs_iverilog
@pytest.mark.parametrize("words", EACH)
def test_a_package_passes_its_tests(words: str, tmp_path: Path) -> None:
    packaged(tmp_path, words)
    status, printed = run_tests(tmp_path)
    assert status == 0, printed
    assert f"{len(list(tmp_path.glob('test_*.py')))} passed" in printed
    assert not [path for path in tmp_path.glob("*.py") if "headwater" in path.read_text()]


BROKEN = {
    "a wrong core": ("trivium_r64.v", "z = t2 ^", "z = t2 |", {"core", "axi4lite"}),
    "a core that waits for no reader": ("trivium_r64.v", "keystream_ready", "1'b1",
                                        {"core", "axi4lite"}),
    "a wrong driver": ("trivium_r64.c", "word >> place_of(i)", "word >> place_of(3 - i)",
                       {"axi4lite"}),
    "a bus that answers too early": ("trivium_r64_axi4lite_bus_port.v", "gives | too_late",
                                     "1'b1", {"axi4lite"}),
}  # fmt: skip


@needs_iverilog
@pytest.mark.parametrize("what", BROKEN)
def test_the_tests_of_a_package_find(what: str, tmp_path: Path) -> None:
    packaged(tmp_path, EACH[0])
    file, right, wrong, found = BROKEN[what]
    text = (tmp_path / file).read_text()
    assert right in text
    (tmp_path / file).write_text(wrong.join(text.rsplit(right, 1)))
    tests = {"core": "test_trivium_r64.py", "axi4lite": "test_trivium_r64_axi4lite.py"}
    assert {part for part, test in tests.items() if run_tests(tmp_path, test)[0] == 1} == found
