# SPDX-License-Identifier: Apache-2.0
"""Made-up results for tests of what is done with results."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from headwater.measure.record import Record
from headwater.measure.store import Result

TOOLS = {
    "FPGA": {"yosys": "0.70", "nextpnr-ecp5": "0.11"},
    "cells": {"yosys": "0.70", "opensta": "2.0"},
}


def made_up(
    cipher: str = "trivium", radix: int = 1, target: str = "ecp5-25k", **members: Any
) -> Result:
    """A result as the store gives it; figures follow from the radix, and members replace them."""
    technology = "cells" if target.startswith("osu") or target.endswith(".lib") else "FPGA"
    fmax = round(300 / (1 + radix / 100), 2)
    record: Record = {
        "cipher": cipher,
        "radix": radix,
        "bits_per_cycle": radix,
        "load_width": radix,
        "options": {"stall": "stream", "clear": "shift"},
        "target": target,
        "rtl_sha256": _hash(cipher, radix),
        "fmax_mhz": {"median": fmax, "min": fmax - 9, "max": fmax + 9, "seeds": 5},
        "critical_path": ["a", "b"],
        "lut": None,
        "ff": 300,
        "mapping": None,
        "area_um2": None,
        "ge": None,
        "ge_smallest": None,
        "ge_cell": None,
        "pareto": None,
        "power_mw": None,
        "power_clock_mhz": None,
        "energy_pj_per_bit": None,
        "energy_mj_per_gbit": None,
        "setup_energy_nj": None,
        "tag_energy_nj": None,
        "energy_message_nj": None,
        "settings": {},
        "throughput_mbps": round(fmax * radix, 2),
        "area_unit": "LUT",
        "setup_cycles": 1312 // radix + 1,
        "setup_ns": 1000 * (1312 // radix + 1) / fmax,
        "flow": {"seeds": 5, "objective": "balanced"},
        "tools": TOOLS[technology],
    }
    record |= _fpga(radix) if technology == "FPGA" else _cells(radix)
    record |= members
    area = record["lut"] if technology == "FPGA" else record["ge"]
    mbps = record["throughput_mbps"]
    record.setdefault("mbps_per_area", round(mbps / area, 4) if mbps and area else None)
    identity = _hash(cipher, radix, target, json.dumps(members, sort_keys=True))
    return Result(
        identity, record, 1.0, members.get("measured_at", "2026-01-02T03:04:05.678+00:00")
    )


def made_up_system(
    cipher: str = "trivium", interface: str = "bus", cycles: float = 21.0, **members: Any
) -> Result:
    """A result of a system as the store gives it; interface "software" is the processor alone."""
    alone = interface == "software"
    record = {
        "cipher": cipher,
        "cpu": "vexriscv",
        "interface": interface,
        "driver": "blocking",
        "wait_states": 0,
        "stateless": False,
        "radix": None if alone else 64,
        "load_width": None if alone else 32,
        "options": {} if alone else {"clear": "shift"},
        "message_bytes": 1024,
        "cycles_per_128_bits": cycles,
        "message_cycles": 3000,
        "bits_per_cycle": 128 / cycles,
        "tools": {"verilator": "5.0"},
        **(
            {"baseline": "word-parallel C, gcc 12.2 -O2"}
            if alone
            else {"core_cycles_per_128_bits": 2.0, "rtl_sha256": _hash(cipher)}
        ),
        **members,
    }
    return Result(_hash(cipher, interface, cycles, members), record, 1.0, "2026-01-02T03:04:05")


def _hash(*what: object) -> str:
    return hashlib.sha256(repr(what).encode()).hexdigest()


def _fpga(radix: int) -> Record:
    return {"lut": 30 + 12 * radix, "mapping": "speed"}


def _cells(radix: int) -> Record:
    bit = 130 / radix + 1
    return {
        "area_unit": "GE",
        "ge": 2100.0 + 40 * radix,
        "ge_smallest": 2000.0,
        "ge_cell": "NAND2X1",
        "area_um2": 8.0 * (2100 + 40 * radix),
        "power_mw": 12.5 + radix / 10,
        "power_clock_mhz": 100.0,
        "energy_pj_per_bit": bit,
        "energy_mj_per_gbit": 1.074 * bit,
        "setup_energy_nj": 160 / radix,
        "energy_message_nj": {
            "one_block": 160 / radix + 0.064 * bit,
            "thousand_blocks": 160 / radix + 64 * bit,
        },
        "pareto": [{"ge": 2100.0, "fmax_mhz": 300.0}],
    }
