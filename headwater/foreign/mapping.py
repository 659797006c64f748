# SPDX-License-Identifier: Apache-2.0
"""Which flip-flop is which bit of the description's state: found from behaviour, not from names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_, xor
from typing import Any

from headwater.foreign.linear import Solver
from headwater.foreign.netlist import Netlist
from headwater.foreign.search import RUNS, Match, Model, Reading
from headwater.foreign.session import Plan, Trace
from headwater.kinds.stepped.runs import Place, RunCipher, is_of_bits, places

OUTPUT = ""
"""Stands for the output in place of a register's name."""

Term = tuple[str, int, int]
"""Register, stage and a number of steps: that stage so many steps later. Of the output: OUTPUT, the
number of the bit in what a step gives, the first one 0, and a number of steps, which is negative
for output that was made before."""

_WINDOW = 130
"""Cycles in which flip-flops are compared at most. So many steps fill the longest register of
zeros."""
_EARLIER = 2
"""Cycles before the present one whose output flip-flops may hold."""
_TRUSTED = 0.75
"""The part of the state that a map of a wrong core must have."""
SPARE = 96
"""Samples more than unknowns in a system of equations, so that no chance solves it."""


@dataclass(frozen=True)
class Meaning:
    """What a flip-flop holds: the sum of its terms, or the product of such sums, inverted or
    not."""

    terms: frozenset[Term]
    inverted: bool = False
    factors: tuple[Meaning, ...] = ()
    """Of a product, whose terms are those of all factors."""

    def of(self, value: Callable[[Term], Any], constant: Callable[[int], Any]) -> Any:
        """What it is where ``value`` gives the terms and ``constant`` a 0 or 1: integers with a bit
        for each run, signals or polynomials."""
        parts = (
            [reduce(and_, (one.of(value, constant) for one in self.factors))]
            if self.factors
            else map(value, sorted(self.terms))
        )
        return reduce(xor, parts, constant(int(self.inverted)))

    def __str__(self) -> str:
        text = " + ".join(sorted(map(_shown, self.terms)))
        if self.factors:
            texts = sorted(map(str, self.factors), reverse=True)
            text = " AND ".join(f"({one})" if " + " in one else one for one in texts)
        return f"not {text}" if self.inverted else text


def _shown(term: Term) -> str:
    register, stage, later = term
    if register == OUTPUT:
        name = f"output bit {stage}" if stage else "output"
        return f"{name} {later:+d}" if later else name
    return f"{register}({stage})" + (f" in {later} steps" if later else "")


