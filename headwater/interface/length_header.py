# SPDX-License-Identifier: Apache-2.0
"""What is authenticated before associated data: nothing, or its length."""

from __future__ import annotations

from headwater.cipher.description import Cipher
from headwater.errors import InputError

_LENGTHS = (0, 1, 127, 128, 255, 256, 65535, 65536)
"""Lengths of associated data that tell the header before it: each differs in DER."""


def has_length_header(cipher: Cipher) -> bool:
    """Whether the length of associated data in DER precedes it.

    Raises
    ------
    InputError
        If something else precedes it.
    """
    samples = [bytes(length) for length in _LENGTHS]
    headers = [cipher.prefix(data)[: -len(data) or None] for data in samples]
    if not any(headers):
        return False
    if headers != [_der_length(len(data)) for data in samples]:
        raise InputError(f"header of {cipher.name} before associated data must be its length in "
                         "DER for C, but is another one")  # fmt: skip
    return True


def _der_length(length: int) -> bytes:
    """A length in the distinguished encoding rules of X.690."""
    data = length.to_bytes(max(1, -(-length.bit_length() // 8)), "big")
    return data if length < 128 else bytes([0x80 | len(data)]) + data
