# SPDX-License-Identifier: Apache-2.0
"""The phases of an Ascon core: what all its properties may assume of its control registers."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Value

from headwater.kinds.sponge.core import SpongeCore
from headwater.kinds.sponge.sliced import SlicedCore


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
    # A block's first word tells which part it belongs to.
    known = core.opened | core.padded | core.texting
    true &= (place_in_block(core) < core.facts.parts) | ~core.running | core.permuting | known
    true &= ~core.permuting | _is_place_of_round(core)
    if isinstance(core, SlicedCore):
        true &= ~core.running | core.permuting | (core.place < core.facts.moves)
    return true & (~core.permuting | _counts(core))


def _is_place_of_round(core: SpongeCore) -> Value:
    """Whether all words are in their places when a round begins."""
    if isinstance(core, SlicedCore):
        return core.place < core.facts.round_cycles
    return place_in_block(core) == 0


def ends_round(core: SpongeCore) -> Value:
    """Whether a round that is made ends in this cycle."""
    if isinstance(core, SlicedCore):
        return core.place == core.facts.round_cycles - 1
    return Const(1, 1)


def _counts(core: SpongeCore) -> Value:
    """Whether the number of the round is one that a cycle of the permutation begins with."""
    short = core.running & ~core.finishing
    numbers = range(0, core.cipher.long_rounds, core.unrolled)
    fits = Cat(core.round == number for number in numbers).any()
    return fits & (~short | (core.round >= core.facts.first_short_number))


def place_in_block(core: SpongeCore) -> Value:
    """The place in its block of the next word, or slice of a word."""
    return core.place % core.facts.moves


def is_last(core: SpongeCore) -> Value:
    """Whether the word, or slice, is the last of its block."""
    return place_in_block(core) == core.facts.moves - 1


def begins_word(core: SpongeCore) -> Value:
    """Whether the cycle is the first one of a word of the message or the tag."""
    return core.place % core.facts.parts == 0


def ends_word(core: SpongeCore) -> Value:
    """Whether the cycle is the last one of a word of the message or the tag."""
    return core.place % core.facts.parts == core.facts.parts - 1
