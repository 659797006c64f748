# SPDX-License-Identifier: Apache-2.0
"""The entries of vector files: how each kind becomes vectors, and what must hold for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from operator import xor
from pathlib import Path
from typing import Any

from headwater.cipher.description import Cipher
from headwater.cipher.e0 import constrain_key
from headwater.cipher.message import Message, check_message, tag_bits_of
from headwater.errors import InputError
from headwater.kinds.telephony.description import (
    BEARER_BITS,
    COUNT_BITS,
    TAG_BITS,
    TelephonyMode,
    without_unused_bits,
)
from headwater.kinds.word_aead.description import WordAead
from headwater.verify.cases import (
    ConstraintVector,
    KeystreamVector,
    MessageVector,
    TagVector,
    Vector,
)

_BURST_BITS = 114
"""Keystream bits of A5/1 for each direction."""


@dataclass(frozen=True)
class Entry:
    """One entry of a vector file; gives its fields, and refuses those that are not as they must be.

    Members
    -------
    path : Path
        The file.
    fields : mapping
        What the file says.
    """

    path: Path
    fields: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Its id."""
        return str(self.fields["id"])

    def __str__(self) -> str:
        return f"vector {self.name!r} of {self.path}"

    def data(self, field: str) -> bytes:
        """A field of hexadecimal bytes."""
        try:
            return bytes.fromhex(self.fields[field])
        except ValueError as error:
            raise InputError(f"{self} must hold hexadecimal bytes") from error

    def packed(self, field: str, bits: int) -> bytes:
        """A field that holds so many bits."""
        data = self.data(field)
        if len(data) != -(-bits // 8):
            raise InputError(f"{self} must have {bits} {field} bits, not {len(data)} bytes")
        return data

    def number(self, field: str, least: int, most: int | None = None) -> int:
        """A field that is a whole number."""
        number = self.fields[field]
        if type(number) is not int or number < least or (most is not None and number > most):
            legal = f"of at least {least}" if most is None else f"from {least} to {most}"
            raise InputError(f"{field} of {self} must be a whole number {legal}, not {number!r}")
        return number

    @contextmanager
    def named(self) -> Iterator[None]:
        """Say in which vector it is that a cipher refuses something."""
        try:
            yield
        except InputError as error:
            raise InputError(f"{self}: {error}") from error

    def key_and_iv(self, cipher: Cipher, iv_field: str = "iv") -> tuple[bytes, bytes, int]:
        """Key, IV and length of the IV, as the cipher takes them."""
        key, iv = self.data("key"), self.data(iv_field)
        told = "iv_bits" in self.fields or not isinstance(cipher, WordAead)
        iv_bits = self.number("iv_bits", 0) if told else 8 * len(iv)
        if len(iv) != -(-iv_bits // 8):
            raise InputError(
                f"iv_bits of {self} must be those of an IV of {len(iv)} bytes, not {iv_bits}"
            )
        with self.named():
            cipher.input_bits(key, iv, iv_bits)
        return key, iv, iv_bits


def _keystream(entry: Entry, cipher: Cipher) -> list[Vector]:
    """A segment of keystream, which may be given as a text before and after."""
    if "keystream" in entry.fields or "ciphertext" not in entry.fields:
        bits = entry.number("keystream_bits", 1)
        keystream = entry.packed("keystream", bits)
    else:
        text = entry.data("ciphertext")
        bits = 8 * len(text)
        keystream = bytes(map(xor, text, entry.packed("plaintext", bits)))
    return [
        KeystreamVector(
            entry.name,
            *entry.key_and_iv(cipher),
            entry.number("offset_bits", 0) + _first_block(entry, cipher),
            bits,
            keystream,
        )
    ]


def _first_block(entry: Entry, cipher: Cipher) -> int:
    """Keystream bits before the block that offsets count from."""
    if cipher.seek_bits is None or "counter" not in entry.fields:
        return 0
    return cipher.seek_bits * entry.number("counter", 0)


def _a51(entry: Entry, cipher: Cipher) -> list[Vector]:
    """The bursts of both directions under one frame number."""
    key = entry.data("key")
    iv_bits = cipher.iv_bits[-1]
    frame = entry.number("frame", 0, (1 << iv_bits) - 1)
    iv = frame.to_bytes(-(-iv_bits // 8), "little")
    with entry.named():
        cipher.input_bits(key, iv, iv_bits)
    first = entry.number("offset_bits", 0)
    return [
        KeystreamVector(
            f"{entry.name} {link}", key, iv, iv_bits, offset, _BURST_BITS,
            entry.packed(link, _BURST_BITS),
        )
        for link, offset in (("downlink", first), ("uplink", first + _BURST_BITS))
    ]  # fmt: skip


def _e0(entry: Entry, cipher: Cipher) -> list[Vector]:
    """The engines get the key after its constraint, which must be the file's."""
    length = entry.number("key_length_bytes", 1, 16)
    iv = entry.packed("bd_addr", 48) + entry.packed("clock", 26)
    key = constrain_key(entry.packed("kc", cipher.key_bits), length)
    with entry.named():
        cipher.input_bits(key, iv)
    if entry.data("kc_prime") != key:
        raise InputError(f"kc_prime of {entry} must be kc constrained to {length} bytes")
    bits = entry.number("keystream_bits", 1)
    keystream = entry.packed("keystream", bits)
    return [KeystreamVector(entry.name, key, iv, cipher.iv_bits[-1], 0, bits, keystream)]


def _constraint(entry: Entry, cipher: Cipher) -> list[Vector]:
    key, constrained = entry.packed("kc", cipher.key_bits), entry.packed("kc_prime", 128)
    return [ConstraintVector(entry.name, key, entry.number("key_length_bytes", 1, 16), constrained)]


def _aead(entry: Entry, cipher: Cipher) -> list[Vector]:
    """Nonce and plaintext may be called IV and message, whose length may be given in bits."""
    given = entry.fields
    text_field = "plaintext" if "plaintext" in given else "message"
    key, nonce, _ = entry.key_and_iv(cipher, "nonce" if "nonce" in given else "iv")
    text = entry.data(text_field)
    bits = entry.number("msg_bits", 0) if "msg_bits" in given else 8 * len(text)
    data = entry.data("ad") if "ad" in given else b""
    tag_bits = entry.number("mac_bits", 0) if "mac_bits" in given else None
    if tag_bits is None and len(cipher.tag_lengths) > 1:
        tag_bits = 8 * len(entry.data("tag"))
    encrypting = Message(key, nonce, data, entry.packed(text_field, bits), bits, tag_bits=tag_bits)
    decrypting = replace(encrypting, text=entry.packed("ciphertext", bits), decrypts=True)
    with entry.named():
        check_message(cipher, encrypting)
        check_message(cipher, decrypting)
    tag = entry.packed("tag", tag_bits_of(cipher, encrypting))
    return [MessageVector(entry.name, encrypting, decrypting, tag)]


def _synchronising(entry: Entry, cipher: Cipher) -> list[Vector]:
    """A text and its ciphertext, whichever was given: each belongs to the other, however the
    ciphertext came about."""
    way = entry.fields["direction"]
    if way not in ("encrypt", "decrypt"):
        raise InputError(f"direction of {entry} must be 'encrypt' or 'decrypt', not {way!r}")
    key, iv, _ = entry.key_and_iv(cipher)
    text = entry.data("plaintext")
    encrypting = Message(key, iv, b"", text, 8 * len(text))
    ciphertext = entry.packed("ciphertext", encrypting.bits)
    decrypting = replace(encrypting, text=ciphertext, decrypts=True)
    return [MessageVector(entry.name, encrypting, decrypting, b"")]


def _mobile(entry: Entry, mode: Cipher) -> Message:
    """The message of a mode in telephony; its field may be longer than it, with bits of no
    meaning."""
    assert isinstance(mode, TelephonyMode)
    bits = entry.number("length", 0)
    text = entry.data("message")
    if 8 * len(text) < bits:
        raise InputError(f"message of {entry} must be of at least {bits} bits, not {8 * len(text)}")
    if mode.second == "bearer":
        second = entry.number("bearer", 0, (1 << BEARER_BITS) - 1)
    else:
        second = int.from_bytes(entry.packed("fresh", mode.second_bits), "big")
    count = int.from_bytes(entry.packed("count", COUNT_BITS), "big")
    iv = mode.pack_iv(count, second, entry.number("direction", 0, 1))
    message = Message(entry.data("key"), iv, b"", without_unused_bits(text, bits), bits)
    with entry.named():
        check_message(mode, message)
    return message


def _mobile_cipher(entry: Entry, mode: Cipher) -> list[Vector]:
    encrypting = _mobile(entry, mode)
    output = entry.packed("output", encrypting.bits)
    decrypting = replace(encrypting, text=output, decrypts=True)
    assert isinstance(mode, TelephonyMode)
    with entry.named():
        check_message(mode, decrypting)
    return [MessageVector(entry.name, encrypting, decrypting, b"")]


def _mobile_mac(entry: Entry, mode: Cipher) -> list[Vector]:
    return [TagVector(entry.name, _mobile(entry, mode), entry.packed("mac", TAG_BITS))]


READERS: Mapping[str, Callable[[Entry, Cipher], list[Vector]]] = {
    "keystream": _keystream,
    "aead": _aead,
    "a51": _a51,
    "e0": _e0,
    "key-constraint": _constraint,
    "3gpp-cipher": _mobile_cipher,
    "3gpp-mac": _mobile_mac,
    "self-synchronising": _synchronising,
}
"""What reads the entries of each kind of file."""
