# SPDX-License-Identifier: Apache-2.0
"""Invariants of the phases of a stepped core."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from amaranth.hdl import Cat, Value

from headwater.core.counter import states_of
from headwater.kinds.stepped.core import SteppedCore
from headwater.kinds.stepped.description import SteppedCipher


def phases(core: SteppedCore) -> Value:
    """An invariant of a core's phases in every reachable state, proven by ``setup``."""
    true = (~core.running | ~core.loading) & (~core.loading | ~core.last_blank)
    true &= (~core.loading | core.controls.slow) & ~(core.running & core.controls.slow)
    true &= core.message_phases & (core.session.past_load == ~core.loading)
    if not core.holds and core.facts.waits:
        ended = [flag for wave, flag in core.controls.flags.items() if not wave[-1]]
        true &= ~(core.running & Cat(core.step, *ended).any())
    for copy in core.loading_copies.values():
        true &= copy == core.loading
    if core.early:
        true &= ~core.early.emptied | core.loading
    if core.zeroed_load:
        words = range(core.zeroed_load.plan.cycles)
        true &= core.zeroed_load.zeroing == (core.loading & has_taken(core, words))
    for control in core.cipher.rewriting_controls:
        for position in range(core.facts.timeline.positions):
            true &= ~(core.loading & core.controls(control, position))
    for first, second in _never_together(core.cipher):
        for position in range(core.facts.timeline.positions):
            true &= ~(core.controls(first, position) & core.controls(second, position))
        late = core.retimed.late if core.retimed else {}
        for control, cycle in late:
            if control == first and (second, cycle) in late:
                true &= ~(late[first, cycle] & late[second, cycle])
    return true


def has_taken(core: SteppedCore, words: range) -> Value:
    """Whether the core has taken so many words of a load whose length is fixed."""
    states = states_of(core.count, words.stop)
    return Cat(core.count == states[number] for number in words).any()


def _never_together(cipher: SteppedCipher) -> Iterator[tuple[str, str]]:
    """Pairs of controls that no phase has together."""
    for first, second in combinations(cipher.controls, 2):
        if not any({first, second} <= set(phase.controls)
                   for phase in (*cipher.load_phases, *cipher.phases)):  # fmt: skip
            yield first, second
