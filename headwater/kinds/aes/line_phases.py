# SPDX-License-Identifier: Apache-2.0
"""What all properties of the cores of AES with a key of any length may assume of their control."""

from __future__ import annotations

from amaranth.hdl import Mux, Value

from headwater.kinds.aes.line import LineCore
from headwater.kinds.aes.mac import MacLine


def phases(core: LineCore) -> Value:
    """An invariant of the control registers in every reachable state, proven by ``setup``."""
    return _of_mac(core) if isinstance(core, MacLine) else _of_keystream(core)


def _of_keystream(core: LineCore) -> Value:
    facts = core.facts
    true = ~(core.running & core.loading) & ~(core.full & ~core.running)
    true &= core.loading | core.running | (core.round == 0)
    last = Mux(core.loading, facts.load_cycles, facts.cycles_per_block)
    true &= core.position < last
    return true & (~core.idle | (core.loading & (core.position == 0))) if core.knows_idle else true


def _of_mac(core: MacLine) -> Value:
    facts = core.facts
    there = core.filled == facts.data_words
    rests = ~core.started & ~core.keyed & core.fresh & ~core.sealing & ~core.ending
    rests &= ~core.full & ~core.ended & ~core.padded & (core.filled == facts.head_words)
    true = ~core.loading | rests
    last = Mux(core.loading, facts.load_cycles, facts.cycles_per_block)
    true &= core.position < last
    true &= core.loading | core.started | (core.round == 0)
    true &= (core.started | ~core.keyed) & (core.started | core.fresh)
    true &= core.started | ~core.sealing
    true &= ~core.sealing | (core.keyed & core.ended & ~core.fresh)
    true &= ~core.ending | core.sealing
    true &= core.sealing | ~core.full
    true &= core.ended | ~core.padded
    true &= core.filled <= facts.data_words
    # In the first cycles of a block's last round it is known which block enters.
    inside = core.started & (core.round == 0) & (core.position != 0) & ~core.sealing
    true &= ~inside | there
    true &= ~core.sealing | (core.filled == 0)
    return true & (~core.idle | (core.loading & (core.position == 0))) if core.knows_idle else true


def waits(core: LineCore) -> Value:
    """Whether a last round waits: for the word before it to be used; in CMAC for a block of the
    message, and then for the reader of the tag."""
    for_word = core.full & ~core.word_taken
    if not isinstance(core, MacLine):
        return for_word
    for_block = core.started & (core.filled != core.facts.data_words)
    return Mux(core.sealing, for_word, for_block)
