# SPDX-License-Identifier: Apache-2.0
"""The properties of a core whose sessions take turns: each session acts as the plain core does.

In the first stage of a session's turn all that the core holds of the session is in the registers
that stand for those of the plain core; every other register is of another session. If one turn
moves them as one cycle moves the plain core, from any state of the session, of all others and with
any inputs, then so do all turns, and no session depends on another. All else that a session does is
promised by the plain core, and proven of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from amaranth.hdl import (
    Assert,
    ClockDomain,
    ClockSignal,
    DomainRenamer,
    EnableInserter,
    Fragment,
    Module,
    Mux,
    ResetSignal,
    Signal,
    Value,
)
from amaranth.hdl._ast import Switch
from amaranth.hdl._xfrm import _ControlInserter as ControlInserter
from amaranth.lib.wiring import In, Out

from headwater.core.interleaving.core import InterleavedCore, signals
from headwater.core.interleaving.facts import InterleavedFacts
from headwater.core.interleaving.staged import registers_of
from headwater.prove.checker import Proof, Property, earlier, first_cycle
from headwater.prove.reading import independent, other_gates


def check_turns(m: Module, core: InterleavedCore, _: Proof) -> None:
    """A plain core takes the registers of a session in its first stage, makes its cycle a cycle
    after the turn, with the inputs of the turn, and must give the outputs of the turn. Then it must
    hold what the session's registers hold a whole round after the first stage."""
    count, lead = core.facts.count, core.staged.schedule.lead
    plain = core.make_plain()
    begun = Signal(range(count + 2), name="spec_begun", reset_less=True)
    m.d.sync += begun.eq(Mux(begun == count + 1, begun, begun + 1))
    moves, reset = begun == lead + 1, _before(m, ResetSignal(), "rst")
    m.domains.turn = domain = ClockDomain("turn", local=True)
    m.d.comb += [domain.clk.eq(ClockSignal()), domain.rst.eq(reset & moves)]
    fragment = Fragment.get(plain, None)
    held, heads = registers_of(fragment), core.rebuilt.heads
    follows = _Following(begun == 0, heads)
    m.submodules.plain = DomainRenamer("turn")(follows(EnableInserter(moves)(fragment)))
    inputs, outputs = signals(core, In), signals(core, Out)
    for name, signal in signals(plain, In).items():
        m.d.comb += signal.eq(_before(m, inputs[name], name))
    for name, signal in signals(plain, Out).items():
        m.d.comb += Assert((signal == _before(m, outputs[name], name)) | ~moves)
    for name, register in held.items():
        m.d.comb += Assert((register == _before(m, heads[name], name)) | (begun != count + 1))


class _Following(ControlInserter):
    """Lets registers take other words, by their names, where a condition holds."""

    def __init__(self, condition: Value, words: Mapping[str, Value]) -> None:
        super().__init__(condition)
        self._words = words

    def _insert_control(self, fragment: Fragment, domain: str, masks: Any) -> None:
        words = [signal.eq(self._words[signal.name]) for signal, *_ in masks.chunks()]
        fragment.add_statements(domain, Switch(self.controls[domain], [(1, words, None)]))


def _before(m: Module, value: Value, name: str) -> Signal:
    """What a value was in the cycle before."""
    register = Signal(len(value), name=f"any_{name}", reset_less=True)
    m.d.sync += register.eq(value)
    return register


def check_turn(m: Module, core: InterleavedCore, _: Proof) -> None:
    """The number of the session is one higher than in the cycle before, or 0."""
    wraps = ResetSignal() | (core.turn == core.facts.count - 1)
    expected = earlier(m, "turn", Mux(wraps, 0, core.turn + 1)[: len(core.turn)])
    m.d.comb += Assert(first_cycle(m) | (core.turn == expected))


def _round(facts: InterleavedFacts) -> int:
    """The cycles of one turn, and two in which the plain core is compared."""
    return facts.count + 2


PROPERTIES = (
    Property(
        "turns",
        check_turns,
        other_gates("the plain core, which makes a cycle in each turn"),
        "a turn moves a session, and gives its outputs, as a cycle does a plain core, whatever the "
        "other sessions do",
        cycles=_round,
    ),
    Property(
        "turn",
        check_turn,
        independent("a count"),
        "the sessions have their turns one after another, from 0 after a reset",
    ),
)
