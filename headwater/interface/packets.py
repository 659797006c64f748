# SPDX-License-Identifier: Apache-2.0
"""Packets that a plain DMA engine sends and takes: bytes and where they end, nothing beside them.

A packet is its front, which is a header and an IV filled up to whole beats, and then associated
data, text and a received tag without a gap. A core that gives keystream needs no header.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from headwater.cipher.description import Cipher
from headwater.core.facts import Facts
from headwater.interface.load_table import BLOCK, IV

PACKETS = {
    "marked": "tuser marks associated data, and where a keystream without end begins",
    "plain": "tlast and tkeep alone: IV and lengths are in front of the text, in the same packet",
}
"""What `generate --packets` offers."""

FRONT_UNIT = 16
"""A front is a multiple of so many bytes, so that it fills whole beats of every width."""
FIELD_BYTES = 10
"""The bytes of a header that hold something."""
STATUS_BYTES = 4
"""Bytes of the word behind all that a packet gives back."""
GOOD, OTHER_TAG, TOO_SHORT, TOO_LONG, NOT_LEGAL = 1, 2, 4, 8, 16
"""Values of this word."""


@dataclass(frozen=True)
class Packets:
    """The packets of a core.

    Members
    -------
    header : int
        Bytes of the header; 0 without one.
    iv, block : int
        Bytes of the IV, and of the number of the first block behind it.
    tag : int
        Bytes of a tag; 0 without one. Where a cipher has tags of any length, those of the default.
    ad, gives_text : bool
        Whether there is associated data, and whether the other text comes back.
    sends, receives : bool
        Whether the text may be plaintext, and whether it may be ciphertext; of a cipher that only
        authenticates, whether a tag is made, and whether one is checked.
    spare : bool
        Whether a text may end within a byte.
    """

    header: int
    iv: int
    block: int
    tag: int
    ad: bool
    gives_text: bool
    sends: bool
    receives: bool
    spare: bool

    @classmethod
    def of(cls, cipher: Cipher, facts: Facts, parts: Mapping[str, int]) -> Packets:
        """Those of a core, from the bytes of key, IV and number of the first block."""
        takes_text, directions = "data_in" in facts.streams, facts.architecture.directions
        return cls(
            header=FRONT_UNIT * takes_text,
            iv=parts[IV],
            block=parts[BLOCK],
            tag=cipher.default_tag_bits // 8 if "tag" in facts.streams else 0,
            ad=takes_text and cipher.takes_associated_data,
            gives_text="data_out" in facts.streams,
            sends="encrypt" in directions,
            receives="decrypt" in directions,
            spare=takes_text and cipher.text_unit == 1,
        )

    @property
    def chosen(self) -> bool:
        """Whether the header of a packet says in which direction the text goes."""
        return self.header > 0 and self.sends and self.receives

    @property
    def front(self) -> int:
        """Bytes of the front."""
        return self.header - -(self.iv + self.block) // FRONT_UNIT * FRONT_UNIT

    def front_of(
        self, iv: bytes, ad: int = 0, text: int = 0, spare: int = 0, *, received: bool = False
    ) -> bytes:
        """The front of a packet with these lengths in bytes, of the last of which ``spare`` bits do
        not count."""
        numbers = (ad, 4), (text, 4), (int(received), 1), (spare, 1)
        header = b"".join(number.to_bytes(size, "little") for number, size in numbers)
        return (header.ljust(self.header, b"\0") if self.header else b"") + iv.ljust(
            self.front - self.header, b"\0"
        )
