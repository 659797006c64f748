# SPDX-License-Identifier: Apache-2.0
"""AES in counter mode with all rounds in a row: cycles, a thousand blocks of OpenSSL, the carries
of the counter, proofs, and what is refused. Its vectors and its contract are tested with those of
every core."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import pytest
from amaranth.hdl import Module, Value
from proven import assert_proven

from headwater.cipher.aes import AES_CTR
from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.emit.datasheet import datasheet
from headwater.errors import InputError
from headwater.kinds.aes import key_line
from headwater.kinds.aes.key_line import KeyLine
from headwater.kinds.aes.pipeline import CountedPipeline, Pipeline
from headwater.kinds.registry import facts_of, properties_of
from headwater.verify.engine import RtlEngine
from headwater.verify.proof import prove
from headwater.verify.segments import Segment

KEYS = {
    128: "2b7e151628aed2a6abf7158809cf4f3c",
    192: "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
    256: "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
}


def row(rounds: str = "all", **options: str) -> Architecture:
    return Architecture.choose(AES_CTR, radix=128, options={"rounds": rounds, **options})


# --- cycles


@pytest.mark.parametrize(
    ("rounds", "bits", "setup", "clear"),
    [
        # Words of the load, of the round keys behind the key, and stages; two cycles for the words
        # that are made at a time where a round has two stages.
        ("all", 128, 4 + 20 + 11, 22),
        ("all", 192, 5 + 23 + 13, 26),
        ("all", 256, 6 + 26 + 15, 30),
        ("halves", 128, 4 + 2 * 20 + 21, 22),
        ("halves", 256, 6 + 2 * 26 + 29, 30),
    ],
)
def test_cycles(rounds: str, bits: int, setup: int, clear: int) -> None:
    cipher, made = AES_CTR.for_key(bits), row(rounds, key_bits=str(bits))
    facts = facts_of(cipher, made)
    assert (facts.setup_cycles, facts.clear_cycles, facts.bits_per_cycle) == (setup, 1 + clear, 128)
    assert facts.keystream_cycles(128_000) == 1000
    sheet = datasheet(cipher, made)
    values = {"key_bits": bits, "iv_bits": 128, "load_width": 64}
    assert eval(sheet["setup_formula"], {}, values) == setup


def test_a_mode_loads_whole_blocks() -> None:
    mode = CATALOGUE["eea2"]
    made = Architecture.choose(mode, radix=128, options={"rounds": "all"})
    facts = facts_of(mode, made)
    assert facts.setup_cycles == 2 + 10 + 11
    assert facts.message_cycles(1280) == 10


# --- keystream


@pytest.mark.parametrize(
    ("options", "iv", "expected"),
    [
        # OpenSSL 3.0.19, `openssl enc -aes-...-ctr` of 16000 zero bytes, hashed. The first counter
        # is full 500 blocks later, the others carry into their bits 32 and 48.
        (
            {"rounds": "all", "key_bits": "128"},
            "fffffffffffffffffffffffffffffe0c",
            "52edad087af4d3492d1981093a009ec825f826a103bd80d34b5672ca1848bd85",
        ),
        (
            {"rounds": "halves", "key_bits": "192", "sbox": "table"},
            "000102030405060700000000fffffff0",
            "fd6b5e4e21b3224f7f23906c6b536b7b44e43625712aeca83071cae997ba8737",
        ),
        (
            {"rounds": "all", "key_bits": "256", "stall": "none", "sbox": "table"},
            "00000000000000000000fffffffffff0",
            "2633c98edfc44afbf5935c0b43e5548ed8793a2299316ac8ca658c0ac4886ecb",
        ),
    ],
    ids=["128", "192", "256"],
)
def test_a_thousand_blocks(options: dict[str, str], iv: str, expected: str) -> None:
    cipher, made = AES_CTR.with_parameters(options), row(**options)
    gaps = 300 if made.stall == "stream" else 0
    engine = RtlEngine(cipher, made, gaps_permille=gaps)
    key = bytes.fromhex(KEYS[cipher.key_bits])
    (keystream,) = engine.run([Segment(key, bytes.fromhex(iv), 0, 128_000)])
    assert sha256(keystream).hexdigest() == expected


# --- what is proven

OF_ROWS = {"setup", "load", "next", "counter", "round", "session", "silence", "clear", "sbox"}


@pytest.mark.parametrize(
    ("rounds", "options", "asserted"),
    [
        ("all", {"key_bits": "256"}, {"setup", "load", "counter"}),
        ("all", {"key_bits": "192", "stall": "none"}, {"setup", "next", "session"}),
        ("halves", {"counter_bits": "64"}, {"setup", "counter"}),
        ("all", {}, {"round", "clear", "next", "hold", "silence", "sbox"}),
        ("halves", {"key_bits": "192"}, {"round"}),
    ],
)
def test_properties(rounds: str, options: dict[str, str], asserted: set[str]) -> None:
    cipher, made = AES_CTR.with_parameters(options), row(rounds, **options)
    names = {one.name for one in properties_of(cipher, made)}
    assert names == OF_ROWS | ({"hold"} if made.stall == "stream" else set())
    assert_proven(cipher, made, asserted)


def test_properties_of_a_mode() -> None:
    mode = CATALOGUE["eea2"]
    made = Architecture.choose(mode, radix=128, options={"rounds": "all", "clear": "instant"})
    assert {one.name for one in properties_of(mode, made)} == OF_ROWS | {"hold", "text"}
    assert_proven(mode, made, {"setup", "load", "text"})


# --- what is found


def lost_carries(m: Module, core: CountedPipeline) -> None:
    """The slices from bit 32 on are never told that those below them are ones."""
    m.d.sync += core.carries.eq(0)


def a_slice_that_stays(m: Module, core: CountedPipeline) -> None:
    """The highest bits of the counter do not count."""
    m.d.sync += core.slices[-1].eq(core.slices[-1])


def without_waiting(m: Module, core: Pipeline) -> None:
    """The stages go on although their word was not used."""
    assert isinstance(core.step, Value)
    m.d.sync += core.step.eq(1)


def no_substitution(m: Module, core: Pipeline) -> None:
    """A block passes the S-boxes of a round as it is."""
    m.d.sync += core.stages[1].eq(core.stages[0])


def a_key_that_moves(m: Module, core: KeyLine) -> None:
    """The round keys move on as the cipher runs."""
    m.d.sync += core.round_keys[0].eq(core.round_keys[1])


@pytest.mark.parametrize(
    ("change", "prop", "rounds"),
    [
        (lost_carries, "setup", "all"),
        (a_slice_that_stays, "counter", "halves"),
        (without_waiting, "next", "all"),
        (no_substitution, "round", "halves"),
        (a_key_that_moves, "round", "all"),
    ],
)
def test_a_change_is_found(
    monkeypatch: pytest.MonkeyPatch, change: Callable[..., None], prop: str, rounds: str
) -> None:
    moves = CountedPipeline._move_blocks

    def changed(core: CountedPipeline, m: Module) -> None:
        moves(core, m)
        change(m, core)

    monkeypatch.setattr(CountedPipeline, "_move_blocks", changed)
    (record,) = prove(AES_CTR, row(rounds), only=[prop])
    assert (record.passed, record.failed) == (0, 1)


@pytest.mark.parametrize(
    ("bits", "changed"),
    [
        (256, lambda number, words: "rotated" if number % words == 0 else ""),
        (128, lambda number, words: "substituted" if number % words == 0 else ""),
    ],
)
def test_another_key_expansion_is_found(
    monkeypatch: pytest.MonkeyPatch, bits: int, changed: Callable[[int, int], str]
) -> None:
    """One without the second SubWord of AES-256, and one without RotWord."""
    cipher = AES_CTR.for_key(bits)
    monkeypatch.setattr(key_line, "change_before", changed)
    (record,) = prove(cipher, row(key_bits=str(bits)), only=["round"])
    assert (record.passed, record.failed) == (0, 1)


# --- what is refused


@pytest.mark.parametrize("name", ["aes_ctr", "eea2"])
def test_rounds_need_whole_blocks(name: str) -> None:
    refused = rf"^option rounds of {name} at radix 32 must be 1, not 'halves'$"
    with pytest.raises(InputError, match=refused):
        Architecture.choose(CATALOGUE[name], radix=32, options={"rounds": "halves"})


def test_blocks_that_are_fed_back_have_one_round() -> None:
    with pytest.raises(InputError, match=r"^option of aes must be one of .*, not 'rounds'"):
        Architecture.choose(CATALOGUE["aes"], radix=128, options={"rounds": "all"})
