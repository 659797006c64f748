# SPDX-License-Identifier: Apache-2.0
"""Ciphers that take a message into a part of a permutation's state: the Ascon design."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from headwater.cipher.description import Cipher
from headwater.cipher.option import DIRECTION, Option

WORD_BITS = 64
STATE_WORDS = 5
RATE_BITS = 2 * WORD_BITS
"""Bits of a block: the part of the state that takes the message in."""

UNROLL = Option(
    "unroll",
    ("1", "2", "3", "4"),
    "1: a cycle makes one round of the permutation; 2: two rounds; 3: three rounds; 4: four rounds",
    "Each round costs its S-boxes and linear layer once more, lengthens the path, and shortens a "
    "block. With 3, a block takes as many cycles as it needs, the first of which makes two rounds. "
    "Choose 1 for area, and more where the clock is slow.",
)


@dataclass(frozen=True, kw_only=True)
class SpongeAead(Cipher):
    """A cipher that encrypts and authenticates blocks of two words in one pass. Texts are whole
    bytes. There is no keystream independent of a text."""

    kind: ClassVar[str] = "sponge"
    own_options = (UNROLL, DIRECTION)
    takes_associated_data: bool = True
    tag_lengths: tuple[int, ...] = ()

    service = "aead"
    text_unit = 8

    no_keystream = "apart from its text, which it takes in: encrypt zeros to see one"
    """Why there is no keystream: it depends on the text before."""

    state_bits = STATE_WORDS * WORD_BITS + RATE_BITS
    """Five words, and the key, which is needed again for the tag."""

    def legal_radices(self) -> tuple[int, ...]:
        """Bits of the message taken in a cycle: a part of a block, or all of it."""
        return (32, 64, 128)

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:
        """Load words are as wide as those of the message."""
        return (radix,)
