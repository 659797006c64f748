# SPDX-License-Identifier: Apache-2.0
"""Achterbahn, all four: registers after the setup, feedbacks, and cycles."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from headwater.algebra.factoring import as_sum
from headwater.algebra.polynomial import Polynomial
from headwater.algebra.symbolic_word import SymbolicWord
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
from headwater.kinds.registry import facts_of
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import Phase
from headwater.kinds.stepped.model import Model
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.segments import Segment
from headwater.verify.vector_files import own_files, read_file

ALL = [ACHTERBAHN, ACHTERBAHN_REDUCED, ACHTERBAHN_80, ACHTERBAHN_128]
STATE_128 = (
    "25e6f 1e10a1 1d48a6 54905b 857a1e 2ea5927 f3cdaf 8f3c12c 16747a74 a0ef0f7 6ca31bdf 971cff16 "
    "1b61dc0f8"
)


def model(cipher: ClockedCipher, key: str, iv: str) -> Model:
    return Model(cipher, key=bytes.fromhex(key), iv=bytes.fromhex(iv))


def contents(cipher: ClockedCipher, key: str, iv: str) -> list[int]:
    """The registers of the paper after the setup, cell 0 lowest."""
    made = model(cipher, key, iv)
    registers = [register for register in cipher.registers if not register.setup_only]
    return [
        int(f"{made.content(register.name):0{register.length}b}"[::-1], 2) for register in registers
    ]


def key_and_iv(cipher: ClockedCipher, seed: int) -> tuple[bytes, bytes]:
    source = Random(seed)
    return source.randbytes(cipher.key_bits // 8), source.randbytes(cipher.iv_bits[-1] // 8)


def chosen(cipher: ClockedCipher, radix: int, **options: str) -> Architecture:
    return Architecture.choose(cipher, radix=radix, options=options)


@pytest.mark.parametrize(
    ("cipher", "key", "iv", "state"),
    [
        (
            ACHTERBAHN,
            "55" * 10,
            "aa" * 8,
            "177270 33cc1a 1f3f44b 36581f6 320784d 5b4fbc9 62760e4 47344bb a893e2b815c155c4",
        ),
        (
            ACHTERBAHN_REDUCED,
            "55" * 10,
            "aa" * 8,
            "177270 33cc1a 1f3f44b 36581f6 320784d 5b4fbc9 62760e4 47344bb",
        ),
        (
            ACHTERBAHN_80,
            bytes(range(1, 11)).hex(),
            bytes(range(1, 11)).hex(),
            (
                "10232e 6b5033 f5dc9f 5c14db 2ddcece 7ee0c2c 4ddf347 1ce39823 ee66819 2736cb65 "
                "b7ca6728"
            ),
        ),
        (ACHTERBAHN_128, bytes(range(1, 17)).hex(), bytes(range(1, 17)).hex(), STATE_128),
    ],
)
def test_registers_after_the_setup(cipher: ClockedCipher, key: str, iv: str, state: str) -> None:
    assert contents(cipher, key, iv) == [int(value, 16) for value in state.split()]


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
        1,
        2,
        4,
        8,
        8,
    ]


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
