# SPDX-License-Identifier: Apache-2.0
"""The target `synth` of a core file, run by FuseSoC: a bitstream for ECP5."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import headwater as hw
from headwater.flow.process import find_program, run_tool

BIN = Path(sys.executable).parent
NAME = "headwater:cores:"


def written(folder: Path, files: dict[str, str]) -> str:
    """Write a delivery; the name of the module on top, which is that of its core file."""
    for name, text in files.items():
        (folder / name).write_text(text)
    (top,) = (name.removesuffix(".core") for name in files if name.endswith(".core"))
    return top


def synthesised(folder: Path, top: str, **variables: str) -> str:
    """What `synth` prints; it must come to its end."""
    path = f"{BIN}{os.pathsep}/usr/bin{os.pathsep}/bin"
    kept = {name: value for name, value in os.environ.items() if name != "EDALIZE_LAUNCHER"}
    done = subprocess.run(
        [BIN / "fusesoc", "--cores-root", ".", "run", "--target", "synth", f"{NAME}{top}"],
        cwd=folder,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        env={**kept, "PATH": path, "XDG_CONFIG_HOME": str(folder), **variables},
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def device_of(folder: Path) -> str:
    """The part that the bitstream is for, as a reader of bitstreams tells it."""
    (made,) = folder.glob("build/*/synth/*.bit")
    run_tool([find_program("yowasp-ecpunpack", ""), made.name, "read.config"], cwd=made.parent)
    (device,) = re.findall(
        r"^\.device (.*)$", (made.parent / "read.config").read_text(), re.MULTILINE
    )
    return device


@pytest.mark.real
def test_synth_of_a_package_makes_a_bitstream_with_its_clock(tmp_path: Path) -> None:
    made = hw.cipher("vest4").core(4, interface="bus").design(package=True)
    top = written(tmp_path, made.files)
    constraints = tmp_path / f"{top}.sdc"
    text = re.sub(r"-period [\d.]+", "-period 50.0", constraints.read_text())
    constraints.write_text(text)
    log = synthesised(tmp_path, top)
    assert "constraining clock net 'clk' to 20.00 MHz" in log
    assert re.search(r"Max frequency for clock .*\(PASS at 20\.00 MHz\)", log)
    assert device_of(tmp_path) == "LFE5U-85F"


@pytest.mark.real
def test_synth_of_a_core_file_alone_makes_a_bitstream(tmp_path: Path) -> None:
    top = written(tmp_path, hw.cipher("a51").core().design(fusesoc=True).files)
    assert re.search(r"\((PASS|FAIL) at 100\.00 MHz\)", synthesised(tmp_path, top))
    assert device_of(tmp_path) == "LFE5U-85F"


def test_a_launcher_of_the_user_is_kept(tmp_path: Path) -> None:
    top = written(tmp_path, hw.cipher("a51").core().design(fusesoc=True).files)
    log = synthesised(tmp_path, top, EDALIZE_LAUNCHER="echo instead of")
    assert re.search(r"^instead of nextpnr-ecp5 ", log, re.MULTILINE)
    assert re.search(r"^instead of ecppack ", log, re.MULTILINE)


@pytest.mark.parametrize(("radix", "flow"), [(64, "trellis"), (512, "generic")])
def test_what_has_more_ports_than_a_part_has_pins_gets_a_netlist(radix: int, flow: str) -> None:
    made = hw.cipher("chacha20").core(radix).design(fusesoc=True)
    text = made.files[f"{made.top}.core"]
    assert re.findall(r"flow: (trellis|generic)", text) == [flow]
    assert ("No bitstream" in text) == (flow == "generic")


@pytest.mark.parametrize(("bits", "flow"), [(8, "trellis"), (512, "generic")])
def test_pins_of_a_source_of_random_bits_are_counted(bits: int, flow: str) -> None:
    source = hw.cipher("trivium").random_bits(bits, seed_width=32)
    for bus in (None, "axi4lite"):
        files = source.files(fusesoc=True, bus=bus)
        (text,) = (text for name, text in files.items() if name.endswith(".core"))
        assert re.findall(r"flow: (trellis|generic)", text) == [flow]
