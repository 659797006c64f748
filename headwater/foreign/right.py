# SPDX-License-Identifier: Apache-2.0
"""A core whose keystream is the cipher's: what is said of it, layer by layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from headwater.foreign import setup
from headwater.foreign.alignment import by_keystream
from headwater.foreign.answering import answer
from headwater.foreign.attempt import Attempt
from headwater.foreign.beginning import Beginning
from headwater.foreign.features import Running
from headwater.foreign.mapping import map_state
from headwater.foreign.meanings import OUTPUT, StateMap, Term
from headwater.foreign.netlist import Netlist
from headwater.foreign.products import add_products
from headwater.foreign.question import Question, pinned
from headwater.foreign.search import RUNS, Match, in_words
from headwater.foreign.settings import Settings
from headwater.foreign.step import Difference, by_simulation
from headwater.foreign.vectors import try_vectors
from headwater.foreign.verdict import NO, OPEN, YES, Verdict
from headwater.kinds.stepped.runs import Place, RunCipher


@dataclass
class Right:
    """A core whose keystream is the cipher's."""

    verdict: Verdict
    cipher: RunCipher
    netlist: Netlist
    attempt: Attempt
    match: Match
    settings: Settings
    limit_s: float
    tell: Callable[[str], object]

    def judge(self) -> None:
        """Say all layers."""
        verdict, match = self.verdict, self.match
        verdict.radix = match.width
        verdict.key, verdict.iv = (self._order(what) for what in ("key", "iv"))
        order = "" if match.width == 1 else f", {in_words(match.order)}"
        verdict.keystream = f"{match.port}{order}"
        self._vectors()
        self._state()
        self._step()
        self._setup()
        verdict.lacks = self._lacks()

    def _order(self, what: str) -> str:
        ports, plan = self.attempt.plan.ports, self.attempt.plan
        if what == "iv" and not plan.sends("iv") and not (ports.iv or ports.load):
            return "zeros, as none enters"
        port = getattr(ports, what) or (ports.load.payload if ports.load else "the session")
        layout = f", {self.attempt.plan.layout}" if self.attempt.plan.layout else ""
        return f"{port}{layout}, {in_words(getattr(self.match.reading, what))}"

    @cached_property
    def _beginning(self) -> Beginning:
        return Beginning(self.cipher, self.netlist, self.attempt, self.match, self.settings.valid)

    def _vectors(self) -> None:
        match, blank = self.match, self.cipher.blank_steps
        begins = match.step + self._beginning.first
        if begins != blank:
            says = self._beginning.announced[0] if self._beginning.announced else match.port
            text = f"keystream begins after {begins} blank steps, as {says} says, not after {blank}"
            self.verdict.add("vectors", NO, text)
            self.verdict.wrong.append(f"keystream bit 0: it is the output of step {begins}")
            self.verdict.causes.append(f"the warm-up count is {begins} steps, not {blank}")
            return
        cycles = match.cycle + self._beginning.first // match.radix - self.attempt.trace.begins
        self.verdict.setup_cycles = cycles if cycles > 0 else None
        tried = try_vectors(self.cipher, self.attempt, match, self._beginning.first)
        skipped = f"; {tried.skipped} do not fit its ports" if tried.skipped else ""
        if tried.failure:
            self.verdict.add("vectors", NO, f"{tried.failure} is wrong")
            self.verdict.wrong.append(tried.failure)
        elif tried.passed:
            self.verdict.add("vectors", YES, f"{tried.passed} published vectors pass{skipped}")
        else:
            text = f"{RUNS} random keys and IVs give the description's keystream"
            self.verdict.add(
                "vectors", OPEN, f"no published vector fits its ports{skipped}; {text}"
            )

    @cached_property
    def map(self) -> StateMap:
        """Which flip-flop is what."""
        alignment = by_keystream(self.match)
        state_map = map_state(self.cipher, self.netlist, alignment, right=True)
        add_products(state_map, self.cipher, state_map.window)
        state_map.free = [flop for flop in state_map.free if flop not in state_map.meanings]
        return state_map

    def _state(self) -> None:
        mapped, bits = self.map.count(), self.cipher.state_bits
        held = len([one for one in self.map.places() if self._lasts(one[0])])
        sorts = ", ".join(f"{count} {sort}" for sort, count in sorted(mapped.items()))
        rest = [f"{len(self.map.control)} control"] if self.map.control else []
        rest += [f"{len(self.map.free)} of no known meaning"] if self.map.free else []
        text = f"{held} of {bits} state bits; flip-flops: {', '.join([sorts or 'none', *rest])}"
        ahead = held + mapped["shifted"] >= bits
        whole = YES if ahead or mapped["sum"] else OPEN if mapped else NO
        self.verdict.add("state", whole, text)

    def _lasts(self, register: str) -> bool:
        return any(one.name == register and not one.setup_only for one in self.cipher.registers)

    def _running(self) -> list[int]:
        """Cycles of the trace in which the cipher runs."""
        alignment, match = self.map.alignment, self.match
        begin = match.cycle + -(-max(0, self.cipher.blank_steps - match.step) // match.radix)
        return [
            cycle
            for cycle in range(max(begin, alignment.cycle), alignment.last_cycle)
            if alignment.step_at(cycle) >= self.cipher.blank_steps
        ]

    def _without_setup(self, question: Question) -> tuple[Question, list[Difference]]:
        """The question without registers that serve the setup alone and later do something else
        than in the description, and what differs then: nothing may depend on what they hold."""
        while True:
            differences = by_simulation(question)
            others = {
                name
                for one in differences
                for name, _, _ in one.terms
                if name != OUTPUT and not self._lasts(name)
            }
            if not others:
                return question, differences
            kept = {
                flop: meaning
                for flop, meaning in question.map.meanings.items()
                if others.isdisjoint(name for name, _, _ in meaning.terms)
            }
            question = replace(question, map=replace(question.map, meanings=kept))

    def _constant(self, cycles: Sequence[int]) -> dict[Place, int]:
        """Stages of the registers of the setup that hold one value from its end on, whatever key
        and IV are."""
        alignment, ones = self.map.alignment, (1 << RUNS) - 1
        states = [alignment.model.states[alignment.step_at(cycle)] for cycle in cycles]
        values = {
            place: {state[place] for state in states}
            for place in states[0]
            if not self._lasts(place[0])
        }
        return {
            place: int(seen == {ones}) for place, seen in values.items() if seen in ({0}, {ones})
        }

    def _alike(self, cycles: Sequence[int]) -> list[Place]:
        """State bits that are the same as another one in each cycle, as those of a key that is
        shorter than its registers: which of the two a flip-flop holds is not known."""
        alignment, ones = self.map.alignment, (1 << RUNS) - 1
        states = [alignment.model.states[alignment.step_at(cycle)] for cycle in cycles]
        seen: dict[tuple[int, ...], list[Place]] = {}
        for place in states[0]:
            seen.setdefault(tuple(state[place] for state in states), []).append(place)
        return [
            place
            for history, several in seen.items()
            if not {*history} <= {0, ones}
            for place in several[1:]
        ]

    def _ports(self) -> dict[tuple[str, int], Term]:
        match, alignment, word = self.match, self.map.alignment, self.cipher.word_bits
        later = match.step_at(alignment.cycle) - alignment.step
        return {
            (match.port, bit): (OUTPUT, number % word, later + number // word)
            for number, bit in enumerate(match.places)
        }

    def _step(self) -> None:
        cycles = self._running()[1:]
        if not cycles:
            self.verdict.add("step", OPEN, "the trace has too few running cycles")
            return
        self.tell("proving the step")
        question = Question(
            self.netlist,
            self.cipher,
            self.map,
            cycles,
            self._ports(),
            constant=self._constant(cycles),
            pinned=pinned(self.map, cycles, self._lasts),
        )
        question, differences = self._without_setup(question)
        if differences and self.map.free:
            self.map.derived, self.map.free = self.map.free, []
            question.map.derived = self.map.derived
            differences = by_simulation(question)
        if differences and (alike := self._alike(cycles)):
            text = f"{_listed(alike)} are the same as others in every session: not told apart"
            self.verdict.add("step", OPEN, text)
            return
        if differences:
            if self.map.derived:
                first = self.netlist.name(self.map.derived[0])
                text = f"it depends on what {len(self.map.derived)} flip-flops of no known meaning"
                self.verdict.add("step", OPEN, f"{text} hold, the first of them {first}")
                return
            self.verdict.add(
                "step",
                NO,
                f"{len(differences)} bits differ from other states than "
                "those that the session reached",
            )
            self.verdict.wrong += [
                f"{one.what}, made in step {one.step} of a cycle" for one in differences[:3]
            ]
            return
        result, text = self._answer(question)
        if result == YES and question.pinned:
            result, text = OPEN, f"{text}, with {_listed(question.pinned)} as in a session"
        self.verdict.add("step", result, text)

    def _answer(self, question: Question) -> tuple[str, str]:
        result, text, wrong = answer(question, self.limit_s)
        self.verdict.wrong += wrong
        return result, text

    def _setup(self) -> None:
        if self.map.derived:
            self.verdict.add(
                "setup",
                OPEN,
                "some flip-flops are functions of the state before, "
                "which the load does not put there",
            )
            return
        if self.verdict.result("step") != YES or self.verdict.result("vectors") == NO:
            self.verdict.add("setup", OPEN, "it is looked at where the step is proven")
            return
        self.tell("proving the setup")
        result, text = setup.prove(
            self.netlist,
            self.cipher,
            self.map,
            self.attempt,
            self.match,
            self._beginning.announced,
            self._answer,
        )
        self.verdict.add("setup", result, text)

    def _lacks(self) -> list[str] | None:
        cycles = self._running()
        state = [
            flop
            for flop, meaning in self.map.meanings.items()
            if any(name != OUTPUT and self._lasts(name) for name, _, _ in meaning.terms)
        ]
        if not cycles or not state:
            return None
        trace, plan, first = self.attempt.trace, self.attempt.plan, cycles[0]
        data = {plan.ports.key, plan.ports.iv, plan.ports.load.payload if plan.ports.load else ""}
        data |= {
            port
            for phase in plan.phases
            for port, value in phase.values.items()
            if isinstance(value, str)
        }
        running = Running(
            self.netlist, trace.states[first], trace.inputs[first], state, frozenset(data)
        )
        return running.lacks(
            counts=bool(self._beginning.announced) or self._beginning.is_silent_before
        )


def _listed(places: Sequence[Place]) -> str:
    """How many state bits, and the first of them."""
    return f"{len(places)} state bits, the first of them {places[0][0]}({places[0][1]}),"
