# SPDX-License-Identifier: Apache-2.0
"""AES-256 in counter mode with all rounds in a row, and a register behind each: a block a cycle.

The round keys are made once, behind the load, a key a cycle. They stand in one line, which moves
down as the key is loaded and as a key is made, so each arrives at the round that adds it.

A counter block enters with the first round key added, and moves on by a round in each cycle. The
stages move on the register ``step``, so they have already moved when a word is not used. It then
waits in ``hold``, and they wait in the cycles after.
"""

from __future__ import annotations

from typing import ClassVar

from amaranth.hdl import Module, Mux, Signal, Value

from headwater.cipher.aes256 import ROUNDS, next_half
from headwater.cipher.aes_ofb import FIRST_CONSTANT, mix_column, shift_rows
from headwater.core.function import FunctionNaming
from headwater.core.naming import Naming, named
from headwater.kinds.aes_ofb.block import columns, joined
from headwater.kinds.aes_ofb.counter_words import CONSTANTS, CounterWords
from headwater.kinds.aes_ofb.description import BLOCK_BITS
from headwater.kinds.aes_ofb.facts import CounterFacts


class PipelinedCounter(CounterWords):
    """A stage is a block of the cipher behind a round, from none to all of them."""

    def __init__(self, facts: CounterFacts) -> None:
        super().__init__(facts)
        self.taking_key = Signal(init=1)
        self.odd = Signal()
        self.constant = Signal(CONSTANTS, init=FIRST_CONSTANT)
        self.rotates = self.odd
        self.step = Signal(init=1)
        self.begun = Signal(ROUNDS + 1)
        self.control_registers = (self.taking_key, self.odd, self.constant, self.step, self.begun)
        self.round_keys = self._line("round_key")
        self.stages = self._line("stage")
        self.counter = self._register("counter", BLOCK_BITS)
        self.hold = self._register("hold", BLOCK_BITS)
        self.making_keys = Signal()
        self.key_enable = Signal()
        self.full = Signal()
        self.following_key = Signal(BLOCK_BITS)
        self.made: list[Value] = []
        """What enters each stage."""
        self._make_table()

    def _line(self, name: str) -> list[Signal]:
        """A register for each round, and one before them."""
        return [self._register(f"{name}_{number}", BLOCK_BITS) for number in range(ROUNDS + 1)]

    comments: ClassVar = {
        "taking_key": "words of the key are still to come",
        "odd": "the second half of the key, or a round key of even number",
        "constant": "the round constant without its top bit, which is zero",
        "step": "the stages move",
        "begun": "the stages that a block has reached, the first one lowest",
        "round_key_0": "round keys, the first one here once all are made",
        "stage_0": "a block behind so many rounds, its round key added",
        "counter": "the next counter block",
        "hold": "the keystream word of the cycle before",
        "making_keys": "a round key is made",
        "key_enable": "the round keys move",
        "following_key": "the round key that is made",
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
            last_word=~self.taking_key,
            setup_over=self.making_keys & self._keys_end,
            finished=self.finished,
            registers=self.control_registers,
        )
        return m

    # --- round keys

    @property
    def _keys_end(self) -> Value:
        """Whether the round key that is made is that of the last round."""
        return self.odd & self.constant[-1]

    def _move_round_keys(self, m: Module) -> None:
        older, newest = (columns(key) for key in self.round_keys[-2:])
        following = next_half(
            older,
            newest[-1],
            self.rotates,
            self.added_constant,
            lambda word: self.substitute(m, word, "key_sub"),
            Naming(m),
        )
        loads = self.load_fire & self.taking_key
        m.d.comb += [
            self.making_keys.eq(~self.loading & ~self.running),
            self.key_enable.eq(self.session.emptying | loads | self.making_keys),
            self.following_key.eq(joined(following)),
        ]
        with m.If(self.load_fire | self.making_keys):
            m.d.sync += self.odd.eq(~self.odd)
        with m.If(self.load_fire):
            m.d.sync += self.taking_key.eq(self.taking_key & ~self.odd)
        with m.If(self.making_keys & ~self.odd):
            m.d.sync += self.constant.eq(self.constant.rotate_left(1))
        entering = named(m, "entering_key", Mux(self.loading, self.load_word, self.following_key))
        with m.If(self.key_enable):
            for key, above in zip(self.round_keys, [*self.round_keys[1:], entering], strict=True):
                m.d.sync += key.eq(above)

    # --- blocks

    def _move_blocks(self, m: Module) -> None:
        with m.If(self.loading):
            m.d.sync += self.counter.eq(self._marked(~self.taking_key))
        with m.If(self.running & self.step):
            self._count_block(m)
            m.d.sync += self.begun.eq(self.begun << 1 | 1)
        self.made = [named(m, "made_0", self.counter ^ self.round_keys[0])]
        self.made += [self._after_round(m, number) for number in range(1, ROUNDS + 1)]
        with m.If(self.step):
            m.d.sync += [stage.eq(made) for stage, made in zip(self.stages, self.made, strict=True)]
        if self.session.shifts_zeros:
            with m.If(~self.running):
                m.d.sync += [stage.eq(0) for stage in self.stages]
        self._wait(m)

    def _after_round(self, m: Module, number: int) -> Value:
        """The block of the stage before behind the round of this number."""
        substituted = self.substitute(m, self.stages[number - 1], f"sub_{number}")
        moved = shift_rows(columns(substituted))
        if number < ROUNDS:
            moved = tuple(
                named(m, f"mixed_{number}_{place}", mix_column(word, FunctionNaming(m)))
                for place, word in enumerate(moved)
            )
        return named(m, f"made_{number}", joined(moved) ^ self.round_keys[number])

    # --- words

    def _wait(self, m: Module) -> None:
        """A word that is not used waits, and the stages wait behind it."""
        m.d.comb += self.full.eq(self.running & (~self.step | self.begun[-1]))
        m.d.sync += [self.step.eq(self._goes_on), self.hold.eq(self.keystream_word)]

    @property
    def _goes_on(self) -> Value:
        """Whether the stages move in the next cycle."""
        return ~self.full | self.word_taken

    @property
    def keystream_word(self) -> Value:
        """The word that is next; zero while there is none."""
        return Mux(self.full, Mux(self.step, self.stages[-1], self.hold), 0)
