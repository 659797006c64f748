# SPDX-License-Identifier: Apache-2.0
"""ChaCha20-Poly1305 and XChaCha20-Poly1305: the arithmetic in Python's integers, and cores whose
multiplier has other widths."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher import poly1305
from headwater.cipher.chacha20_poly1305 import (
    CHACHA20_POLY1305,
    XCHACHA20_POLY1305,
    close_text,
    multiply,
    quarter,
)
from headwater.cipher.chacha_djb import XCHACHA20, hchacha20
from headwater.cipher.message import Message
from headwater.cipher.poly1305 import POLY1305
from headwater.core.architecture import Architecture
from headwater.kinds.message.description import MessageCipher
from headwater.kinds.reading import Keystream, process
from headwater.kinds.registry import facts_of
from headwater.verify.check import check_vectors
from headwater.verify.engine import RtlEngine
from headwater.verify.vector_files import own_files, read_file

PRIME = 2**130 - 5
EVERY = pytest.mark.parametrize(
    "cipher", [POLY1305, CHACHA20_POLY1305, XCHACHA20_POLY1305], ids=lambda one: one.name
)


def number(total: IntegerWord, carries: IntegerWord) -> int:
    return total.value + 2 * carries.value


def one_of(bits: int, seed: int) -> int:
    """Any number of so many bits, or one at an end of them."""
    source = random.Random(seed)
    return (0, 1, (1 << bits) - 1, (1 << bits) - 2, source.getrandbits(bits))[seed % 5]


# --- Poly1305


@pytest.mark.parametrize("seed", range(40))
def test_a_block_in_pythons_integers(seed: int) -> None:
    """No bit is lost, whatever factor and point are: the accumulator is the product."""
    factor = one_of(poly1305.FACTOR_BITS, seed)
    point = one_of(128, seed // 5)
    total, carries = IntegerWord(0, poly1305.WIDTH), IntegerWord(0, poly1305.WIDTH - 1)
    for place in reversed(range(0, 128, poly1305.DIGIT)):
        digit = IntegerWord(point >> place & 15, poly1305.DIGIT)
        before, given = number(total, carries), IntegerWord(factor, poly1305.FACTOR_BITS)
        total, carries = poly1305.multiplied(unnamed, total, carries, given, digit)
        assert (number(total, carries) - 16 * before - digit.value * factor) % PRIME == 0
        assert number(total, carries) < 2**poly1305.WIDTH
    made = poly1305.reduced(unnamed, total, carries).value
    assert made % PRIME == factor * point % PRIME
    assert made < 2**130 + 315


@pytest.mark.parametrize(
    "value", [0, 1, PRIME - 1, PRIME, PRIME + 1, 2**130 - 1, 2**130, 2**130 + 314]
)
@pytest.mark.parametrize("pad", [0, 1, 2**128 - 1])
def test_the_tag_is_of_the_least_number(value: int, pad: int) -> None:
    words = IntegerWord(value, poly1305.FACTOR_BITS), IntegerWord(pad, 128)
    assert poly1305.tag_of(unnamed, *words).value == (value % PRIME + pad) % 2**128


def test_example_of_the_rfc() -> None:
    """Section 2.5.2: the accumulator behind each block, and the tag."""
    text = b"Cryptographic Forum Research Group"
    point = poly1305.clamped(IntegerWord(0xA806D542FE52447F336D555778BED685, 128))
    assert point.value == 0x806D5400E52447C036D555408BED685
    expected = (
        0x2C88C77849D64AE9147DDEB88E69C83FC,
        0x2D8ADAF23B0337FA7CCCFB4EA344B30DE,
        0x28D31B7CAFF946C77C8844335369D03A7,
    )
    accumulator = IntegerWord(0, poly1305.FACTOR_BITS)
    for place, meant in zip(range(0, len(text), 16), expected, strict=True):
        block = int.from_bytes(text[place : place + 16] + b"\1", "little")
        state = {
            "factor": poly1305.absorbed(unnamed, accumulator, IntegerWord(block, 129)),
            "total": IntegerWord(0, poly1305.WIDTH),
            "carries": IntegerWord(0, poly1305.WIDTH - 1),
            "point": point,
            "multiplies": IntegerWord(1, 1),
        }
        for step in range(poly1305.STEPS):
            state |= multiply(unnamed, **state, number=IntegerWord(step, 5))
        assert state["point"].value == point.value
        accumulator = poly1305.reduced(unnamed, state["total"], state["carries"])
        assert accumulator.value % PRIME == meant
    pad = IntegerWord(0x1BF54941AFF6BF4AFDB20DFB8A800301, 128)
    tag = poly1305.tag_of(unnamed, accumulator, pad).value
    assert tag.to_bytes(16, "little").hex() == "a8061dc1305136c6c22b8baf0c0127a9"


@pytest.mark.parametrize("seed", range(5))
def test_without_a_block_the_accumulator_stays(seed: int) -> None:
    factor, point = one_of(130, seed), one_of(128, seed + 1)
    state = {
        "factor": IntegerWord(factor, poly1305.FACTOR_BITS),
        "point": IntegerWord(point, 128),
        "total": IntegerWord(0, poly1305.WIDTH),
        "carries": IntegerWord(0, poly1305.WIDTH - 1),
        "multiplies": IntegerWord(0, 1),
    }
    for step in range(poly1305.STEPS):
        state |= multiply(unnamed, **state, number=IntegerWord(step, 5))
    assert number(state["total"], state["carries"]) == factor
    assert state["point"].value == point


# --- ChaCha20 and the text


def test_quarter_rounds_are_the_block_of_the_rfc() -> None:
    """Section 2.3.2: the words behind twenty rounds, before the first ones are added."""
    first = (
        "61707865 3320646e 79622d32 6b206574 03020100 07060504 0b0a0908 0f0e0d0c 13121110 "
        "17161514 1b1a1918 1f1e1d1c 00000001 09000000 4a000000 00000000"
    )
    behind = (
        "837778ab e238d763 a67ae21e 5950bb2f c4f2d0c7 fc62bb2f 8fa018fc 3f5ec7b7 335271c2 "
        "f29489f3 eabda8fc 82e46ebd d19c12b4 b04e16de 9e83d0cb 4e3c50a2"
    )
    words = [int(word, 16) for word in first.split()]
    x = IntegerWord(sum(word << 32 * place for place, word in enumerate(words)), 512)
    for step in range(80):
        x = quarter(unnamed, x, IntegerWord(step, 7))["x"]
    assert [f"{x[32 * place : 32 * place + 32].value:08x}" for place in range(16)] == behind.split()


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 31, 32, 33, 48, 49, 63, 64])
def test_what_is_kept_of_a_text(count: int) -> None:
    x = IntegerWord(2**512 - 1, 512)
    closed = close_text(unnamed, x, IntegerWord(count, 7))
    assert closed["x"].value == 2 ** (8 * count) - 1
    assert closed["blocks"].value == 2 ** -(-count // 16) - 1


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 200])
def test_ciphertext_is_that_of_the_ciphers_alone(size: int) -> None:
    """Text begins at block 1; the longer nonce derives a key."""
    key, nonce, text = bytes(range(32)), bytes(range(100, 124)), bytes(size)
    stream = Keystream(XCHACHA20, key=key, iv=nonce)
    stream.skip(512)
    sealed = process(XCHACHA20_POLY1305, Message(key, nonce, b"more", text, 8 * size))
    assert sealed.text == stream.read(8 * size)
    derived = hchacha20(XCHACHA20, key, nonce[:16], b"expand 32-byte k")
    short = Message(derived, bytes(4) + nonce[16:], b"more", text, 8 * size)
    assert process(CHACHA20_POLY1305, short) == sealed


# --- cores


def test_poly1305_alone_has_no_text_that_leaves() -> None:
    facts = facts_of(POLY1305, Architecture.choose(POLY1305))
    assert list(facts.streams) == ["load", "data_in", "tag"]
    assert "direction" not in POLY1305.defaults
    assert POLY1305.service == "mac"
    assert CHACHA20_POLY1305.service == "aead"


@EVERY
@pytest.mark.parametrize(
    ("radix", "options"), [(1, {"width": "8"}), (16, {"width": "128", "clear": "instant"})]
)
def test_multipliers_of_other_widths(
    cipher: MessageCipher, radix: int, options: dict[str, str]
) -> None:
    """Every tenth vector, those that must be rejected among them."""
    (path,) = own_files(cipher)
    whole = read_file(path, cipher)
    some = replace(whole, vectors=whole.vectors[::10])
    architecture = Architecture.choose(cipher, radix=radix, options=options)
    record = check_vectors(some, RtlEngine(cipher, architecture))
    assert (record.passed, record.failures) == (len(some.vectors), ())


def test_cycles() -> None:
    """Those of a long text at a multiplier of 16 bits: words in, four blocks of Poly1305 with a
    cycle each to enter, and a block of ChaCha20 with one to begin and one to end."""
    facts = facts_of(CHACHA20_POLY1305, Architecture.choose(CHACHA20_POLY1305, radix=4))
    block = 512 // 32 + 4 * (1 + 128 // 16) + 1 + 80 // 4 + 1
    assert facts.message_cycles(8 * 64 * 11) - facts.message_cycles(8 * 64 * 10) == block
