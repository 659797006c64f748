# SPDX-License-Identifier: Apache-2.0
"""A cycle of a core against the steps of the description, by simulation: at random states, and in a
run that the solver found. It names what is wrong."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

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
    differences: dict[str, Difference] = {}
    for number in range(rounds):
        cycle = question.cycles[number * (len(question.cycles) - 1) // max(1, rounds - 1)]
        drawn = partial(_at_random, random.Random(seed + number))
        for one in _Cycle(question, cycle, drawn).wrong():
            differences.setdefault(one.what, one)
    return sorted(differences.values(), key=_order)


def _at_random(source: random.Random, name: str, place: int = 0) -> int:  # noqa: ARG001
    return source.getrandbits(RUNS)


def _of_run(run: Mapping[str, int], name: str, place: int = 0) -> int:
    return _in_all(run.get(name, 0) >> place)


def _order(one: Difference) -> tuple[bool, int, str]:
    return one.flop is None, one.step, one.what


class _Cycle:
    """A cycle of a core beside the steps of the description, where ``drawn(name, place)`` is each
    bit that is free, as the checker names it."""

    def __init__(self, question: Question, number: int, drawn: Callable[..., int]) -> None:
        self._question, self._number, self._drawn = question, number, drawn
        self._trace = question.map.alignment.trace
        runs = self._runs()
        self._states: list[Mapping[tuple[str, int], int]] = []
        self._outputs: list[list[int]] = []
        for _ in range(question.furthest):
            self._states.append(runs.state())
            self._outputs.append(runs.step())
        self._before = {
            later: first_bit_first(
                question.cipher,
                [
                    drawn(f"output_before_{-later - 1}", bit)
                    for bit in range(question.cipher.word_bits)
                ],
            )
            for later in range(-2 * question.radix - 1, 0)
        }

    def _runs(self) -> Runs:
        """The description, at a state that is drawn but for the bits that are known."""
        question, cipher = self._question, self._question.cipher
        step = max(0, question.map.alignment.step_at(self._number) - question.earlier)
        start = {
            place: self._drawn(f"state_{place[0]}", number)
            for place, number in numbers(cipher).items()
        }
        start |= {place: _in_all(bit) for place, bit in question.constant.items()}
        start |= dict(zip(question.pinned, question.held_at(self._number), strict=True))
        runs = Runs(cipher, [0] * cipher.key_bits, [0] * cipher.iv_bits[-1], RUNS)
        runs.set_state(start, step)
        return runs

    def _value(self, term: Term, moved: int) -> int:
        register, stage, later = term
        if register == OUTPUT:
            later += moved
            return (self._outputs if later >= 0 else self._before)[later][stage]
        return self._states[later + moved][register, stage]

    def _of(self, meaning: Meaning, moved: int) -> int:
        value: int = meaning.of(lambda term: self._value(term, moved), lambda bit: _in_all(bit))
        return value

    def _held(self, name: str, at: int, moved: int, derived: Mapping[int, int]) -> list[int]:
        """What the flip-flops hold, control as in a cycle of the trace."""
        state_map = self._question.map
        control = set(state_map.control)
        return [
            self._of(state_map.meanings[flop], moved)
            if flop in state_map.meanings
            else self._trace.states[at][flop]
            if flop in control
            else derived[flop]
            if flop in derived
            else self._drawn(f"{name}_free_{flop}")
            for flop in range(len(self._question.netlist.q))
        ]

    def _entering(self, name: str, at: int) -> list[int]:
        return [
            value if value in (0, _ONES) else self._drawn(f"{name}_input_{place}")
            for place, value in enumerate(self._trace.inputs[at])
        ]

    def _followed(self) -> tuple[list[int], list[int]]:
        """What the flip-flops become, and the outputs. What is derived from others comes from the
        cycle before."""
        netlist, number = self._question.netlist, self._number
        derived: dict[int, int] = {}
        if flops := self._question.map.derived:
            held = self._held("earlier", number - 1, 0, {})
            earlier, _ = netlist.cycle(held, self._entering("earlier", number - 1), _ONES)
            derived = {flop: earlier[flop] for flop in flops}
        held = self._held("now", number, self._question.earlier, derived)
        return netlist.cycle(held, self._entering("now", number), _ONES)

    def wrong(self) -> list[Difference]:
        """What is wrong in the cycle."""
        question, moved = self._question, self._question.earlier
        netlist, cipher = question.netlist, question.cipher
        after, outputs = self._followed()
        wrong = [
            Difference(
                flop,
                _named(netlist, flop, meaning),
                _entered(cipher, meaning, question.radix),
                meaning.terms,
            )
            for flop, meaning in question.map.meanings.items()
            if after[flop] != self._of(meaning, moved + question.radix)
        ]
        where = {bit: place for place, bit in enumerate(netlist.output_bits)}
        for (port, bit), term in question.ports.items():
            if outputs[where[port, bit]] != self._value(term, moved):
                shown = f"{port}[{bit}]" if netlist.ports[port][1] > 1 else port
                what = f"{_numbered(cipher, term)}, at {shown}"
                wrong.append(Difference(None, what, max(1, term[2] + 1)))
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
    words = [
        radix + later - shifted * abs(stage - registers[name].newest)
        if name != OUTPUT
        else later + 1
        for name, stage, later in meaning.terms
    ]
    return max(1, min(words))


def first_wrong(question: Question, run: Mapping[str, int]) -> str:
    """The first bit of a cycle that is wrong in a run that the solver found.

    Raises
    ------
    ToolError
        If no bit is.
    """
    for cycle in question.cycles:
        wrong = _Cycle(question, cycle, partial(_of_run, run)).wrong()
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
