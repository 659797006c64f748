# SPDX-License-Identifier: Apache-2.0
"""What a simulated master sees of a coprocessor on its bus; `test_buses.py` has cocotb run it."""

from __future__ import annotations

import json
import os
from typing import Any

import cocotb
from bus_masters import Master, WishboneMaster, clock_on, master_on
from cocotb.triggers import ClockCycles, Combine

from headwater.interface.registers import REGISTERS

GIVEN = json.loads(os.environ["HEADWATER_CHECK"])
"""The bus, the words of a load, and what comes out: of a text that goes in, or a keystream."""
AXI, TEXT = GIVEN["bus"] == "axi4lite", bool(GIVEN["text"])
EXPECTED = GIVEN["expected"]
ADDRESS = {register.name: register.address for register in REGISTERS}
PATIENCE = 16384
LATE, LOADED, TAG_OK, TAG_BAD = 1 << 8, 1 << 10, 1 << 12, 1 << 13
WORD_STATE, LOADED_EVENT, TAG_EVENT = 1, 2, 4


def clock_of(dut: Any) -> Any:
    return clock_on(dut, GIVEN["bus"])


async def master_of(dut: Any) -> Master:
    """A master, after reset."""
    return await master_on(dut, GIVEN["bus"])


async def load(master: Master) -> None:
    first, *rest = GIVEN["load"]
    assert await master.write(ADDRESS["LOAD_FIRST"], first) is not None
    for word in rest:
        assert await master.write(ADDRESS["LOAD_NEXT"], word) is not None


async def keystream(master: Master, words: int) -> list[int | None]:
    return [await master.read(ADDRESS["DATA"]) for _ in range(words)]


@cocotb.test(skip=TEXT, timeout_time=400, timeout_unit="us")
async def loads_follow_each_other_and_clear_forgets(dut: Any) -> None:
    master = await master_of(dut)
    await load(master)
    assert await keystream(master, len(EXPECTED)) == EXPECTED
    await master.write(ADDRESS["LOAD_FIRST"], 1)
    await load(master)
    assert await keystream(master, 2) == EXPECTED[:2]
    await master.write(ADDRESS["STATUS"], 0)
    assert await master.read(ADDRESS["STATUS"]) == 0


@cocotb.test(skip=TEXT, timeout_time=400, timeout_unit="us")
async def less_than_a_word_is_refused(dut: Any) -> None:
    master = await master_of(dut)
    await load(master)
    assert await master.write(ADDRESS["STATUS"], 0, 1) is None
    assert await master.write(ADDRESS["LOAD_FIRST"], 0, 3) is None
    if isinstance(master, WishboneMaster):
        assert await master.read(ADDRESS["DATA"], 1) is None
    assert (await master.read(ADDRESS["STATUS"]) or 0) & LOADED
    assert await keystream(master, 3) == EXPECTED[:3]


@cocotb.test(skip=TEXT, timeout_time=400, timeout_unit="us")
async def no_address_gives_a_word_of_the_load(dut: Any) -> None:
    master = await master_of(dut)
    await load(master)
    given = {await master.read(address) for address in range(0, 256, 4)}
    assert EXPECTED[0] in given
    assert not given & set(GIVEN["load"])


@cocotb.test(skip=TEXT, timeout_time=400, timeout_unit="us")
async def a_read_without_words_gives_zero_in_the_end(dut: Any) -> None:
    master = await master_of(dut)
    assert await master.read(ADDRESS["DATA"]) == 0
    assert await master.read(ADDRESS["STATUS"]) == LATE
    await load(master)
    assert await keystream(master, 2) == EXPECTED[:2]


@cocotb.test(skip=TEXT or not AXI, timeout_time=400, timeout_unit="us")
async def a_read_that_waits_does_not_hold_up_writes(dut: Any) -> None:
    master = await master_of(dut)
    reading = cocotb.start_soon(master.read(ADDRESS["DATA"]))
    await ClockCycles(dut.aclk, 50)
    await load(master)
    assert await reading == EXPECTED[0]
    assert not (await master.read(ADDRESS["STATUS"]) or 0) & LATE


@cocotb.test(skip=TEXT or not AXI, timeout_time=400, timeout_unit="us")
async def reads_beside_a_load_disturb_nothing(dut: Any) -> None:
    master = await master_of(dut)
    for _ in range(3):
        reads = [cocotb.start_soon(master.read(ADDRESS["STATUS"])) for _ in range(20)]
        await Combine(cocotb.start_soon(load(master)), *reads)
        assert await keystream(master, 3) == EXPECTED[:3]


