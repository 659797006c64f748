# SPDX-License-Identifier: Apache-2.0
"""Telephony modes: ciphers that encrypt or authenticate messages of a mobile network.

The modes themselves are in `headwater.cipher.telephony`.

The IV of most modes is what the network knows of a message: COUNT, then BEARER or FRESH, then
DIRECTION, each most significant bit first. The mode forms the IV of its base cipher from it. The
first bit of a message is the most significant bit of its first word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from headwater.algebra.bitstring import BitOrder
from headwater.algebra.field import Field
from headwater.cipher.description import Cipher
from headwater.cipher.option import CORE_OPTIONS, WAITING, Option
from headwater.kinds.aes.description import AesMac, AesMode, check_rounds
from headwater.kinds.stepped.word_cipher import WordCipher

WORD_BITS = 32
TAG_BITS = 32
COUNT_BITS, BEARER_BITS, FRESH_BITS = 32, 5, 32

FIELD = Field(1 << 64 | 0x1B)
"""GF(2^64) modulo x^64 + x^4 + x^3 + x + 1."""


@dataclass(frozen=True, kw_only=True)
class BasedMode(Cipher):
    """A cipher applied to messages."""

    kind: ClassVar[str] = "telephony"
    own_fields: ClassVar[frozenset[str]] = frozenset({"first_bit_on_top"})

    base: Any
    """The cipher that makes the keystream."""
    first_bit_on_top: bool = True

    @property
    def own_bits(self) -> int:
        """Flip-flops that the mode needs in addition to its cipher."""
        return 0

    @property
    def load_rule(self) -> str:
        """How key and IV of the base cipher follow from those of the mode; empty if they are the
        same."""
        return ""

    @property
    def no_keystream(self) -> str:
        """Why the mode has no keystream of its own: it is that of the base cipher."""
        return f"apart from its messages: use that of {self.base.name}"

    def sheet(self) -> dict[str, Any]:
        """The base cipher."""
        return {"base": self.base.name}

    def base_inputs(self, key: bytes, iv: bytes) -> tuple[bytes, bytes]:
        """Key and IV of the base cipher, from key and IV of the mode: by default the same."""
        self.input_bits(key, iv)
        return key, iv

    @property
    def state_bits(self) -> int:
        """Flip-flops of cipher and mode."""
        bits: int = self.base.state_bits + self.own_bits
        return bits

    @property
    def base_options(self) -> tuple[Option, ...]:
        """The options of the base cipher that the mode has."""
        return ()

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of every core, which always waits, and those of the base cipher."""
        return (WAITING, *super().options[1:], *self.base_options)

    def check_choices(self, radix: int, load_width: int, options: Mapping[str, str]) -> None:
        """Refuse what the base cipher refuses."""
        self.base.check_choices(radix, load_width, options)

    def legal_radices(self) -> tuple[int, ...]:
        """Those of the base cipher."""
        radices: tuple[int, ...] = self.base.legal_radices()
        return radices

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:
        """The load widths of the base cipher."""
        widths: tuple[int, ...] = self.base.legal_load_widths(radix)
        return widths

    def default_load_width(self, radix: int) -> int:
        """The load width of the base cipher."""
        width: int = self.base.default_load_width(radix)
        return width


@dataclass(frozen=True, kw_only=True)
class WordMode(BasedMode):
    """A word cipher applied to messages."""

    base: WordCipher

    @property
    def gathered_words(self) -> int:
        """Keystream words that are taken before the message."""
        return 0

    @property
    def base_options(self) -> tuple[Option, ...]:
        """Those for the base cipher's step."""
        return self.base.forms


@dataclass(frozen=True, kw_only=True)
class BlockMode(BasedMode):
    """A mode of AES applied to messages."""

    base: AesMode | AesMac

    @property
    def base_options(self) -> tuple[Option, ...]:
        """Those that not every core has."""
        core = {option.name for option in CORE_OPTIONS}
        return tuple(option for option in self.base.options if option.name not in core)

    def check_choices(self, radix: int, load_width: int, options: Mapping[str, str]) -> None:
        """Refuse what the base cipher refuses, in the name of the mode."""
        check_rounds(self.name, radix, options)
        super().check_choices(radix, load_width, options)


