# SPDX-License-Identifier: Apache-2.0
"""The watch for a state of zeros that looks at the words it makes.

Where a state of zeros makes words of zeros, two such words in a row tell of it. They are compared
in two stages, which are short and small: groups of bits of the word that the output register gives
away, and in the next word all groups of the one before. Of a state that is not zero they have so
many zeros once in 2^128 words.
"""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Signal, Value

from headwater.kinds.stepped.prng.lockup import WATCHED_BITS

GROUP_BITS = 16
"""Bits that are compared at once."""


class WordWatch:
    """The registers of the watch.

    Members
    -------
    groups : Signal
        Which groups of bits were zero in the word before the present one.
    before : Signal
        Whether the word before that was zero.
    """

    def __init__(self) -> None:
        self.groups = Signal(WATCHED_BITS // GROUP_BITS, name="zero_groups")
        self.before = Signal(name="zero_before")

    @property
    def registers(self) -> tuple[Signal, ...]:
        """What an abort resets."""
        return self.groups, self.before

    @property
    def finds(self) -> Value:
        """Whether two words in a row were zero."""
        return self.before & self.groups.all()

    def connect(
        self, m: Module, word: Value, *, taken: Value, offered: Value, found: Value
    ) -> None:
        """Look at a ``word`` that was ``offered`` when the next one is ``taken`` in its place.
        Begin anew when it was ``found`` that the state is zero."""
        groups = (word[low : low + GROUP_BITS] for low in range(0, WATCHED_BITS, GROUP_BITS))
        with m.If(taken):
            zero = Cat(*(offered & ~group.any() for group in groups))
            m.d.sync += [self.groups.eq(zero), self.before.eq(self.groups.all())]
        with m.If(found):
            m.d.sync += [register.eq(0) for register in self.registers]
