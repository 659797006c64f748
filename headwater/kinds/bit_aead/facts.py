# SPDX-License-Identifier: Apache-2.0
"""What follows from a cipher whose bits encrypt and authenticate in turn, and an architecture."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.core.architecture import Architecture
from headwater.core.streams import Stream
from headwater.kinds.bit_aead.description import AUTHENTICATOR, BitAead
from headwater.kinds.bit_aead.message_words import data_width, message_streams
from headwater.kinds.stepped.facts import SteppedFacts


def is_isolated(architecture: Architecture) -> bool:
    """Whether bits enter the authenticator a cycle after they are there."""
    return architecture[AUTHENTICATOR.name] != "direct"


@dataclass(frozen=True)
class BitAeadFacts(SteppedFacts):
    """Timing and word order of the core of a bit-wise AEAD cipher."""

    cipher: BitAead

    def message_cycles(self, bits: int) -> int:
        """The header comes first. The final one is in the text's last word if that has room, else
        in a word of its own. At radix 1 each word takes two cycles; the second cycle of the last
        word already belongs to the tag."""
        cipher, radix = self.cipher, self.architecture.radix
        words = (8 * len(cipher.header(0)) + bits) // data_width(cipher, radix) + 1
        return (2 * words - 1 if radix == 1 else words) + is_isolated(self.architecture)

    def _streams_beside(self) -> tuple[Stream, ...]:
        """The streams of a message and of its tag."""
        return message_streams(self, self.cipher)

    @property
    def _cycles_to_zero(self) -> int:
        return super()._cycles_to_zero + is_isolated(self.architecture)
