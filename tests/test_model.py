# SPDX-License-Identifier: Apache-2.0
"""The model against every published vector, and its keystream cut into any pieces."""

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
from headwater.cipher.message import Message
from headwater.errors import InputError
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.reading import Keystream, process
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

COUNTS = {
    "trivium": 1027,
    "bivium": 42,
    "grain_v1": 372,
    "grain128a": 20,
    "grain128a-ae": 25,
    "grain128aead": 210,
    "grain128aeadv2": 210,
    "mickey1": 25,
    "mickey2": 55,
    "mickey128": 1797,
    "a51": 50,
    "e0": 36,
    "e0_constrain": 40,
    "zuc": 47,
    "snow3g": 47,
    "aes_ofb": 113,
    "zkcrypt": 37,
    "espresso": 40,
    "lizard": 44,
    "zuc256": 38,
    "snow5g": 38,
}

ELSEWHERE = {
    "phelix": 191,
    "ascon_aead128": 113,
    "salsa20": 141,
    "chacha20": 50,
    "chacha_djb": 57,
    "xchacha20": 18,
    "hchacha20": 9,
    "poly1305": 60,
    "chacha20_poly1305": 137,
    "xchacha20_poly1305": 141,
    "achterbahn": 59,
    "achterbahn-v1-reduced": 59,
    "achterbahn80": 61,
    "achterbahn128": 67,
    "eea3": 42,
    "eia3": 42,
    "uea2": 42,
    "uia2": 43,
    "eia1": 43,
    "mosquito": 186,
    "moustique": 186,
    "sfinks": 49,
    "sfinks-ae": 27,
    "vest4": 55,
    "vest16": 55,
    "vest32": 62,
    "vest4-ae": 12,
    "vest16-ae": 12,
    "vest32-ae": 12,
    "nea4": 33,
    "nia4": 30,
    "nca4": 35,
    "nea5": 33,
    "nia5": 30,
    "nca5": 35,
    "nea6": 30,
    "nia6": 30,
    "nca6": 35,
    "mac5g": 19,
    "aes_ctr": 37,
    "aes_ofb_192_256": 114,
    "grain128": 113,
    "zuc256_iv25": 33,
    "zuc256_mac_iv25": 43,
    "snow2": 46,
    "snow_v": 45,
    "enocoro128v2": 22,
    "kcipher2": 20,
    "kasumi": 23,
    "kasumi_f8": 26,
    "a53": 20,
    "gea3": 21,
    "uea1": 27,
    "aes": 29,
    "ascon_aead128_modes": 64,
    "eea2": 26,
    "aes_cmac": 266,
    "eia2": 27,
    "ascon_hash256": 68,
    "ascon_xof128": 80,
    "ascon_cxof128": 91,
    "uia1": 31,
}
"""Their vectors have fields of their own, or take long, and run with their other tests."""

SLOW = ("mickey128",)
"""Of these every key and IV runs at its first segment, every other one at those up to ``NEAR``,
and one at those up to ``FAR``; the others run everywhere."""

ADDED = {"zkcrypt"}
"""Only the sum of key and IV counts in these."""

NEAR, FAR = 10_000, 600_000


# --- vectors, read here without the package's reader


def unhex(vector: dict[str, Any], *fields: str) -> bytes:
    """The first of these fields that the vector has."""
    return bytes.fromhex(next(vector[field] for field in fields if field in vector))


def segments(name: str, vector: dict[str, Any]) -> list[tuple[bytes, bytes, int, int, int, str]]:
    """Key, IV and its length, then offset, length and bytes of each segment of a vector."""
    if name == "a51":
        load = unhex(vector, "key"), vector["frame"].to_bytes(3, "little"), 22
        return [(*load, 0, 114, vector["downlink"]), (*load, 114, 114, vector["uplink"])]
    if name == "e0":
        iv = unhex(vector, "bd_addr") + unhex(vector, "clock")
        return [
            (unhex(vector, "kc_prime"), iv, 74, 0, vector["keystream_bits"], vector["keystream"])
        ]
    load = unhex(vector, "key"), unhex(vector, "iv"), vector["iv_bits"]
    return [(*load, vector["offset_bits"], vector["keystream_bits"], vector["keystream"])]


