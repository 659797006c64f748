# SPDX-License-Identifier: Apache-2.0
"""What C drivers need to know of key and IV, whatever way these go into the core."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from headwater.cipher.description import Cipher
from headwater.errors import describe_bits

_COMMENT_WIDTH = 96


def secret_values(cipher: Cipher, iv_lengths: Sequence[int]) -> dict[str, Any]:
    """Values for the templates.

    ``iv_lengths`` are the lengths of the IV in bits, ascending. If there are several, each function
    that takes an IV is told its length; if the cipher has no IV, none takes one.
    """
    several = len(iv_lengths) > 1
    seeks = cipher.seek_bits or 0
    key_bytes, iv_bytes = cipher.key_bits // 8, -(-cipher.iv_bits[-1] // 8)
    iv = ("iv", "iv_bits") if several else ("iv",) if iv_bytes else ()
    pointer, array = "const uint8_t *iv", f"const uint8_t iv[{iv_bytes}]"
    declared = {"iv": pointer if several else array, "iv_bits": "unsigned iv_bits"}
    return {
        "title": cipher.title,
        "convention": textwrap.wrap(cipher.convention, _COMMENT_WIDTH),
        "key_bytes": key_bytes,
        "iv_bytes": iv_bytes,
        "secret": ", ".join([f"const uint8_t key[{key_bytes}]", *(declared[one] for one in iv)]),
        "secret_pointers": ", ".join(
            ["const uint8_t *key", *({**declared, "iv": pointer}[one] for one in iv)]
        ),
        "secret_names": ", ".join(["key", *iv]),
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
        bits = describe_bits(cipher.zero_iv_bits).capitalize()
        yield f"{bits} of the IV must be zero, its first bit being bit 0."


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
