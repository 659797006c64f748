# SPDX-License-Identifier: Apache-2.0
"""E0 with its payload key generator: the key that the circuit forms, and what goes in."""

from __future__ import annotations

import random
from typing import Any

import pytest
from amaranth.sim import Simulator, SimulatorContext
from command_line import VECTORS

from headwater.cipher.e0 import E0, constrain_key
from headwater.cipher.e0_payload import E0_PAYLOAD
from headwater.core.architecture import Architecture
from headwater.kinds.registry import kind_of
from headwater.kinds.stepped.model import Model, WholeRegisters

PUBLISHED = [one for one in VECTORS["e0_constrain"] if one["origin"].startswith("published")]
UNTIL_FORMED = 4 + 128 + 128
"""Steps that take the length and Kc, then those that form K'c."""


def iv_of(length: int, address: bytes = bytes(6), clock: bytes = bytes(4)) -> bytes:
    """BD_ADDR, 26 bits of CLK, and the length less one."""
    return address + clock[:3] + bytes([clock[3] | length - 1 << 2])


def formed_by_model(kc: bytes, length: int) -> int:
    reading = WholeRegisters(E0_PAYLOAD, [[]])
    (stream,) = E0_PAYLOAD.load_lanes(kc, iv_of(length))
    for step, bit in enumerate(stream[:UNTIL_FORMED], start=-len(stream)):
        ones = [name for name in E0_PAYLOAD.controls if E0_PAYLOAD.control_at(name, step)]
        reading.enter(bit, ones)
    return reading.content("key")


def formed_by_circuit(kc: bytes, length: int, load_width: int) -> int:
    """The register of the core after the load words up to there."""
    architecture = Architecture.choose(E0_PAYLOAD, load_width=load_width)
    kind = kind_of(E0_PAYLOAD)
    facts: Any = kind.facts(E0_PAYLOAD, architecture)
    core: Any = kind.core_class(facts)(facts)
    simulator, found = Simulator(core), []
    simulator.add_clock(1e-6)

    async def load(context: SimulatorContext) -> None:
        context.set(core.load.valid, 1)
        for word in facts.load_words(kc, iv_of(length))[: UNTIL_FORMED // load_width]:
            context.set(core.load.payload, word)
            await context.tick()
        found.append(context.get(core.state["key"]))

    simulator.add_testbench(load)
    simulator.run()
    return int(found[0])


def number(text: str) -> int:
    return int.from_bytes(bytes.fromhex(text), "little")


def test_every_length_has_a_published_key() -> None:
    assert [one["key_length_bytes"] for one in PUBLISHED] == list(range(1, 17))


@pytest.mark.parametrize("given", VECTORS["e0_constrain"], ids=lambda one: one["id"])
def test_model_forms_the_key_of_the_vectors(given: dict[str, Any]) -> None:
    formed = formed_by_model(bytes.fromhex(given["kc"]), given["key_length_bytes"])
    assert formed == number(given["kc_prime"])


@pytest.mark.parametrize("load_width", [1, 5])
@pytest.mark.parametrize("given", PUBLISHED, ids=lambda one: one["id"])
def test_circuit_forms_the_published_key(given: dict[str, Any], load_width: int) -> None:
    kc, length = bytes.fromhex(given["kc"]), given["key_length_bytes"]
    formed = formed_by_circuit(kc, length, load_width)
    assert formed == number(given["kc_prime"])


@pytest.mark.parametrize("length", range(1, 17))
def test_what_leaves_is_what_e0_makes_of_the_constrained_key(length: int) -> None:
    """Also where inputs that must not reach each other are all ones."""
    source = random.Random(length)
    inputs = [
        (source.randbytes(16), source.randbytes(6), source.randbytes(3) + b"\x02"),
        (b"\xff" * 16, b"\xff" * 6, b"\xff\xff\xff\x03"),
        (b"\xff" * 16, bytes(6), bytes(4)),
        (bytes(16), b"\xff" * 6, b"\xff\xff\xff\x03"),
    ]
    for kc, address, clock in inputs:
        whole = Model(E0_PAYLOAD, key=kc, iv=iv_of(length, address, clock))
        plain = Model(E0, key=constrain_key(kc, length), iv=address + clock)
        assert whole.read(256) == plain.read(256)


def test_load_is_as_long_as_the_setup_goes_on_at_any_radix() -> None:
    """The rest of the setup is whole cycles at every radix, and no step is made for their sake."""
    assert E0_PAYLOAD.load_steps + E0_PAYLOAD.blank_steps == UNTIL_FORMED + 239
    assert all(E0_PAYLOAD.blank_steps % radix == 0 for radix in E0_PAYLOAD.legal_radices())
