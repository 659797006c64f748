# SPDX-License-Identifier: Apache-2.0
"""What a simulated master sees of a source of random bits on its bus, while hardware takes bits
beside it; `test_prng_bus.py` has cocotb run it."""

from __future__ import annotations

import json
import os
import random
from typing import Any

import cocotb
from bus_masters import Master, clock_on, master_on
from cocotb.triggers import ClockCycles, RisingEdge

from headwater.interface.prng_registers import PRNG_REGISTERS

GIVEN = json.loads(os.environ["HEADWATER_CHECK"])
"""The bus, the words of a seed, the bits of each cycle in order, and what the identity says."""
BITS, SEED, BUS, WIDTH = GIVEN["bits"], GIVEN["seed"], GIVEN["bus"], GIVEN["random_bits"]
ADDRESS = {register.name: register.address for register in PRNG_REGISTERS}
MASK = {field.name: field.mask for one in PRNG_REGISTERS for field in one.fields}
FRESH = len(SEED) << 16
"""The status of a source that waits for a whole seed."""


async def read(master: Master, name: str) -> int:
    word = await master.read(ADDRESS[name])
    assert word is not None
    return word


async def write(dut: Any, master: Master, name: str, word: int) -> None:
    assert await master.write(ADDRESS[name], word) is not None
    await ClockCycles(clock_on(dut, BUS), 2)  # Its effect can be seen at the ports.


async def reset(dut: Any) -> Master:
    dut.en.value = 0
    return await master_on(dut, BUS)


async def seeded(dut: Any) -> Master:
    """A master of a source that has a whole seed, and is not enabled. Reads beside the seed disturb
    nothing, where the bus has both at a time."""
    master = await reset(dut)
    reads = [cocotb.start_soon(read(master, "STATUS")) for _ in range(40 * (BUS == "axi4lite"))]
    for word in SEED:
        await write(dut, master, "SEED", word)
    for one in reads:
        await one
    while not await read(master, "STATUS") & MASK["VALID"]:
        await ClockCycles(clock_on(dut, BUS), 5)
    return master


async def word_of(master: Master) -> int:
    """The next word for software, waited for."""
    while not await read(master, "STATUS") & MASK["WORD"]:
        pass
    return await read(master, "RANDOM")


async def read_word(master: Master) -> int:
    """The same, read again and again until it is there."""
    while not (word := await read(master, "RANDOM")):
        pass
    return word


class Hardware:
    """Takes bits at random times, and notes those of each cycle in which it asked."""

    def __init__(self, dut: Any) -> None:
        self.dut, self.taken, self.chance = dut, list[int](), random.Random(2)
        self.running = cocotb.start_soon(self._run())

    async def _run(self) -> None:
        while True:
            await RisingEdge(clock_on(self.dut, BUS))
            if int(self.dut.en.value) and int(self.dut.prng_valid.value):
                self.taken.append(int(self.dut.prng.value))
            self.dut.en.value = self.chance.random() < 0.7


@cocotb.test(timeout_time=400, timeout_unit="us")
async def status_follows_the_seed(dut: Any) -> None:
    master = await reset(dut)
    assert await read(master, "STATUS") == FRESH
    for number, word in enumerate(SEED):
        assert await read(master, "STATUS") == len(SEED) - number << 16
        await write(dut, master, "SEED", word)
        assert await read(master, "SEED") == 0
    assert await read(master, "STATUS") == MASK["BUSY" if GIVEN["sets_up"] else "VALID"]
    await write(dut, master, "CONTROL", MASK["ENABLE"])
    # A word that comes later waits for the setup, and is added.
    await write(dut, master, "SEED", 1)
    status = await read(master, "STATUS")
    assert status & ~MASK["WORD"] == MASK["VALID"]
    assert int(dut.prng_valid.value)
    await write(dut, master, "CONTROL", MASK["ENABLE"] | MASK["RESTART"])
    assert await read(master, "STATUS") == FRESH
    assert await read(master, "CONTROL") == MASK["ENABLE"]
    assert await read(master, "RANDOM") == 0


