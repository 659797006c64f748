# SPDX-License-Identifier: Apache-2.0
"""Whether a core is the cipher that it is said to be: the layers of a verdict, one after the
other."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from headwater.cipher.description import Cipher
from headwater.errors import InputError, ToolError
from headwater.flow.process import MissingToolError, TookTooLongError
from headwater.foreign import setup
from headwater.foreign.attempt import Attempt, attempts
from headwater.foreign.diagnosis import diagnose
from headwater.foreign.features import Running
from headwater.foreign.interface import interface_of
from headwater.foreign.mapping import OUTPUT, StateMap, Term, by_keystream, map_state
from headwater.foreign.netlist import Netlist
from headwater.foreign.nonzero import never_zero
from headwater.foreign.ports import guess
from headwater.foreign.products import add_products
from headwater.foreign.reading import ForeignCore, read_core
from headwater.foreign.search import RUNS, Match, in_words
from headwater.foreign.settings import Settings
from headwater.foreign.step import (
    Difference,
    Question,
    by_simulation,
    counterexample,
    first_wrong,
    pinned,
)
from headwater.foreign.strings import judge_strings
from headwater.foreign.vectors import try_vectors
from headwater.foreign.verdict import NO, OPEN, YES, Verdict
from headwater.kinds.stepped.runs import Place, RunCipher, is_of_bits, is_read, run_cipher
from headwater.kinds.stepped.word_cipher import WordCipher

LIMIT_S = 120.0
_NEAR = 8
"""Cycles from the right one in which an output may rise and be taken for what tells of keystream.
"""


def judge(
    files: Sequence[Path],
    cipher: Cipher,
    settings: Settings,
    *,
    name: str = "",
    limit_s: float = LIMIT_S,
    must: bool = True,
    tell: Callable[[str], object] = lambda _: None,
) -> tuple[Verdict, ForeignCore]:
    """Judge a core.

    Parameters
    ----------
    files
        Its sources, in the order in which they are read.
    cipher
        What it is said to be.
    settings
        What cannot be guessed of its ports.
    name
        What the core is called; by default its module, or its last file.
    limit_s
        Seconds that a proof may take; one that takes longer leaves its layer open.
    must
        Whether it is an error if the sources can be read, but not judged; otherwise the verdict
        says why nothing is known.
    tell
        Is called with what is done next.

    Raises
    ------
    InputError
        If the sources cannot be judged at all.
    """
    tell("reading the sources")
    core = read_core(files, settings)
    try:
        verdict = _judged(core.netlist, cipher, settings, limit_s, tell)
    except InputError as error:
        if must:
            raise
        verdict = Verdict(cipher.name, len(core.netlist.q), core.netlist.gate_count, {"ties": {}})
        verdict.add("vectors", OPEN, str(error))
    verdict.name = name or settings.top or files[-1].stem
    verdict.files = [path.name for path in files]
    verdict.sources_sha256 = hashlib.sha256(
        b"".join(path.read_bytes() for path in files)
    ).hexdigest()
    return verdict, core


def _judged(
    netlist: Netlist,
    cipher: Cipher,
    settings: Settings,
    limit_s: float,
    tell: Callable[[str], object],
) -> Verdict:
    if is_read(cipher) and not (settings.output or settings.stream):
        described = _selected(run_cipher(cipher), settings)
        if is_of_bits(cipher):
            return judge_netlist(netlist, described, settings, limit_s, tell)
        if verdict := _of_words(netlist, described, settings, limit_s, tell):
            return verdict
    tell("trying published vectors")
    return judge_strings(netlist, cipher, interface_of(netlist, cipher, settings))


def _of_words(
    netlist: Netlist,
    cipher: RunCipher,
    settings: Settings,
    limit_s: float,
    tell: Callable[[str], object],
) -> Verdict | None:
    """What is said of a core of a cipher of words that makes whole steps in a cycle, or whose state
    is found though it is wrong; None of any other."""
    try:
        verdict = judge_netlist(netlist, cipher, settings, limit_s, tell)
    except InputError:
        return None  # Its ports are driven otherwise, which vectors may tell.
    return verdict if verdict.radix else None


def _selected(cipher: RunCipher, settings: Settings) -> RunCipher:
    """The cipher with those IVs alone of which a file of ports says that the core is the cipher."""
    if settings.iv_first is None:
        return cipher
    return replace(cipher, first_iv_bit=settings.iv_first)


def judge_netlist(
    netlist: Netlist,
    cipher: RunCipher,
    settings: Settings,
    limit_s: float = LIMIT_S,
    tell: Callable[[str], object] = lambda _: None,
    *,
    causes: bool = True,
) -> Verdict:
    """Judge a core that was read; what is said names no sources. Without ``causes`` no mistakes are
    tried that may explain a core that is wrong."""
    ports = guess(netlist, cipher, settings)
    verdict = Verdict(cipher.name, len(netlist.q), netlist.gate_count, ports.as_json())
    tell("looking for the keystream")
    tried: list[Attempt] = []
    for attempt in attempts(netlist, cipher, ports, settings.session, sure=bool(settings.reset)):
        tried.append(attempt)
        if match := attempt.match:
            _Right(verdict, cipher, netlist, attempt, match, settings, limit_s, tell).judge()
            return verdict
    if cipher.service != "keystream":
        text = "no output gives each bit that is made; messages of a cipher of bits are not tried"
        verdict.add("vectors", OPEN, text)
        return verdict
    tell("looking for what is wrong")
    diagnose(verdict, cipher, tried, ports, causes=causes)
    return verdict


@dataclass
class _Right:
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
    def announced(self) -> tuple[str, int] | None:
        """The output of one bit that becomes one, and stays so, when keystream is there, and the
        cycle; None if there is none."""
        trace, match = self.attempt.trace, self.match
        right = match.cycle + -(-(self.cipher.blank_steps - match.step) // match.radix)
        ones, found = (1 << RUNS) - 1, []
        for place, (port, _) in enumerate(self.netlist.output_bits):
            if self.netlist.ports[port][1] != 1 or port == match.port:
                continue
            if self.settings.valid and port != self.settings.valid:
                continue
            seen = [outputs[place] for outputs in trace.outputs[trace.begins :]]
            if set(seen) != {0, ones}:
                continue
            turns = [n for n in range(1, len(seen)) if seen[n] != seen[n - 1]]
            rises = seen[turns[0]] == ones or "busy" in port.lower()
            # A pulse that says "done" is in the last cycle of the setup.
            pulse = "done" in port.lower() and len(turns) > 1 and turns[1] == turns[0] + 1
            cycle = trace.begins + turns[int(pulse)]
            # What falls again later may tell of anything else, unless it rises when it should.
            sure = len(turns) == 1 or self.settings.valid or abs(cycle - right) <= _NEAR
            if rises and sure:
                found.append((port, cycle))
        found.sort(key=lambda one: (abs(one[1] - right), "valid" not in one[0], one[0]))
        return found[0] if found else None

    @property
    def first(self) -> int:
        """How many steps behind the first one of ``match.cycle`` the core's first one of keystream
        is: where it says so, or else where it is by the description."""
        if self.announced:
            return (self.announced[1] - self.match.cycle) * self.match.radix
        silent = self._silent_before()
        return 0 if silent else self.cipher.blank_steps - self.match.step

    def _silent_before(self) -> bool:
        """Whether the output is constant until the first keystream word."""
        trace, match = self.attempt.trace, self.match
        places = [n for n, (port, _) in enumerate(self.netlist.output_bits) if port == match.port]
        before = trace.outputs[trace.begins : match.cycle]
        return (
            match.step > 0
            and len(before) > 2
            and all(
                before[0][place] == outputs[place] in (0, (1 << RUNS) - 1)
                for outputs in before
                for place in places
            )
        )

    def _vectors(self) -> None:
        match, blank = self.match, self.cipher.blank_steps
        begins = match.step + self.first
        if begins != blank:
            says = self.announced[0] if self.announced else match.port
            text = f"keystream begins after {begins} blank steps, as {says} says, not after {blank}"
            self.verdict.add("vectors", NO, text)
            self.verdict.wrong.append(f"keystream bit 0: it is the output of step {begins}")
            self.verdict.causes.append(f"the warm-up count is {begins} steps, not {blank}")
            return
        cycles = match.cycle + self.first // match.radix - self.attempt.trace.begins
        self.verdict.setup_cycles = cycles if cycles > 0 else None
        tried = try_vectors(self.cipher, self.attempt, match, self.first)
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
        found = map_state(self.cipher, self.netlist, alignment, right=True)
        add_products(found, self.cipher, found.window)
        found.free = [flop for flop in found.free if flop not in found.meanings]
        return found

    def _state(self) -> None:
        found, bits = self.map.count(), self.cipher.state_bits
        held = len([one for one in self.map.places() if self._lasts(one[0])])
        sorts = ", ".join(f"{count} {sort}" for sort, count in sorted(found.items()))
        rest = [f"{len(self.map.control)} control"] if self.map.control else []
        rest += [f"{len(self.map.free)} of no known meaning"] if self.map.free else []
        text = f"{held} of {bits} state bits; flip-flops: {', '.join([sorts or 'none', *rest])}"
        ahead = held + found["shifted"] >= bits
        whole = YES if ahead or found["sum"] else OPEN if found else NO
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
        radix = question.radix
        steps = "a step" if radix == 1 else f"{radix} steps"
        try:
            if counterexample(question, self.limit_s) is None:
                text = f"a cycle is {steps} of the description, state and output, from any state"
                if question.earlier and not self.map.derived:
                    return YES, f"{text} that a cycle leads to, under this map"
                if self.map.derived:
                    count = len(self.map.derived)
                    return YES, f"{text}; {count} flip-flops hold what is made of that before"
                return YES, f"{text} under this map"
            question, without = self._without_zeros(question)
            run = counterexample(question, self.limit_s)
            if run is None:
                text = f"a cycle is {steps} of the description, state and output, from any state"
                return YES, f"{text} but {without}"
            if self.map.free or self.map.derived:
                return OPEN, "it depends on what flip-flops of no known meaning hold"
            self.verdict.wrong.append(first_wrong(question, run))
            return NO, f"there is a state from which a cycle is not {steps} of the description"
        except TookTooLongError:
            return OPEN, f"no proof in {self.limit_s:g} s; none of {4 * RUNS} random states differs"
        except MissingToolError:
            raise
        except ToolError as error:
            return OPEN, f"the solver came to no answer: {str(error).splitlines()[0]}"

    def _without_zeros(self, question: Question) -> tuple[Question, str]:
        """The question without states that a core may leave on purpose, and which these are."""
        names = tuple(one.name for one in self.cipher.registers)
        if not isinstance(self.cipher, WordCipher):
            return replace(question, nonzero=(names,)), "that of zeros, which the core leaves"
        everywhere = replace(question, nonzero=tuple((name,) for name in names))
        if counterexample(everywhere, self.limit_s):
            return everywhere, "those with zero in a register"
        kept = never_zero(self.cipher, self.limit_s)
        text = f"those with zero in one of {', '.join(kept)}, to which no step leads from others"
        return replace(question, nonzero=tuple((name,) for name in kept)), text

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
            self.announced,
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
        return running.lacks(counts=bool(self.announced) or self._silent_before())


def _listed(places: Sequence[Place]) -> str:
    """How many state bits, and the first of them."""
    return f"{len(places)} state bits, the first of them {places[0][0]}({places[0][1]}),"
