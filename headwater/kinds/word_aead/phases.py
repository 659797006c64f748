# SPDX-License-Identifier: Apache-2.0
"""The phases of a Phelix core."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Value

from headwater.kinds.word_aead.core import WordAeadCore


def phases(core: WordAeadCore) -> Value:
    """An invariant of the phases in every reachable state, proven by ``setup``."""
    flags = (core.keying, core.mixing, core.placing, core.setting_up, core.running)
    at_most_one = Const(1, 1)
    for place, flag in enumerate(flags):
        at_most_one &= ~(flag & Cat(*flags[place + 1 :]).any())
    true = at_most_one & (core.running | ~core.closing) & (core.keying | ~core.idle)
    true &= (
        (core.running | ~core.was_ad)
        & (core.closing | ~core.opening)
        & ~(core.loading & (core.setting_up | core.running))
    )
    return true & (core.loading | ~core.keying)
