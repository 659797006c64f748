# SPDX-License-Identifier: Apache-2.0
"""Which cycle of a core is which step of the description."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from headwater.foreign.meanings import Alignment
from headwater.foreign.netlist import Netlist
from headwater.foreign.search import RUNS, Match, Model, Reading
from headwater.foreign.session import Plan, Trace
from headwater.kinds.stepped.runs import RunCipher


def by_keystream(match: Match) -> Alignment:
    """The alignment of a core that gives the right keystream: its state may be some steps before
    or behind its output."""
    radix = match.radix
    cycle = match.cycle + (
        3 if match.step_at(match.cycle + 3) + 4 * radix < len(match.model.outputs) else 0
    )
    held = set(match.trace.states[cycle])
    ones = (1 << RUNS) - 1

    def agreeing(ahead: int) -> int:
        state = match.model.states[match.step_at(cycle) + ahead]
        return sum(value in held or value ^ ones in held for value in state.values())

    lowest = -min(radix, match.step_at(cycle))
    highest = min(2 * radix, len(match.model.outputs) - 1 - match.step_at(cycle))
    ahead = max(range(lowest, highest + 1), key=lambda one: (agreeing(one), -abs(one)))
    begin = match.cycle
    while match.step_at(begin) + ahead < 0:
        begin += 1
    step = match.step_at(begin) + ahead
    return Alignment(match.trace, match.reading, match.model, radix, begin, step, match.last)


def by_state(
    cipher: RunCipher,
    netlist: Netlist,
    plan: Plan,
    trace: Trace,
    known: Sequence[tuple[Reading, Model]],
) -> Alignment | None:
    """The alignment of a core whose keystream is wrong, from the cycle in which most flip-flops
    hold what the load puts there and move on as the description does; None if less than half do."""
    word = cipher.word_bits
    widths = {netlist.ports[name][1] for name in plan.ports.outputs}
    radices = sorted({width // word for width in widths if width % word == 0} | {1})
    best: tuple[int, Alignment] | None = None
    for reading, model in known:
        state = model.states[0]
        loaded = {value for value in state.values() if value and value != (1 << RUNS) - 1}
        for cycle, held in enumerate(trace.states[:-2]):
            if cycle + 1 < trace.begins or 2 * len(loaded & set(held)) < len(loaded):
                continue
            pairs = Counter(zip(held, trace.states[cycle + 1], strict=True))
            for radix in radices:
                if radix >= len(model.outputs):
                    continue
                after = model.states[radix]
                score = sum((value, after[place]) in pairs for place, value in state.items())
                if best is None or score > best[0]:
                    best = (
                        score,
                        Alignment(trace, reading, model, radix, cycle, 0, len(trace.states)),
                    )
    if best is None or best[0] < cipher.state_bits // 2:
        return None
    return best[1]
