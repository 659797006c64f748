# SPDX-License-Identifier: Apache-2.0
"""The model against every published vector, and its keystream cut into any pieces."""

from __future__ import annotations

import json
import random
import re

import pytest

from headwater.algebra.bitstring import from_bytes, to_bytes
from headwater.cipher.trivium import TRIVIUM
from headwater.errors import InputError
from headwater.model import Model
from headwater.verify.vectors import own_files

KEY = bytes.fromhex("0123456789abcdef1357")
IV = bytes.fromhex("fedcba98765432102468")
VECTORS = json.loads(own_files(TRIVIUM)[0].read_text())["vectors"]
BITS = 4000


def model() -> Model:
    return Model(TRIVIUM, key=KEY, iv=IV)


@pytest.fixture(scope="module")
def stream() -> int:
    """The first ``BITS`` keystream bits, read in one piece; the first at bit 0."""
    return from_bytes(model().read(BITS), "lsb_first")


def cut(stream: int, offset: int, bits: int) -> bytes:
    return to_bytes(stream >> offset, bits, "lsb_first")


@pytest.mark.parametrize("iv_bits", [32, 48, 64, 80])
def test_every_vector(iv_bits: int) -> None:
    vectors = [vector for vector in VECTORS if vector["iv_bits"] == iv_bits]
    assert vectors
    for vector in vectors:
        machine = Model(TRIVIUM, key=bytes.fromhex(vector["key"]), iv=bytes.fromhex(vector["iv"]))
        machine.skip(vector["offset_bits"])
        assert machine.read(vector["keystream_bits"]).hex() == vector["keystream"], vector["id"]


def test_no_vector_is_left_out() -> None:
    assert {vector["iv_bits"] for vector in VECTORS} == set(TRIVIUM.iv_bits)
    assert len(VECTORS) == 1027


def test_every_length(stream: int) -> None:
    for bits in range(201):
        assert model().read(bits) == cut(stream, 0, bits)


def test_every_offset(stream: int) -> None:
    for offset in range(201):
        machine = model()
        machine.skip(offset)
        assert machine.read(77) == cut(stream, offset, 77)


@pytest.mark.parametrize("seed", range(20))
def test_any_split_into_reads_and_skips(stream: int, seed: int) -> None:
    source = random.Random(seed)
    machine, position = model(), 0
    while position < BITS - 200:
        bits = source.randrange(200)
        if source.random() < 0.5:
            machine.skip(bits)
        else:
            assert machine.read(bits) == cut(stream, position, bits)
        position += bits


def test_last_byte_is_filled_with_zeros(stream: int) -> None:
    for bits in range(1, 200):
        data = model().read(bits)
        assert len(data) == -(-bits // 8)
        assert data[-1] >> (bits - 1) % 8 + 1 == 0
    # Not because the stream had zeros there.
    assert any(stream >> bits & 1 for bits in range(1, 8))


def test_key_and_iv_decide_the_stream(stream: int) -> None:
    first = cut(stream, 0, 256)
    for changed in (
        Model(TRIVIUM, key=KEY[:-1] + b"\0", iv=IV),
        Model(TRIVIUM, key=KEY, iv=IV[:-1] + b"\0"),
    ):
        assert changed.read(256) != first


def test_illegal_key() -> None:
    message = "key of trivium must be 80 bits (20 hex digits), not 128 bits"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        Model(TRIVIUM, key=bytes(16), iv=IV)