@dataclass(frozen=True)
class Alignment:
    """The state before a cycle is that before a step, and each cycle makes ``radix`` steps."""

    trace: Trace
    reading: Reading
    model: Model
    radix: int
    cycle: int
    step: int
    until: int
    """The last cycle in which the core is known to run so."""

    def step_at(self, cycle: int) -> int:
        """The step whose state a cycle begins with."""
        return self.step + self.radix * (cycle - self.cycle)

    def value(self, term: Term, cycle: int) -> int | None:
        """A term in all runs before a cycle; None where the description was not followed."""
        register, stage, later = term
        step = self.step_at(cycle) + later
        if not 0 <= step < len(self.model.outputs):
            return None
        if register == OUTPUT:
            return self.model.outputs[step][stage]
        return self.model.states[step][register, stage]

    @property
    def last_cycle(self) -> int:
        """The last cycle in which every term is known."""
        steps = len(self.model.outputs) - self.step - 2 * self.radix - 1
        return min(self.cycle + steps // self.radix, self.until, len(self.trace.states) - 1)


@dataclass
class StateMap:
    """The meaning of flip-flops, by their number; others are control, or of no known meaning."""

    alignment: Alignment
    meanings: dict[int, Meaning] = field(default_factory=dict)
    control: list[int] = field(default_factory=list)
    """Flip-flops that are the same whatever key and IV are."""
    counters: list[int] = field(default_factory=list)
    """Flip-flops that hold state bits which are the same whatever key and IV are."""
    derived: list[int] = field(default_factory=list)
    """Flip-flops that are taken to hold what the core's own logic makes of the state one cycle
    before."""
    free: list[int] = field(default_factory=list)
    """Flip-flops that depend on key and IV, and have no known meaning."""

    @property
    def window(self) -> range:
        """The cycles in which flip-flops are compared."""
        first = self.alignment.cycle
        last = min(self.alignment.last_cycle, first + _WINDOW)
        return range(first, max(first + 1, last))

    def places(self) -> set[Place]:
        """The state bits that some flip-flop holds by itself or inverted."""
        return {
            (register, stage)
            for meaning in self.meanings.values()
            if len(meaning.terms) == 1
            for register, stage, later in meaning.terms
            if register != OUTPUT and not later
        }

    def count(self) -> Counter[str]:
        """How many flip-flops hold what sort of meaning."""
        return Counter(_sort(one) for one in self.meanings.values())


def _sort(meaning: Meaning) -> str:
    if meaning.factors:
        return "product"
    if len(meaning.terms) > 1:
        return "sum"
    ((register, _, later),) = meaning.terms
    if register == OUTPUT:
        return "output"
    return "shifted" if later else "inverted" if meaning.inverted else "equal"


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
    found = StateMap(alignment)
    window = found.window
    if right and len(window) > 3 * _EARLIER:
        # Output of before is what the blank steps gave, which a core need not make.
        window = window[_EARLIER:]
    # What power-up left in a counter may differ until it is loaded.
    since = alignment.cycle if right else alignment.trace.begins
    varying = [flop for flop in range(len(netlist.q)) if varies(alignment.trace, flop, since)]
    found.control = sorted(set(range(len(netlist.q))) - set(varying))
    terms = list(_terms(cipher, alignment.radix))
    candidates, agreeing = _candidates(alignment, terms, varying, window)
    if right:
        candidates = {
            flop: terms for flop, terms in candidates.items() if agreeing[flop] == len(window)
        }
    _assign(found, candidates, agreeing)
    if right:
        _add_counters(found, cipher, window)
        _add_sums(found, cipher, window)
    found.free = sorted(set(varying) - set(found.meanings))
    return found


def trusted(cipher: RunCipher, found: StateMap) -> bool:
    """Whether a map of a core that is wrong has enough of the state to tell what is wrong."""
    return len(found.places()) >= _TRUSTED * cipher.state_bits


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
            yield from ((*place, later) for place in stages for later in range(1, radix + 1))
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
    found: StateMap,
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
                found.meanings[flop] = Meaning(frozenset({term}), inverted)
        waiting = {
            flop: {one: None for one in several if owner.get(one[0], 0) < agreeing[flop]} or several
            for flop, several in waiting.items()
        }


def _preference(meaning: tuple[Term, bool]) -> tuple[bool, int, bool, Term]:
    (register, stage, later), inverted = meaning
    return register == OUTPUT, abs(later), inverted, (register, stage, later)


def _add_counters(found: StateMap, cipher: RunCipher, window: range) -> None:
    """Find flip-flops among the control that hold state bits that are the same whatever key and IV
    are, as those of a counter: they change together."""
    ones, alignment = (1 << RUNS) - 1, found.alignment
    places_of: dict[tuple[int, ...], list[Place]] = {}
    for stages in places(cipher).values():
        for place in stages:
            history = tuple(alignment.value((*place, 0), cycle) or 0 for cycle in window)
            if set(history) == {0, ones}:
                places_of.setdefault(history, []).append(place)
    for flop in list(found.control):
        history = tuple(alignment.trace.states[cycle][flop] for cycle in window)
        for inverted in (False, True):
            way = tuple(one ^ ones for one in history) if inverted else history
            if len(fitting := places_of.get(way, ())) == 1:
                found.meanings[flop] = Meaning(frozenset({(*fitting[0], 0)}), inverted)
                found.control.remove(flop)
                found.counters.append(flop)
                break


def _add_sums(found: StateMap, cipher: RunCipher, window: range) -> None:
    """Find flip-flops that hold a sum of state bits: a system of linear equations over the samples
    of all runs and some cycles."""
    alignment, known = found.alignment, found.meanings
    terms = [
        (register, stage, 0) for stages in places(cipher).values() for register, stage in stages
    ]
    control = set(found.control)
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
