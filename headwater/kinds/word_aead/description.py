# SPDX-License-Identifier: Apache-2.0
"""Ciphers of words that take their text in and authenticate it: the Phelix design."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from headwater.cipher.description import Cipher
from headwater.cipher.option import DIRECTION, STREAMS

WORD_BITS = 32


@dataclass(frozen=True, kw_only=True)
class PhelixAead(Cipher):
    """A cipher of 32-bit words that encrypts and authenticates in one pass. Texts are whole bytes.
    There is no keystream independent of a text."""

    kind: ClassVar[str] = "word_aead"
    own_fields: ClassVar[frozenset[str]] = frozenset({"shorter_keys"})
    own_options = (DIRECTION, STREAMS)
    takes_associated_data: bool = True
    tag_lengths: tuple[int, ...] = ()
    """Legal lengths of the tag in bits, ascending."""

    service = "aead"
    text_unit = 8

    no_keystream = "apart from its text, which it takes in: encrypt zeros to see one"
    """Why there is no keystream: it depends on the text before."""

    def sheet(self) -> dict[str, Any]:
        """The longest message."""
        return {
            "message_limit": "2^32 blocks of 32 bits, those of the nonce setup and the MAC counted"
        }

    state_bits = (5 + 3) * WORD_BITS
    """Five words, and Z4 of the three blocks before the last. A core that stores half blocks
    stores that of the last block, too."""

    def legal_radices(self) -> tuple[int, ...]:
        """Half a block per cycle, a block, and up to eight blocks, after which the keys repeat."""
        return (16, 32, 64, 128, 256)

    default_radix = WORD_BITS
    natural_radix = WORD_BITS
    """A block: every further one depends on the one before it."""

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:  # noqa: ARG002
        """A word."""
        return (WORD_BITS,)
