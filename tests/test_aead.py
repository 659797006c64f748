# SPDX-License-Identifier: Apache-2.0
"""Authenticated encryption in the model: against its papers step by step."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from headwater.algebra.bitstring import from_bytes, split, to_bytes
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.grain import GRAIN_128AEAD, GRAIN_128AEAD_V2, der_length
from headwater.cipher.message import Message, Sealed
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.reading import process
from headwater.kinds.stepped.model import Model

AUTHENTICATED = [cipher for cipher in CATALOGUE.values() if isinstance(cipher, BitAead)]
EVERY_CIPHER = pytest.mark.parametrize("cipher", AUTHENTICATED, ids=lambda cipher: cipher.name)
WITH_DATA = pytest.mark.parametrize(
    "cipher", [GRAIN_128AEAD, GRAIN_128AEAD_V2], ids=lambda cipher: cipher.name
)

SIZES = {
    0: "00",
    1: "01",
    127: "7f",
    128: "8180",
    255: "81ff",
    256: "820100",
    65535: "82ffff",
    65536: "83010000",
}
"""The length of associated data in the distinguished encoding rules' form, by bytes."""


def message(cipher: BitAead, bits: int, data: int = 0, seed: int = 1) -> Message:
    """A random message of so many bits with so many bytes of associated data."""
    source = random.Random(f"{cipher.name} {seed}")
    key, nonce = source.randbytes(16), bytes([0x81]) + source.randbytes(11)
    text = to_bytes(source.getrandbits(bits + 1), bits, cipher.bit_order)
    return Message(key, nonce, source.randbytes(data), text, bits)


# --- against the papers


def by_the_paper(cipher: BitAead, given: Message, prefix: bytes) -> Sealed:
    """Encryption of a message bit by bit; ``prefix`` is authenticated before it."""
    model = Model(cipher, key=given.key, iv=given.nonce)
    content = split(model.content("q"), 2 * cipher.tag_bits)
    accumulator, register = list(content[: cipher.tag_bits]), list(content[cipher.tag_bits :])
    plain = split(from_bytes(given.text, cipher.bit_order), given.bits)
    prefix_bits = split(from_bytes(prefix, cipher.bit_order), 8 * len(prefix))
    encrypted = []
    for place, bit in enumerate([*prefix_bits, *plain, 1]):
        z, entering = (from_bytes(model.read(1), cipher.bit_order) for _ in range(2))
        if len(prefix_bits) <= place < len(prefix_bits) + len(plain):
            encrypted.append(bit ^ z)
        if bit:
            accumulator = [a ^ r for a, r in zip(accumulator, register, strict=True)]
        register = [*register[1:], entering]

    def packed(bits: list[int]) -> bytes:
        string = sum(bit << place for place, bit in enumerate(bits))
        return to_bytes(string, len(bits), cipher.bit_order)

    return Sealed(packed(encrypted), packed(accumulator))


@EVERY_CIPHER
@pytest.mark.parametrize("bits", [0, 1, 7, 8, 9, 64, 511, 512, 513, 600])
def test_message_by_the_paper(cipher: BitAead, bits: int) -> None:
    given = message(cipher, bits)
    prefix = b"\0" if cipher.takes_associated_data else b""
    assert process(cipher, given) == by_the_paper(cipher, given, prefix)


@WITH_DATA
@pytest.mark.parametrize("size", [size for size in SIZES if size < 1000])
def test_associated_data_by_the_paper(cipher: BitAead, size: int) -> None:
    given = message(cipher, 24, data=size)
    prefix = bytes.fromhex(SIZES[size]) + given.associated_data
    assert process(cipher, given) == by_the_paper(cipher, given, prefix)


@pytest.mark.parametrize(("size", "header"), SIZES.items())
def test_length_of_associated_data(size: int, header: str) -> None:
    assert der_length(size).hex() == header


# --- both directions


@EVERY_CIPHER
def test_shorter_message_is_the_beginning_with_a_tag_of_its_own(
    cipher: BitAead,
) -> None:
    whole = message(cipher, 40)
    string = from_bytes(whole.text, cipher.bit_order)
    cipherstring = from_bytes(process(cipher, whole).text, cipher.bit_order)
    tags = set()
    for bits in range(41):
        sealed = process(
            cipher, replace(whole, text=to_bytes(string, bits, cipher.bit_order), bits=bits)
        )
        assert sealed.text == to_bytes(cipherstring, bits, cipher.bit_order)
        tags.add(sealed.tag)
    assert len(tags) == 41
