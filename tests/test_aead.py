# SPDX-License-Identifier: Apache-2.0
"""Authenticated encryption in the model: against its papers step by step, and what tags tell."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from headwater.algebra.bitstring import from_bytes, split, to_bytes
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.grain import GRAIN_128A_AE, GRAIN_128AEAD, GRAIN_128AEAD_V2, der_length
from headwater.cipher.message import Message, Sealed
from headwater.errors import InputError
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.reading import process
from headwater.kinds.stepped.model import Model

AUTHENTICATED = [cipher for cipher in CATALOGUE.values() if isinstance(cipher, BitAead)]
EVERY_CIPHER = pytest.mark.parametrize("cipher", AUTHENTICATED, ids=lambda cipher: cipher.name)
WITH_DATA = pytest.mark.parametrize(
    "cipher", [GRAIN_128AEAD, GRAIN_128AEAD_V2], ids=lambda cipher: cipher.name
)

SIZES = {
    0: "00", 1: "01", 127: "7f", 128: "8180", 255: "81ff", 256: "820100", 65535: "82ffff",
    65536: "83010000",
}  # fmt: skip
"""The length of associated data in the distinguished encoding rules' form, by bytes."""


def message(cipher: BitAead, bits: int, data: int = 0, seed: int = 1) -> Message:
    """A random message of so many bits with so many bytes of associated data."""
    source = random.Random(f"{cipher.name} {seed}")
    key, nonce = source.randbytes(16), bytes([0x81]) + source.randbytes(11)
    text = to_bytes(source.getrandbits(bits + 1), bits, cipher.bit_order)
    return Message(key, nonce, source.randbytes(data), text, bits)


def decrypting(given: Message, sealed: Sealed) -> Message:
    return replace(given, text=sealed.text, decrypts=True)


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
@pytest.mark.parametrize("data", [0, 1, 128])
def test_decryption_gives_the_plaintext_and_the_same_tag(cipher: BitAead, data: int) -> None:
    for bits in (0, 1, 2, 7, 8, 9, 15, 63, 64, 65, 1000):
        given = message(cipher, bits, data if cipher.takes_associated_data else 0)
        sealed = process(cipher, given)
        opened = process(cipher, decrypting(given, sealed))
        assert opened == Sealed(given.text, sealed.tag)
        assert (len(sealed.text), len(sealed.tag)) == (len(given.text), cipher.tag_bits // 8)
        assert from_bytes(sealed.text, cipher.bit_order) >> bits == 0


@EVERY_CIPHER
def test_empty_everything(cipher: BitAead) -> None:
    sealed = process(cipher, message(cipher, 0))
    assert sealed.text == b""
    assert sealed.tag != bytes(cipher.tag_bits // 8)


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


# --- what the tag finds


def flipped(data: bytes, bit: int) -> bytes:
    return bytes(byte ^ (1 << bit % 8 if place == bit // 8 else 0)
                 for place, byte in enumerate(data))  # fmt: skip


@EVERY_CIPHER
@pytest.mark.parametrize("field", ["key", "nonce", "associated_data", "text"])
def test_any_change_gives_another_tag(cipher: BitAead, field: str) -> None:
    if field == "associated_data" and not cipher.takes_associated_data:
        pytest.skip("takes none")
    given = message(cipher, 32, 4 if cipher.takes_associated_data else 0)
    sealed = process(cipher, given)
    received = decrypting(given, sealed)
    assert process(cipher, received).tag == sealed.tag
    for bit in range(8 * len(getattr(given, field))):
        if field == "nonce" and bit == 7 and cipher.first_iv_bit is not None:
            continue  # It tells the mode.
        changed = replace(received, **{field: flipped(getattr(received, field), bit)})
        assert process(cipher, changed).tag != sealed.tag


@WITH_DATA
def test_data_and_text_do_not_run_into_each_other(cipher: BitAead) -> None:
    given = message(cipher, 64, data=8)
    tags = set()
    for size in range(9):
        joined = given.associated_data + given.text
        moved = replace(given, associated_data=joined[:size], text=joined[size:],
                        bits=8 * (16 - size))  # fmt: skip
        tags.add(process(cipher, moved).tag)
    assert len(tags) == 9


# --- what is refused


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"key": bytes(15)},
         "key of grain128aead must be 128 bits (32 hex digits), not 120 bits"),
        ({"nonce": bytes(13)},
         "IV of grain128aead must be 96 bits (24 hex digits), not 104 bits"),
    ],
)  # fmt: skip
def test_refused(changes: dict[str, bytes], text: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(text)}$"):
        process(GRAIN_128AEAD, replace(message(GRAIN_128AEAD, 8), **changes))


def test_refused_data_where_there_is_none() -> None:
    text = "associated data of grain128a-ae must be empty, not 1 bytes"
    with pytest.raises(InputError, match=f"^{text}$"):
        process(GRAIN_128A_AE, message(GRAIN_128A_AE, 8, data=1))


@pytest.mark.parametrize(("text", "bits"), [(b"\x20", 5), (b"\x01\x00", 8), (b"", 1), (b"\1", 0)])
def test_refused_text_of_another_length(text: bytes, bits: int) -> None:
    with pytest.raises(InputError, match=f"^text of {bits} bits must be "):
        process(GRAIN_128AEAD, replace(message(GRAIN_128AEAD, 8), text=text, bits=bits))


def test_refused_nonce_of_the_other_mode() -> None:
    text = "bit 0 of the IV of grain128a-ae must be 1, not 0"
    with pytest.raises(InputError, match=f"^{text}$"):
        process(GRAIN_128A_AE, replace(message(GRAIN_128A_AE, 8), nonce=bytes(12)))
