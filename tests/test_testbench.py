# SPDX-License-Identifier: Apache-2.0
"""What `generate` writes beside a core: a testbench that bites, and a core file for FuseSoC."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from needs import needs_iverilog

from headwater.cli.main import main
from headwater.flow.process import run_tool

Capture = pytest.CaptureFixture[str]
# Every kind of cipher, and cores that cannot wait.
CORES = {
    "trivium": ["--radix", "33"],
    "grain_v1": ["--radix", "8", "--option", "stall=none"],
    "grain128aead": ["--radix", "4"],
    "zuc": [],
    "chacha20": ["--option", "stall=none"],
    "phelix": ["--radix", "64"],
    "ascon_aead128": [],
    "aes_ofb": ["--radix", "128"],
    "eea3": [],
    "eia3": [],
    "nia6": ["--option", "digit=8"],
    "nca6": ["--option", "digit=8", "--option", "direction=decrypt"],
    "mosquito": ["--option", "stall=none"],
    "sfinks-ae": [],
    "vest4-ae": [],
}


def generated(folder: Path, capsys: Capture, *words: str) -> dict[str, Path]:
    """The files, by what they are: core, testbench, core file."""
    assert main(["generate", *words, "-o", str(folder)]) == 0
    paths = map(Path, capsys.readouterr().out.split())
    return {
        path.stem.rpartition("_")[2] if path.stem.endswith("_tb") else path.suffix: path
        for path in paths
    }


def simulated(bench: Path, core: Path) -> str:
    run_tool(["iverilog", "-g2001", "-Wall", "-o", "bench.vvp", bench, core], cwd=bench.parent)
    command = ["vvp", "-n", "bench.vvp"]
    done = subprocess.run(command, cwd=bench.parent, capture_output=True, text=True, check=False)
    told = done.stdout.splitlines()[0]
    assert told.startswith("FAIL" if done.returncode else "PASS")
    return told


@needs_iverilog
@pytest.mark.parametrize("name", CORES)
def test_core_passes_its_testbench(name: str, tmp_path: Path, capsys: Capture) -> None:
    files = generated(tmp_path, capsys, name, *CORES[name], "--testbench")
    assert simulated(files["tb"], files[".v"]).startswith("PASS: ")


@needs_iverilog
@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (" z = t2 ^", " z = t2 |", "gives other words than the model"),
        ("running | last_blank", "running", "gave 0 of 40 words"),
        ("running ? z : 8'h0", "z", "gives other words than the model"),
        ("load_valid) | clear", "load_valid)", "is not ready for a load"),
        (
            "keystream_valid = running",
            "keystream_valid = 1'b1",
            "gives words before it is loaded",
        ),
    ],
)
def test_broken_core_fails(
    before: str, after: str, said: str, tmp_path: Path, capsys: Capture
) -> None:
    files = generated(tmp_path, capsys, "trivium", "--radix", "8", "--testbench")
    text = files[".v"].read_text()
    assert text.count(before) == 1
    files[".v"].write_text(text.replace(before, after))
    verdict = simulated(files["tb"], files[".v"])
    assert verdict.startswith("FAIL: trivium_r8 ")
    assert said in verdict


@needs_iverilog
@pytest.mark.parametrize("interface", ["stream", "axi4lite"])
def test_fusesoc_simulates_the_testbench(interface: str, tmp_path: Path, capsys: Capture) -> None:
    files = generated(
        tmp_path,
        capsys,
        "trivium",
        "--radix",
        "8",
        "--interface",
        interface,
        "--testbench",
        "--fusesoc",
    )
    name = files[".core"].stem
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["fusesoc", "--cores-root", ".", "run", "--target", "sim", f"headwater:cores:{name}"],
        cwd=tmp_path,
        env=environment | {"XDG_CONFIG_HOME": str(tmp_path / "none")},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "PASS: trivium_r8" in done.stdout