@cocotb.test(skip=TEXT, timeout_time=400, timeout_unit="us")
async def interrupts_are_told(dut: Any) -> None:
    master = await master_of(dut)
    assert int(dut.irq.value) == 0
    await master.write(ADDRESS["IRQ_ENABLE"], LOADED_EVENT)
    await load(master)
    assert await keystream(master, 1) == EXPECTED[:1]
    assert int(dut.irq.value) == 1
    assert (await master.read(ADDRESS["IRQ_STATUS"]) or 0) & LOADED_EVENT
    await master.write(ADDRESS["IRQ_STATUS"], LOADED_EVENT)
    assert not (await master.read(ADDRESS["IRQ_STATUS"]) or 0) & LOADED_EVENT
    assert int(dut.irq.value) == 0
    await ClockCycles(clock_of(dut), 200)
    await master.write(ADDRESS["IRQ_ENABLE"], WORD_STATE)
    await ClockCycles(clock_of(dut), 10)
    assert int(dut.irq.value) == 1


@cocotb.test(timeout_time=400, timeout_unit="us")
async def it_says_what_it_is(dut: Any) -> None:
    master = await master_of(dut)
    names = ("IDENTITY", "PARAMETERS", "VERSION", "OPTIONS")
    assert [await master.read(ADDRESS[name]) for name in names] == GIVEN["identity"]


async def send(master: Master) -> None:
    """Direction and key."""
    if GIVEN["decrypts"]:
        await master.write(ADDRESS["CONTROL"], 1)
    await load(master)


async def exchange(master: Master) -> list[int | None]:
    """The words of the text in, as few as possible before what they become is read."""
    out: list[int | None] = []
    for number, (mark, word) in enumerate(GIVEN["text"]):
        if number >= GIVEN["before"] and len(out) < len(EXPECTED):
            out += await keystream(master, 1)
        await master.write(ADDRESS["TEXT"] + 4 * mark, word)
    return out + await keystream(master, len(EXPECTED) - len(out))


@cocotb.test(skip=not TEXT, timeout_time=900, timeout_unit="us")
async def text_goes_in_and_what_it_becomes_comes_out(dut: Any) -> None:
    master = await master_of(dut)
    await send(master)
    assert await exchange(master) == EXPECTED
    assert await keystream(master, len(GIVEN["tag"])) == GIVEN["tag"]
    assert not (await master.read(ADDRESS["STATUS"]) or 0) & LATE


@cocotb.test(skip=not TEXT or not AXI, timeout_time=900, timeout_unit="us")
async def writes_that_wait_do_not_hold_up_reads(dut: Any) -> None:
    master = await master_of(dut)
    await send(master)

    async def put() -> None:
        for mark, word in GIVEN["text"]:
            await master.write(ADDRESS["TEXT"] + 4 * mark, word)

    putting = cocotb.start_soon(put())
    await ClockCycles(dut.aclk, 1500)  # A write waits by now.
    assert await keystream(master, len(EXPECTED)) == EXPECTED
    await putting
    assert not (await master.read(ADDRESS["STATUS"]) or 0) & LATE


@cocotb.test(skip=not GIVEN["tag"], timeout_time=1800, timeout_unit="us")
async def a_tag_is_compared(dut: Any) -> None:
    master = await master_of(dut)
    tag = GIVEN["tag"]
    for wrong in (None, 0, len(tag) - 1):
        await send(master)
        assert await exchange(master) == EXPECTED
        await master.write(ADDRESS["IRQ_STATUS"], TAG_EVENT)
        await master.write(ADDRESS["IRQ_ENABLE"], TAG_EVENT)
        for number, word in enumerate(tag):
            if number == 0 or GIVEN["fixed"]:
                assert not (await master.read(ADDRESS["STATUS"]) or 0) & TAG_OK
            flipped = 0x8000 if number == wrong else 0
            await master.write(ADDRESS["TAG_EXPECTED"], word ^ flipped)
        await ClockCycles(clock_of(dut), 3)
        assert int(dut.irq.value) == 1
        status = await master.read(ADDRESS["STATUS"]) or 0
        assert status & (TAG_OK | TAG_BAD) == (TAG_OK if wrong is None else TAG_BAD)
    await master.write(ADDRESS["STATUS"], 0)
    assert await master.read(ADDRESS["STATUS"]) == 0
