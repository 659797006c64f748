# SPDX-License-Identifier: Apache-2.0
"""How wide the words of a message and its tag are, where bits authenticate as they encrypt."""

from __future__ import annotations

from headwater.cipher.sfinks import Sfinks
from headwater.kinds.bit_aead.description import BitAead

Authenticating = BitAead | Sfinks
"""Ciphers whose messages go through such a core."""


def data_width(cipher: Authenticating, radix: int) -> int:
    """Message bits of a data word: half the output bits of a cycle, where the others
    authenticate."""
    return max(1, radix // cipher.steps_per_bit)


def marks(cipher: Authenticating, radix: int) -> int:
    """Bits of the associated-data mark of a word: one for each of its bytes, or for all of it."""
    return max(1, data_width(cipher, radix) // 8)


def tag_width(cipher: Authenticating, radix: int) -> int:
    """Bits of a tag word."""
    return min(radix, cipher.tag_bits)
