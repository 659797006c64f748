# SPDX-License-Identifier: Apache-2.0
"""The setup of a core: the load puts key and IV in place, and the control ends it after the right
number of steps, whatever key and IV are.

The core is followed from power-up with key and IV as symbols. What flip-flops hold at power-up is
unknown, and so is a sum that grows too long; both are None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from headwater.algebra.polynomial import Polynomial
from headwater.foreign.attempt import Attempt
from headwater.foreign.meanings import OUTPUT, StateMap
from headwater.foreign.netlist import Bit, Netlist, depends_on
from headwater.foreign.question import Question, pinned
from headwater.foreign.search import RUNS, Match, Reading, ordered
from headwater.foreign.step import by_simulation
from headwater.foreign.verdict import OPEN, YES
from headwater.kinds.stepped.runs import RunCipher, is_of_bits, loaded, places

Value = Polynomial | None
"""A bit as a sum of products of key and IV bits; None if it is not known."""

_ZERO, _ONE = Polynomial.constant(0), Polynomial.constant(1)
_CONSTANTS = {0: _ZERO, (1 << RUNS) - 1: _ONE}
_LONGEST = 12
"""Monomials of a sum that is still followed."""


def symbols(bits: Mapping[str, Sequence[int]]) -> dict[int, Polynomial]:
    """By what it is in all runs, each bit of key and IV as the ports number it; without those that
    are the same in all."""
    return {
        value: Polynomial.variable(what, place)
        for what, string in bits.items()
        for place, value in enumerate(string)
        if value not in _CONSTANTS
    }


def followed(
    netlist: Netlist, inputs: Sequence[Sequence[int]], known: Mapping[int, Polynomial]
) -> list[list[Value]]:
    """What each flip-flop holds before each of the cycles, and before the one behind the last.

    Parameters
    ----------
    inputs
        By cycle, each input bit in all runs.
    known
        What `symbols` gives.
    """
    state: list[Value] = [
        None if one is None else Polynomial.constant(one) for one in netlist.initial
    ]
    states = [state]
    order = [(bit, *netlist.gate(bit)) for bit in netlist.ordered]
    for entering in inputs:
        nets: dict[Bit, Value] = {"0": _ZERO, "1": _ONE, "x": None, "z": None}
        nets |= dict(zip(netlist.q, state, strict=True))
        for (port, bit), value in zip(netlist.input_bits, entering, strict=True):
            nets[netlist.bits(port)[bit]] = _CONSTANTS.get(value, known.get(value))
        for bit, kind, pins in order:
            nets[bit] = _gate(kind, nets, pins)
        state = [nets.get(bit) for bit in netlist.d]
        states.append(state)
    return states


def _gate(kind: str, nets: Mapping[Bit, Value], pins: Mapping[str, Bit]) -> Value:
    a = nets.get(pins["A"])
    if kind == "$_NOT_":
        return None if a is None else ~a
    if kind == "$_BUF_":
        return a
    b = nets.get(pins["B"])
    if kind == "$_XOR_":
        return None if a is None or b is None else _short(a ^ b)
    if kind == "$_AND_":
        return _and(a, b)
    if kind == "$_OR_":
        return _not(_and(_not(a), _not(b)))
    if kind == "$_MUX_":
        choice = nets.get(pins["S"])
        if choice == _ZERO or (a is not None and a == b):
            return a
        if choice == _ONE:
            return b
        if choice is None or a is None or b is None:
            return None
        return _short(a ^ ((a ^ b) & choice))
    return None


def _not(value: Value) -> Value:
    return None if value is None else ~value


def _and(a: Value, b: Value) -> Value:
    if _ZERO in (a, b):
        return _ZERO
    return None if a is None or b is None else _short(a & b)


def _short(value: Polynomial) -> Value:
    return value if len(value.monomials) <= _LONGEST else None


@dataclass(frozen=True)
class _LoadBit:
    """A bit of key or IV, or what the load of a description makes of such, as far as it is
    followed."""

    value: Value

    def __xor__(self, other: _LoadBit | int) -> _LoadBit:
        one, two = self.value, _followed(other)
        return _LoadBit(None if one is None or two is None else _short(one ^ two))

    def __and__(self, other: _LoadBit | int) -> _LoadBit:
        return _LoadBit(_and(self.value, _followed(other)))

    __rxor__, __rand__ = __xor__, __and__

    def __invert__(self) -> _LoadBit:
        return _LoadBit(_not(self.value))


def _followed(bit: _LoadBit | int) -> Value:
    return bit.value if isinstance(bit, _LoadBit) else Polynomial.constant(bit)


def wrongly_loaded(
    netlist: Netlist,
    cipher: RunCipher,
    state_map: StateMap,
    held: Sequence[Value],
    reading: Reading,
    bits: Mapping[str, Sequence[int]],
) -> list[str]:
    """The state bits that a load leaves wrong, or that are not known.

    Parameters
    ----------
    held
        What the flip-flops hold when the load is over.
    reading, bits
        The order of the bits at the ports, and what each is in all runs.
    """
    named = _CONSTANTS | symbols(bits)
    key, iv = (
        ordered([_LoadBit(named[value]) for value in bits[what]], getattr(reading, what))
        for what in ("key", "iv")
    )
    content, stages = loaded(cipher, key, iv, _LoadBit(_ZERO)), places(cipher)
    right = {
        place: _followed(bit)
        for name, word in content.items()
        for place, bit in zip(stages[name], word, strict=True)
    }
    wrong = []
    for flop, meaning in state_map.meanings.items():
        if any(name == OUTPUT or later for name, _, later in meaning.terms):
            continue
        terms = [right[name, stage] for name, stage, _ in meaning.terms]
        known = held[flop] is not None and None not in terms
        if not known or held[flop] != meaning.of(lambda term: right[term[:2]], Polynomial.constant):
            wrong.append(f"{meaning}, in {netlist.name(flop)}")
    return wrong


def prove(
    netlist: Netlist,
    cipher: RunCipher,
    state_map: StateMap,
    attempt: Attempt,
    match: Match,
    announced: tuple[str, int] | None,
    answer: Callable[[Question], tuple[str, str]],
) -> tuple[str, str]:
    """The result of this layer, and a sentence.

    Parameters
    ----------
    announced
        The output that says when keystream is there, and from which cycle on.
    answer
        What the solver says of a question.
    """
    begin = _begin(state_map)
    if begin is None:
        return OPEN, "its cycles do not begin with the first step after the load"
    if is_of_bits(cipher) and cipher.load_phases:
        return OPEN, "key and IV enter in steps, of which no proof is made yet"
    if closed := _open_control(netlist, state_map, announced):
        return OPEN, closed
    if reason := _load_fault(netlist, cipher, state_map, attempt, match, begin):
        return OPEN, reason
    end = match.cycle + -(-(cipher.blank_steps - match.step) // match.radix)
    for (runs, *_), group in _alike(cipher, state_map, range(begin, end)).items():
        # What output is held of a blank step does not matter.
        known = state_map if runs else _without_output(state_map)
        question = Question(
            netlist, cipher, known, group, {}, pinned=pinned(known, group, lambda _name: True)
        )
        if by_simulation(question):
            radix = state_map.alignment.radix
            return OPEN, f"cycle {group[0]} of the setup does not make {radix} steps"
        result, text = answer(question)
        if result != YES:
            return result, f"in the setup {text}"
    count = f"{cipher.blank_steps} blank steps"
    if announced:
        return YES, f"the load puts key and IV in place, and {announced[0]} comes after {count}"
    return YES, f"the load puts key and IV in place; whoever uses the core counts {count}"


def _begin(state_map: StateMap) -> int | None:
    """The cycle that makes the first step; None if no cycle begins with it."""
    alignment = state_map.alignment
    cycles, left = divmod(alignment.step, alignment.radix)
    begin = alignment.cycle - cycles
    return None if left or begin < 0 else begin


def _load_fault(
    netlist: Netlist,
    cipher: RunCipher,
    state_map: StateMap,
    attempt: Attempt,
    match: Match,
    begin: int,
) -> str:
    """Why the load does not put key and IV in place, for all of them; empty if it does."""
    held = followed(netlist, attempt.trace.inputs[:begin], symbols(attempt.bits))[begin]
    for flop in state_map.control:
        bit = attempt.trace.states[begin][flop] & 1
        if held[flop] != Polynomial.constant(bit):
            return f"{netlist.name(flop)} is not known after the load whatever power-up gives"
    wrong = wrongly_loaded(netlist, cipher, state_map, held, match.reading, attempt.bits)
    if wrong:
        count = f"{len(wrong)} of {cipher.state_bits}"
        return f"the load differs from this map in {count} state bits, the first {wrong[0]}"
    return ""


def _alike(
    cipher: RunCipher, state_map: StateMap, cycles: Iterable[int]
) -> dict[tuple[bool, ...], list[int]]:
    """The cycles by whether they run and by the controls of their steps."""
    alignment = state_map.alignment
    groups: dict[tuple[bool, ...], list[int]] = {}
    for cycle in cycles:
        step = alignment.step_at(cycle)
        pattern = tuple(
            cipher.control_at(name, step + place)
            for name in cipher.controls
            for place in range(alignment.radix)
        )
        groups.setdefault((step >= cipher.blank_steps, *pattern), []).append(cycle)
    return groups


def _without_output(state_map: StateMap) -> StateMap:
    kept = {
        flop: one
        for flop, one in state_map.meanings.items()
        if all(name != OUTPUT for name, _, _ in one.terms)
    }
    return replace(state_map, meanings=kept)


def _open_control(netlist: Netlist, state_map: StateMap, announced: tuple[str, int] | None) -> str:
    """Why control is not the same whatever key and IV are; empty if it is."""
    steady = {*state_map.control, *state_map.counters}
    nets = [netlist.d[flop] for flop in sorted(steady)]
    if announced:
        nets += netlist.bits(announced[0])
    flops, ports = depends_on(netlist, nets)
    trace, ones = state_map.alignment.trace, (1 << RUNS) - 1
    secret = {
        netlist.input_bits[place][0]
        for inputs in trace.inputs
        for place, value in enumerate(inputs)
        if value not in (0, ones)
    }
    others = flops - steady
    if others or ports & secret:
        name = netlist.name(min(others)) if others else min(ports & secret)
        return f"control depends on {name}, so that the count may depend on key and IV"
    return ""
