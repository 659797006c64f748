# SPDX-License-Identifier: Apache-2.0
"""The core of a cipher whose keystream is blocks: key, nonce and block number in, keystream out.

Key and nonce stay in their registers; only the block number changes. A block starts from its matrix
and goes through its rounds in place. The matrix is added to it as its words leave.

With a buffer the result of the last round goes there, and the state takes the next matrix in the
same cycle. Without one the words leave from the state and the words of the next matrix replace
them, so a block of sixteen words takes sixteen cycles more. A block that is one word leaves in a
cycle without a round; the adders of the rounds may add the matrix in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.core.naming import Naming, equals, named
from headwater.kinds.block_stream.description import BLOCK_BITS, WORD_BITS, WORDS
from headwater.kinds.block_stream.facts import BlockStreamFacts
from headwater.kinds.block_stream.folding import rounds_of_cycle
from headwater.kinds.block_stream.loaded import LoadedCore, same, sums_of, words_of
from headwater.kinds.block_stream.notes import notes_of
from headwater.kinds.block_stream.pipelining import StageRegisters, staged_round
from headwater.kinds.block_stream.shared_addition import SharedAdders, shared_round
from headwater.kinds.block_stream.words_ahead import WordsAhead


class BlockStreamCore(LoadedCore):
    """One cipher of the Salsa20 family at one architecture. The keystream payload is zero while
    nothing is offered. With ``stall=none`` a word is offered for one cycle, and the payload is not
    masked before."""

    has_setup = False
    adders = SharedAdders
    """What makes the additions of a quarter round, where they have a second use."""

    def __init__(self, facts: BlockStreamFacts) -> None:
        super().__init__(facts)
        self.lanes = self.architecture.radix // WORD_BITS
        self._make_registers()
        self._make_wires()

    def _make_registers(self) -> None:
        cipher, facts = self.cipher, self.facts
        kept = self.session.keeps_secrets
        self.state = [
            Signal(WORD_BITS, name=f"x{place}", reset_less=kept) for place in range(WORDS)
        ]
        self.stages = None
        if facts.stages > 1:
            read = partial(staged_round, cipher, facts.stages, self.state)
            self.stages = StageRegisters(read, kept=kept)
        self.renew = Signal(init=1)
        self.begun = Signal()
        self.all_begun: Value = self.begun if self.stages is None else Signal(name="all_begun")
        self.full = Signal()
        self.cycle = Signal(range(max(facts.round_cycles, facts.begin_cycles)))
        self.buffer = Signal(BLOCK_BITS, reset_less=kept)
        self.buffered_counter = Signal(cipher.counter_bits, reset_less=kept)
        self.word = Signal(range(facts.words_per_block))
        self.ahead = WordsAhead(facts, kept=kept) if facts.selects_ahead else None
        self.control_registers = (
            self.loaded,
            self.renew,
            self.begun,
            self.full,
            self.cycle,
            self.word,
        )
        if self.derived is not None:
            self.control_registers += (self.derived,)
        if self.stages:
            self.control_registers += (self.all_begun,)
        if self.ahead:
            self.control_registers += (self.ahead.number,)
        behind = (self.buffer, self.buffered_counter) if facts.buffered else ()
        between = self.stages.registers.values() if self.stages else ()
        ahead = self.ahead.words if self.ahead else ()
        self.secrets = (self.key, self.nonce, self.counter, *self.state, *between, *behind, *ahead)

    def _make_wires(self) -> None:
        self.enable = Signal()
        self.following = Signal(self.cipher.counter_bits)
        self.operands: list[Value] = []
        self.given: list[Value] = []

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        return super().notes | notes_of(self.facts)

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        """The circuit of the core."""
        m = Module()
        self._load(m)
        first = self._begun_with(self._matrix(self.following))
        if self.facts.buffered:
            self._run_buffered(m, first, self._rounds(m))
        else:
            self._run_unbuffered(m, first)
        self.session.clear_at_once(m, self.secrets)
        last = self.loaded == self.facts.load_cycles - 1
        self.session.connect(m, last_word=last, registers=self.control_registers)
        return m

    # --- rounds that derive the key

    def _start_anew(self, m: Module, *flags: Value) -> None:
        """Behind the derivation the control registers are as behind the load."""
        if self.derived is not None:
            with m.If(self.derives):
                m.d.sync += [self.renew.eq(1), self.cycle.eq(0), *(flag.eq(0) for flag in flags)]

    # --- rounds

    def _rounds(self, m: Module) -> list[Value]:
        """The state after this cycle of rounds."""
        if self.stages:
            # Each word goes to where a round of the other kind reads it.
            return self.cipher.rewired(self.stages.moved(m, self.enable))
        quarters = self.architecture["fold"] == "quarter"
        second = Signal(name="second_kind")
        m.d.comb += second.eq(self.cycle[2] if quarters else 0)
        becomes, self.operands = rounds_of_cycle(
            partial(Naming, m), self.cipher, self.architecture["fold"], self.state, second
        )
        return [
            values[0]
            if len(values) == 1
            else named(m, f"x{place}_after", Mux(second, values[1], values[0]))
            for place, values in enumerate(becomes)
        ]

    def _move_state(self, m: Module, renewed: Sequence[Value], after: Sequence[Value]) -> None:
        for register, fresh, moved in zip(self.state, renewed, after, strict=True):
            with m.If(self.enable):
                m.d.sync += register.eq(moved if fresh is moved else Mux(self.renew, fresh, moved))

    # --- with a buffer

    def _run_buffered(self, m: Module, first: Sequence[Value], after: Sequence[Value]) -> None:
        facts = self.facts
        free, fills = Signal(name="free"), Signal(name="fills")
        steady, last_word = Signal(name="steady"), self._is(self.word, facts.words_per_block - 1)
        ready = self.keystream.ready if facts.waits else Const(1, 1)
        m.d.comb += [
            # The empty buffer keeps shifting, so that it is zero soon after a clear.
            steady.eq(self.full & ~ready),
            free.eq(~self.full if facts.fills_empty else ~self.full | (ready & last_word)),
            self.enable.eq(~(self.all_begun & self.renew) | free),
            fills.eq(self._with_key(self.all_begun & self.renew & free)),
            self.following.eq(self.counter + self._with_key(self.begun)),
        ]
        self._derive(m, self.all_begun & self.renew, after)
        self._move_state(m, first, after)
        with m.If(self.renew & self.enable):
            m.d.sync += self.buffered_counter.eq(self._finished_counter)
        with m.If(~steady):
            shifted = Cat(self.buffer[self.architecture.radix :], Const(0, self.architecture.radix))
            m.d.sync += self.buffer.eq(Mux(fills, Cat(*after), shifted))
        with m.If(~self.loading & self.renew & self.enable):
            m.d.sync += self.counter.eq(self.following)
        with m.If(~self.loading):
            self._count_buffered(m, fills, ready, last_word)
        self._start_anew(m, self.begun, *([self.all_begun] if self.stages else []))
        matrix = self._matrix(self.buffered_counter)
        given = self._given(m, matrix, self.ahead.number if self.ahead else self.word)
        if self.ahead:
            taken = self.full & ready & ~last_word
            self.given = given = self.ahead.take(m, given, moves=~steady, counts=fills | taken)
        self._offer(m, self.full, sums_of(m, words_of(self.buffer)[: self.lanes], given))

    def _count_buffered(self, m: Module, fills: Value, ready: Value, last_word: Value) -> None:
        with m.If(self.enable):
            m.d.sync += self.begun.eq(1)
            if self.stages:
                self._count_stages(m)
            else:
                ends = equals(self.cycle, self.facts.round_cycles - 2, "LAST_BUT_ONE_CYCLE")
                m.d.sync += [
                    self.cycle.eq(Mux(self.renew, 0, self.cycle + 1)),
                    self.renew.eq(~self.renew & ends),
                ]
        m.d.sync += self.full.eq(fills | (self.full & ~(ready & last_word)))
        with m.If(self.full & ready):
            m.d.sync += self.word.eq(self.word + 1)

    def _count_stages(self, m: Module) -> None:
        """The cycle goes round. A block begins in each of the renewals, and all have begun when the
        first one is finished."""
        first, *later = self.facts.renewals
        soon = equals(self.cycle, first - 1, "BEFORE_RENEWAL_0")
        others = [
            equals(self.cycle, cycle - 1, f"BEFORE_RENEWAL_{number}")
            for number, cycle in enumerate(later, start=1)
        ]
        over = ~self.begun | equals(self.cycle, first, "LAST_CYCLE")
        m.d.sync += [
            self.cycle.eq(Mux(over, 0, self.cycle + 1)),
            self.renew.eq(soon | Cat(*others).any()),
            self.all_begun.eq(self.all_begun | soon),
        ]

    @property
    def _finished_counter(self) -> Value:
        """The number of the block that is finished. Those in the other stages are younger."""
        if self.stages is None:
            return self.counter
        younger = Mux(self.all_begun, self.facts.stages - 1, 0)
        return (self.counter - younger)[: len(self.counter)]

    # --- without one

    def _run_unbuffered(self, m: Module, first: Sequence[Value]) -> None:
        facts, lanes = self.facts, self.lanes
        ready = self.keystream.ready if facts.waits else Const(1, 1)
        last_word = self._is(self.cycle, facts.words_per_block - 1)
        given = self._given(m, self._matrix(self.counter), self.cycle)
        if facts.shares_adders:
            after, sums = shared_round(m, self.cipher, self.state, given, self.renew, self.adders)
        else:
            after, sums = self._rounds(m), sums_of(m, self.state[:lanes], given)
        last_cycle = equals(self.cycle, facts.round_cycles - 1, "LAST_CYCLE")
        self._derive(m, ~self.renew & last_cycle, after)
        m.d.comb += [
            self.enable.eq(~(self.renew & self.full) | ready),
            self.following.eq(self.counter + self.full),
        ]
        entering = self._entering(m, given, first)
        self._move_state(m, [*self.state[lanes:], *entering], after)
        with m.If(~self.loading & self.renew & self.enable & last_word):
            m.d.sync += self.counter.eq(self.following)
        with m.If(~self.loading & self.enable):
            ends = Signal(name="part_ends")
            m.d.comb += ends.eq(Mux(self.renew, last_word, last_cycle))
            m.d.sync += [
                self.cycle.eq(Mux(ends, 0, self.cycle + 1)),
                self.renew.eq(self.renew ^ ends),
                self.full.eq(self.full | ~self.renew),
            ]
        self._start_anew(m, self.full)
        self._offer(m, self.renew & self.full, sums)

    def _entering(self, m: Module, given: Sequence[Value], first: Sequence[Value]) -> list[Value]:
        """The words of the next matrix that enter in a cycle, with the next block number."""
        present = self._matrix(self.counter)
        entering = []
        for lane, word in enumerate(given):
            value = word
            for place in range(lane, WORDS, self.lanes):
                if not same(first[place], present[place]):
                    here = self._is(self.cycle, place // self.lanes)
                    value = Mux(here, first[place], value)
            entering.append(value if value is word else named(m, f"entering_{lane}", value))
        return entering

    # --- keystream

    def _given(self, m: Module, matrix: Sequence[Value], word: Signal) -> list[Value]:
        """The matrix words that are added in this cycle."""
        rest: Value = Cat(*matrix)
        for bit in reversed(range((self.facts.words_per_block - 1).bit_length())):
            half = len(rest) // 2
            rest = named(m, f"matrix_part_{bit}", Mux(word[bit], rest[half:], rest[:half]))
        self.given = words_of(rest)
        return self.given

    def _offer(self, m: Module, valid: Value, sums: Sequence[Value]) -> None:
        payload = Cat(*sums)
        m.d.comb += [
            self.keystream.valid.eq(valid),
            self.keystream.payload.eq(
                Mux(self.keystream.valid, payload, 0) if self.facts.waits else payload
            ),
        ]

    def _is(self, counter: Signal, number: int) -> Value:
        """Whether ``counter`` is at word ``number``; always, where a block is one word."""
        return counter == number if self.facts.words_per_block > 1 else Const(1, 1)
