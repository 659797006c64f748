# SPDX-License-Identifier: Apache-2.0
"""Flip-flops that hold a product of sums of state bits, as a core has that makes a control bit one
cycle early."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from headwater.foreign.linear import Solver
from headwater.foreign.mapping import SPARE, joined
from headwater.foreign.meanings import Meaning, StateMap, Term
from headwater.foreign.search import RUNS
from headwater.kinds.stepped.runs import RunCipher, places

_PART = 8
"""A product of three sums is one in an eighth of all samples."""
_MOST = 3
"""Factors of a product."""


def add_products(state_map: StateMap, cipher: RunCipher, window: range) -> None:
    """Find them: where a product is one, each of its factors is, so that the sums that are constant
    there are the factors; what these make must then be the flip-flop in all samples."""
    alignment = state_map.alignment
    terms: list[Term] = [
        (register, stage, 0) for stages in places(cipher).values() for register, stage in stages
    ]
    cycles = [*window][: _PART * -(-(len(terms) + SPARE) // RUNS)]
    left = [
        flop
        for flop in range(len(alignment.trace.states[0]))
        if flop not in state_map.meanings and flop not in set(state_map.control)
    ]
    if not left:
        return
    ones = (1 << RUNS * len(cycles)) - 1
    columns = {
        term: joined([alignment.value(term, cycle) or 0 for cycle in cycles]) for term in terms
    }
    for flop in left:
        held = joined([alignment.trace.states[cycle][flop] for cycle in cycles])
        for inverted in (False, True):
            value = held ^ ones if inverted else held
            factors = _factors(columns, value, ones)
            if factors:
                every = frozenset().union(*(one.terms for one in factors))
                state_map.meanings[flop] = Meaning(every, inverted, tuple(factors))
                break


def _factors(columns: Mapping[Term, int], value: int, ones: int) -> Sequence[Meaning]:
    """The sums whose product is a value, in the samples of some columns; none if it is no such
    product, or if too few samples tell."""
    terms = [*columns]
    if value.bit_count() < len(terms) + SPARE:
        return []
    solver = Solver()
    constant = 1 << len(terms)
    solver.add(value, constant)
    relations = [
        names
        for place, term in enumerate(terms)
        if (names := solver.add(columns[term] & value, 1 << place))
    ]
    if not 1 < len(relations) <= _MOST:
        return []
    factors, product = [], ones
    for names in relations:
        chosen = frozenset(term for place, term in enumerate(terms) if names >> place & 1)
        total = 0 if names & constant else ones
        for term in chosen:
            total ^= columns[term]
        factors.append(Meaning(chosen, not names & constant))
        product &= total
    return factors if product == value else []
