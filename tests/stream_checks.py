# SPDX-License-Identifier: Apache-2.0
"""What streams of cocotbext-axi see of a core on AXI4-Stream; `test_axi4stream.py` has cocotb run
it.

All of them pause at random. What is given is a list of sessions: a packet of key and IV, and a
message with what it becomes, or the beginning of a keystream.
"""

from __future__ import annotations

import itertools
import json
import os
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import (
    AxiLiteBus,
    AxiLiteMaster,
    AxiStreamBus,
    AxiStreamFrame,
    AxiStreamSink,
    AxiStreamSource,
)

GIVEN = json.loads(os.environ["HEADWATER_CHECK"])
SESSIONS = GIVEN["sessions"]
ADDRESS = GIVEN["registers"]
LANES = GIVEN["data_width"] // 8
SPARE, AD = GIVEN["spare"], GIVEN["ad"]
"""Whether tuser of the text says how many bits do not count, and what is associated data."""
DECRYPTS = any(session.get("decrypts") for session in SESSIONS)


def end(kind: Any, dut: Any, name: str) -> Any:
    """A source or a sink that pauses half of the time."""
    bus = AxiStreamBus.from_prefix(dut, name)
    made = kind(bus, dut.aclk, dut.aresetn, reset_active_level=False)
    made.set_pause_generator(itertools.cycle(random.Random(name).choices((0, 1), k=997)))
    return made


class Load:
    """Key and IV by a stream, or by registers."""

    def __init__(self, dut: Any) -> None:
        self._dut = dut
        if ADDRESS:
            bus = AxiLiteBus.from_prefix(dut, "s_axi")
            self._master = AxiLiteMaster(bus, dut.aclk, dut.aresetn, reset_active_level=False)
        else:
            self.source = end(AxiStreamSource, dut, "s_axis_load")

    async def read(self, name: str) -> int:
        """The value of a register."""
        return int.from_bytes((await self._master.read(ADDRESS[name], 4)).data, "little")

    async def write(self, name: str, value: int) -> None:
        """Write a register."""
        await self._master.write(ADDRESS[name], value.to_bytes(4, "little"))

    async def send(self, session: Any, *, queued: bool = False) -> None:
        """Load what a session needs; ``queued``: without waiting until it has been taken."""
        data, decrypts = bytes.fromhex(session["load"]), int(session.get("decrypts", False))
        if not ADDRESS:
            users = {"tuser": decrypts} if hasattr(self._dut, "s_axis_load_tuser") else {}
            await self.source.send(AxiStreamFrame(data, **users))
            if not queued:
                await self.source.wait()
            return
        if "CONTROL" in ADDRESS:
            await self.write("CONTROL", decrypts)
        await self.write("START", len(data))
        for place in range(0, len(data), 4):
            await self.write("LOAD", int.from_bytes(data[place : place + 4], "little"))
        for name in ("START", "LOAD"):
            assert await self.read(name) == 0


async def started(dut: Any) -> Load:
    """The way of loads, after reset."""
    cocotb.start_soon(Clock(dut.aclk, 10, "ns").start())
    load = Load(dut)
    if hasattr(dut, "clear"):
        dut.clear.value = 0
    dut.aresetn.value = 0
    await ClockCycles(dut.aclk, 4)
    dut.aresetn.value = 1
    return load


async def offers_stay(dut: Any, name: str) -> None:
    """A beat that is offered stays as it is until it is taken."""

    def shown(member: str) -> Any:
        signal = getattr(dut, f"{name}_{member}", None)
        return None if signal is None else str(signal.value)

    before = None
    while True:
        await RisingEdge(dut.aclk)
        now = [shown(member) for member in ("tvalid", "tdata", "tkeep", "tlast", "tuser")]
        assert before is None or now == before, f"{name} takes back {before}, shows {now}"
        waits = shown("tvalid") == "1" and shown("tready") == "0" and not clears(dut)
        before = now if waits else None


def clears(dut: Any) -> bool:
    """Whether everything is forgotten in this cycle."""
    return bool(dut.clear.value) or not dut.aresetn.value


async def clear(dut: Any, load: Load) -> None:
    """Forget everything."""
    if ADDRESS:
        await load.write("STATUS", 0)
    else:
        dut.clear.value = 1
        await RisingEdge(dut.aclk)
        dut.clear.value = 0
    await ClockCycles(dut.aclk, 2)


async def begun_anew(load: Load) -> None:
    """The registers say what they are, and a load that was begun is forgotten."""
    for name, value in GIVEN["values"].items():
        assert await load.read(name) == value, name
    await load.write("IRQ_ENABLE", 0xA)
    await load.write("START", 12)
    await load.write("LOAD", 0xFFFFFFFF)
    assert await load.read("STATUS") == 1 << 9


async def interrupted(dut: Any, load: Load, bits: int) -> None:
    """These events have happened; writing ones forgets them."""
    assert dut.irq.value
    assert await load.read("IRQ_STATUS") == bits
    await load.write("IRQ_STATUS", bits)
    await ClockCycles(dut.aclk, 2)
    assert not dut.irq.value


