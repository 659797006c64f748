# SPDX-License-Identifier: Apache-2.0
"""The watch for a state of zeros that looks at the words it makes.

Where a state of zeros makes words of zeros, two such words in a row tell of it. They are compared
in two stages, which are short and small: groups of bits of the word that the output register gives
away, and in the next word all groups of the one before. Of a state that is not zero they have so
many zeros once in 2^128 words.
"""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Signal, Value

from headwater.errors import InputError
from headwater.kinds.stepped.prng.lockup import BitCipher, locking_registers

WATCHED_BITS = 64
"""Bits of a word that are looked at, the lowest ones."""
GROUP_BITS = 16
"""Bits that are compared at once."""


def refuse_words(cipher: BitCipher, radix: int, *, state_port: bool) -> None:
    """An error if words of ``radix`` bits do not tell of a state of zeros, or the output register
    can be written."""
    if state_port:
        raise InputError("lockup of a source with a state port must be watch or none, not 'words'")
    sets = locking_registers(cipher)
    output, _ = cipher.equations
    locked = frozenset(one for one in output.variables if sets and one[0] in sets[0])
    if len(sets) != 1 or output.without(locked).monomials:
        raise InputError(
            f"lockup of {cipher.name} must be watch or none, not 'words': its output is not zero "
            "when registers are stuck at zero"
        )
    if radix < WATCHED_BITS:
        raise InputError(
            f"bits of each core of a source with lockup=words must be at least {WATCHED_BITS}, so "
            f"that two words are zero by chance once in 2^{2 * WATCHED_BITS}, not {radix}"
        )


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
