# SPDX-License-Identifier: Apache-2.0
"""How public files put several fields into one IV.

The IVs of mobile radio are found among those that a mode forms: a file has the whole IV of the base
cipher (or what stands before a message), or COUNT, BEARER or FRESH, and DIRECTION by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from headwater.cipher.description import Cipher


@dataclass(frozen=True)
class Part:
    """A number in some bytes of an IV.

    Members
    -------
    first, count : int
        Its first byte, and how many.
    order : str
        Of its bytes.
    above : int
        Bits below it in its last byte that are others'.
    """

    first: int
    count: int
    order: Literal["big", "little"] = "big"
    above: int = 0

    def of(self, iv: bytes) -> int:
        """The number."""
        return int.from_bytes(iv[self.first : self.first + self.count], self.order) >> self.above


BASE_IV_BYTES = 16
"""Of the IV of a base cipher."""

CALLS: Mapping[int, tuple[Mapping[str, Part], ...]] = {
    6: ({"count": Part(0, 4, "little"), "bearer": Part(4, 1), "direction": Part(5, 1)},),
    8: ({"count": Part(0, 4), "bearer": Part(4, 1, above=3)},),
    12: ({"count": Part(0, 4), "fresh": Part(4, 4)},),
    BASE_IV_BYTES: (
        {"count": Part(0, 4), "bearer": Part(4, 1, above=3)},
        {"count": Part(0, 4), "fresh": Part(4, 4)},
    ),
}
"""By bytes of an IV where the fields of a call are in it. A DIRECTION that is not there is the one
with which the mode forms this IV."""

COUNTERS: Mapping[tuple[str, int], Part] = {
    ("chacha20", 16): Part(0, 4, "little"),
    ("chacha_djb", 16): Part(0, 8, "little"),
}
"""By cipher and bytes of an IV the number of the first block in it, with the IV behind."""


APPENDED: Mapping[tuple[str, int], bytes] = {("aes_ctr", 12): bytes([0, 0, 0, 1])}
"""By cipher and bytes of an IV what stands behind it in the first block (RFC 3686, section 4)."""

_OF_ZUC_256 = (8,) * 17 + (6,) * 8
PACKED: Mapping[tuple[str, int], Sequence[int]] = {
    ("zuc256_iv25", 23): _OF_ZUC_256,
    ("zuc256_mac_iv25", 23): _OF_ZUC_256,
}
"""By cipher and bytes of an IV the bits of the fields in it, most significant bit first. The cipher
takes each field in the low bits of a byte."""


def spread_iv(cipher: Cipher, iv: bytes) -> bytes:
    """An IV as the cipher takes it, with a byte for each field, if a file has it packed."""
    fields = PACKED.get((cipher.name, len(iv)), ())
    string, place = int.from_bytes(iv, "big"), 8 * len(iv)
    spread = []
    for bits in fields:
        place -= bits
        spread.append(string >> place & (1 << bits) - 1)
    return bytes(spread) or iv


def fields_of_iv(mode: Cipher, iv: bytes) -> dict[str, Any] | None:
    """The fields of a call as the project's own files have them; None if no fields give this IV."""
    lengths = dict(mode.call_fields)
    for layout in CALLS.get(len(iv), ()):
        fields = {name: part.of(iv) for name, part in layout.items()}
        for direction in (0, 1):
            values = {"direction": direction, **fields}
            if values.keys() == lengths.keys() and _gives(mode, values, layout, iv):
                return {
                    name: values[name] if bits % 8 else f"{values[name]:0{bits // 4}x}"
                    for name, bits in lengths.items()
                }
    return None


def is_of_base(mode: Any, iv: bytes) -> bool:
    """Whether an IV that no fields give is one of the base cipher, as it stands there."""
    if not (mode.call_fields and hasattr(mode, "base")) or len(iv) != BASE_IV_BYTES:
        return False
    return fields_of_iv(mode, iv) is None and not mode.turns_key


def _gives(mode: Any, values: Mapping[str, int], layout: Mapping[str, Part], iv: bytes) -> bool:
    """Whether values are legal for a mode and form the IV, unless the layout has them all."""
    if any(values[name] >> bits for name, bits in mode.call_fields):
        return False
    if layout.keys() == values.keys():
        return True
    return iv_of_call(mode, [values[name] for name, _ in mode.call_fields]) == iv


def iv_of_call(mode: Any, values: Sequence[int]) -> bytes:
    """The IV of the base cipher of a mode of mobile radio, as files have it."""
    formed: bytes = mode.form_iv(*values)
    if not mode.turns_key:
        return formed
    # Files have the words of such an IV in the order of the key's, the last one first.
    return b"".join(formed[first : first + 4] for first in (12, 8, 4, 0))


def counter_and_iv(cipher: Cipher, iv: bytes) -> tuple[int | None, bytes]:
    """The number of the first block, if an IV has it, and the IV without it."""
    part = COUNTERS.get((cipher.name, len(iv)))
    iv += APPENDED.get((cipher.name, len(iv)), b"")
    return (None, iv) if part is None else (part.of(iv), iv[part.first + part.count :])
