# SPDX-License-Identifier: Apache-2.0
"""Which flip-flop is which bit of the description's state: found from behaviour, not from names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from headwater.foreign.linear import Solver
from headwater.foreign.meanings import OUTPUT, Alignment, Meaning, StateMap, Term
from headwater.foreign.netlist import Netlist
from headwater.foreign.search import RUNS
from headwater.foreign.session import Trace
from headwater.kinds.stepped.runs import Place, RunCipher, is_of_bits, places

_EARLIER = 2
"""Cycles before the present one whose output flip-flops may hold."""
_TRUSTED = 0.75
"""The part of the state that a map of a wrong core must have."""
SPARE = 96
"""Samples more than unknowns in a system of equations, so that no chance solves it."""


def map_state(
    cipher: RunCipher, netlist: Netlist, alignment: Alignment, *, right: bool
) -> StateMap:
    """The meaning of each flip-flop.

    Parameters
    ----------
    right
        Whether the keystream is right: then a flip-flop must keep its meaning in all cycles.
        Otherwise it has the meaning that it keeps longest from the first cycle on.
    """
    state_map = StateMap(alignment)
    window = state_map.window
    if right and len(window) > 3 * _EARLIER:
        # Output of before is what the blank steps gave, which a core need not make.
        window = window[_EARLIER:]
    # What power-up left in a counter may differ until it is loaded.
    since = alignment.cycle if right else alignment.trace.begins
    varying = [flop for flop in range(len(netlist.q)) if varies(alignment.trace, flop, since)]
    state_map.control = sorted(set(range(len(netlist.q))) - set(varying))
    terms = list(_terms(cipher, alignment.radix))
    candidates, agreeing = _candidates(alignment, terms, varying, window)
    if right:
        candidates = {
            flop: terms for flop, terms in candidates.items() if agreeing[flop] == len(window)
        }
    _assign(state_map, candidates, agreeing)
    if right:
        _add_counters(state_map, cipher, window)
        _add_sums(state_map, cipher, window)
    state_map.free = sorted(set(varying) - set(state_map.meanings))
    return state_map


def trusted(cipher: RunCipher, state_map: StateMap) -> bool:
    """Whether a map of a core that is wrong has enough of the state to tell what is wrong."""
    return len(state_map.places()) >= _TRUSTED * cipher.state_bits


def varies(trace: Trace, flop: int, since: int) -> bool:
    """Whether a flip-flop differs from run to run in some cycle from a given one on."""
    ones = (1 << RUNS) - 1
    return any(state[flop] not in (0, ones) for state in trace.states[since:])


def _terms(cipher: RunCipher, radix: int) -> Iterator[Term]:
    for stages in places(cipher).values():
        yield from ((register, stage, 0) for register, stage in stages)
    if is_of_bits(cipher):
        for register in cipher.registers:
            yield from ((register.name, register.newest, later) for later in range(1, radix + 1))
    else:
        for stages in places(cipher).values():
            yield from (
                (register, stage, later)
                for register, stage in stages
                for later in range(1, radix + 1)
            )
    for bit in range(cipher.word_bits):
        yield from ((OUTPUT, bit, later) for later in range(-_EARLIER * radix, radix))


def _candidates(
    alignment: Alignment, terms: Sequence[Term], flops: Sequence[int], window: range
) -> tuple[dict[int, dict[tuple[Term, bool], None]], dict[int, int]]:
    """By flip-flop, the meanings that it keeps for the most cycles, and for how many."""
    ones = (1 << RUNS) - 1
    candidates: dict[int, dict[tuple[Term, bool], None]] = {}
    agreeing = dict.fromkeys(flops, 0)
    going = set(flops)
    for cycle in window:
        index: dict[int, dict[tuple[Term, bool], None]] = {}
        for term in terms:
            value = alignment.value(term, cycle)
            if value is None:
                # Output from before the load is not known: it may be anything.
                continue
            index.setdefault(value, {})[term, False] = None
            index.setdefault(value ^ ones, {})[term, True] = None
        held = alignment.trace.states[cycle]
        for flop in list(going):
            fitting = index.get(held[flop], {})
            left = (
                fitting
                if cycle == window.start
                else {one: None for one in candidates[flop] if one in fitting}
            )
            if left:
                candidates[flop], agreeing[flop] = left, agreeing[flop] + 1
            else:
                going.discard(flop)
    return candidates, agreeing


def _assign(
    state_map: StateMap,
    candidates: Mapping[int, Mapping[tuple[Term, bool], None]],
    agreeing: Mapping[int, int],
) -> None:
    """Give each flip-flop its meaning: a state bit belongs to the flip-flops that hold it longest.
    Where several are left, a plain bit comes before another."""
    owner: dict[Term, int] = {}
    waiting = dict(candidates)
    while waiting:
        certain = {flop: one for flop, one in waiting.items() if len(one) == 1}
        if not certain:
            flop = max(waiting, key=lambda one: (agreeing[one], -len(waiting[one])))
            certain = {flop: {min(waiting[flop], key=_preference): None}}
        for flop, one in sorted(certain.items(), key=lambda item: -agreeing[item[0]]):
            ((term, inverted),) = one
            waiting.pop(flop)
            if agreeing[flop] >= owner.get(term, 0):
                owner[term] = agreeing[flop]
                state_map.meanings[flop] = Meaning(frozenset({term}), inverted)
        waiting = {
            flop: {one: None for one in several if owner.get(one[0], 0) < agreeing[flop]} or several
            for flop, several in waiting.items()
        }


def _preference(meaning: tuple[Term, bool]) -> tuple[bool, int, bool, Term]:
    (register, stage, later), inverted = meaning
    return register == OUTPUT, abs(later), inverted, (register, stage, later)


def _add_counters(state_map: StateMap, cipher: RunCipher, window: range) -> None:
    """Find flip-flops among the control that hold state bits that are the same whatever key and IV
    are, as those of a counter: they change together."""
    ones, alignment = (1 << RUNS) - 1, state_map.alignment
    places_of: dict[tuple[int, ...], list[Place]] = {}
    for stages in places(cipher).values():
        for place in stages:
            history = tuple(alignment.value((*place, 0), cycle) or 0 for cycle in window)
            if set(history) == {0, ones}:
                places_of.setdefault(history, []).append(place)
    for flop in list(state_map.control):
        history = tuple(alignment.trace.states[cycle][flop] for cycle in window)
        for inverted in (False, True):
            way = tuple(one ^ ones for one in history) if inverted else history
            fitting = places_of.get(way, [])
            if len(fitting) == 1:
                ((register, stage),) = fitting
                state_map.meanings[flop] = Meaning(frozenset({(register, stage, 0)}), inverted)
                state_map.control.remove(flop)
                state_map.counters.append(flop)
                break


def _add_sums(state_map: StateMap, cipher: RunCipher, window: range) -> None:
    """Find flip-flops that hold a sum of state bits: a system of linear equations over the samples
    of all runs and some cycles."""
    alignment, known = state_map.alignment, state_map.meanings
    terms = [
        (register, stage, 0) for stages in places(cipher).values() for register, stage in stages
    ]
    control = set(state_map.control)
    left = [
        flop
        for flop in range(len(alignment.trace.states[0]))
        if flop not in known and flop not in control
    ]
    cycles = [*window][: -(-(len(terms) + SPARE) // RUNS) + 1]
    if not left or len(cycles) * RUNS < len(terms) + SPARE:
        return
    solver = Solver()
    samples = len(cycles) * RUNS
    solver.add((1 << samples) - 1, 1 << len(terms))
    for place, term in enumerate(terms):
        values = [alignment.value(term, cycle) or 0 for cycle in cycles]
        solver.add(joined(values), 1 << place)
    for flop in left:
        values = [alignment.trace.states[cycle][flop] for cycle in cycles]
        solution = solver.solve(joined(values))
        if solution is not None and solution & ((1 << len(terms)) - 1):
            chosen = frozenset(term for place, term in enumerate(terms) if solution >> place & 1)
            known[flop] = Meaning(chosen, bool(solution >> len(terms) & 1))


def joined(values: Sequence[int]) -> int:
    """The runs of several cycles as one integer."""
    return sum(value << RUNS * place for place, value in enumerate(values))