@cocotb.test(skip=GIVEN["message"], timeout_time=GIVEN["timeout"], timeout_unit="us")
async def keystream(dut: Any) -> None:
    """Each load begins a keystream, whose first beat is marked; no beat of the one before comes."""
    load = await started(dut)
    bus = AxiStreamBus.from_prefix(dut, "m_axis_keystream")
    bus.tready.value = 0
    cocotb.start_soon(offers_stay(dut, "m_axis_keystream"))
    if ADDRESS:
        await begun_anew(load)
    chance = random.Random(1)
    for session in SESSIONS:
        sending = cocotb.start_soon(load.send(session))
        bus.tready.value = 0  # The load has to wait for a beat that waits.
        await ClockCycles(dut.aclk, 40)
        expected, got, begun = bytes.fromhex(session["expected"]), b"", False
        while len(got) < len(expected):
            bus.tready.value = chance.randrange(2)
            await RisingEdge(dut.aclk)
            if bus.tvalid.value and bus.tready.value:
                if bus.tuser.value:
                    assert not begun
                    begun = True
                if begun:
                    got += int(bus.tdata.value).to_bytes(LANES, "little")
        assert got[: len(expected)] == expected
        await sending
        if ADDRESS:
            await interrupted(dut, load, 0x2)
    await clear(dut, load)
    bus.tready.value = 1
    await ClockCycles(dut.aclk, 5)
    assert not bus.tvalid.value


@cocotb.test(
    skip=GIVEN["message"] or bool(ADDRESS), timeout_time=GIVEN["timeout"], timeout_unit="us"
)
async def keystream_of_the_last_load(dut: Any) -> None:
    """A load comes right behind another one and pauses after its first beat: its keystream is whole
    and marked, and none of the other one comes behind its beginning."""
    source = (await started(dut)).source
    source.clear_pause_generator()
    source.pause = False
    loads, out = source.bus, AxiStreamBus.from_prefix(dut, "m_axis_keystream")
    out.tready.value = 1
    packets = [bytes.fromhex(session["load"]) for session in SESSIONS]
    for packet in packets:
        await source.send(AxiStreamFrame(packet))
    expected = bytes.fromhex(SESSIONS[-1]["expected"])
    taken, paused, got = 0, 0, b""
    last_begins = 1 - (-len(packets[0]) // LANES)
    while taken < last_begins or len(got) < len(expected):
        await RisingEdge(dut.aclk)
        taken += int(loads.tvalid.value and loads.tready.value)
        paused += int(taken >= last_begins)
        source.pause = 0 < paused < 80
        if out.tvalid.value and taken >= last_begins:
            assert got or out.tuser.value, "a beat of the keystream before"
            got += int(out.tdata.value).to_bytes(LANES, "little")
    assert got[: len(expected)] == expected


def frame_of(session: Any) -> AxiStreamFrame:
    """Associated data and text as one packet. Lanes that do not count hold ones."""
    data, marks, keep = bytearray(), [], []
    parts = [(bytes.fromhex(session["ad"]), 1), (bytes.fromhex(session["text"]), 0)]
    for part, mark in parts if any(part for part, _ in parts) else [(b"", 0)]:
        beats = -(-len(part) // LANES)
        filled = beats * LANES - len(part)
        data += part + b"\xff" * filled
        keep += [1] * len(part) + [0] * filled
        marks += [mark if AD else 0] * (beats * LANES)
    if not data:
        data, keep, marks = bytearray(b"\xff" * LANES), [0] * LANES, [0] * LANES
    users = [session["spare"] << (1 if AD else 0) | mark if SPARE else mark for mark in marks]
    return AxiStreamFrame(data, tkeep=keep, tuser=users)


def bytes_of(frame: AxiStreamFrame) -> bytes:
    """The bytes that count: all of the first lanes."""
    keep = frame.tkeep or [1] * len(frame.tdata)
    assert sorted(keep, reverse=True) == list(keep)
    return bytes(byte for byte, counts in zip(frame.tdata, keep, strict=True) if counts)


@cocotb.test(skip=not GIVEN["message"], timeout_time=GIVEN["timeout"], timeout_unit="us")
async def messages(dut: Any) -> None:
    """Messages one behind the other; everything is offered at once where the streams order it."""
    load = await started(dut)
    source = end(AxiStreamSource, dut, "s_axis_data_in")
    sinks = {
        name: end(AxiStreamSink, dut, f"m_axis_{name}")
        for name in ("data_out", "tag")
        if hasattr(dut, f"m_axis_{name}_tdata")
    }
    for name in sinks:
        cocotb.start_soon(offers_stay(dut, f"m_axis_{name}"))
    if ADDRESS:
        await begun_anew(load)
    await load.send(SESSIONS[1])
    await ClockCycles(dut.aclk, 20)
    await clear(dut, load)

    async def offer(session: Any, *, queued: bool = False) -> None:
        await load.send(session, queued=queued)
        for _ in range(2 * bool(ADDRESS)):  # Loads of which nothing comes leave the message alone.
            await load.write("START", 12)
        await source.send(frame_of(session))

    async def expect(session: Any) -> None:
        for name, sink in sinks.items():
            frame = await sink.recv(compact=False)
            assert bytes_of(frame).hex() == session[name], name
            if SPARE and name == "data_out" and session["text"]:
                assert frame.tuser[-1] == session["spare"]

    if GIVEN["queued"] and not ADDRESS:
        for session in SESSIONS:
            await offer(session, queued=True)
        for session in SESSIONS:
            await expect(session)
    else:
        for session in SESSIONS:
            await offer(session)
            await expect(session)
            if ADDRESS:
                await interrupted(dut, load, 0xA)
    await offer(SESSIONS[0])
    for name, sink in sinks.items():
        sink.pause = sink.clear_pause_generator() is None and name == "tag"
    await ClockCycles(dut.aclk, 1500)
    await clear(dut, load)
    assert not any(getattr(dut, f"m_axis_{name}_tvalid").value for name in sinks)
