# SPDX-License-Identifier: Apache-2.0
"""Evaluations with the real tools."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from bench_points import architecture, point, verilog
from command_line import Capture
from needs import PDK_ROOT, needs_iverilog, needs_osu018, needs_pdk_root, needs_sta
from parts import keep_only

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.trivium import TRIVIUM
from headwater.cli.main import main
from headwater.emit.verilog import generate
from headwater.errors import ToolError
from headwater.flow.asic import MappedNetlist
from headwater.flow.fpga.lattice import ECP5
from headwater.kinds.bit_aead.description import BitAead
from headwater.measure import asic
from headwater.measure.asic import evaluate_in_cells
from headwater.measure.record import area_of
from headwater.measure.target import AsicTarget

# Real evaluations

CONTRACT = {
    "cipher",
    "radix",
    "bits_per_cycle",
    "load_width",
    "options",
    "target",
    "lut",
    "ff",
    "area_um2",
    "ge",
    "ge_cell",
    "fmax_mhz",
    "throughput_mbps",
    "mbps_per_area",
    "setup_cycles",
    "setup_ns",
    "power_mw",
    "energy_pj_per_bit",
    "energy_message_nj",
    "rtl_sha256",
    "tools",
}


def evaluated(capsys: Capture, *words: str) -> list[dict[str, Any]]:
    status = main(["evaluate", *words, "--json"])
    printed = capsys.readouterr()
    assert status == 0, printed.err
    records: list[dict[str, Any]] = json.loads(printed.out)
    return records


def check_record(record: dict[str, Any]) -> None:
    """What must hold of every record, whatever the target."""
    assert record.keys() >= CONTRACT
    assert record["fmax_mhz"].keys() == {"median", "min", "max", "seeds"}
    cipher, fmax = CATALOGUE[record["cipher"]], record["fmax_mhz"]["median"]
    bits = record["radix"] / (2 if isinstance(cipher, BitAead) else 1)
    assert record["bits_per_cycle"] == bits
    assert record["throughput_mbps"] == pytest.approx(fmax * bits, abs=0.01)
    area = area_of(record)
    assert area is not None
    assert record["mbps_per_area"] == pytest.approx(fmax * bits / area, rel=1e-3, abs=1e-4)
    assert record["setup_ns"] == pytest.approx(1000 * record["setup_cycles"] / fmax, abs=0.01)
    # Of the registers of a description, a core may need fewer: SFINKS' queues are read ahead of.
    described = sum(register.length for register in cipher.registers)
    fewest, most = min(described, cipher.state_bits), max(described, cipher.state_bits)
    # A counter, some flags, the held word; of an isolated authenticator what stands before it.
    assert fewest <= record["ff"] <= 1.2 * most + 16


def test_ecp5(capsys: Capture) -> None:
    words = ("trivium", "--radix", "8", "--seeds", "1")
    (record,) = evaluated(capsys, *words)
    check_record(record)
    assert (record["cipher"], record["target"]) == ("trivium", "ecp5-25k")
    assert (record["radix"], record["load_width"], record["setup_cycles"]) == (8, 8, 164)
    assert record["options"] == architecture(8).options
    assert record["rtl_sha256"] == generate(TRIVIUM, architecture(8)).sha256
    assert record["tools"].keys() == {"yosys", "nextpnr-ecp5"}
    assert record["fmax_mhz"]["seeds"] == 1
    # 8 times 11 XOR and 3 AND gates make some 50 LUTs; control and load the rest.
    assert 50 <= record["lut"] <= 250
    assert 50 < record["fmax_mhz"]["median"] < 1000
    for name in ("area_um2", "ge", "ge_cell", "power_mw", "energy_pj_per_bit", "energy_message_nj"):
        assert record[name] is None
    assert evaluated(capsys, *words) == [record]


@pytest.mark.parametrize(
    "cipher", ["grain_v1", "grain128aeadv2", "mickey2", "a51", "e0", "achterbahn80", "sfinks"]
)
def test_every_kind_of_step_can_be_evaluated(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, cipher: str
) -> None:
    keep_only(monkeypatch, ECP5, "area")
    (record,) = evaluated(capsys, cipher, "--seeds", "1")
    check_record(record)
    assert (record["cipher"], record["radix"], record["target"]) == (
        cipher,
        CATALOGUE[cipher].default_radix,
        "ecp5-25k",
    )


def check_cells(record: dict[str, Any]) -> None:
    check_record(record)
    assert (record["lut"], record["fmax_mhz"]["seeds"]) == (None, 1)
    assert record["tools"].keys() == {"yosys", "opensta", "iverilog"}
    assert record["ge_smallest"] <= record["ge"]
    front = record["pareto"]
    assert {"ge": record["ge"], "fmax_mhz": record["fmax_mhz"]["median"]} in front
    assert sorted(front, key=lambda entry: entry["ge"]) == front
    assert sorted(front, key=lambda entry: entry["fmax_mhz"]) == front
    # mW at MHz over bits per cycle is pJ per bit.
    per_bit = 1000 * record["power_mw"] / record["power_clock_mhz"] / record["bits_per_cycle"]
    assert record["energy_pj_per_bit"] == pytest.approx(per_bit, rel=2e-3)
    message = record["energy_message_nj"]
    assert message["one_block"] == pytest.approx(
        record["setup_energy_nj"] + 64 * per_bit / 1000, rel=2e-3
    )
    assert message["thousand_blocks"] == pytest.approx(
        record["setup_energy_nj"] + 64000 * per_bit / 1000, rel=2e-3
    )


@needs_iverilog
@needs_sta
@needs_osu018
def test_osu018(capsys: Capture) -> None:
    (record,) = evaluated(capsys, "trivium", "--radix", "8", "--target", "osu018")
    check_cells(record)
    assert (record["target"], record["ge_cell"]) == ("osu018", "NAND2X1")
    # A flip-flop of 4 GE for each of 288 bits, at least; and the area is that of the cells.
    assert 4 * 288 < record["ge"] < 4000
    assert record["area_um2"] == pytest.approx(24.0 * record["ge"], abs=24 * 0.05)


@needs_iverilog
@needs_sta
@needs_osu018
def test_wrong_gate_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """One XOR too many negated, in a netlist that has the area and the speed of a right one."""
    map_to_cells = asic.map_to_cells

    def with_a_wrong_gate(*arguments: Any) -> MappedNetlist:
        mapped = map_to_cells(*arguments)
        verilog, changes = re.subn(r"\bXNOR2X1\b", "XOR2X1", mapped.verilog, count=1)
        assert changes == 1
        return MappedNetlist(**{**vars(mapped), "verilog": verilog})

    monkeypatch.setattr(asic, "map_to_cells", with_a_wrong_gate)
    monkeypatch.setattr(asic, "SWEEP", ())
    at = point(8, "osu018")
    assert isinstance(at.target, AsicTarget)
    message = "the osu018 netlist of trivium_r8 gives another keystream than the model"
    with pytest.raises(ToolError, match=f"^{message}$"):
        evaluate_in_cells(at, at.target, verilog(at))


@needs_iverilog
@needs_sta
@needs_pdk_root
def test_liberty_file(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    (path,) = PDK_ROOT.glob("ihp_sg13g2/*typ*.lib.gz")
    monkeypatch.setattr(asic, "SWEEP", (0.8, 0.5))
    (record,) = evaluated(capsys, "trivium", "--radix", "8", "--liberty", str(path))
    check_cells(record)
    assert record["target"] == path.name.removesuffix(".lib.gz")
    assert record["ge_cell"] == "sg13g2_nand2_1"
