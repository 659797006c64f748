# SPDX-License-Identifier: Apache-2.0
"""What C drivers need to know of key and IV, whatever way these go into the core."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from headwater.cipher.description import Cipher

_COMMENT_WIDTH = 96


def secret_values(cipher: Cipher, iv_lengths: Sequence[int]) -> dict[str, Any]:
    """Values for the templates.

    ``iv_lengths`` are the lengths of the IV in bits, ascending. If there are several, each function
    that takes an IV is told its length.
    """
    several = len(iv_lengths) > 1
    seeks = cipher.seek_bits or 0
    key_bytes, iv_bytes = cipher.key_bits // 8, -(-cipher.iv_bits[-1] // 8)
    iv_pointer = f"const uint8_t *iv{', unsigned iv_bits' if several else ''}"
    return {
        "title": cipher.title,
        "convention": textwrap.wrap(cipher.convention, _COMMENT_WIDTH),
        "key_bytes": key_bytes,
        "iv_bytes": iv_bytes,
        "secret": f"const uint8_t key[{key_bytes}], "
        + (iv_pointer if several else f"const uint8_t iv[{iv_bytes}]"),
        "secret_pointers": f"const uint8_t *key, {iv_pointer}",
        "secret_names": "key, iv, iv_bits" if several else "key, iv",
        "call_parameters": ", ".join(f"uint32_t {name}" for name, _ in cipher.call_fields),
        "call_names": ", ".join(name for name, _ in cipher.call_fields),
        "call_fields": list(_placed_fields(cipher)),
        "iv_rules": textwrap.wrap(" ".join(_iv_rules(cipher, iv_lengths)), _COMMENT_WIDTH),
        "block_bytes": seeks // 8,
    }


def _iv_rules(cipher: Cipher, lengths: Sequence[int]) -> Iterator[str]:
    """Sentences on the length of the IV, and on its bit that selects the mode."""
    if len(lengths) > 1:
        step = lengths[1] - lengths[0]
        yield f"The IV has {lengths[0]} to {lengths[-1]} bits, in steps of {step}."
    if cipher.first_iv_bit is not None:
        bit = "highest" if (cipher.input_order or cipher.bit_order) == "msb_first" else "lowest"
        yield f"The {bit} bit of the first byte of the IV must be {cipher.first_iv_bit}."
    if cipher.zero_iv_bits:
        yield f"{_listed(cipher.zero_iv_bits)} of the IV must be zero, its first bit being bit 0."


def _listed(places: Sequence[int]) -> str:
    """Bit numbers in words, those that follow each other as a range."""
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    words = [str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs]
    return f"Bit{'s' * (len(places) > 1)} {' and '.join(words)}"


def _placed_fields(cipher: Cipher) -> Iterator[tuple[int, str]]:
    """The bytes of the IV and what the fields of a call put into each, as C expressions."""
    end = 8 * -(-sum(bits for _, bits in cipher.call_fields) // 8)
    for name, bits in cipher.call_fields:
        end -= bits
        value = name if bits == 32 else f"({name} & 0x{(1 << bits) - 1:x}u)"
        total = 8 * -(-cipher.iv_bits[-1] // 8)
        for byte in range(total // 8):
            shift = end - (total - 8 * (byte + 1))
            if -bits < shift < 8:
                moved = f" << {shift}" if shift > 0 else f" >> {-shift}" if shift else ""
                yield byte, f"{value}{moved}"
