# SPDX-License-Identifier: Apache-2.0
"""AES in counter mode with all rounds in a row, and registers behind each: a block a cycle.

The round keys stand in one line (`headwater.kinds.aes.key_line`), each at the round that adds
it.

A counter block enters with the first round key added, and moves on by a stage in each cycle: a
round, or half of one. The stages move on the register ``step``, so they have already moved when a
word is not used. It then waits in ``hold``, and they wait in the cycles after.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.cipher.aes_ofb import mix_column, shift_rows
from headwater.core.function import FunctionNaming
from headwater.core.naming import named
from headwater.kinds.aes.block import columns, joined
from headwater.kinds.aes.counter_words import CounterWords
from headwater.kinds.aes.description import BLOCK_BITS
from headwater.kinds.aes.facts import AesFacts, CounterFacts
from headwater.kinds.aes.key_line import KeyLine


class Pipeline(KeyLine):
    """A stage is a block of the cipher behind a round, from none to all of them; or in its middle,
    behind the S-boxes. Subclasses count the blocks."""

    def __init__(self, facts: AesFacts) -> None:
        super().__init__(facts)
        self.step: Value = Signal(init=1, name="step") if facts.waits else Const(1, 1)
        self.begun = Signal(facts.stages)
        steps = (self.step,) if isinstance(self.step, Signal) else ()
        self.control_registers += (*steps, self.begun)
        self.stages = [self._register(name, BLOCK_BITS) for name in self._stage_names()]
        self.counter = self._register("counter", BLOCK_BITS)
        if facts.waits:
            self.hold = self._register("hold", BLOCK_BITS)
        self.full = Signal()
        self.made: list[Value] = []
        """What enters each stage."""
        self._make_table()

    def _stage_names(self) -> Iterator[str]:
        yield "stage_0"
        for number in range(1, self.facts.rounds + 1):
            if self.in_halves:
                yield f"half_{number}"
            yield f"stage_{number}"

    comments: ClassVar = {
        "step": "the stages move",
        "begun": "the stages that a block has reached, the first one lowest",
        "stage_0": "a block behind so many rounds, its round key added",
        "half_1": "a block in this round, behind its S-boxes",
        "counter": "the next counter block",
        "hold": "the keystream word of the cycle before",
        "full": "there is a keystream word",
    }

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        """The circuit of the core."""
        m = Module()
        self._move_round_keys(m)
        self._move_blocks(m)
        self._offer_words(m)
        self.session.clear_at_once(m, self.secrets)
        self.session.connect(
            m,
            last_word=self._load_ends,
            setup_over=self.making_keys & self._keys_end,
            finished=self.finished,
            registers=self.control_registers,
        )
        return m

    # --- blocks

    @abstractmethod
    def _count_block(self, m: Module) -> None:
        """Make the next counter block of this one."""

    def _entering_iv(self) -> Value:
        """The word of the IV that is loaded."""
        return self.load_word

    def _move_blocks(self, m: Module) -> None:
        with m.If(self.passes | self.session.emptying if self.iv_words > 1 else self.loading):
            m.d.sync += self.counter.eq(Cat(self._entering_iv(), self.counter)[:BLOCK_BITS])
        with m.If(self.running & self.step):
            self._count_block(m)
            m.d.sync += self.begun.eq(self.begun << 1 | 1)
        self.made = list(self._entering(m))
        with m.If(self.step):
            m.d.sync += [stage.eq(made) for stage, made in zip(self.stages, self.made, strict=True)]
        if self.session.shifts_zeros:
            with m.If(~self.running):
                m.d.sync += [stage.eq(0) for stage in self.stages]
        self._wait(m)

    def _entering(self, m: Module) -> Iterator[Value]:
        """What enters the stages, in their order."""
        yield named(m, "made_0", self.counter ^ self.round_keys[0])
        before = iter(self.stages)
        for number in range(1, self.facts.rounds + 1):
            substituted = self.substitute(m, next(before), f"sub_{number}")
            if self.in_halves:
                yield substituted
                substituted = next(before)
            yield self._after_round(m, substituted, number)

    def _after_round(self, m: Module, substituted: Value, number: int) -> Value:
        """The block behind the round of this number, from what its S-boxes give."""
        moved = shift_rows(columns(substituted))
        if number < self.facts.rounds:
            moved = tuple(
                named(m, f"mixed_{number}_{place}", mix_column(word, FunctionNaming(m)))
                for place, word in enumerate(moved)
            )
        return named(m, f"made_{number}", joined(moved) ^ self.round_keys[number])

    # --- words

    def _wait(self, m: Module) -> None:
        """A word that is not used waits, and the stages wait behind it."""
        m.d.comb += self.full.eq(self.running & (~self.step | self.begun[-1]))
        if isinstance(self.step, Signal):
            m.d.sync += [self.step.eq(self._goes_on), self.hold.eq(self.keystream_word)]

    @property
    def _goes_on(self) -> Value:
        """Whether the stages move in the next cycle."""
        return ~self.full | self.word_taken

    @property
    def keystream_word(self) -> Value:
        """The word that is next; zero while there is none."""
        waits = isinstance(self.step, Signal)
        word = Mux(self.step, self.stages[-1], self.hold) if waits else self.stages[-1]
        return Mux(self.full, word, 0)


class MarkedPipeline(CounterWords, Pipeline):
    """The last 32 bits of a counter block count, and a mode may mark blocks."""

    facts: CounterFacts

    def _entering_iv(self) -> Value:
        return self._marked(~self.taking_key)


SLICE = 16
"""Bits of a counter that count in one carry chain."""


class CountedPipeline(Pipeline):
    """So many bits of a counter block count as the cipher says, in slices. A slice counts where all
    below it are ones. Of the slices between it and the lowest that is known from a register: they
    change when the lowest one has counted through, and then do not for many cycles."""

    def __init__(self, facts: AesFacts) -> None:
        super().__init__(facts)
        counted = self.counter[: self.cipher.counted_bits]
        self.slices = [counted[low : low + SLICE] for low in range(0, len(counted), SLICE)]
        self.carries = Signal(max(len(self.slices) - 2, 0))
        self.control_registers += (self.carries,) if len(self.carries) else ()

    comments: ClassVar = {
        "carries": "the slices of the counter from bit 16 on are all ones, up to one of them each"
    }

    def _count_block(self, m: Module) -> None:
        lowest, *others = self.slices
        m.d.sync += lowest.eq(lowest + 1)
        over = named(m, "over", lowest.all()) if others else lowest
        for number, part in enumerate(others):
            with m.If(over & self.carries[number - 1] if number else over):
                m.d.sync += part.eq(part + 1)

    def _move_blocks(self, m: Module) -> None:
        super()._move_blocks(m)
        for number, part in enumerate(self.slices[1:-1]):
            before = self.carries[number - 1] if number else Const(1, 1)
            m.d.sync += self.carries[number].eq(part.all() & before)
