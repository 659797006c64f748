# SPDX-License-Identifier: Apache-2.0
"""The walk of a core of AES with a key of any length, counted in binary beside the core's own
count: the words of the load, then the cycles of one block after another."""

from __future__ import annotations

from collections.abc import Iterator

from amaranth.hdl import Const, Module, Mux, ResetSignal, Signal, Value

from headwater.kinds.aes.line import LineCore
from headwater.kinds.aes.line_phases import phases
from headwater.prove.checker import Proof


class Walk:
    """The counts, which begin anew when a session is dropped.

    Attributes
    ----------
    words, cycle : Signal
        Words that were loaded; the cycle of a block, 0 until all are.
    begun : Signal
        Whether the round that stands alone behind the load is over.
    loaded, last_round : Value
        Whether all words are loaded; whether the cycle is of a last round.
    """

    def __init__(self, core: LineCore, proof: Proof) -> None:
        facts = core.facts
        self._core, self._load = core, facts.load_cycles
        self._block, self._count = facts.cycles_per_block, facts.words_per_block
        self.words = Signal(range(self._load + 1), name=proof.named("words"))
        self.cycle = Signal(range(self._block), name=proof.named("cycle"))
        self.begun = Signal(name=proof.named("begun"))
        self.loaded: Value = self.words == self._load
        self.last_round: Value = self.loaded & (self.cycle < self._count)

    def follow(self, m: Module, dropped: Value, passes: Value) -> None:
        """Count on in each cycle that ``passes``, and begin anew when the session is dropped."""
        words, cycle, begun, loaded = self.words, self.cycle, self.begun, self.loaded
        with m.If(dropped | ResetSignal()):
            m.d.sync += [words.eq(0), cycle.eq(0), begun.eq(0)]
        with m.Elif(passes):
            m.d.sync += [
                words.eq(words + ~loaded),
                cycle.eq(Mux(loaded & (cycle != self._block - 1), cycle + 1, 0)),
                begun.eq(begun | (loaded & (cycle == self._count - 1))),
            ]

    def invariants(self) -> Iterator[Value]:
        """The range of each count, and what the core's own registers are beside them."""
        core, words, cycle, begun = self._core, self.words, self.cycle, self.begun
        yield (words <= self._load) & (cycle < self._block)
        yield self.loaded | ((cycle == 0) & ~begun)
        yield begun | (cycle < self._count)
        yield phases(core)
        yield core.loading == ~self.loaded
        yield core.position == Mux(self.loaded, cycle, words)
        yield core.idle == (words == 0) if core.knows_idle else Const(1, 1)
