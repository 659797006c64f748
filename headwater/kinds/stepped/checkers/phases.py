# SPDX-License-Identifier: Apache-2.0
"""Invariants of the phases of a stepped core."""

from __future__ import annotations

from amaranth.hdl import Cat, Value

from headwater.kinds.stepped.core import SteppedCore


def phases(core: SteppedCore) -> Value:
    """An invariant of a core's phases in every reachable state, proven by ``setup``."""
    true = ~core.running | ~core.loading
    if core.facts.timeline.blank_cycles:
        true &= ~core.loading | ~core.last_blank
    true &= (~core.loading | core.controls.slow) & ~(core.running & core.controls.slow)
    if core.memories_empty is not None:
        true &= core.loading | core.memories_empty
    true &= core.message_phases & (core.session.past_load == ~core.loading)
    if not core.holds and core.facts.waits:
        ended = [flag for wave, flag in core.controls.flags.items() if not wave[-1]]
        true &= ~(core.running & Cat(core.step, *ended).any())
    for one in core.transformations:
        true &= one.invariant(core)
    for control in core.cipher.rewriting_controls:
        for position in range(core.facts.timeline.positions):
            true &= ~(core.loading & core.controls(control, position))
    for first, second in core.cipher.never_together:
        for position in range(core.facts.timeline.positions):
            true &= ~(core.controls(first, position) & core.controls(second, position))
    return true
