# SPDX-License-Identifier: Apache-2.0
"""The 256-bit modes of 5G: ciphering, integrity, and both at once, of three ciphers.

Each mode has the same shape. A cipher makes keystream from a key of 256 bits and an IV of 128 bits;
ciphering adds it to the text; integrity is a hash over GF(2^128) whose three keys the cipher makes.
The modes themselves are in `headwater.cipher.telephony_256`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from headwater.algebra.bitstring import BitOrder
from headwater.cipher.description import Cipher
from headwater.cipher.option import DIRECTION, WAITING, Option
from headwater.errors import InputError
from headwater.kinds.aes.description import ALL_ROUNDS, RADICES, SBOX_FORM, check_rounds
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.kinds.telephony.description import BEARER_BITS, COUNT_BITS, WordMode

BLOCK_BYTES = 16
BLOCK_BITS = 8 * BLOCK_BYTES
TAG_LENGTHS = tuple(range(32, 129, 8))
HASH_KEYS_BYTES = 3 * BLOCK_BYTES
EXTRA_BYTES = 6
"""Bytes of the IV whose use is not public."""


class Keystream(Protocol):
    """What the cipher of a mode makes under one key and IV."""

    def hash_keys(self) -> tuple[bytes, bytes, bytes]:
        """H, Q and P, the keys of the hash."""

    def text(self, count: int, *, authenticated: bool) -> bytes:
        """So many bytes of keystream for a text; where the mode ``authenticated`` as well, those
        that the keys of the hash leave."""


@dataclass(frozen=True, kw_only=True)
class Mode256(Cipher):
    """One of the modes."""

    kind: ClassVar[str] = "telephony"
    own_fields: ClassVar[frozenset[str]] = frozenset({"first_bit_on_top"})

    key_bits: int = 256
    iv_bits: tuple[int, ...] = (128,)
    bit_order: BitOrder = "msb_first"
    first_bit_on_top: bool = True
    iv_mark = 0
    """What byte 0 of a formed IV holds beside the length of the tag."""

    text_unit = 8
    formed_fields = (
        ("count", COUNT_BITS),
        ("bearer", BEARER_BITS),
        ("direction", 1),
        ("extra", 8 * EXTRA_BYTES),
    )

    def formed_iv(self, tag_bits: int, *values: int) -> bytes:
        """The IV of a message, as the vectors of public code suggest it: a byte for the length of
        the tag, BEARER || DIRECTION, six bytes whose use is not public, COUNT, and zeros."""
        count, bearer, direction, extra = values
        first = bytes([tag_bits + self.iv_mark, bearer << 1 | direction])
        return first + extra.to_bytes(EXTRA_BYTES, "big") + count.to_bytes(4, "big") + bytes(4)

    def named_tag_bits(self, iv: bytes) -> int | None:
        """The length that byte 0 of the IV names, as in `formed_iv`."""
        bits = iv[0] - self.iv_mark
        return bits if bits in self.tag_lengths else None


@dataclass(frozen=True, kw_only=True)
class Ciphering(Mode256):
    """Adds keystream to a text of whole bytes."""

    service = "3gpp-cipher"


@dataclass(frozen=True, kw_only=True)
class Integrity256(Mode256):
    """Makes a tag of 32 to 128 bits for a message of whole bytes."""

    service = "3gpp-mac"
    tag_lengths = TAG_LENGTHS


@dataclass(frozen=True, kw_only=True)
class CipheringWithIntegrity(Mode256):
    """Encrypts, and makes a tag for associated data and ciphertext."""

    iv_mark = 4
    takes_associated_data: bool = True

    service = "aead"
    tag_lengths = TAG_LENGTHS


@dataclass(frozen=True, kw_only=True)
class ModeOfBlocks(Mode256):
    """A mode of AES-256, which counts blocks. A radix is a width of the datapath, as of AES-128 in
    output feedback: a byte, a column, or a whole block."""

    keystream: Callable[[bytes, bytes], Keystream]
    """``keystream(key, iv)``."""

    no_keystream = "apart from its messages: use encrypt of a text of zeros"
    own_bits = 0
    """Flip-flops that the mode needs in addition to its cipher."""
    zero_iv_bits = (7, *range(96, 128))
    """Bit 0 of the first byte, which marks keys of the hash, and the last four bytes, which count
    blocks."""

    def input_bits(
        self, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The bits of key and IV; see `Cipher.input_bits`. An error names the bits of the IV that
        must be zero."""
        bits = super().input_bits(key, iv, iv_bits)
        if any(iv[12:]):
            raise InputError(f"the last 4 bytes of the IV of {self.name} must be zero")
        if iv[0] & 1:
            raise InputError(f"bit 0 of the first byte of the IV of {self.name} must be zero")
        return bits

    @property
    def state_bits(self) -> int:
        """Flip-flops of cipher and mode: a block, its counter block, and eight words of the round
        keys."""
        return 4 * BLOCK_BITS + self.own_bits

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of every core, which always waits, the form of the S-box, and the rounds."""
        return (WAITING, *super().options[1:], SBOX_FORM, ALL_ROUNDS)

    def check_choices(self, radix: int, load_width: int, options: Mapping[str, str]) -> None:
        """Refuse all rounds in a row on a datapath that is narrower than a block."""
        super().check_choices(radix, load_width, options)
        check_rounds(self.name, radix, options)

    def legal_radices(self) -> tuple[int, ...]:
        """8, 32 or 128 bits: a byte, a column, a block."""
        return RADICES

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:
        """The radix: half of the key, and the IV, take as many load cycles as a round has."""
        return (radix,)


@dataclass(frozen=True, kw_only=True)
class BlockCiphering(Ciphering, ModeOfBlocks):
    """Ciphering with a cipher of blocks."""


@dataclass(frozen=True, kw_only=True)
class BlockHashing(ModeOfBlocks):
    """What both modes with a hash share."""

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of every mode, and the speed of the multiplication."""
        return (*super().options, DIGIT_OF_BLOCKS)

    def check_choices(self, radix: int, load_width: int, options: Mapping[str, str]) -> None:
        """Refuse a digit that is wider than a word of the message."""
        super().check_choices(radix, load_width, options)
        legal = [value for value in DIGIT_OF_BLOCKS.values if int(value) <= radix]
        if options["digit"] not in legal:
            raise InputError(
                f"option digit of {self.name} at radix {radix} must be one of {', '.join(legal)}, "
                f"not {options['digit']!r}"
            )


