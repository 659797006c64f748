# SPDX-License-Identifier: Apache-2.0
"""The registers of a core with memories are zero soon behind `clear`."""

from __future__ import annotations

from amaranth.hdl import Assert, Cat, Module

from headwater.kinds.stepped.facts import SteppedFacts
from headwater.kinds.stepped.word_memories import WordMemoryCore
from headwater.prove.checker import Proof
from headwater.prove.offers import cleared


def check_registers(m: Module, core: WordMemoryCore, proof: Proof) -> None:  # noqa: ARG001
    """As many cycles behind a clear or a reset as a load has words no register holds a bit of the
    session. Control is as after a reset, but for the count of emptied words."""
    counts = (core.zeroed, core.memories_empty)
    control = [
        one
        for one in (*core.session.registers, *core.control_registers)
        if one is not counts[0] and one is not counts[1]
    ]
    with m.If(cleared(m, core, registers_cleared(core.facts))):
        m.d.comb += Assert(Cat(*core.secrets) == 0)
        m.d.comb += [Assert(register == register.init) for register in control]


def registers_cleared(facts: SteppedFacts) -> int:
    """Cycles from ``clear`` until the registers are zero, that of ``clear`` counted."""
    return 1 + facts.timeline.load_cycles
