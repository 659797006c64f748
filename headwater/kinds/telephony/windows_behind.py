# SPDX-License-Identifier: Apache-2.0
"""A tag as a sum of windows of the keystream, the first of which is always added."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from headwater.algebra.bitstring import BitOrder
from headwater.cipher.option import Option
from headwater.errors import InputError, describe_lengths, unknown
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.kinds.telephony.description import WORD_BITS, WordMode


@dataclass(frozen=True, kw_only=True)
class WindowsBehind(WordMode):
    """Makes a tag of one of several lengths for a message of any length in bits, which may have a
    cipher each.

    A tag of t bits is the first t bits of the keystream, plus the t bits that begin t places behind
    each one of the message and behind its end. The IV is that of the cipher.
    """

    bit_order: BitOrder = "msb_first"
    ciphers: Mapping[int, WordCipher]
    """The cipher of each length of the tag in bits; ``base`` is that of this description's."""
    make_tag: Callable[[Iterator[int], Iterator[int], int, int], int]
    """``make_tag(z, message, length, bits)``: the tag of so many bits from keystream words ``z``
    and the words of the message, which are zero after ``length`` bits."""

    service = "3gpp-mac"

    def __hash__(self) -> int:
        return hash((self.name, self.mac_bits))

    @property
    def mac_bits(self) -> int:
        """Length of the tag."""
        return next(bits for bits, cipher in self.ciphers.items() if cipher == self.base)

    @property
    def tag_lengths(self) -> tuple[int, ...]:
        """The one length of this description."""
        return (self.mac_bits,)

    @property
    def parameters(self) -> tuple[Option, ...]:
        """The length of the tag; default: this description's."""
        lengths = sorted(self.ciphers, key=lambda bits: (bits != self.mac_bits, bits))
        return (
            Option(
                "mac_bits",
                tuple(map(str, lengths)),
                "length of the tag in bits",
                "A longer tag takes two registers of its length, and more words of keystream "
                "before the message. Each length has another keystream.",
            ),
        )

    def with_parameters(self, values: Mapping[str, str]) -> WindowsBehind:
        """The mode with this length of tag; other names are ignored."""
        (option,) = self.parameters
        chosen = values.get(option.name, option.default)
        if chosen not in option.values:
            raise unknown(f"option {option.name}", chosen, option.values)
        return replace(self, base=self.ciphers[int(chosen)])

    def for_tag(self, bits: int) -> WindowsBehind:
        """The mode with tags of this length."""
        if bits not in self.ciphers:
            legal = describe_lengths(tuple(sorted(self.ciphers)))
            raise InputError(f"tag of {self.name} must be {legal}, not {bits} bits")
        return self.with_parameters({"mac_bits": str(bits)})

    @property
    def no_keystream(self) -> str:
        """Why the mode has no keystream of its own."""
        return f"apart from its messages: it is not that which encrypts, which {self.base.name} has"

    @property
    def zero_iv_bits(self) -> tuple[int, ...]:
        """Those of the cipher."""
        return self.base.zero_iv_bits

    def input_bits(
        self, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The bits of key and IV, first bit first; see `Cipher.input_bits`."""
        bits = super().input_bits(key, iv, iv_bits)
        self.check_zero_bits(bits[1])
        return bits

    @property
    def own_bits(self) -> int:
        """Flip-flops of the sum, and of the older words of the window."""
        return 2 * self.mac_bits

    @property
    def gathered_words(self) -> int:
        """The words of the sum's first window, and the older ones of the window that follows."""
        return 2 * self.mac_bits // WORD_BITS
