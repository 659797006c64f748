# SPDX-License-Identifier: Apache-2.0
"""Achterbahn, all four: registers after the setup, vectors in both engines, loads of any length."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from headwater.algebra.factoring import as_sum
from headwater.algebra.polynomial import Polynomial
from headwater.algebra.word import SymbolicWord
from headwater.cipher import achterbahn
from headwater.cipher.achterbahn import (
    ACHTERBAHN,
    ACHTERBAHN_REDUCED,
    CONFIGURATION,
    DRIVING,
    Nlfsr,
)
from headwater.cipher.achterbahn_128_80 import ACHTERBAHN_80, ACHTERBAHN_128
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.flow.verilator import simulate
from headwater.kinds.registry import facts_of
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import Phase
from headwater.kinds.stepped.model import Model
from headwater.verify.check import check_lint, check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.segments import Segment
from headwater.verify.vector_files import own_files, read_file

ALL = [ACHTERBAHN, ACHTERBAHN_REDUCED, ACHTERBAHN_80, ACHTERBAHN_128]
EVERY = pytest.mark.parametrize("cipher", ALL, ids=lambda cipher: cipher.name)
STATE_128 = (
    "25e6f 1e10a1 1d48a6 54905b 857a1e 2ea5927 f3cdaf 8f3c12c 16747a74 a0ef0f7 6ca31bdf 971cff16 "
    "1b61dc0f8"
)
COUNTS = {"achterbahn": 59, "achterbahn-v1-reduced": 59, "achterbahn80": 61, "achterbahn128": 67}
SHORT = 64
"""Keystream bits that the model is compared in, vector by vector."""


def model(cipher: ClockedCipher, key: str, iv: str) -> Model:
    return Model(cipher, key=bytes.fromhex(key), iv=bytes.fromhex(iv))


def contents(cipher: ClockedCipher, key: str, iv: str) -> list[int]:
    """The registers of the paper after the setup, cell 0 lowest."""
    made = model(cipher, key, iv)
    registers = [register for register in cipher.registers if not register.setup_only]
    return [
        int(f"{made.content(register.name):0{register.length}b}"[::-1], 2)
        for register in registers
    ]  # fmt: skip


def key_and_iv(cipher: ClockedCipher, seed: int) -> tuple[bytes, bytes]:
    source = Random(seed)
    return source.randbytes(cipher.key_bits // 8), source.randbytes(cipher.iv_bits[-1] // 8)


def chosen(cipher: ClockedCipher, radix: int, **options: str) -> Architecture:
    return Architecture.choose(cipher, radix=radix, options=options)


@pytest.mark.parametrize(
    ("cipher", "key", "iv", "state"),
    [
        (ACHTERBAHN, "55" * 10, "aa" * 8,
         "177270 33cc1a 1f3f44b 36581f6 320784d 5b4fbc9 62760e4 47344bb a893e2b815c155c4"),
        (ACHTERBAHN_REDUCED, "55" * 10, "aa" * 8,
         "177270 33cc1a 1f3f44b 36581f6 320784d 5b4fbc9 62760e4 47344bb"),
        (ACHTERBAHN_80, bytes(range(1, 11)).hex(), bytes(range(1, 11)).hex(),
         "10232e 6b5033 f5dc9f 5c14db 2ddcece 7ee0c2c 4ddf347 1ce39823 ee66819 2736cb65 b7ca6728"),
        (ACHTERBAHN_128, bytes(range(1, 17)).hex(), bytes(range(1, 17)).hex(),
         STATE_128),
    ],
)  # fmt: skip
def test_registers_after_the_setup(cipher: ClockedCipher, key: str, iv: str, state: str) -> None:
    assert contents(cipher, key, iv) == [int(value, 16) for value in state.split()]


@EVERY
def test_every_vector_in_the_model(cipher: ClockedCipher) -> None:
    """Its beginning; all of it is compared in the Verilog."""
    (path,) = own_files(cipher)
    vectors = json.loads(path.read_text())["vectors"]
    assert len(vectors) == COUNTS[cipher.name]
    for vector in vectors:
        if not vector["offset_bits"]:
            bits = min(SHORT, vector["keystream_bits"])
            made = model(cipher, vector["key"], vector["iv"]).read(bits).hex()
            assert made == vector["keystream"][: len(made)], vector["id"]


@pytest.mark.parametrize(
    ("cipher", "radix", "options"),
    [
        (ACHTERBAHN, 2, {}),
        (ACHTERBAHN_REDUCED, 4, {"stall": "none", "clear": "instant"}),
        (ACHTERBAHN_80, 1, {"stall": "none", "clear": "none"}),
        (ACHTERBAHN_128, 2, {"clear": "none"}),
    ],
)  # fmt: skip
def test_vectors_in_verilog(cipher: ClockedCipher, radix: int, options: dict[str, str]) -> None:
    architecture = chosen(cipher, radix, **options)
    gaps = 0 if options.get("stall") else 200
    engine = RtlEngine(cipher, architecture, gaps_permille=gaps)
    file = read_file(own_files(cipher)[0], cipher)
    record = check_vectors(file, engine, architecture)
    assert (record.failures, record.skipped, record.passed) == ((), 0, len(file.vectors))
    cycles = facts_of(cipher, architecture).setup_cycles
    assert engine.setup_cycles(*key_and_iv(cipher, 1)) == cycles
    assert check_lint(cipher, architecture).failures == ()


@pytest.mark.parametrize("radix", [8, 16])
def test_wide_radices(radix: int) -> None:
    architecture = chosen(ACHTERBAHN_REDUCED, radix)
    file = read_file(own_files(ACHTERBAHN_REDUCED)[0], ACHTERBAHN_REDUCED)
    near = replace(file, vectors=tuple(one for one in file.vectors if one.bits < 2000))
    engine = RtlEngine(ACHTERBAHN_REDUCED, architecture)
    record = check_vectors(near, engine, architecture)
    assert (record.failures, record.skipped, record.passed > 40) == ((), 0, True)
    cycles = engine.setup_cycles(*key_and_iv(ACHTERBAHN_REDUCED, 1))
    assert cycles == 18 + 64 // radix


def test_interruptions() -> None:
    """A new load, a reset or `clear` at any time leaves nothing of the load before."""
    cipher, architecture = ACHTERBAHN, chosen(ACHTERBAHN, 1)
    facts = facts_of(cipher, architecture)
    loads = [
        "load " + " ".join(f"{word:x}" for word in facts.load_words(*key_and_iv(cipher, seed)))
        for seed in (1, 2)
    ]
    commands = ["reset 2"]
    for end in ("reset 1", "clear", "idle 0"):
        for moment in (0, 1, 30, 63, 64, 90):
            commands += [loads[0], f"idle {moment}", end, loads[1], "take 16"]
    bits = [int(word, 16) for word in simulate(generate(cipher, architecture), commands)]
    key, iv = key_and_iv(cipher, 2)
    expected = int.from_bytes(Model(cipher, key=key, iv=iv).read(16), "little")
    assert bits == [expected >> place & 1 for place in range(16)] * 18


def test_odd_pieces_of_keystream() -> None:
    cipher, architecture = ACHTERBAHN_80, chosen(ACHTERBAHN_80, 2)
    segments = [Segment(*key_and_iv(cipher, seed), 5 * seed, 41 + seed) for seed in range(3)]
    engine = RtlEngine(cipher, architecture, gaps_permille=500)
    assert engine.run(segments) == ModelEngine(cipher).run(segments)


@pytest.mark.parametrize(
    ("cipher", "radix", "cycles"),
    [
        (ACHTERBAHN, 1, 208),
        (ACHTERBAHN_REDUCED, 8, 26),
        (ACHTERBAHN_80, 1, 256),
        (ACHTERBAHN_128, 16, 32 + 6),
    ],
)
def test_setup_cycles(cipher: ClockedCipher, radix: int, cycles: int) -> None:
    assert facts_of(cipher, chosen(cipher, radix)).setup_cycles == cycles


def test_load_words_divide_every_load() -> None:
    assert [chosen(ACHTERBAHN, radix).load_width for radix in ACHTERBAHN.legal_radices()] == [
        1, 2, 4, 8, 8,
    ]  # fmt: skip


def test_products_lie_eight_cells_below_the_top() -> None:
    """So no more than eight steps side by side multiply only what is there before them."""
    below = [
        nlfsr.length - max(cell for term in nlfsr.terms if len(term) > 1 for cell in term)
        for nlfsr in DRIVING
    ]
    assert min(below) == 8
    chosen_from = [
        nlfsr.length - above for nlfsr, above in zip(DRIVING, achterbahn.CHOSEN, strict=True)
    ]
    assert min(chosen_from) == 16


def test_shared_vector_file(tmp_path: Path) -> None:
    """One file may have the vectors of both lengths of the key."""
    contents = [json.loads(own_files(cipher)[0].read_text()) for cipher in ALL[2:]]
    both = [one for content in contents for one in content["vectors"]]
    path = tmp_path / "both.json"
    path.write_text(json.dumps({**contents[0], "cipher": "achterbahn-128-80", "vectors": both}))
    small, large = (read_file(path, cipher) for cipher in ALL[2:])
    assert (len(small.vectors), len(small.skipped)) == (61, 67)
    assert (len(large.vectors), len(large.skipped)) == (67, 61)


@pytest.mark.parametrize(
    ("cipher", "key", "iv", "message"),
    [
        (ACHTERBAHN, 16, 8, "key of achterbahn must be 80 bits (20 hex digits), not 128 bits"),
        (ACHTERBAHN, 10, 9, "IV of achterbahn must be 0 to 64 bits in whole bytes, not 72 bits"),
        (ACHTERBAHN_128, 16, 17,
         "IV of achterbahn128 must be 0 to 128 bits in whole bytes, not 136 bits"),
    ],
)  # fmt: skip
def test_lengths(cipher: ClockedCipher, key: int, iv: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Model(cipher, key=bytes(key), iv=bytes(iv))
    assert str(caught.value) == message


def test_radices() -> None:
    message = "radix of achterbahn must be one of 1, 2, 4, 8, 16, not 3"
    with pytest.raises(InputError) as caught:
        chosen(ACHTERBAHN, 3)
    assert str(caught.value) == message


def test_a_missing_one_is_found() -> None:
    """Broken on purpose: no cell is forced to one, in the Verilog alone."""
    phases = (Phase("warm-up", 64), Phase("none", 0, ("forcing",)))
    broken = replace(ACHTERBAHN_REDUCED, phases=phases)
    architecture = chosen(ACHTERBAHN_REDUCED, 1)
    segments = [Segment(*key_and_iv(broken, seed), 0, 64) for seed in range(4)]
    made = RtlEngine(broken, architecture).run(segments)
    assert made != ModelEngine(ACHTERBAHN_REDUCED).run(segments)


@pytest.mark.parametrize("nlfsr", [*DRIVING, CONFIGURATION], ids=lambda nlfsr: nlfsr.name)
def test_feedback_is_the_sum_of_the_paper_s_terms(nlfsr: Nlfsr) -> None:
    fed_back = nlfsr.feedback(lambda number: Polynomial.variable("x", number))
    assert {frozenset(number for _, number in term) for term in fed_back.monomials} == {
        frozenset(map(int, term.split("*"))) for term in f"{nlfsr.singles} {nlfsr.products}".split()
    }
    assert nlfsr.shortest.weight < as_sum(fed_back).weight


def test_feedback_of_the_zero_state_is_zero() -> None:
    """So a register waits for its first bit without being held."""
    for nlfsr in DRIVING:
        assert nlfsr.feedback(lambda _: SymbolicWord((0,))).bits == (0,)
