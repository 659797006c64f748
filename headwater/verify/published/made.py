# SPDX-License-Identifier: Apache-2.0
"""Vectors that the model of a cipher makes, of the inputs that public files begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count as numbers
from itertools import islice

from headwater.algebra import bitstring
from headwater.cipher.description import MACS, Cipher
from headwater.cipher.message import Message
from headwater.errors import InputError
from headwater.kinds.reading import Keystream, process
from headwater.verify.published.case import Case
from headwater.verify.published.layouts import iv_of_call

STEP = 9
"""eSTREAM writes every ninth vector of a set."""
SEGMENT_BYTES = 64
STREAM_BYTES = 512
LONGEST_TEXT = 32
"""Bytes of the longest plaintext and associated data of a KAT."""
_FIRST_CUSTOM = 0x10
"""The first byte of a customization string."""
LONGEST_MESSAGE = 1024
"""Bytes of the longest message of a KAT of digests."""


def estream_inputs(cipher: Cipher) -> Iterator[tuple[str, bytes, bytes]]:
    """Set and number, key and IV of vectors as eSTREAM makes them: keys of one bit; of equal bytes;
    of counting bytes; and IVs of one bit."""
    key_bytes, iv_bits = cipher.key_bits // 8, cipher.iv_bits[-1]
    none = _fitting(cipher, bytes(-(-iv_bits // 8)))
    for bit in range(0, cipher.key_bits, STEP):
        yield f"set 1, vector {bit}", _one_bit(bit, key_bytes), none
    for byte in range(0, 256, STEP):
        yield f"set 2, vector {byte}", bytes([byte] * key_bytes), none
    for byte in range(0, 256, STEP):
        yield f"set 3, vector {byte}", counting(byte, key_bytes), none
    for bit in range(0, iv_bits, STEP):
        iv = _fitting(cipher, _one_bit(bit, len(none)))
        yield f"set 5, vector {bit}", bytes(key_bytes), iv


def _one_bit(bit: int, count: int) -> bytes:
    return (1 << 8 * count - 1 - bit).to_bytes(count, "big")


def counting(first: int, count: int) -> bytes:
    """Bytes that count up."""
    return bytes((first + number) % 256 for number in range(count))


def _fitting(cipher: Cipher, iv: bytes) -> bytes:
    """The IV with those bits set that have one legal value, and no unused one."""
    order = cipher.input_order or cipher.bit_order
    string = cipher.fitting_iv(bitstring.from_bytes(iv, order))
    return bitstring.to_bytes(string, cipher.iv_bits[-1], order)


def made_cases(cipher: Cipher, count: int) -> list[Case]:
    """As many vectors of a cipher, or as there are inputs.

    Raises
    ------
    InputError
        The cipher has another service than public formats have.
    """
    if cipher.service not in _SERVICES:
        raise InputError(f"vectors of {cipher.name} cannot be written: no format has its service")
    return list(islice(_SERVICES[cipher.service](cipher), count))


def _keystream(cipher: Cipher) -> Iterator[Case]:
    for name, key, iv in estream_inputs(cipher):
        data = Keystream(cipher, key=key, iv=iv, iv_bits=cipher.iv_bits[-1]).read(8 * SEGMENT_BYTES)
        yield Case(
            name=name,
            line=0,
            key=key,
            iv=iv,
            keystream=data,
            key_bits=cipher.key_bits,
            iv_bits=cipher.iv_bits[-1],
        )


def _aead(cipher: Cipher) -> Iterator[Case]:
    """Texts and associated data of each length, as the submissions to NIST make them."""
    key = counting(0, cipher.key_bits // 8)
    iv = _fitting(cipher, _nonce(cipher))
    data_lengths = range(LONGEST_TEXT + 1) if cipher.takes_associated_data else range(1)
    lengths = ((text, data) for text in range(LONGEST_TEXT + 1) for data in data_lengths)
    for number, (text_bytes, data_bytes) in enumerate(lengths, 1):
        text, data = counting(0, text_bytes), counting(0, data_bytes)
        sealed = process(cipher, Message(key, iv, data, text, 8 * len(text)))
        yield Case(
            name=f"Count {number}",
            line=0,
            key=key,
            iv=iv,
            ad=data,
            text=text,
            output=sealed.text,
            tag=sealed.tag,
        )


def _nonce(cipher: Cipher) -> bytes:
    """A nonce of counting bytes, or one that names the length of the tag."""
    if cipher.formed_fields:
        return cipher.formed_iv(cipher.default_tag_bits, *range(1, 1 + len(cipher.formed_fields)))
    return counting(0, -(-cipher.iv_bits[-1] // 8))


def _messages(cipher: Cipher) -> Iterator[Case]:
    """Messages of each length, whose fields count."""
    key = counting(0, cipher.key_bits // 8)
    for number in numbers():
        iv, stated = counting(number, -(-cipher.iv_bits[-1] // 8)), None
        nonce = iv
        if cipher.call_fields:
            values = [number % (1 << bits) for _, bits in cipher.call_fields]
            nonce, iv = cipher.pack_iv(*values), iv_of_call(cipher, values)
        elif cipher.formed_fields:
            tag_bits = cipher.default_tag_bits if cipher.tag_lengths else 0
            values = [number % (1 << bits) for _, bits in cipher.formed_fields]
            nonce = iv = cipher.formed_iv(tag_bits, *values)
        else:
            nonce = iv = _fitting(cipher, iv)
            stated = cipher.key_bits
        text = counting(number, 1 + number)
        sealed = process(cipher, Message(key, nonce, b"", text, 8 * len(text)))
        yield Case(
            name=f"Count {number}",
            line=0,
            key=key,
            iv=iv,
            text=text,
            key_bits=stated,
            output=None if cipher.service in MACS else sealed.text,
            tag=sealed.tag or None,
        )


def _hashed(cipher: Cipher) -> Iterator[Case]:
    """Messages of counting bytes of each length, as the submissions to NIST make them; or messages
    and customization strings."""
    both = cipher.takes_associated_data
    lengths = [
        (text, data)
        for text in range((LONGEST_TEXT if both else LONGEST_MESSAGE) + 1)
        for data in range(LONGEST_TEXT + 1 if both else 1)
    ]
    for number, (text_bytes, data_bytes) in enumerate(lengths, 1):
        text, data = counting(0, text_bytes), counting(_FIRST_CUSTOM, data_bytes)
        digest = process(cipher, Message(b"", b"", data, text, 8 * text_bytes)).tag
        yield Case(name=f"Count {number}", line=0, ad=data, text=text, tag=digest)


_SERVICES: Mapping[str, Callable[[Cipher], Iterator[Case]]] = {
    "keystream": _keystream,
    "aead": _aead,
    "3gpp-cipher": _messages,
    "3gpp-mac": _messages,
    "mac": _messages,
    "hash": _hashed,
    "xof": _hashed,
    "self-synchronising": _messages,
}
