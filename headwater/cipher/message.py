# SPDX-License-Identifier: Apache-2.0
"""Messages that are encrypted, decrypted or authenticated under one key and nonce."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.algebra import bitstring
from headwater.cipher.description import Cipher
from headwater.errors import InputError, describe_lengths


@dataclass(frozen=True)
class Message:
    """A message to encrypt or decrypt under one key and nonce."""

    key: bytes
    nonce: bytes
    """Like the key, in the cipher's convention."""
    associated_data: bytes
    """Authenticated, not encrypted."""
    text: bytes
    """Plaintext to encrypt or ciphertext to decrypt."""
    bits: int
    """Length of the text, which need not be whole bytes; its unused bits are zero."""
    decrypts: bool = False
    tag_bits: int | None = None
    """Length of the tag; None for the longest legal one."""
    data_bits: int | None = None
    """Length of the associated data where it is not whole bytes, unused bits zero; else None."""

    @property
    def associated_bits(self) -> int:
        """Length of the associated data."""
        return 8 * len(self.associated_data) if self.data_bits is None else self.data_bits


@dataclass(frozen=True)
class Sealed:
    """The other text of a message, and its tag."""

    text: bytes
    tag: bytes


def tag_bits_of(cipher: Cipher, message: Message) -> int:
    """Length of the tag of a message; zero where there are no tags."""
    if not cipher.tag_lengths:
        return 0
    return cipher.default_tag_bits if message.tag_bits is None else message.tag_bits


def check_tag_bits(cipher: Cipher, bits: int) -> None:
    """Refuse a length of tag that is not legal for the cipher."""
    if bits not in cipher.tag_lengths:
        legal = describe_lengths(cipher.tag_lengths)
        raise InputError(f"tag of {cipher.name} must be {legal}, not {bits} bits")


def check_message(cipher: Cipher, message: Message) -> None:
    """Refuse a message that the cipher cannot take: key or nonce of no legal length or value,
    associated data where there is none or too much, a text that is not ``bits`` bits in whole
    bytes, or a tag of no legal length."""
    cipher.input_bits(message.key, message.nonce)
    if cipher.tag_lengths:
        check_tag_bits(cipher, tag_bits_of(cipher, message))
    if message.bits % cipher.text_unit:
        raise InputError(f"text of {cipher.name} must be whole bytes, not {message.bits} bits")
    if message.associated_data and not cipher.takes_associated_data:
        raise InputError(
            f"associated data of {cipher.name} must be empty, "
            f"not {len(message.associated_data)} bytes"
        )
    most = cipher.longest_data
    if most is not None and len(message.associated_data) > most:
        raise InputError(
            f"associated data of {cipher.name} must be at most {most} bytes, "
            f"not {len(message.associated_data)}"
        )
    if message.associated_bits % cipher.data_unit:
        raise InputError(
            f"associated data of {cipher.name} must be whole bytes, "
            f"not {message.associated_bits} bits"
        )
    _check_bits(cipher, "associated data", message.associated_data, message.associated_bits)
    _check_bits(cipher, "text", message.text, message.bits)


def _check_bits(cipher: Cipher, what: str, data: bytes, bits: int) -> None:
    """Refuse bytes that are not ``bits`` bits with zeros behind them."""
    if len(data) != -(-bits // 8) or bitstring.from_bytes(data, cipher.bit_order) >> bits:
        raise InputError(
            f"{what} of {bits} bits must be {-(-bits // 8)} bytes with unused bits "
            f"zero, not {len(data)} bytes"
        )
