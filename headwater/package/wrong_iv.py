# SPDX-License-Identifier: Apache-2.0
"""Values of an IV that a driver refuses."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.cipher.description import Cipher
from headwater.interface.load_code import not_zero, wrong_first_bit


def wrong_iv(cipher: Cipher) -> Iterator[str]:
    """Conditions in C under which the bits of ``iv`` are not legal."""
    order = cipher.input_order or cipher.bit_order
    if cipher.first_iv_bit is not None:
        yield wrong_first_bit(order, cipher.first_iv_bit)
    if cipher.zero_iv_bits:
        yield not_zero(order, cipher.zero_iv_bits)