@dataclass(frozen=True, kw_only=True)
class BlockIntegrity(Integrity256, BlockHashing):
    """Integrity with a cipher of blocks."""

    own_bits = 2 * BLOCK_BITS
    """The value of the hash, and the point."""


@dataclass(frozen=True, kw_only=True)
class BlockAead(CipheringWithIntegrity, BlockHashing):
    """Ciphering and integrity with a cipher of blocks."""

    own_bits = 4 * BLOCK_BITS
    """The value of the hash, and its three keys."""

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of integrity, and the directions."""
        return (*super().options, DIRECTION)


@dataclass(frozen=True, kw_only=True)
class WordCiphering(Ciphering, WordMode):
    """Ciphering with a cipher of words."""


@dataclass(frozen=True, kw_only=True)
class WordHashing(Mode256, WordMode):
    """What both modes with a hash share: the keys of the hash are keystream, and the hash takes
    in the words of a message, some bits of them in a cycle."""

    base: WordCipher

    @property
    def block_words(self) -> int:
        """Words of a block of the hash."""
        return BLOCK_BITS // self.base.word_bits

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of every mode, and the speed of the multiplication."""
        widths = [width for width in (32, 128, 8, 1) if width <= self.base.word_bits]
        return (*super().options, digit_option(self.base.word_bits, widths))


@dataclass(frozen=True, kw_only=True)
class WordIntegrity(Integrity256, WordHashing):
    """Integrity with a cipher of words."""

    own_bits = 2 * BLOCK_BITS
    """The value of the hash, and the point."""

    @property
    def gathered_words(self) -> int:
        """The words of H. Q and P stay in the cipher until they are needed."""
        return self.block_words


@dataclass(frozen=True, kw_only=True)
class WordAead(CipheringWithIntegrity, WordHashing):
    """Ciphering and integrity with a cipher of words."""

    own_bits = 4 * BLOCK_BITS
    """The value of the hash, and its three keys."""

    @property
    def gathered_words(self) -> int:
        """The words of H, Q and P."""
        return 3 * self.block_words

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of integrity, and the directions."""
        return (*super().options, DIRECTION)


def digit_option(word_bits: int, widths: Sequence[int]) -> Option:
    """The speed of the multiplication, where a word of the message has ``word_bits`` bits."""
    cycles = [f"{width}: {_cycles(word_bits // width)}" for width in widths]
    return Option(
        "digit",
        tuple(map(str, widths)),
        "message bits that are multiplied in a cycle; " + "; ".join(cycles),
        "A wider digit costs a wider multiplier in the field of 128 bits. Choose the narrowest "
        "that keeps up with the words of the message.",
    )


DIGIT_OF_BLOCKS = Option(
    "digit",
    ("8", "32", "128", "1"),
    "message bits that are multiplied in a cycle, at most the radix: a word takes radix / digit "
    "cycles",
    "A wider digit costs a wider multiplier in the field of 128 bits. With 8 the hash nearly keeps "
    "up with AES-256 at every radix.",
)


def _cycles(count: int) -> str:
    return "a word takes one cycle" if count == 1 else f"a word takes {count} cycles"