def in_order(name: str) -> list[tuple[str, tuple[bytes, bytes, int, int, int, str]]]:
    """The segments by key and IV, so that each stream is made once."""
    found = [
        (str(vector["id"]), segment)
        for vector in VECTORS[name]
        for segment in segments(name, vector)
    ]
    if name in SLOW:
        every_other = sorted({segment[:3] for _, segment in found})[::2]
        far = [next(segment[:3] for _, segment in found if segment[3] >= NEAR)]
        found = [
            (vector, segment)
            for vector, segment in found
            if segment[3] == 0
            or (segment[3] < NEAR and segment[:3] in every_other)
            or (NEAR <= segment[3] < FAR and segment[:3] in far)
        ]
    return sorted(found, key=lambda one: one[1][:4])


@pytest.mark.parametrize(
    "name", [name for name in COUNTS if "keystream" in VECTORS[name][0] or name == "a51"]
)
def test_every_keystream_vector(name: str) -> None:
    before, position, machine = None, 0, None
    for vector, (key, iv, iv_bits, offset, bits, keystream) in in_order(name):
        if machine is None or (key, iv, iv_bits) != before or offset < position:
            cipher = CATALOGUE[name]
            machine, position = Keystream(cipher, key=key, iv=iv, iv_bits=iv_bits), 0
        machine.skip(offset - position)
        assert machine.read(bits).hex() == keystream, vector
        before, position = (key, iv, iv_bits), offset + bits


@pytest.mark.parametrize("name", [name for name in COUNTS if "tag" in VECTORS[name][0]])
def test_every_message_vector(name: str) -> None:
    cipher = CATALOGUE[name]
    assert isinstance(cipher, BitAead)
    for vector in VECTORS[name]:
        plaintext, ciphertext = unhex(vector, "plaintext", "message"), unhex(vector, "ciphertext")
        load = unhex(vector, "key"), unhex(vector, "nonce", "iv")
        data = bytes.fromhex(vector.get("ad", ""))
        bits = vector.get("msg_bits", 8 * len(plaintext))
        sealed = process(cipher, Message(*load, data, plaintext, bits))
        opened = process(cipher, Message(*load, data, ciphertext, bits, decrypts=True))
        assert (sealed.text, sealed.tag.hex()) == (ciphertext, vector["tag"]), vector["id"]
        assert (opened.text, opened.tag.hex()) == (plaintext, vector["tag"]), vector["id"]


@pytest.mark.parametrize("name", ["e0", "e0_constrain"])
def test_every_key_constraint(name: str) -> None:
    for vector in VECTORS[name]:
        key = constrain_key(bytes.fromhex(vector["kc"]), vector["key_length_bytes"])
        assert key.hex() == vector["kc_prime"], vector["id"]


def test_no_vector_is_left_out() -> None:
    assert {name: len(vectors) for name, vectors in VECTORS.items()} == COUNTS | ELSEWHERE
    assert set(CATALOGUE) - set(VECTORS) == {"e0_payload"}, "its key is made from those of e0"
    assert len(in_order("mickey128")) > 1000
    assert all(len(in_order(name)) >= COUNTS[name] for name in ("trivium", "grain_v1", "a51", "e0"))


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
    iv = to_bytes(cipher.fitting_iv(source.getrandbits(iv_bits) | 1), iv_bits, order)
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
        zeros = cipher.zero_iv_bits if name == "iv" else ()
        legal = [place for place in range(1 if fixed else 0, bits) if place not in zeros]
        places = random.Random(7).sample(legal, 16)
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
        (
            "grain128a-ae",
            "7f" + "00" * 11,
            None,
            "bit 0 of the IV of grain128a-ae must be 1, not 0",
        ),
        (
            "grain_v1",
            "00" * 10,
            None,
            "IV of grain_v1 must be 64 bits (16 hex digits), not 80 bits",
        ),
    ],
)
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
