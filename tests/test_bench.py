# SPDX-License-Identifier: Apache-2.0
"""Design points and their figures, targets, and the shell around a core."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from bench_points import OSU018, architecture, figures, point
from needs import needs_iverilog

from headwater.cipher.e0 import E0
from headwater.cipher.grain import GRAIN_128A_AE, GRAIN_128AEAD
from headwater.cipher.mickey import MICKEY_2
from headwater.cipher.trivium import TRIVIUM
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Port, Verilog, generate
from headwater.errors import InputError
from headwater.flow.yosys import run_yosys
from headwater.measure import target
from headwater.measure.figures import Frequency
from headwater.measure.point import DesignPoint
from headwater.measure.settings import Settings
from headwater.measure.shell import SHELL, in_shell, shell_registers
from headwater.measure.target import TARGETS

# Design points and figures


def test_point_in_words() -> None:
    at = DesignPoint(TRIVIUM, architecture(16, 8, clear="none"), OSU018, Settings(5))
    assert str(at).startswith("trivium radix 16, load width 8, stall=stream clear=none")
    assert str(at).endswith(" on osu018")


@pytest.mark.parametrize(
    ("runs", "frequency"),
    [
        ([100.0], Frequency(100.0, 100.0, 100.0, 1)),
        ([210.0, 190.0, 200.5], Frequency(200.5, 190.0, 210.0, 3)),
        ([100.0, 200.0], Frequency(150.0, 100.0, 200.0, 2)),
        ([3.14159, 2.71828], Frequency(2.93, 2.72, 3.14, 2)),
    ],
)
def test_frequency_over_runs(runs: list[float], frequency: Frequency) -> None:
    assert Frequency.over(runs) == frequency


def test_figures_per_slice() -> None:
    found = figures(point(8), 190.0, 200.0, 250.0, lut=100, ff=300)
    assert (found.throughput_mbps, found.as_json()["mbps_per_area"]) == (200.0 * 8, 10.6667)
    record = found.as_json()
    assert (record["setup_cycles"], record["setup_ns"]) == (20 + 144, 164 * 5.0)
    assert (record["area_unit"], record["tools"]) == ("slice", {"tool": "1.0"})
    assert record["fmax_mhz"] == {"median": 200.0, "min": 190.0, "max": 250.0, "seeds": 3}


def test_figures_per_gate_equivalent() -> None:
    found = figures(point(64, "osu018"), 500.0, ge=4000.0, ge_cell="NAND2X1")
    assert (found.throughput_mbps, found.as_json()["mbps_per_area"]) == (32000.0, 8.0)
    record = found.as_json()
    assert (record["setup_cycles"], record["setup_ns"]) == (3 + 18, 42.0)
    assert record["area_unit"] == "GE"


def test_what_was_not_measured_is_absent() -> None:
    record = figures(point(), 100.0, lut=10).as_json()
    absent = {name for name, value in record.items() if value is None}
    assert {"ge", "ge_cell", "area_um2", "power_mw", "energy_message_nj"} <= absent
    assert "point" not in record
    json.dumps(record)


def test_record_tells_the_architecture() -> None:
    at = DesignPoint(TRIVIUM, architecture(16, 8, stall="none"), OSU018, Settings(1))
    record = figures(at, 100.0, ge=1.0).as_json()
    assert (record["cipher"], record["target"]) == ("trivium", "osu018")
    assert (record["radix"], record["load_width"]) == (16, 8)
    assert record["options"] == architecture(16, 8, stall="none").options
    assert (record["options"]["stall"], record["options"]["clear"]) == ("none", "shift")


# Targets


def test_unknown_target() -> None:
    legal = ", ".join(TARGETS)
    message = f"target must be one of {legal}, not 'osu18' (did you mean 'osu018'?)"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        target.find("osu18")


# The shell

PORTS = (
    Port("clk", "input", 1),
    Port("rst", "input", 1),
    Port("a", "input", 5),
    Port("y", "output", 3),
    Port("b", "input", 2),
    Port("z", "output", 1),
)
SMALL = Verilog("small", "module small (clk, rst, a, y, b, z);\nendmodule\n", PORTS)
REAL_CORES = {
    "r1": (TRIVIUM, architecture(1)),
    "r67": (TRIVIUM, architecture(67)),
    "free": (TRIVIUM, architecture(8, stall="none", clear="none")),
    "lanes": (E0, Architecture.choose(E0, radix=8)),
    "last": (MICKEY_2, Architecture.choose(MICKEY_2, radix=1)),
    "aead": (GRAIN_128AEAD, Architecture.choose(GRAIN_128AEAD, radix=64)),
    "aead-free": (
        GRAIN_128A_AE,
        Architecture.choose(GRAIN_128A_AE, radix=1, options={"stall": "none"}),
    ),
}
CORES = ["small", *REAL_CORES]


def core_of(name: str) -> Verilog:
    """One of these cores, generated for the first test that wants it."""
    return generate(*REAL_CORES[name]) if name in REAL_CORES else SMALL


def slices(text: str, vector: str) -> dict[str, tuple[int, int]]:
    found = re.findall(rf"\.(\w+)\({vector}\[(\d+) \+: (\d+)\]\)", text)
    return {port: (int(place), int(width)) for port, place, width in found}


@pytest.mark.parametrize(
    ("vector", "direction"), [("feed", "input"), ("out", "output")], ids=["inputs", "outputs"]
)
@pytest.mark.parametrize("name", CORES)
def test_every_port_is_connected_once(name: str, vector: str, direction: str) -> None:
    core = core_of(name)
    text = in_shell(core).removeprefix(core.text)
    connected = slices(text, vector)
    ports = [port for port in core.ports if port.direction == direction and port.name != "clk"]
    assert {name: width for name, (_, width) in connected.items()} == {
        port.name: port.width for port in ports
    }
    bits = [place + bit for place, width in connected.values() for bit in range(width)]
    assert sorted(bits) == list(range(len(bits)))
    assert f" [{len(bits) - 1}:0] {vector};" in text
    assert ".clk(clk)" in text


def test_registers_of_the_shell() -> None:
    """One per input bit but the clock, two per output bit."""
    assert shell_registers(SMALL) == (1 + 5 + 2) + 2 * (3 + 1)


def test_ports_of_every_kind_are_in_the_shell() -> None:
    ports = {port.name for name in CORES for port in core_of(name).ports}
    assert {"load_last", "data_in_ad", "data_out_keep", "tag_ready", "decrypt"} <= ports


@pytest.mark.parametrize("name", REAL_CORES)
def test_register_count_is_that_of_yosys(name: str, tmp_path: Path) -> None:
    """Counted after optimisation: a bit that is constant or that nobody sees would be missing."""
    core = core_of(name)
    (tmp_path / "design.v").write_text(in_shell(core))
    passes = [
        "read_verilog design.v",
        f"hierarchy -check -top {SHELL}",
        "proc",
        "check -assert",
        "opt",
        "tee -q -o stat.json stat -json -width",
    ]
    log = run_yosys(passes, tmp_path)
    assert "Warning" not in log
    cells = json.loads((tmp_path / "stat.json").read_text())["modules"][f"\\{SHELL}"]
    by_type = Counter(cells["num_cells_by_type"])
    bits = sum(int(name.split("_")[-1]) * count for name, count in by_type.items() if "dff" in name)
    assert bits == shell_registers(core)


@needs_iverilog
@pytest.mark.parametrize("name", REAL_CORES)
def test_shell_without_warnings(name: str, tmp_path: Path) -> None:
    (tmp_path / "design.v").write_text(in_shell(core_of(name)))
    command = ["iverilog", "-g2005", "-Wall", "-Wno-timescale", "-s", SHELL, "-t", "null"]
    done = subprocess.run(
        [*command, "design.v"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
