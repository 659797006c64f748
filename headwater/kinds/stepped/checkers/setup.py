# SPDX-License-Identifier: Apache-2.0
"""A setup has its load words and blank cycles, and its controls are one in the right steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from amaranth.hdl import Array, Const, Module, ResetSignal, Signal, Value

from headwater.core.counter import state_after, states_of
from headwater.kinds.stepped.checkers.phases import phases
from headwater.kinds.stepped.checkers.reference import Schedule
from headwater.kinds.stepped.controller import ComparingController, ShiftingController
from headwater.kinds.stepped.core import SteppedCore
from headwater.kinds.stepped.word_steps import WordSteps
from headwater.prove.checker import Proof, assert_always, ended


@dataclass(frozen=True)
class Progress:
    """The progress of a setup, counted in binary beside the core."""

    schedule: Schedule
    words: Signal
    """Load words taken; one, when the last of a load of any length is."""
    blanks: Signal
    """Cycles after the load."""
    running: Signal
    """The first running cycle is over."""
    sent: Signal
    """Tag words taken."""

    @classmethod
    def of(cls, schedule: Schedule, tag_words: int, proof: Proof) -> Progress:
        """The progress before the first load word."""
        return cls(
            schedule,
            Signal(range(schedule.words + 1), name=proof.named("words")),
            Signal(range(len(schedule.first_steps)), name=proof.named("blanks")),
            Signal(name=proof.named("running")),
            Signal(range(max(2, tag_words)), name=proof.named("sent")),
        )

    @property
    def blank_cycles(self) -> int:
        """Cycles between the last load word and the first output word."""
        return len(self.schedule.first_steps) - 1

    @property
    def loaded(self) -> Value:
        """Whether all load words were taken."""
        return self.words == self.schedule.words

    @property
    def over(self) -> Value:
        """Whether the setup is over."""
        return self.loaded & (self.blanks == self.blank_cycles)


def check_setup(m: Module, core: SteppedCore, proof: Proof, known: Sequence[Value] = ()) -> None:
    """Output is offered exactly when all load words and all blank cycles have passed. The state
    moves in each of the latter. Until the end the controls are those of the description's phases,
    step by step. The induction also proves that the core's own counter agrees with the binary
    count, and the invariants that are ``known``."""
    schedule = Schedule.of(proof.cipher, core)
    follow_setup(
        m, core, proof, schedule, lambda progress: _controls(core, progress), lambda _: known
    )


def follow_setup(
    m: Module,
    core: SteppedCore,
    proof: Proof,
    schedule: Schedule,
    controls: Callable[[Progress], Iterator[Value]],
    known: Callable[[Progress], Iterable[Value]] = lambda _: (),
) -> None:
    """Follow the setup by a schedule, with conditions on the ``controls`` and further invariants
    that are ``known`` to the induction."""
    tag_words = core.tag_words
    progress = Progress.of(schedule, tag_words, proof)
    drop = _drop(core, progress, tag_words)
    _count(m, core, progress, drop)
    properties = [
        core.abort == drop,
        core.loading == ~progress.loaded,
        core.load.ready == _takes_load(core, progress),
        core.running == progress.over,
        ~progress.loaded | progress.over | core.enable,
        *_offers(core, progress),
        *controls(progress),
    ]
    invariants = [phases(core), *_walks_in_step(core, progress), *known(progress)]
    assert_always(m, proof, properties, invariants=invariants)


def _drop(core: SteppedCore, progress: Progress, tag_words: int) -> Value:
    """Whether the session is aborted in this cycle."""
    drop = ended(core, progress.loaded)
    if core.tag_words:
        return drop | (_tag_taken(core) & (progress.sent == tag_words - 1))
    return drop | core.finished


def _tag_taken(core: Any) -> Value:
    return core.tag.valid & (core.tag.ready if core.facts.waits else Const(1, 1))


def _takes_load(core: SteppedCore, progress: Progress) -> Value:
    """Whether a load word is taken: until the last one was, once memories are zero."""
    zeroed = core.memories_empty
    return ~progress.loaded if zeroed is None else ~progress.loaded & zeroed


def _count(m: Module, core: SteppedCore, progress: Progress, drop: Value) -> None:
    words, blanks = progress.words, progress.blanks
    taken = _takes_load(core, progress) & core.load.valid
    if core.cipher.any_length:
        taken &= core.load.last
    with m.If(taken):
        m.d.sync += words.eq(words + 1)
    with m.If(progress.loaded & ~progress.over):
        m.d.sync += blanks.eq(blanks + 1)
    m.d.sync += progress.running.eq(progress.over)
    if core.tag_words:
        with m.If(_tag_taken(core)):
            m.d.sync += progress.sent.eq(progress.sent + 1)
    with m.If(drop | ResetSignal()):
        m.d.sync += [words.eq(0), blanks.eq(0), progress.running.eq(0), progress.sent.eq(0)]


def _offers(core: Any, progress: Progress) -> Iterator[Value]:
    """Conditions on the streams of the core in the setup and at its end."""
    for name, stream in core.facts.streams.items():
        port = getattr(core, name)
        if name == "keystream":
            yield port.valid == progress.over
        elif name != "load":
            yield progress.over | ~(port.ready if stream.direction == "input" else port.valid)


def _controls(core: SteppedCore, progress: Progress) -> Iterator[Value]:
    """Conditions on each control at each position, in the cycles in which it is used. After the
    first running cycle all controls are zero."""
    schedule = progress.schedule
    checked: dict[tuple[int, tuple[bool | None, ...]], Value] = {}
    of_load = core.load_table.names if isinstance(core, WordSteps) else ()
    for control in schedule.cipher.controls:
        if control in of_load:
            continue
        for position in range(max(schedule.width * schedule.injected, schedule.radix)):
            value = core.controls(control, position)
            meant = tuple(_meaning(schedule, control, position))
            checked.setdefault((id(value), meant), value)
    for (_, meant), value in checked.items():
        for bit in (False, True):
            cycles = [cycle for cycle, is_one in enumerate(meant) if is_one is bit]
            yield ~in_cycles(progress, cycles) | (value if bit else ~value)
        yield ~(progress.over & progress.running) | ~value
    if schedule.injected:
        values = [schedule.made(cycle) for cycle in range(progress.blank_cycles)]
        slow = [cycle for cycle, steps in enumerate(values) if steps != schedule.radix]
        blank = [schedule.words + cycle for cycle in slow]
        yield core.controls.slow == (~progress.loaded | in_cycles(progress, blank))


def _meaning(schedule: Schedule, control: str, position: int) -> Iterator[bool | None]:
    """The value in each load cycle, blank cycle and the first running cycle; None if not used."""
    cipher = schedule.cipher
    for word in range(schedule.words):
        used = schedule.injected and position < schedule.width
        step = (word - schedule.words) * schedule.width + position
        yield cipher.control_at(control, step) if used else None
    for cycle, first in enumerate(schedule.first_steps):
        used = position < schedule.made(cycle)
        yield cipher.control_at(control, first + position) if used else None


def in_cycles(progress: Progress, cycles: Sequence[int]) -> Value:
    """Whether this is one of the cycles, which are counted from the first load word on."""
    words = progress.schedule.words
    within: Value = Const(0, 1)
    for first, last in _runs(cycles):
        if first < words:
            within |= (progress.words >= first) & (progress.words <= min(last, words - 1))
        if last >= words:
            blanks = progress.blanks
            late = (blanks >= max(0, first - words)) & (blanks <= last - words)
            within |= late & progress.loaded & ~progress.running
    return within


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    for _, group in groupby(enumerate(numbers), lambda item: item[1] - item[0]):
        run = [number for _, number in group]
        yield run[0], run[-1]


def _walks_in_step(core: SteppedCore, progress: Progress) -> Iterator[Value]:
    """Invariants of the core's registers for the induction, cycle by cycle."""
    marked, timeline = core.cipher.any_length, core.facts.timeline
    words, blanks = timeline.counted_load_cycles, timeline.blank_cycles
    done = progress.blanks if marked else progress.words + progress.blanks
    yield (progress.words <= progress.schedule.words) & (progress.blanks <= progress.blank_cycles)
    yield progress.loaded | (progress.blanks == 0)
    yield ~progress.running | progress.over
    for register, values in _counting(core, words, blanks):
        known = Array(Const(value, len(register)) for value in values)[done]
        # Where a mark ends the load, the load itself keeps the count at its start.
        free = core.loading if marked and register is core.count else Const(0, 1)
        yield progress.running | free | (register == known)
    for wave, flag in core.controls.flags.items():
        cycles = [cycle for cycle, is_one in enumerate(wave) if is_one]
        yield flag == in_cycles(progress, cycles)
    if core.tag_words:
        yield from _sends_in_step(core, progress)


