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
from headwater.errors import ToolError
from headwater.flow.process import MissingToolError, TookTooLongError
from headwater.foreign import setup
from headwater.foreign.attempt import Attempt, attempts
from headwater.foreign.diagnosis import diagnose
from headwater.foreign.mapping import StateMap, by_keystream, map_state
from headwater.foreign.netlist import Netlist
from headwater.foreign.ports import guess
from headwater.foreign.reading import ForeignCore, read_core
from headwater.foreign.search import RUNS, Match, in_words
from headwater.foreign.settings import Settings
from headwater.foreign.step import Question, by_simulation, proven
from headwater.foreign.vectors import try_vectors
from headwater.foreign.verdict import NO, OPEN, YES, Verdict
from headwater.kinds.stepped.runs import BitCipher, bit_cipher

LIMIT_S = 120.0
_NEAR = 8
"""Cycles from the right one in which an output may rise and be taken for what tells of keystream.
"""


def judge(
    files: Sequence[Path], cipher: Cipher, settings: Settings, *, limit_s: float = LIMIT_S,
    tell: Callable[[str], object] = lambda _: None,
) -> tuple[Verdict, ForeignCore]:  # fmt: skip
    """Judge a core.

    Parameters
    ----------
    files
        Its sources, in the order in which they are read.
    cipher
        What it is said to be.
    settings
        What cannot be guessed of its ports.
    limit_s
        Seconds that a proof may take; one that takes longer leaves its layer open.
    tell
        Is called with what is done next.

    Raises
    ------
    InputError
        If the sources cannot be judged at all.
    """
    bits = bit_cipher(cipher)
    tell("reading the sources")
    core = read_core(files, settings)
    netlist, ports = core.netlist, guess(core.netlist, bits, settings)
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    verdict = Verdict(cipher.name, [path.name for path in files], digest, len(netlist.q),
                      netlist.gate_count, ports.as_json())  # fmt: skip
    tell("looking for the keystream")
    tried: list[Attempt] = []
    for attempt in attempts(netlist, bits, ports, settings.session, sure=bool(settings.reset)):
        tried.append(attempt)
        if attempt.match:
            _Right(verdict, bits, netlist, attempt, attempt.match, settings, limit_s, tell).judge()
            return verdict, core
    tell("looking for what is wrong")
    diagnose(verdict, bits, tried, ports)
    return verdict, core


