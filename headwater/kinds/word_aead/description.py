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
    """A cipher of 32-bit words that encrypts and authenticates in one pass.

    A message's lengths are whole bytes. There is no keystream apart from a text.

    Parameters
    ----------
    tags
        Legal lengths of the tag in bits, ascending.
    """

    kind: ClassVar[str] = "word_aead"
    takes_associated_data: bool = True
    tags: tuple[int, ...]

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
        """There is none: what a text is combined with depends on the text before."""
        return "apart from its text, which it takes in: encrypt zeros to see one"

    def sheet(self) -> dict[str, Any]:
        """How long a message may be."""
        return {
            "message_limit": "2^32 blocks of 32 bits, those of the nonce setup and the MAC counted"
        }

    @property
    def state_bits(self) -> int:
        """Five words, and the Z4 of the three blocks before the last; a core that keeps the middle
        of a block keeps that of the last as well."""
        return (5 + 3) * WORD_BITS

    @property
    def options(self) -> tuple[Option, ...]:
        """The directions of a message that the core has."""
        return (*super().options, DIRECTION)

    def legal_radices(self) -> tuple[int, ...]:
        """Half a block in a cycle, a block, and up to the eight after which the keys repeat."""
        return (16, 32, 64, 128, 256)

    @property
    def default_radix(self) -> int:
        """A block in a cycle."""
        return WORD_BITS

    @property
    def natural_radix(self) -> int:
        """A block: every further one waits for the one before it."""
        return WORD_BITS

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:  # noqa: ARG002
        """A word."""
        return (WORD_BITS,)
