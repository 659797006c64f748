# SPDX-License-Identifier: Apache-2.0
"""How bit strings are packed: the one place where bit order is decided.

A bit string is held as an integer whose bit 0 is the *first* bit of the string. Bytes hold a
string either least significant bit first or most significant bit first; unused bits of the last
byte are zero in both.
"""

from __future__ import annotations

from typing import Literal

BitOrder = Literal["lsb_first", "msb_first"]

_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def from_bytes(data: bytes, order: BitOrder) -> int:
    """The bit string in ``data`` as an integer with its first bit at bit 0."""
    return int.from_bytes(data.translate(_REVERSED) if order == "msb_first" else data, "little")


def to_bytes(string: int, bits: int, order: BitOrder) -> bytes:
    """The first ``bits`` bits of ``string`` as ``ceil(bits / 8)`` bytes, padded with zero bits."""
    data = (string & ((1 << bits) - 1)).to_bytes((bits + 7) // 8, "little")
    return data.translate(_REVERSED) if order == "msb_first" else data


def split(string: int, bits: int) -> tuple[int, ...]:
    """The single bits of a string, first bit first."""
    return tuple(string >> index & 1 for index in range(bits))


def reverse(value: int, bits: int) -> int:
    """The first ``bits`` bits in the opposite order."""
    return int(f"{value:0{bits}b}"[::-1], 2)


def every_other(output: bytes, pairs: int, order: BitOrder) -> tuple[int, int]:
    """The bits at even places and the bits at odd places of a string of ``pairs`` pairs, as two
    numbers."""
    string = from_bytes(output, order)
    digits = f"{string:0{2 * pairs}b}"
    return int(digits[1::2], 2), int(digits[0::2], 2)


def bounds(place: int | slice, width: int) -> tuple[int, int]:
    """The lowest bit that a place in a word of ``width`` bits names, and the one behind the
    highest."""
    if isinstance(place, slice):
        low, high, _ = place.indices(width)
        return low, high
    low = range(width)[place]
    return low, low + 1
