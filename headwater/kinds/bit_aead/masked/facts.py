# SPDX-License-Identifier: Apache-2.0
"""What follows from a cipher and an architecture for a core in two shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.shares import in_shares, joined, stream_in_shares
from headwater.core.streams import Stream
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.bit_aead.masked.authenticator import PRODUCT_MASKS
from headwater.kinds.bit_aead.message_words import data_width, message_streams
from headwater.kinds.stepped.masked.facts import MaskedFacts

_PUBLIC = "data_in"
"""The stream whose words are not in shares."""


@dataclass(frozen=True)
class MaskedAeadFacts(MaskedFacts):
    """Timing, words and ports of a core whose key, state, output text and tag are in two shares.
    The words of ``data_in`` are public."""

    cipher: BitAead

    @property
    def decrypts(self) -> bool:
        """Whether there are messages of ciphertext, whose text is in shares inside."""
        return "decrypt" in self.architecture.directions

    @property
    def data_bits(self) -> int:
        """Message bits of a data word."""
        return data_width(self.cipher, self.architecture.radix)

    @property
    def closing_moves(self) -> int:
        """Moves behind the last word of a message, until the accumulator is the tag: one for the
        word itself, and one for its products of different shares, if there are any."""
        return 1 + self.decrypts

    @property
    def tag_words(self) -> int:
        """Words of a tag."""
        return self.cipher.tag_bits // self.streams_in_one["tag"].width

    @property
    def counted(self) -> int:
        """How far the core counts: load words, moves of the setup, then words of the tag."""
        return super().counted + self.tag_words

    @property
    def fresh_bits(self) -> int:
        """Bits of the port ``fresh``: of a core that decrypts also a mask for each bit of a data
        word, and those of the accumulator's products; then those of the past."""
        own = self.data_bits + PRODUCT_MASKS if self.decrypts else 0
        return self.product_masks + own + self.past_bits

    @property
    def past_bits(self) -> int:
        """Bits that have left the shift register and are kept: see `Authenticator`."""
        late = 0 if self.architecture.radix == 1 else self.data_bits
        return late + self.data_bits * self.decrypts

    @property
    def bits_per_cycle(self) -> float:
        """Message bits per clock cycle, in steady state."""
        return super().bits_per_cycle / self.cipher.steps_per_bit

    def message_cycles(self, bits: int) -> int:
        """The header comes first, and the final one is in the text's last word if that has room,
        else in a word of its own. At radix 1 each word takes two moves; the second one of the last
        word is the first that closes the message."""
        words = (8 * len(self.cipher.header(0)) + bits) // self.data_bits + 1
        moves = 2 * words - 1 if self.architecture.radix == 1 else words
        return (moves + self.closing_moves) * self.cycles_per_move

    def _streams_beside(self) -> tuple[Stream, ...]:
        """The streams of a message and of its tag: what leaves is in shares."""
        return tuple(
            one if one.name == _PUBLIC else stream_in_shares(one) for one in self._plain_streams
        )

    @cached_property
    def _plain_streams(self) -> tuple[Stream, ...]:
        return message_streams(self, self.cipher)

    @property
    def streams_in_one(self) -> Mapping[str, Stream]:
        """The streams of a message as a core without shares has them."""
        return {one.name: one for one in self._plain_streams}

    def shared(
        self,
        words: Sequence[int],
        masks: Sequence[int] | None = None,
        *,
        stream: str = "load",
    ) -> list[int]:
        """Words of an input stream in two shares; those of a message are public."""
        if stream == _PUBLIC:
            return list(words)
        return in_shares(words, self.architecture.radix, masks)

    def joined(self, payload: int, *, stream: str = "tag") -> int:
        """The sum of both shares of a word of an output stream."""
        return joined(payload, self.streams_in_one[stream].width)


def facts_of_shares(cipher: Cipher, architecture: Architecture) -> MaskedAeadFacts:
    """The facts of a core in shares."""
    assert isinstance(cipher, BitAead)
    return MaskedAeadFacts(cipher, architecture)
