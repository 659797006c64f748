# SPDX-License-Identifier: Apache-2.0
"""Area as papers about Xilinx Spartan-3 count it: slices of two LUTs and two flip-flops."""

from __future__ import annotations

from headwater.flow.fpga.packing import SLICE
from headwater.measure.record import Record


def least_slices(record: Record, *, with_srl: bool = False) -> int | None:
    """The least number of slices that hold a core; None for cells.

    If the target counts slices, its count is taken, of the mapping in which LUTs may be shift
    registers if ``with_srl``. For other FPGAs LUTs and flip-flops are counted as if they were those
    of Spartan-3.
    """
    mapping = "area" if with_srl else "area without SRL"
    slices: int | None = ((record.get("mappings") or {}).get(mapping) or {}).get("slices")
    if slices is not None:
        return slices
    lut, ff = record.get("lut"), record.get("ff")
    return SLICE.least(lut, ff or 0) if lut else None


def mbps_per_slice(record: Record) -> float | None:
    """Throughput per slice in Mbit/s; None if throughput or slices are unknown."""
    mbps, slices = record.get("throughput_mbps"), least_slices(record)
    return mbps / slices if mbps and slices else None
