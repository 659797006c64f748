# SPDX-License-Identifier: Apache-2.0
"""The key and the IV that figures are measured with and that testbenches load."""

from __future__ import annotations

from headwater.algebra import bitstring
from headwater.cipher.description import Cipher

Secret = tuple[bytes, bytes]
"""A key and an IV."""


def public_secret(cipher: Cipher, iv_bits: int | None = None) -> Secret:
    """The key and IV of every measurement, as long as the core takes them if nothing else is said.
    They are no secret."""
    bits = cipher.iv_bits[-1] if iv_bits is None else iv_bits
    length = -(-bits // 8)
    key = bytes((0xC3 + 41 * place) % 256 for place in range(cipher.key_bits // 8))
    order = cipher.input_order or cipher.bit_order
    counted = bytes((0x5A + 29 * place) % 256 for place in range(length))
    string = bitstring.from_bytes(counted, order) & (1 << bits) - 1
    return key, bitstring.to_bytes(cipher.fitting_iv(string), bits, order)
