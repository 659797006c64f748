# SPDX-License-Identifier: Apache-2.0
"""The entries of vector files: how each kind becomes vectors, and the checks on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from operator import xor
from pathlib import Path
from re import fullmatch
from typing import Any

from headwater.algebra import bitstring
from headwater.cipher.block_vectors import KIND as BLOCKS
from headwater.cipher.cases import (
    RESULTS,
    DigestVector,
    ForgedVector,
    KeystreamVector,
    MessageVector,
    TagVector,
    Vector,
)
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message, check_message, tag_bits_of
from headwater.cipher.whole_state import StateVector
from headwater.errors import InputError, unknown
from headwater.kinds.reading import has_state, state_of
from headwater.verify.published.layouts import spread_iv

AnyVector = Vector | StateVector


@dataclass(frozen=True)
class Entry:
    """One entry of a vector file; returns its fields and refuses malformed ones."""

    path: Path
    fields: Mapping[str, Any]
    """The content of the entry."""
    line: int | None = None
    """Where it begins in a public file."""

    @property
    def name(self) -> str:
        """The id of the entry."""
        return str(self.fields["id"])

    @property
    def result(self) -> str:
        """What is expected of it: "valid"; "invalid", if it must be rejected, which may be told by
        ``valid``, too; or "acceptable"."""
        usual = RESULTS[0] if self.fields.get("valid", True) is True else "invalid"
        result = self.fields.get("result", usual)
        if result not in RESULTS:
            raise unknown(f"result of {self}", result, RESULTS)
        return str(result)

    def __str__(self) -> str:
        where = "" if self.line is None else f", line {self.line}"
        return f"vector {self.name!r} of {self.path}{where}"

    def data(self, field: str) -> bytes:
        """A field of hexadecimal bytes."""
        try:
            return bytes.fromhex(self.fields[field])
        except ValueError as error:
            raise InputError(f"{self} must hold hexadecimal bytes") from error

    @property
    def key(self) -> bytes:
        """The key, and a second one behind it, if there is one."""
        return self.data("key") + (self.data("key2") if "key2" in self.fields else b"")

    def length(self, field: str, *names: str) -> int:
        """The length of a field in bits, which it may have under one of several names; whole bytes
        where it has none."""
        told = [self.number(name, 0) for name in names if name in self.fields]
        return told[0] if told else 8 * len(self.data(field)) if field in self.fields else 0

    def packed(self, field: str, bits: int) -> bytes:
        """A field of ``bits`` bits."""
        data = self.data(field)
        if len(data) != -(-bits // 8):
            raise InputError(f"{self} must have {bits} {field} bits, not {len(data)} bytes")
        return data

    def number(self, field: str, least: int, most: int | None = None) -> int:
        """A field that is a whole number within limits."""
        number = self.fields[field]
        if type(number) is not int or number < least or (most is not None and number > most):
            legal = f"of at least {least}" if most is None else f"from {least} to {most}"
            raise InputError(f"{field} of {self} must be a whole number {legal}, not {number!r}")
        return number

    def number_or(self, field: str, usual: int, least: int = 0) -> int:
        """A field that is a whole number, or the usual value where it is left out."""
        return replace(self, fields={field: usual, **self.fields}).number(field, least)

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Name the vector and the field if one is missing."""
        try:
            yield
        except KeyError as error:
            raise InputError(f"{self} must have {error.args[0]!r}, but has none") from error

    @contextmanager
    def named(self) -> Iterator[None]:
        """Add the vector's id to the error if a cipher refuses the entry."""
        try:
            yield
        except InputError as error:
            raise InputError(f"{self}: {error}") from error

    def key_and_iv(self, cipher: Cipher, iv_field: str = "iv") -> tuple[bytes, bytes, int]:
        """Key, IV and length of the IV, as the cipher takes them."""
        key, iv = self.key, spread_iv(cipher, self.data(iv_field))
        told = "iv_bits" in self.fields or len(cipher.iv_bits) > 1
        iv_bits = self.number("iv_bits", 0) if told else 8 * len(iv)
        if iv_bits == cipher.free_iv_bits:
            iv_bits = cipher.iv_bits[-1]
        if len(iv) != -(-iv_bits // 8):
            raise InputError(
                f"iv_bits of {self} must be those of an IV of {len(iv)} bytes, not {iv_bits}"
            )
        with self.named():
            cipher.input_bits(key, iv, iv_bits)
        return key, iv, iv_bits


def _keystream(entry: Entry, cipher: Cipher) -> list[Vector]:
    """A segment of keystream, which may be given as plaintext and ciphertext; the sum of the blocks
    of a keystream; or blocks of a block cipher."""
    _check_valid(entry)
    if "iv" not in entry.fields and BLOCKS in cipher.vector_readers:
        return cipher.vector_readers[BLOCKS](entry, cipher)
    if "xor_digest" in entry.fields:
        digest, count = entry.data("xor_digest"), entry.number("digested_bytes", 1)
        if not digest or count % len(digest):
            raise InputError(
                f"digested_bytes of {entry} must be a multiple of the bytes of "
                f"xor_digest, {len(digest)}, not {count}"
            )
        return [DigestVector(entry.name, *entry.key_and_iv(cipher), count, digest)]
    if "keystream" in entry.fields or "ciphertext" not in entry.fields:
        least = 0 if "keystream_bits" in entry.fields else 1
        bits = entry.number_or("keystream_bits", 8 * len(entry.data("keystream")), least)
        keystream = entry.packed("keystream", bits)
    else:
        text = entry.data("ciphertext")
        bits = 8 * len(text)
        keystream = bytes(map(xor, text, entry.packed("plaintext", bits)))
    return [
        KeystreamVector(
            entry.name,
            *entry.key_and_iv(cipher),
            entry.number_or("offset_bits", 0) + _first_block(entry, cipher),
            bits,
            keystream,
        )
    ]


def _seeded(entry: Entry, cipher: Cipher) -> list[StateVector]:
    """A segment of the keystream from a whole state on. The state is one number in hexadecimal
    digits; its bit i is the i-th bit of the state, whatever the order of bits in bytes."""
    _check_valid(entry)
    places, digits = state_of(cipher), entry.fields["state"]
    count = -(-places.bits // 4)
    if not (isinstance(digits, str) and fullmatch(f"[0-9a-fA-F]{{{count}}}", digits)):
        raise InputError(f"state of {entry} must be a number in {count} hexadecimal digits")
    if int(digits, 16) >> places.bits:
        raise InputError(f"state of {entry} must be a number of {places.bits} bits")
    state = bitstring.to_bytes(int(digits, 16), places.bits, cipher.bit_order)
    bits = entry.number("keystream_bits", 1)
    offset = entry.number_or("offset_bits", 0)
    return [StateVector(entry.name, state, offset, bits, entry.packed("keystream", bits))]


def _first_block(entry: Entry, cipher: Cipher) -> int:
    """Keystream bits before the block at which offsets start."""
    if cipher.seek_bits is None or "counter" not in entry.fields:
        return 0
    return cipher.seek_bits * entry.number("counter", 0)


def _check_valid(entry: Entry) -> None:
    """Refuse an entry that must be rejected where nothing can tell it from others."""
    if entry.result == "invalid":
        raise InputError(f"result of {entry} must be valid, as it has no tag, not 'invalid'")


_TEXT_BITS = ("msg_bits", "text_bits")
"""The names that the length of a text has."""


def _aead(entry: Entry, cipher: Cipher) -> list[Vector]:
    """A message with associated data. Nonce and plaintext may be called IV and message; lengths may
    be given in bits."""
    fields = entry.fields
    if entry.result == "invalid":
        return [_forged(entry)]
    text_field = "plaintext" if "plaintext" in fields else "message"
    key, nonce, _ = entry.key_and_iv(cipher, "nonce" if "nonce" in fields else "iv")
    bits, data_bits = entry.length(text_field, *_TEXT_BITS), entry.length("ad", "ad_bits")
    data = entry.packed("ad", data_bits) if "ad" in fields else b""
    tag_bits = _tag_bits(entry)
    if tag_bits is None and len(cipher.tag_lengths) > 1:
        tag_bits = 8 * len(entry.data("tag"))
    encrypting = Message(
        key,
        nonce,
        data,
        entry.packed(text_field, bits),
        bits,
        tag_bits=tag_bits,
        data_bits=fields.get("ad_bits"),
    )
    decrypting = replace(encrypting, text=entry.packed("ciphertext", bits), decrypts=True)
    with entry.named():
        check_message(cipher, encrypting)
        check_message(cipher, decrypting)
    tag = entry.packed("tag", tag_bits_of(cipher, encrypting))
    return [MessageVector(entry.name, encrypting, decrypting, tag)]


def _forged(entry: Entry) -> ForgedVector:
    """A message that must be rejected: as any of its fields may be why, none of them is checked."""
    fields = entry.fields
    text, tag = entry.data("ciphertext"), entry.data("tag")
    nonce = entry.data("nonce" if "nonce" in fields else "iv")
    data = entry.data("ad") if "ad" in fields else b""
    bits, tag_bits = entry.length("ciphertext", *_TEXT_BITS), _tag_bits(entry)
    message = Message(
        entry.key,
        nonce,
        data,
        text,
        bits,
        True,
        8 * len(tag) if tag_bits is None else tag_bits,
        fields.get("ad_bits"),
    )
    plain = entry.data("plaintext") if "plaintext" in fields else None
    return ForgedVector(entry.name, message, tag, plain)


def _tag_bits(entry: Entry) -> int | None:
    """The length of the tag, where the entry has it under one of its names."""
    told = [entry.number(name, 0) for name in ("mac_bits", "tag_bits") if name in entry.fields]
    if len(set(told)) > 1:
        raise InputError(f"tag_bits of {entry} must be its mac_bits, {told[0]}, not {told[1]}")
    return told[0] if told else None


def _self_synchronising(entry: Entry, cipher: Cipher) -> list[Vector]:
    """A text and its ciphertext, whichever was given as input: each belongs to the other."""
    _check_valid(entry)
    way = entry.fields["direction"]
    if way not in ("encrypt", "decrypt"):
        raise InputError(f"direction of {entry} must be 'encrypt' or 'decrypt', not {way!r}")
    key, iv, _ = entry.key_and_iv(cipher)
    text = entry.data("plaintext")
    encrypting = Message(key, iv, b"", text, 8 * len(text))
    ciphertext = entry.packed("ciphertext", encrypting.bits)
    decrypting = replace(encrypting, text=ciphertext, decrypts=True)
    return [MessageVector(entry.name, encrypting, decrypting, b"")]


def _call(entry: Entry, mode: Cipher) -> Message:
    """The message of a mode that takes it as it is; its field may be longer, with unused bits."""
    bits = entry.number("length", 0)
    text = entry.data("message")
    if 8 * len(text) < bits:
        raise InputError(f"message of {entry} must be of at least {bits} bits, not {8 * len(text)}")
    iv = _iv_of_call(entry, mode)
    text = bitstring.to_bytes(bitstring.from_bytes(text, mode.bit_order), bits, mode.bit_order)
    message = Message(entry.data("key"), iv, b"", text, bits, tag_bits=_tag_bits(entry))
    if entry.result != "invalid":  # Any of its fields may be why it must be rejected.
        with entry.named():
            check_message(mode, message)
    return message


def _iv_of_call(entry: Entry, mode: Cipher) -> bytes:
    """The IV that the mode packs from its fields, or the one given where it takes it as a whole."""
    if not mode.iv_bits[-1]:
        return b""
    if not mode.call_fields:
        return spread_iv(mode, entry.data("iv"))
    return mode.pack_iv(*(_call_field(entry, name, length) for name, length in mode.call_fields))


def _call_field(entry: Entry, name: str, bits: int) -> int:
    """A field of the IV: hexadecimal bytes where its length is whole bytes, else a number."""
    if bits % 8:
        return entry.number(name, 0, (1 << bits) - 1)
    return int.from_bytes(entry.packed(name, bits), "big")


def _telephony_cipher(entry: Entry, mode: Cipher) -> list[Vector]:
    _check_valid(entry)
    encrypting = _call(entry, mode)
    output = entry.packed("output", encrypting.bits)
    decrypting = replace(encrypting, text=output, decrypts=True)
    with entry.named():
        check_message(mode, decrypting)
    return [MessageVector(entry.name, encrypting, decrypting, b"")]


def _authenticated(entry: Entry, mode: Cipher) -> list[Vector]:
    message = _call(entry, mode)
    if entry.result == "invalid":
        return [ForgedVector(entry.name, message, entry.data("mac"), b"")]
    return [TagVector(entry.name, message, entry.packed("mac", tag_bits_of(mode, message)))]


def _hashed(entry: Entry, cipher: Cipher) -> list[Vector]:
    """A message and its digest."""
    _check_valid(entry)
    bits = entry.number_or("message_bits", 8 * len(entry.data("message")))
    digest_bits = entry.number_or("output_bits", 8 * len(entry.data("output")))
    text, digest = entry.packed("message", bits), entry.packed("output", digest_bits)
    custom, custom_bits = _customization(entry)
    message = Message(b"", b"", custom, text, bits, False, digest_bits, custom_bits)
    with entry.named():
        check_message(cipher, message)
    return [TagVector(entry.name, message, digest)]


def _customization(entry: Entry) -> tuple[bytes, int | None]:
    """The customization string of a message with a digest, empty where there is none; and its
    length in bits where it is not whole bytes."""
    if "customization" not in entry.fields:
        return b"", None
    bits = entry.number_or("customization_bits", 8 * len(entry.data("customization")))
    return entry.packed("customization", bits), bits if bits % 8 else None


def digest_reason(cipher: Cipher, entry: Entry) -> str:
    """Why a message with its digest has lengths that the cipher has not; empty if it has them."""
    if entry.number_or("message_bits", 0) % cipher.text_unit:
        return "a message that is not whole bytes"
    if entry.number_or("customization_bits", 0) % cipher.data_unit:
        return "a customization string that is not whole bytes"
    bits = entry.number_or("output_bits", 8 * len(entry.data("output")))
    return "" if bits in cipher.tag_lengths else f"{bits}-bit digest"


READERS: Mapping[str, Callable[[Entry, Cipher], list[Vector]]] = {
    "keystream": _keystream,
    "aead": _aead,
    "3gpp-cipher": _telephony_cipher,
    "3gpp-mac": _authenticated,
    "mac": _authenticated,
    "hash": _hashed,
    "xof": _hashed,
    "self-synchronising": _self_synchronising,
}
"""What reads the entries of files of each service."""


def readers_of(cipher: Cipher) -> Mapping[str, Callable[[Entry, Cipher], Sequence[AnyVector]]]:
    """What reads the entries of each kind of file that a cipher has vectors in."""
    of_states = {"seeded-keystream": _seeded} if has_state(cipher) else {}
    of_tags = {"mac": READERS["mac"]} if cipher.service == "3gpp-mac" else {}
    own = {cipher.service: READERS[cipher.service], **of_tags}
    return {**own, **cipher.vector_readers, **of_states}
