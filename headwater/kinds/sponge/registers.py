# SPDX-License-Identifier: Apache-2.0
"""The registers of state and key of a sponge, or one share of them, and how they turn."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Signal, Value

from headwater.kinds.sponge.description import STATE_WORDS, WORD_BITS, SpongeAead


class Registers:
    """State and key, or one share of them: five words, and two of the key.

    Members
    -------
    s, key
        The registers.
    """

    def __init__(self, width: int, *, kept: bool, suffix: str = "") -> None:
        self._width = width
        self.s = [
            Signal(WORD_BITS, name=f"s{place}{suffix}", reset_less=kept)
            for place in range(STATE_WORDS)
        ]
        self.key = Signal(2 * WORD_BITS, name=f"key{suffix}", reset_less=kept)

    @property
    def rate_word(self) -> Value:
        """The part of the state that the next word of the message enters."""
        return Cat(*self.s[:2])[: self._width]

    @property
    def turned_key(self) -> Value:
        """The key as it is behind the next word of a block."""
        return self.key.rotate_right(self._width)

    def keyed(self, adds: Value) -> Value:
        """The lowest word of S3 and S4, with the key where ``adds`` is one."""
        added = self.key[: self._width] & adds.replicate(self._width)
        return Cat(*self.s[3:])[: self._width] ^ added

    def entered(
        self, entering: Value, keyed: Value, marks: Value, closes: Value, cipher: SpongeAead
    ) -> list[Value]:
        """The state after a word of the message, ``entering``, and after what is added in the same
        cycle: the mark of a text that begins, the key behind one that ends."""
        s, key, width = self.s, self.turned_key, self._width
        rate = Cat(Cat(*s[:2])[width:], entering)
        ends = Cat(Cat(*s[3:])[width:], keyed)
        last = closes.replicate(WORD_BITS)
        # The first word of a block turns S4 away from its place, and the mark's bit with it.
        place = cipher.separation_bit
        mark = Cat(Const(0, WORD_BITS + place), marks, Const(0, WORD_BITS - 1 - place))
        mark = mark.rotate_right(width)
        return [
            rate[:WORD_BITS],
            rate[WORD_BITS:],
            s[2].rotate_right(width) ^ (key[:WORD_BITS] & last),
            ends[:WORD_BITS] ^ (key[WORD_BITS:] & last) ^ mark[:WORD_BITS],
            ends[WORD_BITS:] ^ mark[WORD_BITS:],
        ]

    def shifted(self, start: Value, word: Value) -> list[Value]:
        """The state after a word of the load, or of the tag, with ``start`` as S0."""
        chain = Cat(Cat(*self.s[1:])[self._width :], word)
        return [start, *(chain[at : at + WORD_BITS] for at in range(0, len(chain), WORD_BITS))]
