# SPDX-License-Identifier: Apache-2.0
"""The phases of an Ascon core: what all its properties may assume of its control registers."""

from __future__ import annotations

from amaranth.hdl import Cat, Value

from headwater.kinds.sponge.core import SpongeCore


def phases(core: SpongeCore) -> Value:
    """An invariant of the control registers in every reachable state, proven by ``setup``."""
    true = ~core.idle | (core.loading & (core.place == 0))
    true &= ~core.loading | ~(core.permuting | (core.round != 0))
    true &= core.loading | core.running | core.permuting
    true &= core.running | (
        core.first_block & ~(core.opened | core.texting | core.padded | core.ended)
    )
    true &= core.running | ~(core.finishing | core.tagging)
    true &= ~(core.running & core.loading) & ~(core.tagging & core.permuting)
    true &= ~core.tagging | core.finishing
    true &= ~core.finishing | (core.texting & (core.permuting | core.tagging))
    true &= ~(core.running & core.first_block & (core.permuting | core.tagging))
    # A block's first word tells which part it belongs to; rounds find all words in their places.
    true &= (place_in_block(core) == 0) | ~core.running | core.opened | core.padded | core.texting
    true &= ~core.permuting | (place_in_block(core) == 0)
    return true & (~core.permuting | _counts(core))


def _counts(core: SpongeCore) -> Value:
    """Whether the number of the round is one that a cycle of the permutation begins with."""
    short = core.running & ~core.finishing
    numbers = range(0, core.cipher.long_rounds, core.unrolled)
    fits = Cat(core.round == number for number in numbers).any()
    return fits & (~short | (core.round >= core.facts.first_short_number))


def place_in_block(core: SpongeCore) -> Value:
    """The place of the next word in its block."""
    return core.place % core.facts.words


def is_last(core: SpongeCore) -> Value:
    """Whether the word is the last of its block."""
    return place_in_block(core) == core.facts.words - 1
