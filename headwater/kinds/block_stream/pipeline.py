# SPDX-License-Identifier: Apache-2.0
"""A core with all rounds of a block in a row, and registers behind each addition: a block a cycle.

The matrix of the next block enters the first stage, with a number that counts, and each stage makes
its part of a round. Key and nonce stand still beside them. The blocks leave in order, so the number
of the one that leaves follows from that of the one that enters; with it the first matrix is added
in a last stage.

The stages move on the register ``step``, so they have already moved when a word is not taken. It
then waits in ``hold``, and they wait in the cycles after.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Signal, Value

from headwater.core.naming import equals
from headwater.kinds.block_stream.description import BLOCK_BITS, WORD_BITS, WORDS
from headwater.kinds.block_stream.facts import PipelineFacts
from headwater.kinds.block_stream.loaded import LoadedCore, sums_of
from headwater.kinds.block_stream.pipelining import StageRegisters, staged_rounds


class PipelinedCore(LoadedCore):
    """One cipher of the Salsa20 family, all of whose stages have a block of their own. The
    keystream payload is zero while nothing is offered. With ``stall=none`` a word is offered for
    one cycle, and the payload is not masked before."""

    facts: PipelineFacts

    def __init__(self, facts: PipelineFacts) -> None:
        super().__init__(facts)
        kept = self.session.keeps_secrets
        self.first = [Signal(WORD_BITS, name=f"x{place}") for place in range(WORDS)]
        read = partial(staged_rounds, self.cipher, facts.stages, self.first)
        numbered = self.cipher.numbered()
        still = [word for place, word in enumerate(self.first) if place not in numbered]
        self.stages = StageRegisters(read, kept=kept, still=still)
        self.leaving = Signal(self.cipher.counter_bits, reset_less=kept)
        self.sums = [
            Signal(WORD_BITS, name=f"sum_{place}", reset_less=kept) for place in range(WORDS)
        ]
        self.hold = Signal(BLOCK_BITS, reset_less=kept)
        self.passed = Signal(range(facts.round_cycles + 1))
        self.step = Signal(init=1)
        waiting = (self.hold,) if facts.waits else ()
        self.control_registers = (self.loaded, self.passed)
        self.control_registers += (self.step,) if facts.waits else ()
        self.control_registers += () if self.derived is None else (self.derived,)
        self.secrets = (
            self.key,
            self.nonce,
            self.counter,
            *self.stages.registers.values(),
            self.leaving,
            *self.sums,
            *waiting,
        )

    comments: ClassVar = {
        **{f"x{place}": f"word {place} of the matrix that enters" for place in range(WORDS)},
        "loaded": "load words taken",
        "counter": "number of the block that enters",
        "leaving": "number of the block that the matrix is added to",
        "sum_0": "the keystream words of a block",
        "hold": "the keystream word of the cycle before",
        "passed": "stages that the first block has passed",
        "step": "the stages move",
        "derived": "the key is the one that blocks have",
        "derives": "the words after these rounds become the key",
    }

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        """The circuit of the core."""
        m = Module()
        self._load(m)
        moves = self.step if self.facts.waits else Const(1, 1)
        first = self._begun_with(self._matrix(self.counter))
        m.d.comb += [word.eq(value) for word, value in zip(self.first, first, strict=True)]
        after = self.stages.moved(m, moves)
        self._count(m, moves)
        self._add_matrix(m, moves, after)
        whole = equals(self.passed, self.facts.round_cycles, "ALL_ROUNDS")
        self._pass(m, whole, after)
        self._offer(m)
        self.session.clear_at_once(m, self.secrets)
        self.session.connect(
            m,
            last_word=self.loaded == self.facts.load_cycles - 1,
            setup_over=self._with_key(whole),
            registers=self.control_registers,
        )
        return m

    def _count(self, m: Module, moves: Value) -> None:
        """Each block that enters has the next number."""
        with m.If(self._with_key(~self.loading & moves)):
            m.d.sync += self.counter.eq(self.counter + 1)

    def _add_matrix(self, m: Module, moves: Value, after: Sequence[Value]) -> None:
        """The last stage. While a block passes the others, as many enter behind it."""
        younger = self.facts.round_cycles - 1
        sums = sums_of(m, after, self._matrix(self.leaving))
        with m.If(moves):
            m.d.sync += self.leaving.eq(self.counter - younger)
            m.d.sync += [
                register.eq(value) for register, value in zip(self.sums, sums, strict=True)
            ]

    def _pass(self, m: Module, whole: Value, after: Sequence[Value]) -> None:
        """Count the stages that the first block has passed: once for the key, where it is
        derived."""
        with m.If(~self.loading & ~whole):
            m.d.sync += self.passed.eq(self.passed + 1)
        self._derive(m, whole, after)
        with m.If(self.derives):
            m.d.sync += self.passed.eq(0)

    def _offer(self, m: Module) -> None:
        if self.facts.waits:
            m.d.sync += self.step.eq(~self.running | self.keystream.ready)
        m.d.comb += [
            self.keystream.valid.eq(self.running),
            self.keystream.payload.eq(self.held_word(m, Cat(*self.sums))),
        ]
