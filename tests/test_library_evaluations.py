# SPDX-License-Identifier: Apache-2.0
"""Evaluations in the cells of a library, and netlists that are given."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from command_line import Capture
from library_needs import library, needs

from headwater.cipher.catalogue import CATALOGUE
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.flow import process
from headwater.flow.asic import map_to_cells
from headwater.flow.folders import private_folder
from headwater.flow.power import Power
from headwater.measure import asic
from headwater.measure.asic import evaluate_in_cells
from headwater.measure.energy import message_energy_nj
from headwater.measure.figures import Figures
from headwater.measure.point import DesignPoint
from headwater.measure.settings import Settings
from headwater.measure.target import TARGETS, AsicTarget

# Evaluations


@cache
def evaluated(
    name: str = "osu018",
    sweep: tuple[float, ...] = (0.5,),
    **settings: Any,
) -> Figures:
    cipher, target = CATALOGUE["grain_v1"], TARGETS[name]
    assert isinstance(target, AsicTarget)
    architecture = Architecture.choose(cipher, radix=1)
    point = DesignPoint(cipher, architecture, target, Settings(**settings))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asic, "SWEEP", sweep)
        return evaluate_in_cells(point, target, generate(cipher, architecture))


@pytest.mark.parametrize(
    ("name", "gating"),
    [
        pytest.param("osu018", "latch", marks=needs("osu018")),
        pytest.param("sky130hd", "integrated", marks=needs("sky130hd")),
    ],
)
def test_gated_core(name: str, gating: str) -> None:
    """The keystream is checked in every evaluation; gates save multiplexers and power."""
    plain = evaluated(name, (), clock_gating="none")
    gated = evaluated(name, ())
    assert gated.settings["clock_gating"] == gating
    assert plain.ge
    assert gated.ge
    assert plain.power_mw
    assert gated.power_mw
    # The state and the count of words and cycles.
    assert (plain.clock_gates, gated.clock_gates) == (0, 2)
    assert plain.ff == gated.ff
    assert gated.ge < plain.ge - 160
    assert gated.power_mw < 0.97 * plain.power_mw
    assert gated.fmax_mhz.median > 100


@needs("osu018")
def test_objectives() -> None:
    found = {name: evaluated(objective=name) for name in ("area", "balanced", "speed", "power")}
    area = {name: figures.ge or 0.0 for name, figures in found.items()}
    fmax = {name: figures.fmax_mhz.median for name, figures in found.items()}
    energy = {name: figures.energy_pj_per_bit or 0.0 for name, figures in found.items()}
    assert area["area"] == min(area.values()) == found["area"].ge_smallest
    assert fmax["speed"] == max(fmax.values())
    assert energy["power"] <= min(energy["balanced"], energy["speed"])
    assert fmax["balanced"] / area["balanced"] >= fmax["speed"] / area["speed"]


@needs("osu018")
def test_members_belong_together() -> None:
    found = evaluated()
    assert found.ge
    assert found.ge_sequential
    assert found.ge_combinational
    assert found.ff
    assert found.ge == pytest.approx(found.ge_sequential + found.ge_combinational, abs=0.11)
    assert (found.ff_cell, found.ff_ge) == ("DFFPOSX1", 4.0)
    assert found.ge_sequential == pytest.approx(4.0 * found.ff)
    assert found.fo4_ps
    assert found.period_fo4
    period_ps = 1e6 / found.fmax_mhz.median
    assert found.period_fo4 == pytest.approx(period_ps / found.fo4_ps, rel=1e-3)
    assert found.critical_stage in ("setup", "running")
    assert found.running_fmax_mhz
    assert found.running_fmax_mhz >= found.fmax_mhz.median
    same = found.running_fmax_mhz <= found.fmax_mhz.median * 1.0002
    assert same == (found.critical_stage == "running")


@needs("osu018")
def test_power_at_other_clocks() -> None:
    found = evaluated()
    assert found.power_mw
    assert found.leakage_mw
    assert found.power_clock_mhz == 100.0
    dynamic = (found.power_mw - found.leakage_mw) / 100
    for mhz, power_mw in (
        (0.1, found.power_at_100khz_mw),
        (10.0, found.power_at_10mhz_mw),
        (found.fmax_mhz.median, found.power_at_fmax_mw),
    ):
        assert power_mw == pytest.approx(dynamic * mhz + found.leakage_mw, rel=2e-3)
    # Measured at another clock it is the same.
    slow = evaluated(clock_mhz=10.0)
    assert slow.power_clock_mhz == 10.0
    assert slow.power_mw == pytest.approx(found.power_at_10mhz_mw, rel=2e-3)


def test_power_scales() -> None:
    assert Power(3.0, 1.0, 0.5, 4.5).at(2.0) == Power(6.0, 2.0, 0.5, 8.5)


@needs("osu018")
def test_energy_of_any_message() -> None:
    found = evaluated()
    assert found.energy_pj_per_bit
    assert found.energy_cycle_pj
    assert found.setup_energy_nj
    assert found.energy_mj_per_gbit == pytest.approx(found.energy_pj_per_bit * 1.0737418, rel=1e-3)
    message = found.energy_message_nj
    assert message
    assert message_energy_nj(found, 8) == pytest.approx(message.one_block, rel=2e-3)
    assert message_energy_nj(found, 8000) == pytest.approx(message.thousand_blocks, rel=2e-3)
    assert message_energy_nj(found, 0) == pytest.approx(found.setup_energy_nj, rel=1e-3)
    absent = Figures(**{**vars(found), "energy_cycle_pj": None})
    with pytest.raises(InputError, match=r"^figures must hold energy, and those of grain_v1 "):
        message_energy_nj(absent, 1)


# Netlists that are given


@cache
def mapped(gating: str = "none") -> str:
    cipher = CATALOGUE["grain_v1"]
    verilog = generate(cipher, Architecture.choose(cipher, radix=1))
    with private_folder() as folder:
        cells = library("osu018")
        return map_to_cells(verilog.text, verilog.name, cells, folder, clock_gating=gating).verilog


def verify(capsys: Capture, *words: str) -> tuple[int, str]:
    status = main(["verify", "grain_v1", "--target", "osu018", *words])
    printed = capsys.readouterr()
    return status, printed.err.splitlines()[-1] if printed.err else printed.out


@needs("osu018")
def test_netlist_is_proven(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "n.v").write_text(mapped())
    status, line = verify(capsys, "--netlist", str(tmp_path / "n.v"))
    assert (status, line.startswith("netlist equals RTL (sat)")) == (0, True)
    assert line.endswith(": 1 passed")


@needs("osu018")
def test_gated_netlist_is_simulated(capsys: Capture) -> None:
    status, line = verify(capsys, "--netlist", "--clock-gating", "latch")
    assert (status, line.startswith("netlist equals RTL (simulation)")) == (0, True)
    assert line.endswith("1 passed, 1 skipped (no proof: the netlist has latches)")


@needs("osu018")
def test_wrong_netlist_is_refused(capsys: Capture, tmp_path: Path) -> None:
    wrong, changes = re.subn(r"\bXNOR2X1\b", "XOR2X1", mapped(), count=1)
    assert changes
    (tmp_path / "n.v").write_text(wrong)
    status, line = verify(capsys, "--netlist", str(tmp_path / "n.v"))
    assert status == 1
    message = "the osu018 netlist of grain_v1_r1 gives another keystream than the model"
    assert line.endswith(f"0 passed, 1 FAILED: {message}")


@needs("osu018")
def test_a_missing_tool_tells_nothing_of_the_netlist(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "n.v").write_text(mapped())
    monkeypatch.setattr(process.shutil, "which", lambda _name: None)
    status, line = verify(capsys, "--netlist", str(tmp_path / "n.v"))
    assert status == 2
    assert line.startswith("headwater: iverilog is not installed; install it with: ")


@needs("osu018")
def test_register_on_another_clock_is_not_proven(capsys: Capture, tmp_path: Path) -> None:
    """Models of registers in a proof do not look at their clock."""
    wrong, changes = re.subn(
        r"(DFFPOSX1 _\w+_ \(\n    \.CLK\()clk(\),\n    \.D\([^)]*\),\n    \.Q\(step\))",
        r"\1rst\2",
        mapped(),
    )
    assert changes == 1
    (tmp_path / "n.v").write_text(wrong)
    status, line = verify(capsys, "--netlist", str(tmp_path / "n.v"))
    assert "(sat)" not in line
    assert status == 1 or "no proof: not all registers are clocked by clk alone" in line


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--netlist", "no.v"),
            (
                "--netlist must come with the netlist's library: either --target "
                "NAME or --liberty FILE"
            ),
        ),
        (("--target", "osu018"), "--target must come with --netlist, the netlist that is verified"),
        (
            ("--netlist", "--target", "ecp5-25k"),
            ("target must be a standard-cell library, not ecp5-25k"),
        ),
        (("--netlist", "--prove", "--target", "osu018"), "--netlist must come without --prove"),
        (
            ("--netlist", "no.v", "--target", "osu018", "--radix", "1,2"),
            "--netlist FILE must come with one radix, not 2",
        ),
        (
            ("--netlist", "no.v", "--target", "osu018"),
            "netlist must be a readable Verilog file, not no.v: No such file or directory",
        ),
    ],
)
def test_command_line(capsys: Capture, words: tuple[str, ...], message: str) -> None:
    assert main(["verify", "grain_v1", *words]) == 2
    assert capsys.readouterr().err == f"headwater: {message}\n"


@needs("osu018")
def test_netlist_of_something_else(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "n.v").write_text("module other(input clk); endmodule\n")
    status, line = verify(capsys, "--netlist", str(tmp_path / "n.v"))
    assert status == 2
    assert line == (
        f"headwater: netlist must have the module grain_v1_r1, which {tmp_path / 'n.v'} has not"
    )
