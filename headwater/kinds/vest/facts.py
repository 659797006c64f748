# SPDX-License-Identifier: Apache-2.0
"""Timing and word order of the cores of VEST."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headwater.cipher.vest import SEAL_ROUNDS
from headwater.core.facts import Facts
from headwater.core.streams import Stream
from headwater.kinds.vest.description import VestAead, VestCipher


@dataclass(frozen=True)
class VestFacts(Facts):
    """Timing and word order of a core for keys of one length."""

    cipher: VestCipher

    @property
    def authenticates(self) -> bool:
        """Whether the core takes messages."""
        return isinstance(self.cipher, VestAead)

    @property
    def keeps_key(self) -> bool:
        """Whether a new IV can be loaded without the key."""
        return self.architecture["keyed_state"] == "kept"

    @property
    def key_words(self) -> int:
        """Load words of the key."""
        return self.cipher.key_bits // 8

    @property
    def stated_iv_bits(self) -> int:
        """Length of the IV that `setup_cycles` is given for."""
        return int(self.architecture["iv_bits"])

    @property
    def setup_cycles(self) -> int:
        """The key is loaded before its first round; a byte of the IV is taken in each round."""
        key = self.key_words + self.cipher.key_bits + self.key_words + SEAL_ROUNDS
        return key + self._iv_cycles + self.first_half

    @property
    def _iv_cycles(self) -> int:
        words = self.stated_iv_bits // 8
        return words + SEAL_ROUNDS if words else 0

    @property
    def first_half(self) -> int:
        """Cycles that make the first half of a keystream byte before the message."""
        return int(self.authenticates and self.cipher.size < 8)

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        rest = " + 1 (first half of a byte of keystream)" if self.first_half else ""
        formula = "key_bits / 8 + key_bits + key_bits / 8 + 32"
        iv = f" + {self.stated_iv_bits} / 8 + 32" if self.stated_iv_bits else ""
        return f"{formula}{iv}{rest}; with an IV of {self.stated_iv_bits} bits"

    @property
    def new_iv_cycles(self) -> int | None:
        """Setup cycles of a load of an IV alone; None if the core takes none."""
        if not self.keeps_key or not self.stated_iv_bits:
            return None
        return self._iv_cycles + self.first_half

    def sheet(self) -> dict[str, Any]:
        """The setup cycles of a load of an IV alone."""
        cycles = self.new_iv_cycles
        return {} if cycles is None else {"new_iv_cycles": cycles}

    def message_cycles(self, bits: int) -> int:
        """Cycles from the first word of a text of ``bits`` bits to the tag."""
        if not self.authenticates:
            return super().message_cycles(bits)
        return -(-bits // 8) * (8 // self.architecture.radix) + SEAL_ROUNDS

    @property
    def _cycles_to_zero(self) -> int:
        """The state is zero after one more cycle; the key is shifted out by bytes."""
        return self.key_words

    @property
    def load_order(self) -> str:
        """What the load words hold and in which order, as prose."""
        order = (
            f"words of 8 bits: {self.key_words} bytes of the key, then those of an IV of any "
            "length, the first bit in payload bit 0; `last` marks the last byte, which is the "
            "key's where there is no IV; the IV is taken when the setup with the key is over"
        )
        if self.keeps_key:
            order += (
                "; with `same_key` the load is of an IV alone, and is taken only where the setup "
                "with a key has been finished since `rst` or `clear`"
            )
        if not self.waits:
            order += (
                "; the bytes follow each other without a gap: `valid` stays, as the first one of "
                "the IV waits"
            )
        return order

    @property
    def load_marks(self) -> tuple[str, ...]:
        """``last`` marks the last byte, ``same_key`` a load of an IV alone."""
        return ("last", "same_key") if self.keeps_key else ("last",)

    def _streams_beside(self) -> tuple[Stream, ...]:
        """The keystream; with a MAC the message, the output text and the tag."""
        if not self.authenticates:
            return super()._streams_beside()
        size, hurry = self.cipher.size, "a word is there for one cycle"
        message = (
            "words of 8 bits: the bytes of the associated data, marked by `ad`, then those of the "
            "text; `last` marks the last word of a message, `keep` is one but in that of an empty "
            "one"
        )
        text = "words of 8 bits: the bytes of the other text, `keep` is one; `last` marks the last"
        data, other = self.text_streams(
            8,
            self._always(message, "one is taken in each cycle in which data_in is ready"),
            self._always(text, hurry),
            keep_bits=8,
            ad_bits=8,
        )
        tag = (
            f"words of {size} bits, the first bit in payload bit 0; they go on until a new load, "
            "and the first of them are the tag, which is as long as one likes"
        )
        return (
            data,
            other,
            Stream(
                name="tag",
                direction="output",
                width=size,
                waits=self.waits,
                order=self._always(tag, hurry),
            ),
        )

    def new_iv_words(self, iv: bytes) -> list[int] | None:
        """The words of a load of an IV alone."""
        return list(iv) if self.keeps_key and iv else None
