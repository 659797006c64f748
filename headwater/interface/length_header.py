# SPDX-License-Identifier: Apache-2.0
"""What precedes associated data: nothing, or its length in one of two forms."""

from __future__ import annotations

from headwater.cipher.description import Cipher
from headwater.errors import InputError

_LENGTHS = (0, 1, 127, 128, 255, 256, 65535, 65536)
"""Lengths of associated data that tell the header before it: each differs in DER."""


def length_form(cipher: Cipher) -> str:
    """How the length of associated data precedes it: ``der``, ``bits`` (in bits, as 8 bytes with
    the lowest first), or not, an empty word.

    Raises
    ------
    InputError
        If something else precedes it.
    """
    samples = [bytes(length) for length in _LENGTHS]
    headers = [cipher.prefix(data)[: -len(data) or None] for data in samples]
    if not any(headers):
        return ""
    for form, header in (("der", _der_length), ("bits", _length_in_bits)):
        if headers == [header(len(data)) for data in samples]:
            return form
    raise InputError(
        f"header of {cipher.name} before associated data must be its length, in DER "
        "or in bits, but is another one"
    )


def has_length_header(cipher: Cipher) -> bool:
    """Whether the length of associated data in DER precedes it; nothing else may.

    Raises
    ------
    InputError
        If something else precedes it.
    """
    form = length_form(cipher)
    if form not in ("", "der"):
        raise InputError(
            f"header of {cipher.name} before associated data must be its length in "
            "DER, but is another one"
        )
    return bool(form)


def _length_in_bits(length: int) -> bytes:
    return (8 * length).to_bytes(8, "little")


def _der_length(length: int) -> bytes:
    """A length in the distinguished encoding rules of X.690."""
    data = length.to_bytes(max(1, -(-length.bit_length() // 8)), "big")
    return data if length < 128 else bytes([0x80 | len(data)]) + data
