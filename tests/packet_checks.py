# SPDX-License-Identifier: Apache-2.0
"""What a plain DMA engine, as streams of cocotbext-axi, sees of a core on AXI4-Stream;
`test_axi4stream_packets.py` has cocotb run it.

Both sides pause at random. What is given is a list of keys, and for each the packets that are sent
one directly behind the other, with what comes back.
"""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiStreamFrame, AxiStreamSink, AxiStreamSource
from stream_checks import ADDRESS, GIVEN, LANES, Load, bytes_of, end, offers_stay, started

SESSIONS = GIVEN["sessions"]
STATUS_BYTES = GIVEN["status_bytes"]
TIMEOUT = {"timeout_time": GIVEN["timeout"], "timeout_unit": "us"}


def frame_of(packet: Any) -> AxiStreamFrame:
    """A packet; its lanes that do not count hold ones."""
    data = bytes.fromhex(packet["sent"])
    filled = -len(data) % LANES or LANES * (not data)
    keep = [1] * len(data) + [0] * filled
    data += b"\xff" * filled
    for beat in packet.get("missing", ()):  # Its lowest lane does not count.
        keep[beat * LANES] = 0
    for beat in packet.get("empty", ()):  # A beat without a byte comes before this one.
        place = beat * LANES
        data = data[:place] + b"\xff" * LANES + data[place:]
        keep[place:place] = [0] * LANES
    return AxiStreamFrame(data, tkeep=keep)


def check(packet: Any, got: bytes) -> None:
    """What came back for a packet: all of it; or, where it is not as its header says, some text and
    the reason."""
    if "status" not in packet:
        assert got.hex() == packet["back"], packet
        return
    text, status = got[:-STATUS_BYTES], got[-STATUS_BYTES:]
    assert int.from_bytes(status, "little") == packet["status"], packet
    assert bytes.fromhex(packet["back"]).startswith(text), packet


async def shows_no_keystream(dut: Any) -> None:
    """Lanes that hold no byte of a text are zero."""
    while True:
        await RisingEdge(dut.aclk)
        counts = int(dut.m_axis_data_out_tkeep.value) if dut.m_axis_data_out_tvalid.value else 0
        data = int(dut.m_axis_data_out_tdata.value)
        for lane in range(LANES):
            assert counts >> lane & 1 or not data >> 8 * lane & 0xFF, f"lane {lane} is {data:x}"


class Bench:
    """Both ends of a core."""

    def __init__(self, dut: Any, load: Load) -> None:
        self.dut, self.load = dut, load
        self.source = end(AxiStreamSource, dut, "s_axis_data_in")
        self.sink = end(AxiStreamSink, dut, "m_axis_data_out")
        cocotb.start_soon(offers_stay(dut, "m_axis_data_out"))
        if not STATUS_BYTES:
            cocotb.start_soon(shows_no_keystream(dut))

    async def key(self, session: Any) -> None:
        """Load a key."""
        await self.load.send({"load": session["key"]})

    async def session(self, session: Any) -> None:
        """Packets come back in their order, while the next ones wait."""
        for packet in session["packets"]:
            await self.source.send(frame_of(packet))
        for packet in session["packets"]:
            check(packet, bytes_of(await self.sink.recv(compact=False)))


async def begun(dut: Any) -> Bench:
    """Both ends, after reset."""
    return Bench(dut, await started(dut))


@cocotb.test(**TIMEOUT)
async def packets(dut: Any) -> None:
    """Packets come before the key, and stay; then they come under one key and another one."""
    bench = await begun(dut)
    first, *others = SESSIONS
    sending = cocotb.start_soon(bench.session(first))
    await ClockCycles(dut.aclk, 40)
    assert not dut.m_axis_data_out_tvalid.value
    await bench.key(first)
    await sending
    for session in others:
        await bench.key(session)
        await bench.session(session)
    await ClockCycles(dut.aclk, 50)
    assert bench.sink.empty()
    assert not dut.m_axis_data_out_tvalid.value


@cocotb.test(**TIMEOUT)
async def a_key_of_another_length(dut: Any) -> None:
    """It is no key; the one before is forgotten, too."""
    bench, session = await begun(dut), SESSIONS[0]
    await bench.key(session)
    await ClockCycles(dut.aclk, 200)
    right = session["key"]
    for key in (right[:-2], right[: -2 * LANES], right + "00", right + "00" * LANES):
        await bench.key({"key": key})
        bench.source.send_nowait(frame_of(session["packets"][0]))
        for _ in range(60):
            await RisingEdge(dut.aclk)
            assert not (dut.s_axis_data_in_tvalid.value and dut.s_axis_data_in_tready.value), key
        bench.source.clear()
        await reset(dut)
    await bench.key(session)
    await bench.session(session)


async def reset(dut: Any) -> None:
    """By `aresetn`."""
    dut.aresetn.value = 0
    await ClockCycles(dut.aclk, 2)
    dut.aresetn.value = 1
    await ClockCycles(dut.aclk, 2)


@cocotb.test(**TIMEOUT)
async def a_key_waits(dut: Any) -> None:
    """It does not reach a packet that has begun."""
    bench, (session, other) = await begun(dut), SESSIONS
    await bench.key(session)
    packet = session["packets"][0]
    await bench.source.send(frame_of(packet))
    while not (dut.s_axis_data_in_tvalid.value and dut.s_axis_data_in_tready.value):
        await RisingEdge(dut.aclk)
    loading = cocotb.start_soon(bench.key(other))
    check(packet, bytes_of(await bench.sink.recv(compact=False)))
    await loading
    await bench.session({"packets": other["packets"][:2]})


@cocotb.test(**TIMEOUT)
async def a_reset_in_the_midst(dut: Any) -> None:
    """Wherever it comes, all that is left of the packet before is forgotten, and the key."""
    bench, chance = await begun(dut), random.Random(2)
    session = SESSIONS[0]
    for packet in session["packets"][:3]:
        await bench.key(session)
        await bench.source.send(frame_of(packet))
        await ClockCycles(dut.aclk, chance.randrange(GIVEN["cycles"]))
        bench.source.clear()
        await reset(dut)
        bench.sink.clear()
        assert not dut.m_axis_data_out_tvalid.value
    await bench.key(session)
    await bench.session(session)


@cocotb.test(**TIMEOUT)
async def registers_tell(dut: Any) -> None:
    """There is a key, a packet is over, the key cannot be read, and a clear forgets it."""
    bench, session = await begun(dut), SESSIONS[0]
    if not ADDRESS:
        return
    busy, loaded = 1 << 9, 1 << 10
    await bench.load.write("IRQ_ENABLE", 0xA)
    assert await bench.load.read("STATUS") == 0
    await bench.key(session)
    assert await bench.load.read("STATUS") == loaded
    assert await bench.load.read("IRQ_STATUS") == 0x2
    await bench.load.write("IRQ_STATUS", 0x2)
    await bench.session({"packets": session["packets"][:1]})
    assert await bench.load.read("IRQ_STATUS") == 0x8
    await bench.load.write("START", len(session["key"]) // 2)
    await bench.load.write("LOAD", 0)
    assert await bench.load.read("STATUS") == busy
    await bench.key(session)
    await bench.session(session)
    await bench.load.write("STATUS", 0)
    assert await bench.load.read("STATUS") == 0
