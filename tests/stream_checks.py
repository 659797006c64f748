# SPDX-License-Identifier: Apache-2.0
"""What streams of cocotbext-axi see of a core on AXI4-Stream; `test_buses.py` has cocotb run it.

All of them pause at random.
"""

from __future__ import annotations

import itertools
import json
import os
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

GIVEN = json.loads(os.environ["HEADWATER_CHECK"])
"""Bytes in hex: of a load, and of a keystream or of a text and what it becomes."""
LOAD = bytes.fromhex(GIVEN["load"])
EXPECTED = bytes.fromhex(GIVEN["expected"])
TEXT = bytes.fromhex(GIVEN["text"])


def end(kind: Any, dut: Any, name: str) -> Any:
    """A source or a sink that pauses half of the time."""
    bus = AxiStreamBus.from_prefix(dut, name)
    made = kind(bus, dut.aclk, dut.aresetn, reset_active_level=False)
    made.set_pause_generator(itertools.cycle(random.Random(name).choices((0, 1), k=997)))
    return made


async def started(dut: Any) -> Any:
    """The source of loads, after reset."""
    cocotb.start_soon(Clock(dut.aclk, 10, "ns").start())
    dut.clear.value = 0
    load = end(AxiStreamSource, dut, "s_axis_load")
    dut.aresetn.value = 0
    await ClockCycles(dut.aclk, 4)
    dut.aresetn.value = 1
    return load


async def received(sink: Any, length: int) -> bytes:
    """That many bytes, of as many frames as it takes."""
    got = b""
    while len(got) < length:
        got += bytes((await sink.recv()).tdata)
    return got


@cocotb.test(skip=bool(TEXT), timeout_time=400, timeout_unit="us")
async def keystream(dut: Any) -> None:
    load = await started(dut)
    sink = end(AxiStreamSink, dut, "m_axis_keystream")
    await load.send(LOAD)
    assert (await received(sink, len(EXPECTED)))[: len(EXPECTED)] == EXPECTED


@cocotb.test(skip=not TEXT, timeout_time=400, timeout_unit="us")
async def text(dut: Any) -> None:
    dut.decrypt.value = 0
    load = await started(dut)
    source = end(AxiStreamSource, dut, "s_axis_data_in")
    sink, tag = (end(AxiStreamSink, dut, f"m_axis_{name}") for name in ("data_out", "tag"))
    await load.send(LOAD)
    await source.send(AxiStreamFrame(TEXT, tuser=0))
    assert bytes((await sink.recv()).tdata) == EXPECTED[: len(TEXT)]
    assert await received(tag, len(EXPECTED) - len(TEXT)) == EXPECTED[len(TEXT) :]
