# SPDX-License-Identifier: Apache-2.0
"""Salsa20 and ChaCha20: their words, variants, and seeking."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from block_streams import (
    CIPHERS,
    core,
    keystream,
    number,
    segment,
    values,
)

from headwater.algebra.lanes import LaneWord
from headwater.algebra.word import add, concatenate, rotate_left, unnamed
from headwater.cipher.chacha20 import CHACHA20
from headwater.cipher.chacha20 import quarter_round as chacha_quarter
from headwater.cipher.salsa20 import SALSA20
from headwater.cipher.salsa20 import quarter_round as salsa_quarter
from headwater.errors import InputError
from headwater.kinds.block_stream.description import BLOCK_BITS, BlockStreamCipher
from headwater.kinds.block_stream.folding import quarters_of_second
from headwater.verify.c_engine import CEngine
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.vector_files import own_files, read_file, read_variants

# --- words and descriptions


def test_lanes_work_like_single_words() -> None:
    source = random.Random(1)
    left, right = ([source.getrandbits(32) for _ in range(9)] for _ in range(2))
    one, other = LaneWord.of(left, 32), LaneWord.of(right, 32)
    pairs = list(zip(map(number, left), map(number, right), strict=True))
    assert one.words() == left
    assert add(one, other).words() == values([add(a, b) for a, b in pairs])
    assert (one ^ other).words() == values([a ^ b for a, b in pairs])
    for places in (0, 1, 7, 31):
        assert rotate_left(one, places).words() == values(
            [rotate_left(a, places) for a, _ in pairs]
        )
    assert concatenate(one[:5], other[3:9]).words() == values(
        [concatenate(a[:5], b[3:9]) for a, b in pairs]
    )


def test_quarter_round_of_salsa20_as_in_its_specification() -> None:
    """Section 3, the last example."""
    words = map(number, (0xD3917C5B, 0x55F1C407, 0x52A58A7A, 0x8F887A3B))
    result = values(salsa_quarter(unnamed, *words))
    assert result == [0x3E2F308C, 0xD90A8F36, 0x6AB2A923, 0x2883524C]


def test_quarter_round_of_chacha_as_in_its_rfc() -> None:
    """Section 2.1.1."""
    words = map(number, (0x11111111, 0x01020304, 0x9B8D6F43, 0x01234567))
    result = values(chacha_quarter(unnamed, *words))
    assert result == [0xEA2A92F4, 0xCB1CF8CE, 0x4581472E, 0x5881C4BB]


def test_matrix_of_salsa20() -> None:
    matrix = SALSA20.begin([f"k{n}" for n in range(8)], ["n0", "n1"], ["b0", "b1"], hex)
    assert [matrix[place] for place in (0, 5, 10, 15)] == [
        "0x61707865",
        "0x3320646e",
        "0x79622d32",
        "0x6b206574",
    ]
    assert [*matrix[1:5], *matrix[11:15]] == [f"k{number}" for number in range(8)]
    assert matrix[6:10] == ["n0", "n1", "b0", "b1"]
    short = SALSA20.for_key(128).begin([f"k{n}" for n in range(4)], ["n", "n"], ["b", "b"], hex)
    assert short[1:5] == short[11:15] == ["k0", "k1", "k2", "k3"]
    assert [short[place] for place in (5, 10)] == ["0x3120646e", "0x79622d36"]


@pytest.mark.parametrize("cipher", CIPHERS.values(), ids=CIPHERS)
def test_both_kinds_of_round_use_the_same_wires(cipher: BlockStreamCipher) -> None:
    first, second = cipher.kinds_of_round
    assert first == cipher.first_round
    assert sorted(second) == sorted(cipher.second_round) == sorted(quarters_of_second(cipher))


def test_siblings() -> None:
    sibling = SALSA20.with_parameters({"rounds": "12", "key_bits": "128", "fold": "round"})
    assert (sibling.rounds, sibling.key_bits, sibling.name) == (12, 128, "salsa20")
    assert {option.name: option.default for option in sibling.parameters} == {
        "rounds": "12",
        "key_bits": "128",
    }
    assert sibling.with_parameters({}) == sibling != SALSA20
    assert CHACHA20.parameters == ()
    with pytest.raises(InputError, match=r"^option rounds must be one of 20, 12, 8, not '10'"):
        SALSA20.with_parameters({"rounds": "10"})


# --- vectors


def test_variants_that_are_not_asked_for_are_skipped() -> None:
    (path,) = own_files(SALSA20)
    parts = read_variants(path, SALSA20.with_parameters({"rounds": "8"}), {"rounds": "8"})
    assert {(part.cipher.rounds, part.cipher.key_bits) for part in parts} == {(8, 256), (8, 128)}  # type: ignore[attr-defined]
    assert set(parts[0].skipped.values()) == {"20 rounds", "12 rounds"}
    assert sum(len(part.vectors) for part in parts) + len(parts[0].skipped) == 141


def test_file_of_one_cipher_skips_the_others() -> None:
    file = read_file(own_files(SALSA20)[0], SALSA20)
    assert len(file.vectors) == 51
    assert set(file.skipped.values()) == {"12 rounds", "8 rounds", "128-bit key"}


def test_counter_of_a_vector_moves_its_offset(tmp_path: Path) -> None:
    content = json.loads(own_files(CHACHA20)[0].read_text())
    entry = next(one for one in content["vectors"] if one["counter"] == 42)
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(content | {"vectors": [entry | {"counter": 41}]}))
    record = check_vectors(read_file(wrong, CHACHA20), ModelEngine(CHACHA20))
    assert record.failed == 1


# --- seeking and block numbers


def test_seeking_in_the_model_costs_nothing_and_is_right() -> None:
    whole = keystream(SALSA20, 0, 40 * BLOCK_BITS)
    for offset in (0, 511, 512, 513, 5000, 20000):
        bits = int.from_bytes(whole, "little") >> offset & (1 << 99) - 1
        assert keystream(SALSA20, offset, 99) == bits.to_bytes(13, "little")
    far = 1 << 60
    assert keystream(SALSA20, far, 600) == keystream(SALSA20, far + (1 << 73), 600)


def test_blocks_beyond_those_done_at_once() -> None:
    whole = keystream(CHACHA20, 0, 1100 * BLOCK_BITS)
    assert whole[700 * 64 : 701 * 64] == keystream(CHACHA20, 700 * BLOCK_BITS, BLOCK_BITS)


@pytest.mark.parametrize("name", CIPHERS)
def test_seeking_in_the_verilog(name: str) -> None:
    cipher = CIPHERS[name]
    engine = RtlEngine(cipher, core(cipher, 64, fold="double"), gaps_permille=100)
    last = (1 << cipher.counter_bits) * BLOCK_BITS
    places = [(1 << 60) + 77, 5, 600, 3000, 9_000_000, last - 300, last - 1, last + 3]
    given = [segment(cipher, offset, 1000) for offset in places]
    assert engine.run(given) == [keystream(cipher, offset, 1000) for offset in places]


@pytest.mark.parametrize("name", CIPHERS)
def test_seeking_in_the_c(name: str) -> None:
    cipher = CIPHERS[name]
    last = (1 << cipher.counter_bits) * BLOCK_BITS
    places = [5, last - 300, last - 1, last, last + 3, 5 * last + 77]
    given = [segment(cipher, offset, 1000) for offset in places]
    engine = CEngine(cipher, core(cipher, 64))
    assert engine.run(given) == [keystream(cipher, offset, 1000) for offset in places]


@pytest.mark.parametrize("name", CIPHERS)
def test_number_of_the_block_goes_back_to_zero(name: str) -> None:
    cipher = CIPHERS[name]
    last = ((1 << cipher.counter_bits) - 1) * BLOCK_BITS
    stream = keystream(cipher, last, 3 * BLOCK_BITS)
    assert stream[64:] == keystream(cipher, 0, 2 * BLOCK_BITS)
    for fold, buffer in (("round", "block"), ("round", "none"), ("stages4", "block")):
        engine = RtlEngine(cipher, core(cipher, 512, fold=fold, buffer=buffer))
        assert engine.run([segment(cipher, last, 3 * BLOCK_BITS)]) == [stream]
