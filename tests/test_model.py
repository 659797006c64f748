# SPDX-License-Identifier: Apache-2.0
"""The model: steps of whole registers, and the keystream cut into any pieces."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from headwater import verify
from headwater.algebra.bitstring import from_bytes, to_bytes
from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cipher.e0 import constrain_key
from headwater.errors import InputError
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.reading import Keystream
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.model import Model, WholeRegisters
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.word_cipher import WordCipher

WITH_KEYSTREAM = [cipher for cipher in CATALOGUE.values() if cipher.has_keystream]
EVERY_CIPHER = pytest.mark.parametrize("cipher", WITH_KEYSTREAM, ids=lambda cipher: cipher.name)
BITS = 1000

VECTORS = {
    path.stem: json.loads(path.read_text())["vectors"]
    for path in Path(verify.__file__).with_name("vectors").glob("*.json")
}


ADDED = {"zkcrypt"}
"""Only the sum of key and IV counts in these."""


# --- keys that are derived


@pytest.mark.parametrize("name", ["e0", "e0_constrain"])
def test_every_key_constraint(name: str) -> None:
    for vector in VECTORS[name]:
        key = constrain_key(bytes.fromhex(vector["kc"]), vector["key_length_bytes"])
        assert key.hex() == vector["kc_prime"], vector["id"]


# --- the step as a function


@pytest.mark.parametrize(
    "cipher",
    [one for one in CATALOGUE.values() if isinstance(one, ClockedCipher | WordCipher)],
    ids=lambda cipher: cipher.name,
)
def test_the_model_of_whole_registers_makes_the_steps_of_the_description(cipher: Any) -> None:
    """From the zero state by load steps with random bits and controls, then by running ones."""
    source, bits = random.Random(cipher.name), cipher.lane_count
    reading = WholeRegisters(cipher, lanes=[()] * bits)
    state = [IntegerWord(0, register.length) for register in cipher.registers]
    for number in range(60):
        ones = [name for name in cipher.controls if source.random() < 0.5]
        operands = {name: IntegerWord(int(name in ones), 1) for name in cipher.controls}
        operands |= cipher.constants
        reading.set_controls(ones)
        if number < 40:
            entering = IntegerWord(source.getrandbits(bits), bits)
            enter = cipher.step if isinstance(cipher, ClockedCipher) else cipher.load.enter
            made = enter(unnamed, *state, entering=entering, **operands)
            after = made[1] if isinstance(cipher, ClockedCipher) else made
            reading.enter(entering.value, ones)
        else:
            if isinstance(cipher, ClockedCipher):
                operands["entering"] = IntegerWord(0, bits)
            output, after = cipher.step(unnamed, *state, **operands)
            assert reading.step() == output.value
        state = [after[register.name] for register in cipher.registers]
        for register, word in zip(cipher.registers, state, strict=True):
            assert reading.content(register.name) == word.value


# --- the keystream in any pieces


@cache
def secret(cipher: Cipher, seed: int = 1) -> dict[str, bytes]:
    """A random key and IV."""
    source = random.Random(f"{cipher.name} {seed}")
    iv_bits = cipher.iv_bits[-1]
    order = cipher.input_order or cipher.bit_order
    iv = to_bytes(source.getrandbits(iv_bits) | 1, iv_bits, order)
    return {"key": source.randbytes(cipher.key_bits // 8), "iv": iv}


def output(cipher: Cipher, **given: Any) -> Model | Keystream:
    """All output bits of a cipher that makes one at a time; of others the keystream."""
    bitwise = isinstance(cipher, ShiftRegisterCipher | ClockedCipher)
    return Model(cipher, **given) if bitwise else Keystream(cipher, **given)


def model(cipher: Cipher) -> Model | Keystream:
    return output(cipher, **secret(cipher))


@cache
def stream(cipher: Cipher) -> int:
    """The first ``BITS`` output bits, read in one piece; the first at bit 0."""
    return from_bytes(model(cipher).read(BITS), cipher.bit_order)


def cut(cipher: Cipher, offset: int, bits: int) -> bytes:
    return to_bytes(stream(cipher) >> offset, bits, cipher.bit_order)


def some(least: int, most: int) -> Iterator[int]:
    """Whole numbers around every multiple of eight, and some others."""
    yield from (number for number in range(least, most) if number % 8 in (0, 1, 7))
    yield from random.Random(most).sample(range(least, most), 8)


@EVERY_CIPHER
def test_every_length(cipher: Cipher) -> None:
    for bits in some(0, 42):
        assert model(cipher).read(bits) == cut(cipher, 0, bits)


@EVERY_CIPHER
def test_every_offset(cipher: Cipher) -> None:
    for offset in some(0, 42):
        machine = model(cipher)
        machine.skip(offset)
        assert machine.read(77) == cut(cipher, offset, 77)


@EVERY_CIPHER
@pytest.mark.parametrize("seed", range(2))
def test_any_split_into_reads_and_skips(cipher: Cipher, seed: int) -> None:
    source = random.Random(seed)
    machine, position = model(cipher), 0
    while position < BITS - 200:
        bits = source.randrange(200)
        if source.random() < 0.5:
            machine.skip(bits)
        else:
            assert machine.read(bits) == cut(cipher, position, bits)
        position += bits


@EVERY_CIPHER
def test_last_byte_is_filled_with_zeros(cipher: Cipher) -> None:
    whole = cut(cipher, 0, 24)
    for bits in (1, 2, 7, 8, 9, 15, 23):
        data = model(cipher).read(bits)
        string = from_bytes(data, cipher.bit_order)
        assert len(data) == -(-bits // 8)
        assert string >> bits == 0
        assert string == from_bytes(whole, cipher.bit_order) & (1 << bits) - 1
    # Not because the stream had zeros there.
    assert any(stream(cipher) >> bits & 1 for bits in range(1, 23))


@EVERY_CIPHER
def test_first_bit_is_where_the_bit_order_says(cipher: Cipher) -> None:
    """Read bit by bit, each bit is the first of its byte."""
    machine = model(cipher)
    first = 1 if cipher.bit_order == "lsb_first" else 0x80
    bits = [machine.read(1)[0] for _ in range(40)]
    assert set(bits) == {0, first}
    digits = "".join(str(bit // first) for bit in bits)
    whole = cut(cipher, 0, 40)
    if cipher.bit_order == "msb_first":
        assert digits == f"{int.from_bytes(whole, 'big'):040b}"
    else:
        assert digits[::-1] == f"{int.from_bytes(whole, 'little'):040b}"


@EVERY_CIPHER
def test_key_and_iv_bits_decide_the_stream(cipher: Cipher) -> None:
    """Bits from all over, each with its own effect: none is dropped, none stands for another,
    but in ``ADDED`` those of the IV for those of the key."""
    order = cipher.input_order or cipher.bit_order
    given = secret(cipher)
    seen = {cut(cipher, 0, 64)}
    for name, bits in (("key", cipher.key_bits), ("iv", cipher.iv_bits[-1])):
        string = from_bytes(given[name], order)
        fixed = name == "iv" and isinstance(cipher, BitAead)
        fixed = fixed and cipher.first_iv_bit is not None
        places = random.Random(7).sample(range(1 if fixed else 0, bits), 16)
        for place in places:
            changed = given | {name: to_bytes(string ^ 1 << place, bits, order)}
            seen.add(output(cipher, **changed).read(64))
    assert len(seen) == 1 + (1 if cipher.name in ADDED else 2) * 16


@EVERY_CIPHER
def test_keystream_is_the_output_bits_that_encrypt(cipher: Cipher) -> None:
    every = cipher.steps_per_bit
    assert every == (2 if isinstance(cipher, BitAead) else 1)
    digits = [stream(cipher) >> every * place & 1 for place in range(300)]
    for offset, bits in ((0, 300), (0, 1), (1, 7), (13, 64), (200, 99)):
        keystream = Keystream(cipher, **secret(cipher))
        keystream.skip(offset)
        expected = sum(bit << place for place, bit in enumerate(digits[offset : offset + bits]))
        assert keystream.read(bits) == to_bytes(expected, bits, cipher.bit_order)


# --- what is refused


def refused(message: str, cipher: Cipher, **given: Any) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        Model(cipher, **(secret(cipher) | given))


@pytest.mark.parametrize(
    ("name", "iv", "iv_bits", "message"),
    [
        ("mickey2", "00" * 11, None, "IV of mickey2 must be 0 to 80 bits, not 88 bits"),
        ("mickey2", "00" * 11, 81, "IV of mickey2 must be 0 to 80 bits, not 81 bits"),
        ("mickey2", "01", 7, "unused bits of the IV of mickey2 must be zero"),
        ("a51", "000040", None, "unused bits of the IV of a51 must be zero"),
        ("a51", "0000", None, "IV of a51 must be 22 bits (6 hex digits), not 16 bits"),
        ("e0", "00" * 9 + "04", None, "unused bits of the IV of e0 must be zero"),
        ("e0", "00" * 6, None, "IV of e0 must be 74 bits (20 hex digits), not 48 bits"),
        ("grain128a-ae", "7f" + "00" * 11, None,
         "bit 0 of the IV of grain128a-ae must be 1, not 0"),
        ("grain_v1", "00" * 10, None,
         "IV of grain_v1 must be 64 bits (16 hex digits), not 80 bits"),
    ],
)  # fmt: skip
def test_illegal_iv(name: str, iv: str, iv_bits: int | None, message: str) -> None:
    refused(message, CATALOGUE[name], iv=bytes.fromhex(iv), iv_bits=iv_bits)


@pytest.mark.parametrize("iv_bits", [0, 1, 7, 8, 9, 63, 79, 80])
def test_iv_of_any_length_is_its_own(iv_bits: int) -> None:
    """MICKEY takes an IV of all zeros and of any length: each gives another stream."""
    cipher = CATALOGUE["mickey2"]
    streams = {
        Model(cipher, key=secret(cipher)["key"], iv=bytes(-(-bits // 8)), iv_bits=bits).read(64)
        for bits in {iv_bits, *range(0, 80, 20)}
    }
    assert len(streams) == len({iv_bits, *range(0, 80, 20)})
