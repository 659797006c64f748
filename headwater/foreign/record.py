# SPDX-License-Identifier: Apache-2.0
"""The record of a foreign core on a target: what the store keeps of it. It has a hash of the
sources, and nothing else of them but the names of their files."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from functools import lru_cache

from headwater import sources
from headwater.cipher.description import Cipher
from headwater.foreign.reading import ForeignCore
from headwater.foreign.settings import Settings
from headwater.foreign.verdict import Verdict
from headwater.measure.record import Record, area_of, area_unit_of, mbps_per_area_of
from headwater.measure.target import Target

MARK = "foreign"
"""The member of a record that says that somebody else wrote the core: its name."""


def identity(
    verdict: Verdict, core: ForeignCore, cipher: Cipher, settings: Settings, target: Target
) -> str:
    """Hash of all that the figures and the verdict depend on."""
    depends = {
        "cipher": cipher.name,
        "description": cipher.digest,
        "sources": verdict.sources_sha256,
        "settings": asdict(settings),
        "circuit": core.verilog.circuit_sha256,
        "target": target.identity(),
        "tools": target.tools(),
        "measured with": _measured_with(),
    }
    return hashlib.sha256(json.dumps(depends, sort_keys=True).encode()).hexdigest()


@lru_cache
def _measured_with() -> str:
    """Hash of the sources that measure a foreign core."""
    start = sources.PACKAGE / "foreign" / "costing.py"
    return sources.closure_sha256([start], without=frozenset())


def record_of(
    verdict: Verdict, core: ForeignCore, settings: Settings, target: Target, figures: Record
) -> Record:
    """The record of a core on a target: ``figures`` are what `cost` gives, or a record that has
    them."""
    clock, cycles = (figures["fmax_mhz"] or {}).get("median"), verdict.setup_cycles
    rate = verdict.bits_per_cycle
    record = {
        MARK: verdict.name,
        "cipher": verdict.cipher,
        "radix": verdict.radix,
        "bits_per_cycle": verdict.bits_per_cycle,
        "load_width": None,
        "options": {},
        "flow": {"stage": MARK},
        "target": target.name,
        **{name: figures.get(name) for name in _FIGURES},
        "throughput_mbps": round(clock * rate, 2) if clock and rate else None,
        "setup_cycles": cycles,
        "setup_ns": round(1000 * cycles / clock, 2) if clock and cycles else None,
        "lacks": verdict.lacks,
        "passes": verdict.passes,
        "layers": {one.name: one.result for one in verdict.layers},
        "wrong": verdict.wrong,
        "files": verdict.files,
        "parameters": dict(settings.parameters),
        "sources_sha256": verdict.sources_sha256,
        "circuit_sha256": core.verilog.circuit_sha256,
        "verilog_sha256": core.verilog.sha256,
        "tools": target.tools(),
    }
    return record | {
        "area": area_of(record),
        "area_unit": area_unit_of(record),
        "mbps_per_area": mbps_per_area_of(record),
    }


_FIGURES = (
    "lut",
    "ff",
    "slices",
    "fmax_mhz",
    "too_large",
    "not_routed",
    "mapping",
    "mappings",
    "ge",
    "ge_smallest",
    "ge_smallest_gated",
    "ge_plain",
    "ge_plain_gated",
)
