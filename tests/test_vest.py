# SPDX-License-Identifier: Apache-2.0
"""VEST: the description against its tables and its model, a new IV without the key, proofs."""

from __future__ import annotations

import json
from functools import reduce
from operator import xor
from pathlib import Path
from random import Random

import pytest

from headwater.algebra.truth_table import apply_table
from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.vest import (
    SEAL_KEY,
    VEST_4,
    VEST_4_AE,
    VESTS,
    State,
    after_round,
    output,
)
from headwater.cipher.vest_tables import tables
from headwater.core.architecture import Architecture
from headwater.emit.datasheet import datasheet
from headwater.emit.verilog import generate
from headwater.errors import ToolError
from headwater.flow.verilator import simulate
from headwater.kinds.reading import Keystream
from headwater.kinds.registry import facts_of
from headwater.kinds.vest.description import VestAead, VestCipher
from headwater.kinds.vest.model import VestState
from headwater.verify.engine import RtlEngine
from headwater.verify.proof import prove

SIZES = (4, 8, 16, 32)
EVERY = pytest.mark.parametrize("cipher", VESTS, ids=lambda cipher: cipher.name)
STATES = json.loads((Path(__file__).parent / "vest8_state.json").read_text())["vectors"]


def architecture(cipher: VestCipher, **options: str) -> Architecture:
    return Architecture.choose(cipher, options=options)


def engine(cipher: VestCipher, gaps: int = 0, **options: str) -> RtlEngine:
    return RtlEngine(cipher, architecture(cipher, **options), gaps_permille=gaps)


def keystream(cipher: VestCipher, key: bytes, iv: bytes, bits: int = 512) -> bytes:
    return Keystream(cipher.for_key(8 * len(key)), key=key, iv=iv).read(bits)


# --- the description and the model


@pytest.mark.parametrize("vector", STATES, ids=lambda vector: vector["id"])
def test_states_of_vest_8(vector: dict[str, object]) -> None:
    """Its output is not known, so that it is not in the catalogue; its rounds are."""
    state = VestState(8)
    state.take_key(bytes.fromhex(str(vector["key"])), SEAL_KEY)
    state.take_iv(bytes.fromhex(str(vector["iv"])))
    for _ in range(int(str(vector["rounds_after_setup"]))):
        state.round()
    assert state.counters == [int(text, 16) for text in vector["counters"]]  # type: ignore[attr-defined]
    assert state.diffuser == int(str(vector["diffuser"]), 16)
    assert state.core == int.from_bytes(bytes.fromhex(str(vector["core"])), "little")
    assert "vest8" not in CATALOGUE


@pytest.mark.parametrize("size", SIZES)
def test_model_makes_the_rounds_of_the_description(size: int) -> None:
    table, fast, source = tables(size), VestState(size), Random(size)
    fast.counters = [source.getrandbits(kind.width) for kind in table.counters]
    fast.diffuser, fast.core = source.getrandbits(10), source.getrandbits(table.core_bits)
    state = State(
        tuple(
            IntegerWord(value, kind.width)
            for value, kind in zip(fast.counters, table.counters, strict=True)
        ),
        IntegerWord(fast.diffuser, 10),
        IntegerWord(fast.core, table.core_bits),
    )
    for _ in range(4):
        entering, seal = source.getrandbits(16), source.getrandbits(8)
        word = output(table, state.core).value if table.taps else 0
        state = after_round(unnamed, table, state, IntegerWord(entering, 16), IntegerWord(seal, 8))
        assert fast.round(entering, seal) == word
        assert [counter.value for counter in state.counters] == fast.counters
        assert (state.diffuser.value, state.core.value) == (fast.diffuser, fast.core)


@pytest.mark.parametrize("size", SIZES)
def test_tables(size: int) -> None:
    table = tables(size)
    assert sorted(row.destination for row in table.rows) == list(range(table.core_bits))
    assert all(row.function.bit_count() == 16 for row in table.rows)
    for number, row in enumerate(table.rows[5:], start=5):
        assert max(row.sources) < number
    taps = [tap for word in table.taps for tap in word]
    assert len(taps) == len(set(taps)) == (0 if size == 8 else 6 * size)
    total = sum(kind.width for kind in table.counters) + 10 + table.core_bits
    assert total == {4: 256, 8: 384, 16: 512, 32: 768}[size]


