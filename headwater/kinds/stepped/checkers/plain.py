# SPDX-License-Identifier: Apache-2.0
"""A core's registers and output as those of the plain core."""

from __future__ import annotations

from amaranth.hdl import Assume, Cat, Const, Module, Mux, ResetSignal, Signal, Value

from headwater.kinds.stepped.checkers.reference import State, Steps, single_steps
from headwater.kinds.stepped.checkers.sums import sums_are_right
from headwater.kinds.stepped.core import SteppedCore
from headwater.kinds.stepped.description import SteppedCipher


def plain_state(m: Module, core: SteppedCore) -> State:
    """The registers of the plain core: what the transformations do is undone, the last first."""
    state: State = core.state
    for one in reversed(core.transformations):
        state = one.undo(m, core, state)
    return state


def steps_of_cycle(m: Module, core: SteppedCore, cipher: SteppedCipher, count: int) -> Steps:
    """``count`` single steps from the core's state on, with the core's controls, while the bits of
    its load word enter. What was added a cycle ahead is taken to be right."""
    width = core.architecture.load_width // cipher.lane_count

    def entering(position: int) -> Value:
        if position >= width:
            return Const(0, cipher.lane_count)
        return Cat(core.load_word[lane * width + position] for lane in range(cipher.lane_count))

    m.d.comb += Assume(sums_are_right(core))
    held = {**plain_state(m, core), **core.memories(m)}
    return single_steps(m, cipher, held, count, core.controls, entering)


def nothing_enters(core: SteppedCore) -> Value:
    """Whether the entering bits of this cycle are zero, where bits can enter."""
    return core.load_word == 0 if core.emptied else Const(1, 1)


def output_word(m: Module, core: SteppedCore, steps: Steps, ahead: int) -> tuple[Value, Value]:
    """The output word that a cycle makes, and whether its expected value is known. It belongs to
    the present state or, in a core with a pipeline, to the state some cycles ago: then these cycles
    must have been seen. Where output is kept for a cycle, it begins with the last outputs of the
    cycle before."""
    timeline = core.facts.timeline
    radix, surplus = timeline.steps_per_cycle, timeline.surplus_bits
    outputs = steps.outputs[ahead : radix if surplus else ahead + radix]
    word: Value = Cat(*(reversed(outputs) if core.cipher.first_bit_on_top else outputs))
    known: Value = Const(1, 1)
    for cycle in range(timeline.latency):
        later = Signal(len(word), name=f"spec_output_{cycle}")
        seen = Signal(name=f"spec_seen_{cycle}")
        with m.If(core.enable):
            m.d.sync += [later.eq(word), seen.eq(known & ~core.loading)]
        with m.If(core.loading | core.abort | ResetSignal()):
            m.d.sync += seen.eq(0)
        word, known = later, seen
    if surplus:
        word = Cat(word, *steps.outputs[:ahead])
    return word, known


def offered_word(core: SteppedCore, word: Value) -> Value:
    """The output word of a running cycle: the one it makes, or the one that waits."""
    return Mux(core.step, word, core.hold) if core.facts.waits else word
