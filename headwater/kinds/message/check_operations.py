# SPDX-License-Identifier: Apache-2.0
"""What the registers of a machine's core become by its operations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, Value

from headwater.core.function import FunctionNaming
from headwater.core.naming import named
from headwater.kinds.message.calling import moved, word_of
from headwater.kinds.message.core import MessageCore
from headwater.kinds.message.operations import Do, Repeat, Squeeze, Take
from headwater.kinds.message.phases import phases
from headwater.kinds.message.selecting import State, called, either, sized
from headwater.prove.checker import Proof, aborting, becomes


def held_by(m: Module, core: MessageCore) -> State:
    """What registers and memories hold, as a checker reads it."""
    return {**core.state, **core.memories(m)}


def state_becomes(m: Module, core: MessageCore, when: Value, state: Mapping[str, Any]) -> None:
    """Assert that the registers have these words, and the memories these contents, in the next
    cycle if ``when`` holds. What is left out may change."""
    when = when & ~aborting(core)
    for name, register in core.state.items():
        becomes(m, when, register, state[name])
    for name, memory in core.memories(m).items():
        if name in state:
            content = named(m, f"{name}_content", memory.content)
            becomes(m, when, content, state[name].content)


def check_load(m: Module, core: MessageCore, proof: Proof) -> None:  # noqa: ARG001
    """A load word does what the description says of the next bits of key or nonce, the first one to
    a state of zeros; without one the state stays, or becomes zero. What is done once is done in a
    cycle."""
    m.d.comb += Assume(phases(core))
    zeros: State = {name: Const(0, len(word)) for name, word in core.state.items()}
    held = held_by(m, core)
    first = core.program.operations[1]
    assert isinstance(first, Take)
    taken = _taken(m, core, 0, first, {**held, **zeros})
    fires = core.load.valid & core.memories_empty
    state_becomes(m, core, (core.phase == 0) & fires, taken)
    state_becomes(m, core, (core.phase == 0) & ~fires, zeros)
    for phase, one in core.program.each():
        here = core.phase == phase
        if isinstance(one, Do):
            wire = FunctionNaming(m, f"_once_{phase}")
            state_becomes(m, core, here, moved(one.function, wire, held, core.words))
        if isinstance(one, Take):
            state_becomes(m, core, here & core.load.valid, _taken(m, core, phase, one, held))
            state_becomes(m, core, here & ~core.load.valid, held)


def _taken(m: Module, core: MessageCore, phase: int, take: Take, state: Mapping[str, Any]) -> State:
    word, width = core.load.payload, core.architecture.load_width
    if take.enter is None:
        register = state[take.into]
        if core.cipher.first_bit_on_top:
            return {**state, take.into: (register << width | word)[: len(register)]}
        return {**state, take.into: Cat(register, word) >> width}
    size = take.block_bits or take.bits
    if width > size:
        for place in range(width // size):
            wire = FunctionNaming(m, f"_taken_{phase}_{place}")
            told = {**core.words, "block": word.word_select(_place(core, place, width, size), size)}
            state = {
                name: called(m, f"{name}_{phase}_{place}", value)
                for name, value in moved(take.enter, wire, state, told).items()
            }
        return dict(state)
    block: Value = Const(0, size)
    for place in range(size // width):
        here = (core.count % (size // width)) == place
        low = _place(core, place, size, width) * width
        block = Mux(here, sized(word << low, size), block)
    block = named(m, f"taken_{phase}", block)
    wire = FunctionNaming(m, f"_taken_{phase}")
    return moved(take.enter, wire, state, {**core.words, "block": block})


def _place(core: MessageCore, number: int, bits: int, size: int) -> int:
    """Where part ``number`` of a word of so many bits is, counted from its lowest one."""
    return bits // size - 1 - number if core.cipher.first_bit_on_top else number


def check_step(m: Module, core: MessageCore, proof: Proof) -> None:  # noqa: ARG001
    """A cycle of steps is as many of the description's as the radix says, one after another, with
    their numbers; what is done before the first is done in the first cycle."""
    m.d.comb += Assume(phases(core))
    repeats = [(phase, one) for phase, one in core.program.each() if isinstance(one, Repeat)]
    for step in dict.fromkeys(one.step for _, one in repeats):
        group = [(phase, one) for phase, one in repeats if one.step is step]
        here = Cat(core.phase == phase for phase, _ in group).any()
        state_becomes(m, core, here, _stepped(m, core, group))


def _stepped(m: Module, core: MessageCore, group: list[tuple[int, Repeat]]) -> State:
    """The state after a cycle of the phases of one step."""
    held = held_by(m, core)
    begun = dict(held)
    for phase, one in group:
        if one.begin is not None:
            wire = FunctionNaming(m, f"_begin_{phase}")
            after = moved(one.begin, wire, held, core.words)
            first = (core.phase == phase) & (core.count == one.first_number)
            begun = {name: either(first, after[name], word) for name, word in begun.items()}
    state: State = {name: called(m, f"{name}_{group[0][0]}", word) for name, word in begun.items()}
    step = group[0][1].step
    bits = core.cipher.number_bits(step)
    controls = {
        name: Cat(core.phase == phase for phase, one in group if name in one.controls).any()
        for name in core.cipher.controls_of(step)
    }
    for turn in range(core.architecture.radix):
        label = f"{group[0][0]}_{turn}"
        number = named(m, f"number_{label}", sized(core.count + turn, bits))
        told = {**core.words, **controls, "number": number}
        after = moved(step, FunctionNaming(m, f"_step_{label}"), state, told)
        state = {name: called(m, f"{name}_{label}", word) for name, word in after.items()}
    return state


def check_tag(m: Module, core: MessageCore, proof: Proof) -> None:  # noqa: ARG001
    """The words of the tag are those that are squeezed, in their order, each until it is taken; the
    session ends behind the last one, if there is one."""
    m.d.comb += Assume(phases(core))
    width = core.facts.tag_width
    squeezes = list(_squeezes(core))
    m.d.comb += Assert(core.tag.valid == Cat(core.phase == phase for phase, _ in squeezes).any())
    for phase, one in squeezes:
        here = core.phase == phase
        wire = FunctionNaming(m, f"_squeezed_{phase}")
        word = word_of(one.function, wire, {**core.words, **held_by(m, core)})
        for number in range(one.bits // width):
            wanted = word.word_select(_place(core, number, one.bits, width), width)
            fits = ~here | (core.count != number) | (core.tag.payload == wanted)
            m.d.comb += Assert(fits)
        state_becomes(m, core, here, held_by(m, core))
    last, one = squeezes[-1]
    over = (core.phase == last) & (core.count == one.bits // width - 1) & core.tag.ready
    m.d.comb += Assert(core.finished == (over & Const(not core.cipher.output_bits, 1)))


def _squeezes(core: MessageCore) -> Iterator[tuple[int, Squeeze]]:
    for phase, one in core.program.each():
        if isinstance(one, Squeeze):
            yield phase, one
