# SPDX-License-Identifier: Apache-2.0
"""Ciphers that take a message into a part of a permutation's state: the Ascon design."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import xor
from typing import ClassVar

from headwater.algebra.word import IntegerWord, Wire, Word, concatenate, rotate_left, unnamed
from headwater.cipher.description import Cipher
from headwater.cipher.option import DIRECTION, Option
from headwater.errors import InputError, unknown

WORD_BITS = 64
STATE_WORDS = 5
RATE_BITS = 2 * WORD_BITS
"""Bits of a block: the part of the state that takes the message in."""
KEY_BITS = NONCE_BITS = TAG_BITS = 128
_ONES = (1 << WORD_BITS) - 1
_PI = 0x243F6A8885A308D313198A2E03707344A4093822
"""Its first digits: some state."""
MOST_ROUNDS = 16
"""The number of a round has four bits."""

WIDE_RADICES = (32, 64, 128)
"""Radices at which a cycle makes whole rounds."""
SLICES = (1, 2, 4, 8, 16)
"""Radices at which a cycle makes so many bits of each word."""
NARROWEST_WORD = 8
"""Bits of a word of the message at least: a byte."""

State = tuple[Word, Word, Word, Word, Word]
"""S0 to S4."""

UNROLL = Option(
    "unroll",
    ("1", "2", "3", "4"),
    "1: a cycle makes one round of the permutation; 2: two rounds; 3: three rounds; 4: four rounds",
    "Each round costs its S-boxes and linear layer once more, lengthens the path, and shortens a "
    "block. With 3, a block takes as many cycles as it needs, the first of which makes two rounds. "
    "Choose 1 for area, and more where the clock is slow.",
)


@dataclass(frozen=True, kw_only=True)
class SpongeAead(Cipher):
    """A cipher that encrypts and authenticates blocks of two words in one pass. Texts are whole
    bytes, but in `SpongeBitAead`. There is no keystream independent of a text.

    The state is S0 = ``initial_word``, then the key and the nonce. Long permutations stand before
    and behind a message, short ones between two blocks; the key is added at both ends of a long
    one. The first two words take the message in, whose parts are padded with a one. Behind
    associated data ``separation_bit`` of S4 is inverted. The tag is S3 and S4 plus the key.
    """

    kind: ClassVar[str] = "sponge"
    permutation_round: Callable[[Wire, State, Word], State] = field(compare=False, repr=False)
    """``permutation_round(wire, state, constant)`` is the state after a round, in words of any
    reading (`headwater.algebra.word`)."""
    round_constant: Callable[[Word], Word] = field(compare=False, repr=False)
    """The constant of the round with a number of four bits."""
    substitution: Callable[[Wire, State], State] | None = field(
        default=None, compare=False, repr=False
    )
    """``substitution(wire, state)`` is what a round makes of words of any width before the linear
    layer, bit by bit; its constant is in S2 already. None: not told, and no radix is below 32."""
    rotations: tuple[tuple[int, int], ...] = ()
    """By how many bits each word is rotated to the right in the linear layer, which adds both to
    it; to be told with ``substitution``."""
    initial_word: int
    """S0 before the first permutation."""
    separation_bit: int
    """The bit of S4 that is inverted between associated data and text."""
    long_rounds: int
    """Rounds before and behind a message, at most 16."""
    short_rounds: int
    """Rounds between two blocks: the last so many of the long ones."""
    own_options = (UNROLL, DIRECTION)
    takes_associated_data: bool = True
    tag_lengths: tuple[int, ...] = ()
    """Legal lengths of the tag in bits, ascending."""

    service = "aead"
    text_unit = 8

    no_keystream = "apart from its text, which it takes in: encrypt zeros to see one"
    """Why there is no keystream: it depends on the text before."""

    state_bits = STATE_WORDS * WORD_BITS + RATE_BITS
    """Five words, and the key, which is needed again for the tag."""

    def check_choices(self, radix: int, load_width: int, options: Mapping[str, str]) -> None:  # noqa: ARG002
        """Long permutations are a whole number of cycles. A core of slices makes less than a round
        in a cycle, and needs a word for as many cycles as it has slices."""
        legal = [value for value in UNROLL.values if self.long_rounds % int(value) == 0]
        if options["unroll"] not in legal:
            raise unknown(f"unroll of {self.name}", options["unroll"], legal)
        if radix in SLICES:
            for name, value in (("unroll", "1"), ("stall", "stream")):
                if options[name] != value:
                    raise InputError(
                        f"{name} of {self.name} at radix {radix} must be {value}, "
                        f"not {options[name]!r}"
                    )

    def entering(self, key: bytes, nonce: bytes) -> tuple[bytes, bytes]:
        """Key and nonce as they enter the state."""
        return key, nonce

    def check_functions(self) -> None:
        """Refuse numbers that no core has, and a round that does not give five words of 64 bits."""
        for name, low, high in (
            ("initial_word", 0, (1 << WORD_BITS) - 1),
            ("separation_bit", 0, WORD_BITS - 1),
            ("long_rounds", 1, MOST_ROUNDS),
            ("short_rounds", 1, self.long_rounds),
        ):
            if not low <= getattr(self, name) <= high:
                raise InputError(
                    f"{name} of {self.name} must be from {low} to {high}, not {getattr(self, name)}"
                )
        self._check_keys()
        self._check_round()
        self._check_slices()

    def _check_round(self) -> None:
        """Refuse a round that does not give five words of 64 bits."""
        zero = IntegerWord(0, WORD_BITS)
        constant = self.round_constant(IntegerWord(0, 4))
        after = self.permutation_round(unnamed, (zero, zero, zero, zero, zero), constant)
        lengths = [len(word) for word in after]
        if lengths != STATE_WORDS * [WORD_BITS]:
            raise InputError(
                f"permutation_round of {self.name} must give {STATE_WORDS} words of "
                f"{WORD_BITS} bits, not words of {lengths}"
            )

    def _check_slices(self) -> None:
        """Refuse a substitution and rotations that are not those of the round, of some state."""
        if self.substitution is None and not self.rotations:
            return
        legal = len(self.rotations) == STATE_WORDS
        legal &= all(0 < one < WORD_BITS for pair in self.rotations for one in pair)
        if self.substitution is None or not legal:
            raise InputError(
                f"rotations of {self.name} must be {STATE_WORDS} pairs of numbers from 1 to "
                f"{WORD_BITS - 1}, beside a substitution, not {self.rotations}"
            )
        s0, s1, s2, s3, s4 = (
            IntegerWord(_PI >> 7 * place & _ONES, WORD_BITS) for place in range(5)
        )
        constant = self.round_constant(IntegerWord(5, 4))
        low = concatenate(s2[:8] ^ constant, s2[8:])
        between = self.substitution(unnamed, (s0, s1, low, s3, s4))
        sums = [
            word ^ rotate_left(word, -first) ^ rotate_left(word, -second)
            for word, (first, second) in zip(between, self.rotations, strict=False)
        ]
        after = self.permutation_round(unnamed, (s0, s1, s2, s3, s4), constant)
        if [word.value for word in after] != [word.value for word in sums]:
            raise InputError(
                f"substitution and rotations of {self.name} must give what permutation_round "
                "gives, not another state"
            )

    def _check_keys(self) -> None:
        """Refuse keys and nonces of lengths that the mode has not."""
        if self.key_bits != KEY_BITS or self.iv_bits != (NONCE_BITS,):
            raise InputError(
                f"key and nonce of {self.name} must have {KEY_BITS} bits each, not "
                f"{self.key_bits} and {self.iv_bits}"
            )

    def legal_radices(self) -> tuple[int, ...]:
        """Bits of the message taken in a cycle: a slice of a word, a part of a block, or all of
        it."""
        return (*SLICES, *WIDE_RADICES) if self.rotations else WIDE_RADICES

    @property
    def default_radix(self) -> int:
        """The narrowest of those at which a cycle makes a round."""
        return WIDE_RADICES[0]

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:
        """Load words are as wide as what enters of the message."""
        return (radix,)


@dataclass(frozen=True, kw_only=True)
class SpongeBitAead(SpongeAead):
    """The same for texts and associated data of any length in bits. A key may be followed by a
    second one, which is added to the nonce before that enters the state: a masked nonce."""

    own_fields: ClassVar[frozenset[str]] = frozenset({"shorter_keys"})

    text_unit = data_unit = 1

    def entering(self, key: bytes, nonce: bytes) -> tuple[bytes, bytes]:
        """The first key, and the nonce plus the second one, if there is one."""
        own, second = key[: KEY_BITS // 8], key[KEY_BITS // 8 :] or bytes(len(nonce))
        return own, bytes(map(xor, nonce, second))

    def _check_keys(self) -> None:
        """Refuse other keys than one or two of 128 bits, and other nonces than of as many."""
        sizes = (self.shorter_keys, self.key_bits, self.iv_bits)
        if sizes != ((KEY_BITS,), 2 * KEY_BITS, (NONCE_BITS,)):
            raise InputError(
                f"shorter_keys, key_bits and iv_bits of {self.name} must be {(KEY_BITS,)}, "
                f"{2 * KEY_BITS} and {(NONCE_BITS,)}, not {sizes[0]}, {sizes[1]} and {sizes[2]}"
            )
