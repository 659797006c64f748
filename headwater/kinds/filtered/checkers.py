# SPDX-License-Identifier: Apache-2.0
"""Checkers of a core of a filtered LFSR and its setup.

``inverse`` proves that the output of an inverter is the inverse; ``step`` that the LFSR moves as
the description says, although inverses are injected higher up and earlier; ``setup`` in which
cycles they are injected. `headwater.kinds.filtered.check_message` covers messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Any

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, Signal, Value

from headwater.algebra.every_element import gives_bits, gives_inverses
from headwater.algebra.straight_line import Program
from headwater.algebra.word import through
from headwater.core.function import FunctionNaming
from headwater.core.naming import named
from headwater.kinds.filtered.core import FilteredSteps
from headwater.kinds.filtered.description import FilteredLfsr
from headwater.kinds.stepped.checkers.phases import phases
from headwater.kinds.stepped.checkers.reference import Schedule
from headwater.kinds.stepped.checkers.setup import Progress, follow_setup, in_cycles
from headwater.kinds.stepped.core import SteppedCore
from headwater.prove.checker import Proof, aborting, becomes, begins, earlier, first_cycle


@dataclass(frozen=True)
class FilteredSchedule(Schedule):
    """The setup of a core in steps; `latency` is the cycles that an inverse takes.

    Where the number of steps per cycle changes, the first running cycle comes after the injection
    of all inverses. Otherwise it comes when the first bit of keystream is there, made in the step
    that is the pipeline's delay minus two before the last step of the setup.
    """

    cipher: FilteredLfsr

    @classmethod
    def of(cls, cipher: Any, core: SteppedCore) -> FilteredSchedule:
        """The schedule that a core must follow."""
        architecture = core.architecture
        rate = cipher.setup_rate(architecture.radix, architecture["setup"])
        width = architecture.load_width
        words = -(-(cipher.key_bits + cipher.iv_bits[-1]) // width)
        return cls(cipher, words, rate, architecture.radix, int(architecture["stages"]) - 1)

    @property
    def first_running(self) -> int:
        """Steps before the first running cycle."""
        if self.width != self.radix:
            return self.cipher.blank_steps
        return -(-(self.cipher.blank_steps - (self.cipher.delay - 2)) // self.radix) * self.radix

    @property
    def last_injected(self) -> int:
        """The step of the last inverse that is injected in the setup."""
        return self.cipher.blank_steps - self.cipher.delay

    @property
    def first_steps(self) -> list[int]:
        """For each cycle, the step of the first inverse that leaves the inverters."""
        cycles = self.first_running // self.width + self.latency
        return [(cycle - self.latency) * self.width for cycle in range(cycles + 1)]

    def injects(self, cycle: int, place: int) -> bool:
        """Whether an inverse is injected: from step 1 on. The empty pipeline and the steps of the
        keystream add nothing."""
        return 1 <= self.first_steps[cycle] + place <= self.last_injected

    def absorbs(self, cycle: int, place: int) -> bool:
        """Whether the authenticator takes the bit of an inverse, which arrives in the last cycle;
        the last step is that of the injection."""
        last = self.first_steps[-2] + self.width - 1
        late = last - self.last_injected
        return self.first_steps[cycle] + place - late >= 1


def check_setup(m: Module, core: FilteredSteps, proof: Proof) -> None:
    """Output is offered exactly when all load words and all blank cycles have passed. Until then,
    exactly the right inverses are injected. None is delayed when the number of steps per cycle
    changes."""
    schedule = FilteredSchedule.of(proof.cipher, core)
    blank = range(len(schedule.first_steps) - 1)

    def cycles(are_on: Sequence[bool]) -> list[int]:
        return [schedule.words + cycle for cycle, is_on in enumerate(are_on) if is_on]

    def controls(progress: Progress) -> Iterator[Value]:
        for place in range(schedule.width):
            on = cycles([schedule.injects(cycle, place) for cycle in blank])
            yield core.controls("injecting", place) == in_cycles(progress, on)
            if core.cipher.authenticates:
                on = cycles([schedule.absorbs(cycle, place) for cycle in blank])
                yield core.controls("absorbing", place) == in_cycles(progress, on)
        if schedule.width != schedule.radix:
            yield from _narrow(core, schedule, progress)

    def drained(progress: Progress) -> Iterator[Value]:
        in_blank = progress.loaded & ~progress.over
        if core.facts.waits:
            yield ~in_blank | core.step
        last = max(cycle for cycle in blank if schedule.injects(cycle, 0))
        deepest = max((len(signal) for signal in core.waiting.values()), default=0)
        for ago in range(1, -(-deepest // schedule.width) + 1):
            if last + 1 + ago <= len(blank):
                gone = Cat(
                    *(
                        signal[max(0, len(signal) - ago * schedule.width) :]
                        for signal in core.waiting.values()
                    )
                )
                yield ~progress.loaded | (progress.blanks < last + 1 + ago) | (gone == 0)

    follow_setup(m, core, proof, schedule, controls, drained)


def _narrow(core: FilteredSteps, schedule: FilteredSchedule, progress: Progress) -> Iterator[Value]:
    """The number of steps of each cycle after the load; no bit is delayed into running cycles."""
    in_setup = progress.blanks < schedule.first_running // schedule.width
    yield ~progress.loaded | progress.over | (core.narrow == in_setup)
    yield ~progress.over | ~core.narrow
    yield ~progress.over | (Cat(*core.waiting.values(), Const(0, 1)) == 0)


class _Early:
    """Inverses by step and bit, counted from the start of a cycle, wherever the core holds them. A
    bit that was already injected into the LFSR has an arbitrary value."""

    def __init__(self, m: Module, core: FilteredSteps) -> None:
        self._core, self._cipher = core, core.cipher
        self._arriving = -core.facts.pace.cuts * core.facts.pace.rate
        bits = core.cipher.bits
        self._entered = {step: Signal(bits, name=f"any_early_{-step}") for step in self.steps}
        m.d.sync += [word.eq(word) for word in self._entered.values()]

    @property
    def steps(self) -> range:
        """The steps whose inverses are known and not yet injected by the description."""
        return range(1 - self._cipher.delay, self._arriving)

    def has_entered(self, bit: int, step: int) -> bool:
        """Whether the bit was already injected into the LFSR, above its cell."""
        return step in self.steps and step not in self._core.facts.pace.waiting(bit)

    def __call__(self, bit: int, step: int) -> Value:
        """The bit of an inverse."""
        if step >= self._arriving:
            return self._core.path.arriving[bit][step - self._arriving]
        waiting = self._core.facts.pace.waiting(bit)
        if step in waiting:
            return self._core.waiting[bit][step - waiting.start]
        return self._entered[step][bit]

    def with_entered(self, cells: Sequence[Value], later: int) -> list[Value]:
        """The cells with the early bits added (or removed), ``later`` steps on."""
        changed = list(cells)
        for bit, cell in enumerate(self._cipher.injected_cells):
            for step in self.steps:
                if self.has_entered(bit, step):
                    changed[cell + self._cipher.delay + step] ^= self(bit, step + later)
        return changed


def check_step(m: Module, core: FilteredSteps, proof: Proof) -> None:  # noqa: ARG001
    """A cycle is ``rate`` or ``radix`` clocks of the LFSR. In the setup each clock adds an inverse
    from the pipeline to the description's cells; the inverted cells are the description's. What
    leaves an inverter is added where it is to be injected, and nothing else is."""
    rate, radix = core.facts.pace.rate, core.architecture.radix
    early, setup = _Early(m, core), ~core.loading
    if rate != radix:
        setup &= core.narrow
        _check_running(m, core, radix)
    cells = early.with_entered(list(core.lfsr), 0)
    cells = list(named(m, "any_cells", Cat(*cells)))
    for time in range(rate):
        m.d.comb += Assert(~setup | (_inverted(core, time) == _filtered(core, cells)))
        cells = _clocked(m, core, cells, time)
        for bit, cell in enumerate(core.cipher.injected_cells):
            cells[cell] ^= early(bit, time + 1 - core.cipher.delay)
        for bit, made in core.path.made(time):
            injected = made & core.controls("injecting", time)
            m.d.comb += Assert(core.path.arriving[bit][time] == injected)
    moved = setup & core.enable & ~aborting(core)
    becomes(m, moved, core.lfsr, Cat(*early.with_entered(cells, rate)))
    for bit, signal in core.waiting.items():
        kept = (early(bit, step + rate) for step in core.facts.pace.waiting(bit))
        becomes(m, moved, signal, Cat(*kept))
    m.d.comb += Assume(phases(core))


def _check_running(m: Module, core: FilteredSteps, radix: int) -> None:
    """A running cycle with another number of steps is as many clocks without injection."""
    nothing = Cat(*core.waiting.values(), *core.path.arriving.values()) == 0
    running = ~core.loading & ~core.narrow & nothing
    cells: list[Value] = list(core.lfsr)
    for time in range(radix):
        m.d.comb += Assert(~running | (_inverted(core, time) == _filtered(core, cells)))
        cells = _clocked(m, core, cells, time + radix)
    becomes(m, running & core.enable & ~aborting(core), core.lfsr, Cat(*cells))


def _clocked(m: Module, core: FilteredSteps, cells: Sequence[Value], number: int) -> list[Value]:
    entering = reduce(xor, (cells[cell] for cell in core.cipher.feedback_cells))
    return [*cells[1:], named(m, f"any_entering_{number}", entering)]


def _filtered(core: FilteredSteps, cells: Sequence[Value]) -> Value:
    return Cat(*(cells[cell] for cell in core.cipher.filter_cells))


def _inverted(core: FilteredSteps, time: int) -> Value:
    """The input of the inverter of step ``time``."""
    return Cat(*(bit[time] for bit in core.path.inverted))


def check_inverse(m: Module, core: FilteredSteps, proof: Proof) -> None:
    """The inverters are the circuit of the inversion, read once more, part by part. That circuit
    gives the inverse of each element: all are tried while this is built."""
    cipher, rate = proof.cipher, core.facts.pace.rate
    full, few = cipher.inversion(), cipher.inversion(cipher.outputs)
    tried = gives_inverses(full, cipher.field.polynomial)
    tried &= gives_bits(few, full, cipher.outputs)
    m.d.comb += [Assume(core.enable & ~aborting(core)), Assert(Const(tried, 1))]
    for time in range(core.architecture.radix):
        of_all = time < rate
        _check_inverter(m, core, time, "full" if of_all else "more", full if of_all else few)


def _check_inverter(
    m: Module, core: FilteredSteps, time: int, name: str, parts: Sequence[Program]
) -> None:
    """The parts of one inverter follow each other, and its registers only delay."""
    place = time - core.facts.pace.rate * (name == "more")
    wire, first = FunctionNaming(m), first_cycle(m)
    word = named(m, f"any_x_{time}", _inverted(core, time))
    for number, (part, (cuts, behind)) in enumerate(
        zip(parts, core.path.behind[name], strict=True)
    ):
        inverted = through(wire, f"check_{name}_{number}", len(part.outputs), part.word, word)
        for cut in range(cuts):
            inverted = earlier(m, f"y_{time}_{number}_{cut}", inverted)
        word = named(m, f"any_y_{time}_{number}", Cat(*(bit[place] for bit in behind)))
        m.d.comb += Assert((first if cuts else Const(0, 1)) | (word == inverted))
    left = Cat(*(output for _, output in core.path.made(time)))
    m.d.comb += Assert(left == word)


def check_output(m: Module, core: FilteredSteps, proof: Proof) -> None:  # noqa: ARG001
    """The bits of keystream are bit 0 of the inverses and cell 0, in the order of their steps."""
    pace = core.facts.pace
    mask: Value = core.lfsr[: pace.radix]
    age = Signal(range(pace.cuts + 2), name="spec_age")
    m.d.sync += age.eq(age + 1)
    for cut in range(pace.cuts):
        mask = earlier(m, f"mask_{cut}", mask)
    first = Cat(*(dict(core.path.made(time))[0] for time in range(pace.radix)))
    lag = core.lag if core.lag is not None else Const(0, 0)
    m.d.comb += [
        Assume(core.enable & phases(core)),
        Assert((age != pace.cuts) | (core.path.words[0] == first ^ mask)),
        Assert(core.due[: pace.radix] == Cat(lag, core.path.words[0])[: pace.radix]),
    ]
    if core.lag is not None:
        count = Mux(core.running, pace.radix, pace.rate)
        becomes(m, ~aborting(core), core.lag, Cat(lag, core.path.words[0]) >> count)


def check_next(m: Module, core: FilteredSteps, proof: Proof) -> None:
    """The state of a waiting core moves after each word that is used, and only then. Until then the
    word waits."""
    before, used = first_cycle(m), earlier(m, "used", core.word_taken)
    seen = earlier(m, "seen", core.running & ~aborting(core))
    word = earlier(m, "word", Mux(core.step, core.due, core.hold))
    m.d.comb += [
        Assume(begins(proof, before, phases(core))),
        Assert(before | ~seen | ((core.step == used) & (core.hold == word))),
    ]
    if proof.by_induction:
        m.d.comb += Assert(before | core.loading | seen | core.step)