@dataclass(frozen=True, kw_only=True)
class TelephonyMode(BasedMode):
    """A mode whose IV is formed of what the network knows of a message."""

    key_bits: int = 128
    iv_bits: tuple[int, ...] = (COUNT_BITS + BEARER_BITS + 1,)
    bit_order: BitOrder = "msb_first"
    form_iv: Callable[[int, int, int], bytes]
    """``form_iv(count, bearer or fresh, direction)`` is the IV of the base cipher."""
    iv_rule: str
    """The same in prose."""
    second: Literal["bearer", "fresh"] = "bearer"
    """"bearer" or "fresh": the field between COUNT and DIRECTION."""
    turns_key: bool = False
    """Whether the words of the key are reversed for the base cipher: the first 32 bits are its last
    word."""

    @property
    def load_rule(self) -> str:
        """How key and IV of the base cipher follow from those of the mode."""
        rule = f"The IV is formed of the message's: {self.iv_rule}"
        return rule + ". The first 32 bits of the key are k3, the last are k0" * self.turns_key

    @property
    def second_bits(self) -> int:
        """Length of BEARER or FRESH."""
        return BEARER_BITS if self.second == "bearer" else FRESH_BITS

    @property
    def call_fields(self) -> tuple[tuple[str, int], ...]:
        """The fields COUNT, BEARER or FRESH, and DIRECTION with their lengths in bits."""
        return ("count", COUNT_BITS), (self.second, self.second_bits), ("direction", 1)

    def base_inputs(self, key: bytes, iv: bytes) -> tuple[bytes, bytes]:
        """Key and IV of the base cipher, from key and IV of the mode."""
        self.input_bits(key, iv)
        string = int.from_bytes(iv, "big") >> -self.iv_bits[-1] % 8
        direction, second = string & 1, string >> 1 & (1 << self.second_bits) - 1
        formed = self.form_iv(string >> 1 + self.second_bits, second, direction)
        if self.turns_key:
            key = b"".join(key[first : first + 4] for first in (12, 8, 4, 0))
        return key, formed


@dataclass(frozen=True, kw_only=True)
class Encrypting(TelephonyMode):
    """Encrypts a message of any length in bits with the keystream, from its first bit on."""

    service = "3gpp-cipher"


@dataclass(frozen=True, kw_only=True)
class Confidentiality(Encrypting, WordMode):
    """The keystream is that of a cipher of words."""


@dataclass(frozen=True, kw_only=True)
class BlockConfidentiality(Encrypting, BlockMode):
    """The keystream is that of AES in counter mode."""


@dataclass(frozen=True, kw_only=True)
class BlockIntegrity128(TelephonyMode, BlockMode):
    """Makes the tag of AES in CMAC for a message of any length in bits. What the IV is formed to
    stands before the message."""

    base: AesMac

    service = "3gpp-mac"
    tag_lengths = (TAG_BITS,)

    @property
    def no_keystream(self) -> str:
        """Why the mode has no keystream of its own: its cipher has none."""
        return self.base.no_keystream


@dataclass(frozen=True, kw_only=True)
class Integrity(TelephonyMode, WordMode):
    """Makes a tag of 32 bits for a message of any length in bits."""

    make_tag: Callable[[Iterator[int], Iterator[int], int], int]
    """``make_tag(z, message, length)``: the tag from keystream words ``z`` and the words of the
    message, which are zero after ``length`` bits."""

    service = "3gpp-mac"
    tag_lengths = (TAG_BITS,)


@dataclass(frozen=True, kw_only=True)
class WindowIntegrity(Integrity):
    """The tag is a sum of windows into the keystream."""

    own_bits = TAG_BITS + WORD_BITS
    """The sum, and the older word of the window."""
    gathered_words = 1


@dataclass(frozen=True, kw_only=True)
class EvaluationIntegrity(Integrity):
    """The tag is a polynomial's value over GF(2^64)."""

    own_bits = 2 * FIELD.degree
    """The value, and the point at which the polynomial is evaluated."""
    gathered_words = 2

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of every mode, and the speed of the multiplication."""
        return (*super().options, DIGIT)


DIGIT = Option(
    "digit",
    ("8", "16", "32"),
    "message bits that are multiplied in a cycle: a word takes 4 cycles, 2, or one",
    "A wider digit costs a wider multiplier in the field of 64 bits. Choose the narrowest that "
    "keeps up with the words of the message.",
)


def message_words(text: bytes) -> Iterator[int]:
    """The words of a message, the last one padded with zeros."""
    return (
        int.from_bytes(text[first : first + 4].ljust(4, b"\0"), "big")
        for first in range(0, len(text), 4)
    )
