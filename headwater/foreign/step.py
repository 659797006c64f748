# SPDX-License-Identifier: Apache-2.0
"""A cycle of a core against the steps of the description, by simulation: at random states, and in a
run that the solver found. It names what is wrong."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from headwater.errors import ToolError
from headwater.foreign.meanings import OUTPUT, Meaning, Term
from headwater.foreign.netlist import Netlist
from headwater.foreign.question import Question
from headwater.foreign.search import RUNS
from headwater.kinds.stepped.runs import (
    RunCipher,
    Runs,
    first_bit_first,
    is_of_bits,
    numbers,
)

_ONES = (1 << RUNS) - 1


@dataclass(frozen=True)
class Difference:
    """A bit that is wrong."""

    flop: int | None
    """None for an output."""
    what: str
    """Its meaning and its name in the core."""
    step: int
    """The step of the cycle in which it is made, counted from 1."""
    terms: frozenset[Term] = frozenset()


def by_simulation(question: Question, seed: int = 1, rounds: int = 4) -> list[Difference]:
    """What is wrong at random states, that of the earliest step first."""
    found: dict[str, Difference] = {}
    for number in range(rounds):
        cycle = question.cycles[number * (len(question.cycles) - 1) // max(1, rounds - 1)]
        source = random.Random(seed + number)
        for one in _wrong_at(question, cycle, lambda _name, _place=0: source.getrandbits(RUNS)):  # noqa: B023
            found.setdefault(one.what, one)
    return sorted(found.values(), key=_order)


def _order(one: Difference) -> tuple[bool, int, str]:
    return one.flop is None, one.step, one.what


def _wrong_at(question: Question, cycle: int, drawn: Callable[..., int]) -> list[Difference]:
    """What is wrong in a cycle, where ``drawn(name, place)`` is each bit that is free, as the
    checker names it."""
    netlist, cipher, state_map = question.netlist, question.cipher, question.map
    trace = state_map.alignment.trace
    step = max(0, state_map.alignment.step_at(cycle) - question.earlier)
    start = {place: drawn(f"state_{place[0]}", number) for place, number in numbers(cipher).items()}
    start |= {place: _in_all(bit) for place, bit in question.constant.items()}
    start |= dict(zip(question.pinned, question.held_at(cycle), strict=True))
    runs = Runs(cipher, [0] * cipher.key_bits, [0] * cipher.iv_bits[-1], RUNS)
    runs.set_state(start, step)
    states, outputs = [], []
    for _ in range(question.furthest):
        states.append(runs.state())
        outputs.append(runs.step())
    before = {
        later: first_bit_first(
            cipher, [drawn(f"output_before_{-later - 1}", bit) for bit in range(cipher.word_bits)]
        )
        for later in range(-2 * question.radix - 1, 0)
    }

    def value(term: Term, moved: int) -> int:
        register, stage, later = term
        if register == OUTPUT:
            later += moved
            return (outputs if later >= 0 else before)[later][stage]
        return states[later + moved][register, stage]

    def of(meaning: Meaning, moved: int) -> int:
        total: int = meaning.of(lambda term: value(term, moved), lambda bit: _in_all(bit))
        return total

    def held(name: str, at: int, moved: int, derived: Mapping[int, int]) -> list[int]:
        """What the flip-flops hold, control as in a cycle of the trace."""
        control = set(state_map.control)
        return [
            of(state_map.meanings[flop], moved)
            if flop in state_map.meanings
            else trace.states[at][flop]
            if flop in control
            else derived[flop]
            if flop in derived
            else drawn(f"{name}_free_{flop}")
            for flop in range(len(netlist.q))
        ]

    def entering(name: str, at: int) -> list[int]:
        return [
            one if one in (0, _ONES) else drawn(f"{name}_input_{place}")
            for place, one in enumerate(trace.inputs[at])
        ]

    moved, derived = question.earlier, {}
    if state_map.derived:
        earlier, _ = netlist.cycle(
            held("earlier", cycle - 1, 0, {}), entering("earlier", cycle - 1), _ONES
        )
        derived = {flop: earlier[flop] for flop in state_map.derived}
    after, given = netlist.cycle(held("now", cycle, moved, derived), entering("now", cycle), _ONES)
    wrong = [
        Difference(
            flop,
            _named(netlist, flop, meaning),
            _entered(cipher, meaning, question.radix),
            meaning.terms,
        )
        for flop, meaning in state_map.meanings.items()
        if after[flop] != of(meaning, moved + question.radix)
    ]
    where = {bit: place for place, bit in enumerate(netlist.output_bits)}
    for (port, bit), term in question.ports.items():
        if given[where[port, bit]] != value(term, moved):
            shown = f"{port}[{bit}]" if netlist.ports[port][1] > 1 else port
            wrong.append(
                Difference(None, f"{_numbered(cipher, term)}, at {shown}", max(1, term[2] + 1))
            )
    return wrong


def _numbered(cipher: RunCipher, term: Term) -> str:
    """A bit of output, by its number in a cycle."""
    _, bit, later = term
    return f"keystream bit {later * cipher.word_bits + bit} of a cycle"


def _named(netlist: Netlist, flop: int, meaning: Meaning) -> str:
    return f"{meaning}, in {netlist.name(flop)}"


def _entered(cipher: RunCipher, meaning: Meaning, radix: int) -> int:
    """The step of a cycle in which what a flip-flop holds afterwards is made."""
    registers = {register.name: register for register in cipher.registers}
    shifted = is_of_bits(cipher)  # A register of a word is made as a whole.
    made = [
        radix + later - shifted * abs(stage - registers[name].newest)
        if name != OUTPUT
        else later + 1
        for name, stage, later in meaning.terms
    ]
    return max(1, min(made))


def first_wrong(question: Question, run: Mapping[str, int]) -> str:
    """The first bit of a cycle that is wrong in a run that the solver found.

    Raises
    ------
    ToolError
        If no bit is.
    """
    for cycle in question.cycles:
        wrong = _wrong_at(question, cycle, lambda name, place=0: _in_all(run.get(name, 0) >> place))
        if wrong and _is_at(question, cycle, run):
            return f"{min(wrong, key=_order).what}, from states that are rare"
    raise ToolError("a run that it found is none of the core")


def _is_at(question: Question, cycle: int, run: Mapping[str, int]) -> bool:
    """Whether control, and pinned stages, are in a run what they are in a cycle of the trace."""
    held = question.map.alignment.trace.states[cycle]
    number = numbers(question.cipher)
    return all(
        run.get(f"now_control_{flop}", 0) == held[flop] & 1 for flop in question.map.control
    ) and all(
        run.get(f"state_{place[0]}", 0) >> number[place] & 1 == value & 1
        for place, value in zip(question.pinned, question.held_at(cycle), strict=True)
    )


def _in_all(bit: int) -> int:
    """The lowest bit of a number, in all runs."""
    return -(bit & 1) & _ONES