def _counting(core: SteppedCore, words: int, blanks: int) -> Iterator[tuple[Value, list[int]]]:
    """Counting registers of the core, and their values in the cycles of a setup."""
    total, latency = words + blanks, core.facts.timeline.latency
    cycles = range(total + 1)
    if isinstance(core.controller, ShiftingController):
        period = (total - latency) // len(core.controller.stage)
        states = states_of(core.count, period)
        yield core.count, [states[cycle % period] for cycle in cycles]
        yield core.controller.tick, [int(cycle % period == period - 1) for cycle in cycles]
        parts = len(core.controller.stage)
        yield core.controller.stage, [1 << cycle // period & (1 << parts) - 1 for cycle in cycles]
    else:
        yield core.count, states_of(core.count, total + 1)
        if isinstance(core.controller, ComparingController):
            return
        if words > 1:
            yield core.last_word, core.controller.flag_of_last(words)
    yield core.last_blank, core.controller.flag_of_last(total)


def _sends_in_step(core: Any, progress: Progress) -> Iterator[Value]:
    words = core.tag_words
    yield core.sending | (progress.sent == 0)
    yield progress.sent < max(words, 1)
    yield ~core.sending | progress.running
    if words > 1:
        known = state_after(core.count, progress.sent, words - 1)
        yield ~progress.running | (core.count == known)
        yield core.last_tag_word == (core.sending & (progress.sent == words - 1))
    if isinstance(core.controller, ShiftingController):
        period = (progress.schedule.words + progress.blank_cycles) // len(core.controller.stage)
        # The tick follows the count by a cycle, also while a reader lets the count wait.
        late = progress.sent >= max(0, period - 2)
        yield ~progress.running | ((core.controller.stage == 0) & (~core.controller.tick | late))