def test_expressions_of_tables() -> None:
    source = Random(1)
    functions = [source.randrange(1, 2**32 - 1) for _ in range(30)]
    functions += [0xAAAAAAAA, 0x55555555, 0x80000000, 0xFFFFFFFE, 0x69969669, 0xCACACACA]
    for function in functions:
        for index in range(32):
            inputs = [IntegerWord(index >> place & 1, 1) for place in range(5)]
            assert apply_table(function, inputs).value == function >> index & 1


def test_without_an_iv_there_is_no_setup_with_one() -> None:
    state = VestState(4)
    state.take_key(bytes(16), SEAL_KEY)
    word = reduce(xor, (state.round() << 4 * number for number in range(16)))
    assert keystream(VEST_4, bytes(16), b"", 64) == word.to_bytes(8, "little")
    assert keystream(VEST_4, bytes(16), b"\0", 64) != word.to_bytes(8, "little")


# --- hardware


def test_new_iv_takes_fewer_cycles() -> None:
    core = engine(VEST_4, keyed_state="kept")
    facts = facts_of(VEST_4, architecture(VEST_4, keyed_state="kept"))
    key, ivs = bytes(range(16)), [bytes([number]) * 8 for number in range(3)]
    words = " ".join(f"{byte:x}" for byte in [*key, *ivs[0]])
    commands = ["reset 2", f"load {words}", "take 8", "setup"]
    for iv in ivs[1:]:
        commands += [f"new_iv {' '.join(f'{byte:x}' for byte in iv)}", "take 8", "setup"]
    printed = simulate(core.verilog, commands)
    made = [
        reduce(lambda word, part: word << 4 | int(part, 16), reversed(printed[at : at + 8]), 0)
        for at in (0, 9, 18)
    ]
    assert made == [int.from_bytes(keystream(VEST_4, key, iv, 32), "little") for iv in ivs]
    assert [int(printed[at]) for at in (8, 17, 26)] == [232, 40, 40]
    assert (facts.setup_cycles, datasheet(VEST_4, core._architecture)["new_iv_cycles"]) == (232, 40)


@pytest.mark.parametrize("before", ["reset 2", "clear"])
def test_no_iv_is_taken_without_a_key(before: str) -> None:
    core = engine(VEST_4, keyed_state="kept")
    load = "load " + " ".join(["5"] * 17)
    with pytest.raises(ToolError, match="the load word was never taken"):
        simulate(core.verilog, ["patience 300", "reset 2", load, "take 1", before, "new_iv 1 2 3"])


@pytest.mark.parametrize("iv_bytes", [0, 1, 8, 64])
def test_setup_cycles(iv_bytes: int) -> None:
    options = {"iv_bits": str(8 * iv_bytes)}
    facts = facts_of(VEST_4, architecture(VEST_4, **options))
    assert engine(VEST_4).setup_cycles(bytes(16), bytes(iv_bytes)) == facts.setup_cycles
    assert facts.setup_cycles == 16 + 128 + 16 + 32 + (iv_bytes + 32 if iv_bytes else 0)


def test_flip_flops_are_state_key_and_control() -> None:
    text = generate(VEST_4, architecture(VEST_4, stall="none", clear="none")).text
    (line,) = (line for line in text.splitlines() if line.startswith("  reg [127:0]"))
    assert " key;" in line
    assert "_keyed" not in text


# --- proofs


@pytest.mark.parametrize(
    ("cipher", "options"),
    [
        (VEST_4, {"keyed_state": "kept", "key_bits": "8"}),
        (VEST_4_AE, {"stall": "none", "clear": "instant"}),
    ],
    ids=["vest4", "vest4-ae"],
)
def test_proofs(cipher: VestCipher, options: dict[str, str]) -> None:
    records = prove(cipher, architecture(cipher, **options))
    assert [record.check for record in records if record.failures] == []
    assert len(records) >= 3


# --- what is said, and what is refused


@EVERY
def test_data_sheet(cipher: VestCipher) -> None:
    sheet = datasheet(cipher, architecture(cipher))
    assert sheet["security"].startswith("broken")
    assert "EP 1820295" in sheet["patents"]
    assert sheet["setup_cycles"] == 232 + (cipher.name == "vest4-ae")
    assert ("printed_flip_flops" in sheet) == (not isinstance(cipher, VestAead))
    assert sheet["state_bits"] == {4: 256, 16: 512, 32: 768}[cipher.size] * (
        1 + (cipher.service == "aead")
    )
