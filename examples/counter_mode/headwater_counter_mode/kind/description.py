# SPDX-License-Identifier: Apache-2.0
"""What a cipher of this kind is described by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from headwater.algebra.word import IntegerWord, Word, unnamed
from headwater.cipher.description import Cipher
from headwater.cipher.option import CORE_OPTIONS, Option
from headwater.errors import InputError

STALL = Option(
    "stall",
    ("stream",),
    "stream: the core waits for its streams",
    "There is no other: a block waits in its register until it is taken.",
)
LOAD_WIDTHS = (32, 8, 16, 64)


@dataclass(frozen=True, kw_only=True)
class CounterModeCipher(Cipher):
    """A block cipher whose blocks of a counter are the keystream. The counter begins with the IV,
    and bit 0 of a word is its first one."""

    kind: ClassVar[str] = "counter_mode"

    rounds: int
    """Rounds of a block, at least 2."""
    block_round: Callable[..., tuple[Word, Word]]
    """``block_round(wire, block, key, number)`` is the block and the key behind a round; ``number``
    is a word of eight bits, from zero on."""

    @property
    def block_bits(self) -> int:
        """Bits of a block."""
        return self.iv_bits[-1]

    @property
    def options(self) -> tuple[Option, ...]:
        """How the core waits and clears."""
        return (STALL, *(one for one in CORE_OPTIONS if one.name == "clear"))

    @property
    def state_bits(self) -> int:
        """Key and counter, and what a block makes of both."""
        return 2 * (self.key_bits + self.block_bits)

    def legal_radices(self) -> tuple[int, ...]:
        """A block is a word of keystream."""
        return (self.block_bits,)

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:  # noqa: ARG002
        """Widths that divide key and IV."""
        return tuple(
            width for width in LOAD_WIDTHS if self.key_bits % width == 0 == self.block_bits % width
        )

    def check_functions(self) -> None:
        """Refuse a round that gives words of other lengths."""
        if not 2 <= self.rounds < 256:
            raise InputError(f"rounds of {self.name} must be 2 to 255, not {self.rounds!r}")
        lengths = self.block_bits, self.key_bits
        words = [IntegerWord(0, bits) for bits in lengths]
        given: Any = self.block_round(unnamed, *words, IntegerWord(0, 8))
        if tuple(map(len, given)) != lengths:
            raise InputError(
                f"block_round of {self.name} must give words of {lengths[0]} and {lengths[1]} bits"
            )