@dataclass
class _Right:
    """A core whose keystream is the cipher's."""

    verdict: Verdict
    cipher: BitCipher
    netlist: Netlist
    attempt: Attempt
    match: Match
    settings: Settings
    limit_s: float
    tell: Callable[[str], object]

    def judge(self) -> None:
        """Say all layers."""
        verdict, match = self.verdict, self.match
        verdict.radix = match.radix
        verdict.key, verdict.iv = (self._order(what) for what in ("key", "iv"))
        order = "" if match.radix == 1 else f", {in_words(match.order)}"
        verdict.keystream = f"{match.port}{order}"
        self._vectors()
        self._state()
        self._step()
        self._setup()
        verdict.lacks = self._lacks()

    def _order(self, what: str) -> str:
        ports = self.attempt.plan.ports
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
            cycle = trace.begins + turns[0]
            # What falls again later may tell of anything else, unless it rises when it should.
            sure = len(turns) == 1 or self.settings.valid or abs(cycle - right) <= _NEAR
            if rises and sure:
                found.append((port, cycle))
        found.sort(key=lambda one: (abs(one[1] - right), "valid" not in one[0], one[0]))
        return found[0] if found else None

    @property
    def first(self) -> int:
        """How many bits behind the first one of ``match.cycle`` the core's first keystream bit is:
        where it says so, or else where it is by the description."""
        if self.announced:
            return (self.announced[1] - self.match.cycle) * self.match.radix
        silent = self._silent_before()
        return 0 if silent else self.cipher.blank_steps - self.match.step

    def _silent_before(self) -> bool:
        """Whether the output is constant until the first keystream word."""
        trace, match = self.attempt.trace, self.match
        places = [n for n, (port, _) in enumerate(self.netlist.output_bits) if port == match.port]
        before = trace.outputs[trace.begins : match.cycle]
        return match.step > 0 and len(before) > 2 and all(
            before[0][place] == outputs[place] in (0, (1 << RUNS) - 1)
            for outputs in before for place in places
        )  # fmt: skip

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
        return map_state(self.cipher, self.netlist, alignment, right=True)

    def _state(self) -> None:
        found, bits = self.map.count(), self.cipher.state_bits
        held = len([one for one in self.map.places() if self._lasts(one[0])])
        sorts = ", ".join(f"{count} {sort}" for sort, count in sorted(found.items()))
        rest = [f"{len(self.map.control)} control"] if self.map.control else []
        rest += [f"{len(self.map.free)} of no known meaning"] if self.map.free else []
        text = f"{held} of {bits} state bits; flip-flops: {', '.join([sorts or 'none', *rest])}"
        whole = YES if held == bits or found["sum"] else OPEN if found else NO
        self.verdict.add("state", whole, text)

    def _lasts(self, register: str) -> bool:
        return any(one.name == register and not one.setup_only for one in self.cipher.registers)

    def _running(self) -> list[int]:
        """Cycles of the trace in which the cipher runs."""
        alignment, match = self.map.alignment, self.match
        begin = match.cycle + -(-max(0, self.cipher.blank_steps - match.step) // match.radix)
        return [cycle for cycle in range(max(begin, alignment.cycle), alignment.last_cycle)
                if alignment.step_at(cycle) >= self.cipher.blank_steps]  # fmt: skip

    def _ports(self) -> dict[tuple[str, int], int]:
        match, alignment = self.match, self.map.alignment
        later = match.step_at(alignment.cycle) - alignment.step
        width = match.radix
        return {(match.port, bit if match.order == "first" else width - 1 - bit): later + bit
                for bit in range(width)}  # fmt: skip

    def _step(self) -> None:
        cycles = self._running()[1:]
        if not cycles:
            self.verdict.add("step", OPEN, "the trace has too few running cycles")
            return
        self.tell("proving the step")
        question = Question(self.netlist, self.cipher, self.map, cycles, self._ports())
        differences = by_simulation(question)
        if differences and self.map.free:
            self.map.derived, self.map.free = self.map.free, []
            differences = by_simulation(question)
        if differences:
            if self.map.derived:
                first = self.netlist.name(self.map.derived[0])
                text = f"it depends on what {len(self.map.derived)} flip-flops of no known meaning"
                self.verdict.add("step", OPEN, f"{text} hold, the first of them {first}")
                return
            self.verdict.add("step", NO, f"{len(differences)} bits differ from other states than "
                             "those that the session reached")  # fmt: skip
            self.verdict.wrong += [f"{one.what}, made in step {one.step} of a cycle"
                                   for one in differences[:3]]  # fmt: skip
            return
        result, text = self._answer(question)
        self.verdict.add("step", result, text)

    def _answer(self, question: Question) -> tuple[str, str]:
        radix = question.radix
        steps = "a step" if radix == 1 else f"{radix} steps"
        try:
            if proven(question, self.limit_s):
                text = f"a cycle is {steps} of the description, state and output, from any state"
                if question.earlier and not self.map.derived:
                    return YES, f"{text} that a cycle leads to, under this map"
                if self.map.derived:
                    count = len(self.map.derived)
                    return YES, f"{text}; {count} flip-flops hold what is made of that before"
                return YES, f"{text} under this map"
            if proven(replace(question, zeros=False), self.limit_s):
                text = f"a cycle is {steps} of the description, state and output, from any state"
                return YES, f"{text} but that of zeros, which the core leaves"
            if self.map.free or self.map.derived:
                return OPEN, "it depends on what flip-flops of no known meaning hold"
            return NO, f"there is a state from which a cycle is not {steps} of the description"
        except TookTooLongError:
            return OPEN, f"no proof in {self.limit_s:g} s; none of {4 * RUNS} random states differs"
        except MissingToolError:
            raise
        except ToolError as error:
            return OPEN, f"the solver came to no answer: {str(error).splitlines()[0]}"

    def _setup(self) -> None:
        if self.map.derived:
            self.verdict.add("setup", OPEN, "some flip-flops are functions of the state before, "
                             "which the load does not put there")  # fmt: skip
            return
        if self.verdict.result("step") != YES or self.verdict.result("vectors") == NO:
            self.verdict.add("setup", OPEN, "it is looked at where the step is proven")
            return
        self.tell("proving the setup")
        result, text = setup.prove(
            self.netlist, self.cipher, self.map, self.attempt, self.match, self.announced,
            self._answer,
        )  # fmt: skip
        self.verdict.add("setup", result, text)

    def _lacks(self) -> list[str]:
        lacks = [] if self.announced or self._silent_before() else ["setup counter"]
        waits = any(
            self._holds(name, value) for name, value in self.attempt.plan.ports.ties.items()
        )
        if not waits:
            lacks.append("back-pressure")
        return lacks

    def _holds(self, port: str, value: int) -> bool:
        """Whether the other value of an input makes the state wait in a running cycle."""
        cycles = self._running()
        if self.netlist.ports[port][1] != 1 or not cycles or not self.map.meanings:
            return False
        trace = self.attempt.trace
        inputs = [
            (1 - value) * ((1 << RUNS) - 1) if place[0] == port else entering
            for place, entering in zip(
                self.netlist.input_bits, trace.inputs[cycles[0]], strict=True)
        ]  # fmt: skip
        state = trace.states[cycles[0]]
        after, _ = self.netlist.cycle(state, inputs, (1 << RUNS) - 1)
        return all(after[flop] == state[flop] for flop in self.map.meanings)
