# SPDX-License-Identifier: Apache-2.0
"""What every register of a Phelix core becomes before the first block, and between blocks."""

from __future__ import annotations

from collections.abc import Sequence

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Signal, Value

from headwater.kinds.word_aead.core import WordAeadCore
from headwater.kinds.word_aead.description import WORD_BITS
from headwater.kinds.word_aead.phases import phases
from headwater.prove.checker import Proof, aborting, becomes, earlier

_KEY_IN_STATE = 6
"""The load word with which the first half of the key stands where it enters the state."""


def check_load(m: Module, core: WordAeadCore, proof: Proof) -> None:  # noqa: ARG001
    """The lengths are kept from the first load word. The words of the key move down, then those of
    the nonce, before which zeros do. Registers that nothing moves stay."""
    m.d.comb += Assume(phases(core))
    keys, word = core.keys, core.load.payload
    live = ~aborting(core) & ~core.session.emptying
    fires = live & core.load_fire
    becomes(m, fires & core.idle, keys.lengths, Cat(word[:6], word[8:15]))
    becomes(m, live & ~core.idle, keys.lengths, keys.lengths)
    moved = [*keys.key[1:], word]
    _all_become(m, fires & core.keying, keys.key, moved)
    _all_become(m, fires, keys.nonce, [*keys.nonce[1:], word & (~core.keying).replicate(WORD_BITS)])
    turns = core.block_ends & ~core.mixing
    stays = live & ~turns & ~core.load_fire
    _all_become(m, stays, keys.nonce, keys.nonce)
    _all_become(m, stays & ~(core.mixing & core.block_ends), keys.key, keys.key)
    becomes(m, live & ~turns, keys.number, keys.number)
    _all_become(m, live & ~core.enable & ~core.keying & ~core.placing, core.z, core.z)
    _all_become(m, live & ~core.enable, core.old, core.old)


def check_mixing(m: Module, core: WordAeadCore, proof: Proof) -> None:  # noqa: ARG001
    """The key is mixed by a ladder: two half blocks of one half of it, and of the lengths, are
    added to the other half, which comes first in the next step. Behind it the state is the middle
    of the key plus the nonce."""
    m.d.comb += Assume(phases(core))
    key, nonce, live = core.keys.key, core.keys.nonce, ~aborting(core)
    lengths = Cat(core.keys.lengths[:6], Const(1, WORD_BITS - 6))
    entered = [word ^ part for word, part in zip(key[3:7], nonce, strict=True)]
    begins = live & core.load_fire & core.keying & ~core.idle & (core.taken == _KEY_IN_STATE)
    _all_become(m, begins, core.z, [*entered, lengths])
    block = core.blocks[0]
    operands = Cat(block.plain, block.first_key, *([] if core.halves else [block.second_key]))
    unmarked = Cat(*block.entering) == Cat(*core.z)
    m.d.comb += Assert(~core.mixing | (unmarked & (operands == 0)))
    if core.halves:
        _all_become(m, live & core.mixing & ~core.second, core.z, block.ending)
    mixed = [word ^ part for word, part in zip(key[4:], block.ending, strict=False)]
    ends = live & core.mixing & core.block_ends
    _all_become(m, ends, core.z, [*mixed, lengths])
    _all_become(m, ends, key[4:], key[:4])
    copied = Cat(*key[:4]) == Cat(*core.z[:4])
    m.d.comb += Assert(~earlier(m, "mixing_ends", ends) | copied)
    _all_become(m, live & core.placing & ~core.loading, core.z, [*entered, key[7]])


def _all_become(
    m: Module, when: Value, registers: Sequence[Signal], values: Sequence[Value]
) -> None:
    for register, value in zip(registers, values, strict=True):
        becomes(m, when, register, value)
