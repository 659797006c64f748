# SPDX-License-Identifier: Apache-2.0
"""Simulated masters of the buses, which cocotb runs.

The master of AXI4-Lite is that of cocotbext-axi, and its channels pause at random.
"""

from __future__ import annotations

import itertools
import random
from typing import Any, Protocol

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp


class Master(Protocol):
    """Accesses; gives None for what ends with an error."""

    async def read(self, address: int) -> int | None: ...
    async def write(self, address: int, word: int, bytes_: int = 4) -> int | None: ...


class Axi4LiteMaster:
    """The channels pause half of the time."""

    def __init__(self, dut: Any) -> None:
        bus = AxiLiteBus.from_prefix(dut, "s_axi")
        self.master = AxiLiteMaster(bus, dut.aclk, dut.aresetn, reset_active_level=False)
        chance = random.Random(1)
        writes, reads = self.master.write_if, self.master.read_if
        for channel in (
            writes.aw_channel,
            writes.w_channel,
            writes.b_channel,
            reads.ar_channel,
            reads.r_channel,
        ):
            channel.set_pause_generator(itertools.cycle(chance.choices((0, 1), k=997)))

    async def read(self, address: int) -> int | None:
        answer = await self.master.read(address, 4)
        return int.from_bytes(answer.data, "little") if answer.resp == AxiResp.OKAY else None

    async def write(self, address: int, word: int, bytes_: int = 4) -> int | None:
        answer = await self.master.write(address, word.to_bytes(4, "little")[:bytes_])
        return 0 if answer.resp == AxiResp.OKAY else None


class WishboneMaster:
    """Classic cycles, with idle ones between them at random."""

    def __init__(self, dut: Any) -> None:
        self.dut, self.chance = dut, random.Random(1)
        dut.wb_cyc_i.value = dut.wb_stb_i.value = 0

    async def read(self, address: int, bytes_: int = 4) -> int | None:
        return await self._access(address, 0, 0, bytes_)

    async def write(self, address: int, word: int, bytes_: int = 4) -> int | None:
        return await self._access(address, 1, word, bytes_)

    async def _access(self, address: int, writes: int, word: int, bytes_: int) -> int | None:
        dut = self.dut
        await ClockCycles(dut.clk, self.chance.randint(1, 3))
        dut.wb_cyc_i.value = dut.wb_stb_i.value = 1
        dut.wb_we_i.value, dut.wb_adr_i.value = writes, address >> 2
        dut.wb_dat_i.value, dut.wb_sel_i.value = word, (1 << bytes_) - 1
        while True:
            await RisingEdge(dut.clk)
            acknowledged, refused = int(dut.wb_ack_o.value), int(dut.wb_err_o.value)
            assert not (acknowledged and refused)
            if acknowledged or refused:
                break
        word = int(dut.wb_dat_o.value)
        dut.wb_cyc_i.value = dut.wb_stb_i.value = dut.wb_we_i.value = 0
        return word if acknowledged else None


class RequestMaster:
    """Requests that are held until they are granted, with idle cycles between them at random."""

    def __init__(self, dut: Any) -> None:
        self.dut, self.chance = dut, random.Random(1)
        dut.bus_req.value = 0

    async def read(self, address: int) -> int | None:
        await self._request(address, 0, 0)
        await RisingEdge(self.dut.clk)
        assert int(self.dut.bus_rvalid.value)
        return int(self.dut.bus_rdata.value)

    async def write(self, address: int, word: int, bytes_: int = 4) -> int | None:
        assert bytes_ == 4
        return await self._request(address, 1, word)

    async def _request(self, address: int, writes: int, word: int) -> int:
        dut = self.dut
        for _ in range(self.chance.randint(0, 3)):
            await RisingEdge(dut.clk)
        dut.bus_req.value, dut.bus_we.value = 1, writes
        dut.bus_addr.value, dut.bus_wdata.value = address >> 2, word
        await RisingEdge(dut.clk)
        while not int(dut.bus_gnt.value):
            await RisingEdge(dut.clk)
        dut.bus_req.value = dut.bus_we.value = 0
        return 0


MASTERS = {"axi4lite": Axi4LiteMaster, "wishbone": WishboneMaster, "request": RequestMaster}


def clock_on(dut: Any, bus: str) -> Any:
    """The clock of a bus."""
    return dut.aclk if bus == "axi4lite" else dut.clk


async def master_on(dut: Any, bus: str) -> Master:
    """A master, after reset."""
    clock = clock_on(dut, bus)
    reset, active = (dut.aresetn, 0) if bus == "axi4lite" else (dut.rst, 1)
    cocotb.start_soon(Clock(clock, 10, "ns").start())
    master: Master = MASTERS[bus](dut)
    reset.value = active
    await ClockCycles(clock, 4)
    reset.value = 1 - active
    return master