@cocotb.test(skip=WIDTH < 32, timeout_time=400, timeout_unit="us")
async def nobody_gets_the_bits_of_another(dut: Any) -> None:
    """The bits of each cycle go to hardware or to software, and none are passed over."""
    master = await seeded(dut)
    await write(dut, master, "CONTROL", MASK["ENABLE"])
    hardware = Hardware(dut)
    words = [await word_of(master) for _ in range(20)]
    hardware.running.cancel()
    place = {bits: number for number, bits in enumerate(BITS)}
    place_of_word = {bits & 0xFFFFFFFF: number for number, bits in enumerate(BITS)}
    taken, read_ = [place[bits] for bits in hardware.taken], [place_of_word[one] for one in words]
    assert taken == sorted(taken)
    assert read_ == sorted(read_)
    everyone = {*taken, *read_}
    assert len(everyone) == len(taken) + len(words) > 60
    # The next word for software may be waiting.
    assert len(set(range(max(everyone))) - everyone) <= 1


@cocotb.test(timeout_time=400, timeout_unit="us")
async def words_are_made_of_all_bits_where_hardware_takes_none(dut: Any) -> None:
    master = await seeded(dut)
    await write(dut, master, "CONTROL", MASK["ENABLE"])
    words = [await read_word(master) for _ in range(4)]
    width = min(WIDTH, 32)
    fills = -(-32 // width)
    for number, word in enumerate(words):
        parts = BITS[number * fills : (number + 1) * fills]
        whole = sum((part & 0xFFFFFFFF) << width * place for place, part in enumerate(parts))
        assert word == whole >> width * fills - 32


@cocotb.test(timeout_time=400, timeout_unit="us")
async def nothing_is_offered_without_enable(dut: Any) -> None:
    master = await seeded(dut)
    assert not int(dut.prng_valid.value)
    assert await read(master, "RANDOM") == 0
    for _ in range(12):
        await write(dut, master, "CONTROL", MASK["ENABLE"])
        while not await read(master, "STATUS") & MASK["WORD"]:
            pass
        # At times in the very next cycle, where the bus can do so.
        await master.write(ADDRESS["CONTROL"], 0)
        assert await read(master, "RANDOM") == 0
        assert not int(dut.prng_valid.value)
    held = int(dut.prng.value)
    dut.en.value = 1
    assert await read(master, "RANDOM") == 0
    assert int(dut.prng.value) == held


@cocotb.test(timeout_time=400, timeout_unit="us")
async def no_address_gives_a_word_of_the_seed_and_it_says_what_it_is(dut: Any) -> None:
    master = await seeded(dut)
    given = {await master.read(address) for address in range(0, 256, 4)}
    assert not given & set(SEED)
    names = ("IDENTITY", "PARAMETERS", "VERSION", "OPTIONS")
    assert [await read(master, name) for name in names] == GIVEN["identity"]


@cocotb.test(timeout_time=400, timeout_unit="us")
async def a_state_of_zeros_is_told_and_gives_software_no_word(dut: Any) -> None:
    master = await seeded(dut)
    await write(dut, master, "CONTROL", MASK["ENABLE"])
    for name in GIVEN["locking"]:
        getattr(dut.source.core_0, name).value = 0
    dut.en.value = 1
    await ClockCycles(clock_on(dut, BUS), 3)
    dut.en.value = 0
    assert int(dut.error.value)
    assert await read(master, "STATUS") == MASK["VALID"] | MASK["ERROR"]
    assert await read(master, "RANDOM") == 0
    await write(dut, master, "CONTROL", MASK["ENABLE"] | MASK["RESTART"])
    assert await read(master, "STATUS") == FRESH
    assert not int(dut.error.value)
