# SPDX-License-Identifier: Apache-2.0
"""Ciphers of words that take their text in and authenticate it: the Phelix design."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from headwater.cipher.description import Cipher
from headwater.cipher.option import DIRECTION, Option

WORD_BITS = 32


@dataclass(frozen=True, kw_only=True)
class WordAead(Cipher):
    """A cipher of 32-bit words that encrypts and authenticates in one pass. Texts are whole bytes.
    There is no keystream independent of a text."""

    kind: ClassVar[str] = "word_aead"
    takes_associated_data: bool = True
    tags: tuple[int, ...]
    """Legal lengths of the tag in bits, ascending."""

    @property
    def service(self) -> str:
        """Messages are encrypted and authenticated."""
        return "aead"

    @property
    def text_unit(self) -> int:
        """A message is whole bytes."""
        return 8

    @property
    def tag_lengths(self) -> tuple[int, ...]:
        """Lengths of the tag in bits, of which each message has one."""
        return self.tags

    @property
    def no_keystream(self) -> str:
        """Why there is no keystream: it depends on the text before."""
        return "apart from its text, which it takes in: encrypt zeros to see one"

    def sheet(self) -> dict[str, Any]:
        """The longest message."""
        return {
            "message_limit": "2^32 blocks of 32 bits, those of the nonce setup and the MAC counted"
        }

    @property
    def state_bits(self) -> int:
        """Five words, and Z4 of the three blocks before the last. A core that stores half blocks
        stores that of the last block, too."""
        return (5 + 3) * WORD_BITS

    @property
    def options(self) -> tuple[Option, ...]:
        """The directions of a message that the core has."""
        return (*super().options, DIRECTION)

    def legal_radices(self) -> tuple[int, ...]:
        """Half a block per cycle, a block, and up to eight blocks, after which the keys repeat."""
        return (16, 32, 64, 128, 256)

    @property
    def default_radix(self) -> int:
        """A block in a cycle."""
        return WORD_BITS

    @property
    def natural_radix(self) -> int:
        """A block: every further one depends on the one before it."""
        return WORD_BITS

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:  # noqa: ARG002
        """A word."""
        return (WORD_BITS,)
