# SPDX-License-Identifier: Apache-2.0
"""Feedback of coupled shift registers spread over several stages (Galois form), symbolically.

All registers move one place per step. Position 0 is the oldest bit, which leaves next; feedback
enters at position ``length - 1``. A term of the feedback may as well be added ``depth`` steps later
to the same bit. That bit has then moved ``depth`` places down, and so have the bits that the term
reads.

E. Dubrova, "A transformation from the Fibonacci to the Galois NLFSRs", IEEE Transactions on
Information Theory 55(11), 2009; S. S. Mansouri and E. Dubrova, "An improved hardware implementation
of the Grain stream cipher", 2010, and on Grain-128a, 2012.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count

from headwater.algebra.polynomial import Monomial, Polynomial, Variable
from headwater.errors import InputError

_ZERO = Polynomial(frozenset())
_Numbers = Mapping[str, int]
_Feedback = Mapping[str, Polynomial]


@dataclass(frozen=True)
class GaloisForm:
    """Shift registers whose feedback is added in parts, each at a depth of its own.

    In a cycle of ``radix`` steps every register moves ``radix`` places down, and what stands at
    depth ``d`` is added into positions ``length - radix - d`` to ``length - 1 - d``, the lowest for
    the first step. A term for the step that is ``j`` after the first reads every position ``j``
    higher. Bits above ``length - 1 - depth(register)`` are unfinished, and nothing reads them.

    Start-up: after a load of plain content the form makes the bits of the original registers from
    the first step on if two things hold for every depth ``d``.

    * Terms of the state alone are masked for the first ``d`` steps after the load: they belong to
      feedback from before it.
    * An input that a term holds (a variable whose name is no register) is taken as it was ``d``
      steps earlier, and as zero before the load. So a feedback that is switched off at step ``n``
      stays on at depth ``d`` until step ``n + d``.

    Depths are multiples of the radix: either costs ``d / radix`` flip-flops for all registers.
    """

    radix: int
    lengths: Mapping[str, int]
    terms: Mapping[str, Mapping[int, Polynomial]]
    """What each register adds, by ascending depth: always depth 0, deeper ones where not zero. The
    positions are those at the time of the addition, ``d`` lower than in the feedback."""

    def depth(self, register: str) -> int:
        """The deepest depth used in a register."""
        return max(self.terms[register])

    @property
    def delays(self) -> tuple[int, ...]:
        """Every depth except 0, ascending: the steps after which masks open and inputs arrive."""
        return tuple(sorted({depth for parts in self.terms.values() for depth in parts} - {0}))

    @property
    def is_plain(self) -> bool:
        """Whether every term is at depth 0."""
        return not self.delays


@dataclass(frozen=True)
class _Term:
    """A monomial with its state variables; one depth is chosen for all ``registers`` that add
    it."""

    monomial: Monomial
    state: Monomial
    registers: tuple[str, ...]
    depths: range

    @property
    def weight(self) -> int:
        return max(1, len(self.state))

    def deepest(self, limits: _Numbers) -> int:
        return max(0, min([self.depths[-1], *(limits[name] for name in self.registers)]))


def galois_form(
    lengths: Mapping[str, int],
    feedback: Mapping[str, Polynomial],
    *,
    radix: int,
    observed: Iterable[Variable] = (),
    split: int = 1,
    max_depths: int = 8,
    budget: int = 1,
    fixed: Mapping[Monomial, int] | None = None,
) -> GaloisForm:
    """Spread the feedback so that the heaviest sum of all registers is light, over few depths.

    A term goes no deeper than its smallest position, and no deeper than leaves every bit that is
    still read finished: ``position + radix - 1 <= length - 1 - depth(register)``. The form is plain
    if moving gains nothing, or if steps read bits that are made in the same cycle.

    Parameters
    ----------
    lengths, feedback
        The registers, and what enters each of them, over variables (register, position).
        Variables with other names are inputs.
    radix
        Steps per cycle.
    observed
        Further state variables that must be finished: what the output reads.
    split
        Depths 0, radix, 2 radix, ... that the terms with an input are spread over, evenly and in
        the same way in all registers; as many of them as are legal.
    max_depths, budget
        Largest number of depths, depth 0 included; weight at which the search ends.
    fixed
        Depths of terms that are given and not searched for.

    Raises
    ------
    InputError
        If a number is not positive, a position is not in its register, or a fixed depth not legal.
    """
    for what, number in {"Radix": radix, "Split": split, "Number of depths": max_depths}.items():
        if number < 1:
            raise InputError(f"{what} must be a positive integer, not {number!r}")
    observed = frozenset(variable for variable in observed if variable[0] in lengths)
    _check_system(lengths, feedback, observed)
    terms = _terms(lengths, feedback, radix, split, fixed or {})
    reads = [*terms, *(_Term(frozenset({bit}), frozenset({bit}), (), range(1)) for bit in observed)]
    limits = _limits(lengths, reads, radix, max_depths - 1)
    for term in terms:
        room = min(limits[name] for name in term.registers)
        _legal(term.depths[0], range(0, room + 1, radix), term.monomial)
    most = max(limits.values())
    least = max([min((split - 1) * radix, most), *(term.depths[0] for term in terms)])
    trials = (
        _place(terms, lengths, {name: min(limits[name], deepest) for name in limits}, capacity)
        for capacity in count(max([budget, *(term.weight for term in terms)]))
        for deepest in range(least, most + 1, radix)
    )
    return GaloisForm(radix, dict(lengths), next(trial for trial in trials if trial))


def _state(monomial: Iterable[Variable], lengths: _Numbers) -> Monomial:
    return frozenset(variable for variable in monomial if variable[0] in lengths)


def _moved(monomial: Monomial, lengths: _Numbers, down: int) -> Monomial:
    state = _state(monomial, lengths)
    return monomial - state | {(name, position - down) for name, position in state}


def _terms(
    lengths: _Numbers, feedback: _Feedback, radix: int, split: int, fixed: Mapping[Monomial, int]
) -> list[_Term]:
    """All terms to be placed, each with the depths that are legal for the term alone."""
    registers: dict[tuple[Monomial, str], tuple[str, ...]] = {}
    for name, polynomial in feedback.items():
        for monomial in sorted(polynomial.monomials, key=sorted):
            owner = name if monomial == _state(monomial, lengths) else ""
            registers[monomial, owner] = (*registers.get((monomial, owner), ()), name)
    terms = []
    for (monomial, owner), names in registers.items():
        state = _state(monomial, lengths)
        first, last = 0, min((position for _, position in state), default=0)
        if monomial in fixed:
            first = last = _legal(fixed[monomial], range(0, last + 1, radix), monomial)
        elif not owner:
            last = min(last, (split - 1) * radix)
        terms.append(_Term(monomial, state, names, range(first, last + 1, radix)))
    for monomial in fixed.keys() - {term.monomial for term in terms}:
        raise InputError(f"Fixed term must be one of the feedback, not {_written(monomial)}")
    return terms


def _limits(lengths: _Numbers, terms: list[_Term], radix: int, most: int) -> dict[str, int]:
    """The deepest legal depth of each register, if every term goes as deep as it can."""
    limits = {name: min(most, length // radix - 1) * radix for name, length in lengths.items()}
    before: dict[str, int] = {}
    while before != limits:
        before = dict(limits)
        for term in terms:
            for name, position in term.state:
                room = lengths[name] - radix - position + term.deepest(limits)
                limits[name] = min(limits[name], room // radix * radix)
    return limits if min(limits.values()) >= 0 else dict.fromkeys(lengths, 0)


def _place(
    terms: list[_Term], lengths: _Numbers, limits: _Numbers, capacity: int
) -> dict[str, dict[int, Polynomial]] | None:
    """The terms that each register adds at each depth; None if a sum is heavier than ``capacity``.

    Terms with an input go to the lightest depth, others to the first depth with room. Terms with
    the fewest legal depths are placed first.
    """
    depths = {term: _depths(term, lengths, limits) for term in terms}
    load: Counter[tuple[str, int]] = Counter()
    parts = {name: {0: _ZERO} for name in lengths}
    for term in sorted(terms, key=lambda term: (depths[term][-1], -term.weight)):
        loads = {at: max(load[name, at] for name in term.registers) for at in depths[term]}
        room = capacity - term.weight if term.state == term.monomial else -1
        roomy = (at for at in loads if loads[at] <= room)
        depth = next(roomy, min(loads, key=loads.__getitem__))
        if loads[depth] + term.weight > capacity:
            return None
        added = Polynomial(frozenset({_moved(term.monomial, lengths, depth)}))
        for name in term.registers:
            load[name, depth] += term.weight
            parts[name][depth] = parts[name].get(depth, _ZERO) ^ added
    return {name: dict(sorted(part.items())) for name, part in parts.items()}


def _depths(term: _Term, lengths: _Numbers, limits: _Numbers) -> range:
    """The legal depths of a term, if its registers and the registers that it reads are used down to
    ``limits``."""
    radix, deepest = term.depths.step, term.deepest(limits)
    early = [place + radix - lengths[name] + limits[name] for name, place in term.state]
    least = max([term.depths[0], *(-(-steps // radix) * radix for steps in early)])
    return range(min(least, deepest), deepest + 1, radix)


def _check_system(lengths: _Numbers, feedback: _Feedback, observed: frozenset[Variable]) -> None:
    if not lengths or set(feedback) != set(lengths):
        present, needed = (", ".join(sorted(names)) or "none" for names in (feedback, lengths))
        raise InputError(f"Registers with a feedback must be {needed}, not {present}")
    for name, position in sorted(observed.union(*(each.variables for each in feedback.values()))):
        if name in lengths and not 0 <= position < lengths[name]:
            legal = f"between 0 and {lengths[name] - 1}"
            raise InputError(f"Position in register {name} must be {legal}, not {position}")


def _legal(depth: int, depths: range, monomial: Monomial) -> int:
    if depth not in depths:
        legal = ", ".join(map(str, depths))
        raise InputError(f"Depth of {_written(monomial)} must be one of {legal}, not {depth}")
    return depth


def _written(monomial: Monomial) -> str:
    return " ".join(f"{name}{number}" for name, number in sorted(monomial))
