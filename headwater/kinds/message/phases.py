# SPDX-License-Identifier: Apache-2.0
"""What all properties of a machine's core may assume of its control; `setup` proves it."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Value

from headwater.kinds.message.core import MessageCore
from headwater.kinds.message.operations import Repeat


def phases(core: MessageCore) -> Value:
    """An invariant of the control registers in every reachable state."""
    program = core.program
    true = core.phase < len(program.operations)
    true &= (core.phase == 0) | core.memories_empty
    true &= core.loading == (core.phase <= program.last_take)
    true &= core.running == (core.phase >= program.started)
    begun = core.begun if core.knows_begun else Const(0, 1)
    trailing = core.trailing if core.cipher.text.trailer else Const(0, 1)
    marks = Cat(core.ended, begun, trailing, *core.lengths.values())
    true &= core.running | (marks == 0)
    counts = {
        section.enter: core.count <= core.last_word_of(section.part) for section in program.sections
    }
    for phase in range(len(program.operations)):
        true &= (core.phase != phase) | counts.get(phase, _counted(core, phase))
    return true


def _counted(core: MessageCore, phase: int) -> Value:
    """Whether the count is one that a cycle of the phase begins with."""
    one = core.program.operations[phase]
    step = core.architecture.radix if isinstance(one, Repeat) else 1
    first, last = core.first_of(phase), core.last_of(phase)
    inside = (core.count >= first) & (core.count <= last)
    if step == 1:
        return inside
    if step & (step - 1) == 0 and first % step == 0:
        return inside & (core.count[: step.bit_length() - 1] == 0)
    return Cat(core.count == number for number in range(first, last + 1, step)).any()
