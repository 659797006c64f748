# SPDX-License-Identifier: Apache-2.0
"""What follows from a cipher and an architecture before any circuit is built."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.algebra import bitstring
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture


@dataclass(frozen=True)
class Facts:
    """Timing and word order of one cipher's core at one architecture."""

    cipher: Cipher
    architecture: Architecture

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first keystream word offered, with the
        longest IV."""
        raise NotImplementedError

    @property
    def stated_iv_bits(self) -> int:
        """Length of the IV that setup cycles are given for: the longest, if not told otherwise."""
        return self.cipher.iv_bits[-1]

    @property
    def setup_formula(self) -> str:
        """How they follow from other entries of the data sheet."""
        raise NotImplementedError

    @property
    def bits_per_cycle(self) -> float:
        """Keystream or message bits per clock cycle, in steady state."""
        return self.architecture.radix / self.cipher.steps_per_bit

    def keystream_cycles(self, bits: int) -> int:
        """Cycles from the first keystream word to the one that ends so many bits, both counted."""
        return -(-bits // self.architecture.radix)

    def message_cycles(self, bits: int) -> int:
        """Cycles between the setup and the tag, or the end where there is none, of a message
        without associated data."""
        return self.keystream_cycles(bits)

    def words_in(self, cycles: int) -> int:
        """Keystream words to take so that power is measured over that many cycles, or a few
        more."""
        return cycles

    @property
    def waits(self) -> bool:
        """Whether the keystream waits for its reader, and the load for gaps between its words."""
        return self.architecture.stall == "stream"

    @property
    def clear_cycles(self) -> int | None:
        """Cycles from ``clear`` until every bit of state is zero; None if it is not offered."""
        raise NotImplementedError

    @property
    def clear_effect(self) -> str:
        """What is so after those cycles."""
        return "every bit of state is zero"

    @property
    def load_order(self) -> str:
        """What the load words hold, in words."""
        raise NotImplementedError

    @property
    def keystream_order(self) -> str:
        """What the keystream words hold, in words."""
        first = (
            "the first bit is the most significant"
            if self.cipher.first_bit_on_top
            else ("the oldest bit in payload bit 0")
        )
        order = f"words of {self.architecture.radix} bits, {first}"
        return order if self.waits else f"{order}; not masked while valid is low"

    @property
    def setup_ends(self) -> str:
        """What the setup cycles are counted to."""
        return "the first keystream word offered"

    @property
    def stream_orders(self) -> dict[str, str]:
        """What the words hold that go in after the load, and that come out, by stream."""
        return {"keystream": self.keystream_order}

    def payload(self, word: int) -> int:
        """A keystream word whose bit 0 is its first bit, as the core offers it; and back."""
        if not self.cipher.first_bit_on_top:
            return word
        return bitstring.reverse(word, self.architecture.radix)

    def load_words(
        self, key: bytes, iv: bytes, iv_bits: int | None = None, *, block: int = 0
    ) -> list[int]:
        """The words of a load.

        Parameters
        ----------
        key, iv, iv_bits
            See `Cipher.input_bits`.
        block
            Number of the block that the keystream begins with, where the cipher has
            ``seek_bits``.
        """
        raise NotImplementedError

    def new_iv_words(self, iv: bytes) -> list[int] | None:  # noqa: ARG002
        """The words of a load of an IV alone, for the key of the load before; None if the core
        takes none."""
        return None

    def message_load(self, key: bytes, nonce: bytes, tag_bits: int) -> list[int]:  # noqa: ARG002
        """The words of a load before a message whose tag has so many bits."""
        return self.load_words(key, nonce)

    def unfit(self, iv_bits: int) -> str:  # noqa: ARG002
        """Why an IV of this length cannot be loaded; nothing if it can."""
        return ""
