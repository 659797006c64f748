# SPDX-License-Identifier: Apache-2.0
"""A testbench of a source of random bits: what its model does with inputs at random moments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from headwater.emit.prng import described
from headwater.kinds.stepped.prng.model import PrngInputs, PrngModel, PrngOutputs
from headwater.kinds.stepped.prng.shape import PrngShape
from headwater.templating import Templates

_RENDERED = Templates(Path(__file__).with_name("templates")).rendered
_SEED = 1
"""Of the random moments."""
_RUNNING_CYCLES = 40
"""Cycles of each session that a testbench looks at, once bits are made."""


@dataclass(frozen=True)
class PrngCycle:
    """A cycle of a test: inputs, outputs, and a mark for each instance whose state is made zero
    before, that of the first in bit 0."""

    zero: int
    given: PrngInputs
    made: PrngOutputs


def prng_cycles(shape: PrngShape) -> Iterator[PrngCycle]:
    """What the model does with inputs at random moments: a load broken off, whole seeds, bits asked
    for, words mixed in, resets, a state that is made zero, and one that is saved and written
    back."""
    model = PrngModel(shape)
    random = Random(_SEED)
    for given, zero in _stimulus(shape, random):
        model.zero(zero)
        yield PrngCycle(zero, given, model.clock(given))
    if shape.state_port:
        yield from _suspension(shape, model, random)


def prng_testbench(shape: PrngShape) -> str:
    """The module ``TOP_tb``, which compares the source with its model in each cycle. It prints
    "PASS", or "FAIL" and where."""
    rows: list[str] = []
    ports = (1, shape.facts.index_bits, shape.seed_width, shape.seed_width)
    width = shape.random_bits + shape.seed_width + shape.instances + 6 + shape.watched
    width += sum(ports) if shape.state_port else 0
    for cycle in prng_cycles(shape):
        inputs, outputs = cycle.given, cycle.made
        fields: list[tuple[int, int]] = [
            (cycle.zero, shape.instances),
            (inputs.reset, 1),
            (inputs.en, 1),
            (inputs.restart, 1),
            (inputs.seed_valid, 1),
            (inputs.seed, shape.seed_width),
            (outputs.seed_ready, 1),
            (outputs.valid, 1),
            (outputs.error, int(shape.watched)),
            (outputs.prng, shape.random_bits),
        ]
        if shape.state_port:
            values = inputs.state_write, inputs.state_word, inputs.state_in, outputs.state_out
            fields += zip(values, ports, strict=True)
        rows.append(f"{_joined(fields):x}")
    registers = {register.name: register.length for register in shape.cipher.registers}
    return _RENDERED(
        "prng_testbench.sv", rows=rows, width=width, registers=registers, **described(shape)
    )


def _joined(fields: Iterable[tuple[int, int]]) -> int:
    """Fields of a value and a width as one number, the first in the lowest bits."""
    value = place = 0
    for field, width in fields:
        value |= field << place
        place += width
    return value


def _stimulus(shape: PrngShape, random: Random) -> Iterator[tuple[PrngInputs, int]]:
    """Inputs at random moments, each with marks where states are made zero."""
    ends = (PrngInputs(restart=True, seed_valid=True, seed=1), PrngInputs(reset=True, en=True))
    for session, end in enumerate(ends):
        faulty = 1 << (shape.instances - 1) * session
        few = 2 * shape.seed_words * shape.parts // 3
        yield from _session(shape, random, few, {random.randrange(4): faulty})
        yield end, 0
        running = _RUNNING_CYCLES * (2 + session)
        zeros = {_seeding(shape) + running // 2: faulty}
        yield from _session(shape, random, _seeding(shape) + running, zeros)
        if shape.by_words:  # A seed word would end a state of zeros before it is found.
            quiet = _session(shape, random, _RUNNING_CYCLES, {0: faulty})
            yield from ((replace(given, seed_valid=False), zero) for given, zero in quiet)
        yield replace(_inputs(shape, random), restart=not session, reset=session > 0), 0


def _suspension(shape: PrngShape, model: PrngModel, random: Random) -> Iterator[PrngCycle]:
    """A state that is saved, lost in a reset, and written back with its error; then words that are
    written while bits are offered, and in a restart. The inputs after the save come again after the
    restore."""

    def clocked(given: PrngInputs) -> PrngCycle:
        return PrngCycle(0, given, model.clock(given))

    for given, _ in _session(shape, random, _seeding(shape) + _RUNNING_CYCLES, {}):
        yield clocked(given)
    waiting = True
    while waiting:  # Until no seed word has been taken in part.
        yield (cycle := clocked(PrngInputs(seed_valid=True)))
        waiting = not cycle.made.seed_ready
    saved = [clocked(PrngInputs(state_word=number)) for number in range(shape.state_words)]
    yield from saved
    onwards = [_inputs(shape, random) for _ in range(_RUNNING_CYCLES)]
    again = [
        PrngInputs(
            state_write=True, state_word=cycle.given.state_word, state_in=cycle.made.state_out
        )
        for cycle in saved
    ]
    calm = [PrngInputs()] * 3
    for given in (*onwards, PrngInputs(reset=True), *calm, *again, *onwards):
        yield clocked(given)
    last = PrngInputs(state_word=shape.state_words - 1)
    for word in (0b10, 0b11):
        yield clocked(replace(last, state_write=True, state_in=word))
        yield from (clocked(last) for _ in range(2))
    for _ in range(_RUNNING_CYCLES):
        yield clocked(
            replace(
                _inputs(shape, random),
                state_write=random.random() < 0.3,
                state_word=random.randrange(1 << shape.facts.index_bits),
                state_in=random.getrandbits(shape.seed_width),
            )
        )
    for given in (replace(last, state_write=True, state_in=1, restart=True), *calm):
        yield clocked(given)


def _seeding(shape: PrngShape) -> int:
    """Cycles that surely take a whole seed and set up, with gaps between the words."""
    return 2 * shape.seed_words * shape.parts + shape.facts.timeline.blank_cycles + 2


def _session(
    shape: PrngShape, random: Random, cycles: int, zeros: Mapping[int, int]
) -> Iterator[tuple[PrngInputs, int]]:
    for cycle in range(cycles):
        yield _inputs(shape, random), zeros.get(cycle, 0)


def _inputs(shape: PrngShape, random: Random) -> PrngInputs:
    offered = random.random() < 0.7
    return PrngInputs(
        en=random.random() < 0.6, seed_valid=offered, seed=random.getrandbits(shape.seed_width)
    )
