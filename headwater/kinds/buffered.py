# SPDX-License-Identifier: Apache-2.0
"""A keystream that is made word by word and read bit by bit."""

from __future__ import annotations

from abc import ABC, abstractmethod

from headwater.algebra import bitstring
from headwater.cipher.description import Cipher


class BufferedKeystream(ABC):
    """A `KeystreamModel`. Bits of a word that were not read yet wait for the next reading."""

    def __init__(self, cipher: Cipher, word_bits: int) -> None:
        self._order, self._first_on_top = cipher.bit_order, cipher.first_bit_on_top
        self._word_bits = word_bits
        self._left = ""

    @abstractmethod
    def _next_word(self) -> int:
        """The next word of keystream, as a core of this width would give it."""

    def skip(self, bits: int) -> None:
        """Pass over keystream bits."""
        passed = min(bits, len(self._left))
        self._left = self._left[passed:]
        words, rest = divmod(bits - passed, self._word_bits)
        for _ in range(words):
            self._next_word()
        self._next_bits(rest)

    def read(self, bits: int) -> bytes:
        """The next keystream bits, packed in the cipher's order, zeros to the byte."""
        string = self._next_bits(bits)
        return bitstring.to_bytes(int(string[::-1] or "0", 2), bits, self._order)

    def _next_bits(self, bits: int) -> str:
        """The next bits as digits, first bit first."""
        digits = [self._left]
        for _ in range(-(-max(0, bits - len(self._left)) // self._word_bits)):
            word = f"{self._next_word():0{self._word_bits}b}"
            digits.append(word if self._first_on_top else word[::-1])
        string = "".join(digits)
        self._left = string[bits:]
        return string[:bits]
