# SPDX-License-Identifier: Apache-2.0
"""The core: a round in a cycle."""

from __future__ import annotations

from typing import ClassVar

from amaranth.hdl import Cat, Module, Mux, Signal

from headwater.core.component import Core
from headwater.core.function import FunctionNaming
from headwater_counter_mode.kind.description import CounterModeCipher
from headwater_counter_mode.kind.facts import CounterModeFacts


class CounterModeCore(Core):
    """Key and counter are shifted in. ``number`` then counts the rounds of a block. When all are
    over, the block is the word of keystream until it is taken."""

    cipher: CounterModeCipher
    facts: CounterModeFacts
    comments: ClassVar = {
        "key": "the key; with `counter` above it a load is shifted through both",
        "counter": "the block that is enciphered",
        "words": "load words that were taken",
        "number": "rounds of the block that are over",
        "block": "the block behind these rounds",
        "round_key": "the key behind these rounds",
    }

    def __init__(self, facts: CounterModeFacts) -> None:
        super().__init__(facts)
        cipher, kept = self.cipher, self.session.keeps_secrets
        self.key = Signal(cipher.key_bits, name="key", reset_less=kept)
        self.counter = Signal(cipher.block_bits, name="counter", reset_less=kept)
        self.block = Signal(cipher.block_bits, name="block", reset_less=kept)
        self.round_key = Signal(cipher.key_bits, name="round_key", reset_less=kept)
        self.number = Signal(8, name="number")
        self.words = Signal(range(max(facts.load_cycles, 2)), name="words")
        self.secrets = (self.key, self.counter, self.block, self.round_key)
        self.control_registers = (self.number, self.words)

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        """The circuit of the core."""
        m, rounds = Module(), self.cipher.rounds
        over, begins = self.number == rounds, self.number == 0
        text, key = self.cipher.block_round(
            FunctionNaming(m),
            self._named(m, "present_block", Mux(begins, self.counter, self.block)),
            self._named(m, "present_key", Mux(begins, self.key, self.round_key)),
            self.number,
        )
        valid = self.running & over
        m.d.comb += [
            self.keystream.valid.eq(valid),
            self.keystream.payload.eq(Mux(valid, self.block, 0)),
        ]
        with m.If(self.load_fire | self.session.emptying):
            shifted = Cat(self.key, self.counter, self.load_word)[len(self.load_word) :]
            m.d.sync += Cat(self.key, self.counter).eq(shifted)
        with m.If(self.load_fire):
            m.d.sync += self.words.eq(self.words + 1)
        with m.If(self.loading):
            m.d.sync += [self.block.eq(0), self.round_key.eq(0)]
        with m.Elif(~over):
            m.d.sync += [self.block.eq(text), self.round_key.eq(key)]
            m.d.sync += self.number.eq(self.number + 1)
        with m.Elif(self.keystream.ready):
            m.d.sync += [self.number.eq(0), self.counter.eq(self.counter + 1)]
        self.session.clear_at_once(m, self.secrets)
        self.session.connect(
            m,
            last_word=self.words == self.facts.load_cycles - 1,
            setup_over=~self.loading & (self.number == rounds - 1),
            registers=self.control_registers,
        )
        return m

    def _named(self, m: Module, name: str, value: object) -> Signal:
        signal = Signal.like(value, name=name)
        m.d.comb += signal.eq(value)
        return signal
