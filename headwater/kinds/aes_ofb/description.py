# SPDX-License-Identifier: Apache-2.0
"""AES in output feedback mode, as a cipher that gives keystream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from headwater.algebra.sbox import FORMS
from headwater.cipher.description import Cipher
from headwater.cipher.option import STREAMS, TABLE_ADVICE, Option

BLOCK_BITS = 128
RADICES = (8, 32, 128)
"""Widths of the datapath: a byte, a column, a block."""

SBOX_FORM = Option(
    "sbox",
    tuple(sorted(FORMS)),
    "algebraic: inversion in a tower of fields; fast: the one of fewest levels, which has more "
    "gates; small: the one of fewest gates; table: left to synthesis",
    TABLE_ADVICE,
)

ALL_ROUNDS = Option(
    "rounds",
    ("1", "14"),
    "1: a round, which a block passes fourteen times; 14: all rounds in a row with a register "
    "behind each, at radix 128: a block in every cycle",
    "All rounds take fourteen times the S-boxes, and registers for all round keys, which are made "
    "behind the load. Choose them for a link of many Gbit/s.",
    unsaid=True,
)
"""The rounds of AES-256 that a core has."""


@dataclass(frozen=True, kw_only=True)
class AesOfb(Cipher):
    """AES-128-OFB. A radix is a width of the datapath: a byte, a column, or a whole block."""

    kind: ClassVar[str] = "aes_ofb"
    own_fields: ClassVar[frozenset[str]] = frozenset({"first_bit_on_top"})
    own_options = (SBOX_FORM, STREAMS)
    state_bits = 2 * BLOCK_BITS
    """128 bits of feedback and 128 of round key."""

    def legal_radices(self) -> tuple[int, ...]:
        """8, 32 or 128 bits: a byte, a column, a block."""
        return RADICES

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:
        """The radix: key and IV each take as many load cycles as a round has."""
        return (radix,)
