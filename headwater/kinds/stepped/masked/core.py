# SPDX-License-Identifier: Apache-2.0
"""A core in two shares: the state and all that is made of it, twice; session and count, once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import reduce
from operator import xor
from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib.wiring import In, Member

from headwater.core.component import Core
from headwater.core.counter import counter_width, first_reached, following
from headwater.core.naming import named
from headwater.core.shares import SHARES
from headwater.kinds.stepped.masked.facts import MaskedFacts
from headwater.kinds.stepped.masked.gadgets import Gadgets
from headwater.kinds.stepped.masked.plan import Sum


class MaskedCore(Core):
    """A cipher of shift registers in two shares.

    In the load the registers are one chain, so that nothing is added to a load word. A keystream
    word is the sum of its shares. Nothing of the control depends on a share.
    """

    facts: MaskedFacts
    comments: ClassVar[Mapping[str, str]] = {
        "keystream_valid": "the setup is over, and the products of the next step are made",
        "count": "load words, then moves of the setup; a shift-register sequence from zero",
        "last_word": "this load word is the last",
        "last_blank": "this move is the last of the setup",
        "go": "the state moves as soon as its products are made",
        "move": "the state moves",
        "word_counts": "a load word is not made zeros, which enter an idle core",
        "waited": "cycles since the state moved, as ones from bit 0 on",
    }

    def __init__(self, facts: MaskedFacts) -> None:
        super().__init__(facts)
        self.plan = facts.plan
        kept = self.session.keeps_secrets
        self.state = {
            name: tuple(
                Signal(one.length, name=share, reset_less=kept) for share in facts.share_names(name)
            )
            for name, one in self.plan.registers.items()
        }
        self.count = Signal(counter_width(facts.counted))
        self.waited = Signal(self.plan.waits)
        self.last_word, self.last_blank = Signal(name="last_word"), Signal(name="last_blank")
        self.go = Signal(name="go")
        # Nets of their own, as the checker of leakage is told of them.
        told = facts.word_counts
        self.word_counts: Value = Const(1, 1)
        if told:
            self.word_counts = Signal(name=told) if facts.waits else self.load_fire
        self.move: Value = Signal(name="move") if self.plan.waits else self.go
        self.control_registers = (self.count,)
        fresh = self.fresh if facts.fresh_bits else None
        self._gadgets = Gadgets(self.plan, self.state, fresh, kept=kept)
        self.secrets = tuple(one for shares in self.state.values() for one in shares)

    def _ports_beside(self) -> Mapping[str, Member]:
        return {"fresh": In(self.facts.fresh_bits)} if self.facts.fresh_bits else {}

    @property
    def driving(self) -> Mapping[str, str]:
        """What leads from the control to the shares."""
        return {
            one.name: one.name
            for one in (self.loading, self.running, self.go, self.word_counts)
            if isinstance(one, Signal)
        }

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        told = {
            signal.name: f"share {share}; bit 0 is stage {self.plan.registers[name].oldest}, "
            "the oldest"
            for name, pair in self.state.items()
            for share, signal in enumerate(pair)
        }
        return super().notes | told | self._gadgets.notes

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        """The circuit of the core."""
        m = Module()
        self._control(m)
        # Products that are made stay, so that a word that nobody takes does not change.
        self._gadgets.add(m, self.go | ~self.made if self.plan.waits else self.go)
        self.secrets += tuple(self._gadgets.registers)
        outputs = [
            named(m, f"z_share{share}", self._sum(self.plan.output, share, 0))
            for share in range(SHARES)
        ]
        self._offer(m, outputs)
        for share, output in enumerate(outputs):
            self._move_share(m, share, output)
        self.session.connect(
            m,
            last_word=self.last_word,
            setup_over=self.last_blank & self.move & ~self.loading,
            registers=self.control_registers,
            word_counts=self.word_counts,
            finished=self.finished,
        )
        return m

    def _control(self, m: Module) -> None:
        """When the state moves, and the count of load words and moves."""
        facts, loads = self.facts, self.facts.load_cycles
        m.d.comb += [
            self.last_word.eq(first_reached(self.count, loads - 1)),
            self.last_blank.eq(first_reached(self.count, loads + facts.blank_moves - 1)),
            self.go.eq(self._goes if facts.waits else 1),
        ]
        if facts.waits and facts.word_counts:
            m.d.comb += self.word_counts.eq(self.load.valid | ~self.idle)
        if self.plan.waits:
            m.d.comb += self.move.eq(self.go & (self.loading | self.made))
            longer = Cat(Const(1, 1), self.waited[:-1])
            m.d.sync += self.waited.eq(Mux(self.move, 0, longer))
        with m.If(self.load_fire | (~self.loading & self._counts_moves & self.move)):
            m.d.sync += self.count.eq(following(self.count))

    @property
    def _counts_moves(self) -> Value:
        """Whether moves are counted behind the load."""
        return ~self.running

    @property
    def _taken(self) -> Value:
        """Whether a running core may move."""
        return self.keystream.ready

    @property
    def made(self) -> Value:
        """Whether the products of the next step are made."""
        return self.waited[-1] if self.plan.waits else Const(1, 1)

    @property
    def _goes(self) -> Value:
        empty = self.idle if self.knows_idle else Const(0, 1)
        return Mux(self.loading, self.load.valid | empty, ~self.running | self._taken)

    def _offer(self, m: Module, outputs: list[Signal]) -> None:
        """Offer a word once the setup is over; zeros while nothing is offered, if the core waits:
        no bit of the setup leaves it."""
        word = Cat(*outputs)
        m.d.comb += [
            self.keystream.valid.eq(self.running & self.made),
            self.keystream.payload.eq(Mux(self.running, word, 0) if self.facts.waits else word),
        ]

    def _move_share(self, m: Module, share: int, output: Value) -> None:
        """One share of every register: in the load it takes what leaves the register before it. The
        output of a step may enter in the setup."""
        radix = self.architecture.radix
        before: Value = self.load_word[share * radix : (share + 1) * radix]
        for name, pair in self.state.items():
            gated = self.plan.entering[name]
            stepped = self._sum(gated.always, share, 0, masked=True)
            for controls, total in gated.added.items():
                added = self._added(total, share, output)
                stepped ^= added & self._in_setup(controls).replicate(radix)
            entering = named(m, f"{name}_in_share{share}", Mux(self.loading, before, stepped))
            moved = self._moved(name, share, output, Cat(pair[share][radix:], entering))
            with m.If(self.move):
                m.d.sync += pair[share].eq(moved)
            before = pair[share][:radix]

    def _added(self, total: Sum, share: int, output: Value) -> Value:
        """One share of a sum, which may be the output, or that and a few stages."""
        if (beside := total.beside(self.plan.output)) is None:
            return self._sum(total, share, 0)
        stages = (self._gadgets.stage(one, 0, share) for one in beside)
        return reduce(xor, stages, output)

    def _in_setup(self, controls: Collection[str]) -> Value:  # noqa: ARG002
        """Whether these controls of the setup are one: in all of it."""
        return ~self.running

    def _moved(self, name: str, share: int, output: Value, shifted: Value) -> Value:  # noqa: ARG002
        """One share of a register after a move, of which ``shifted`` is what a step makes."""
        return shifted

    def _sum(self, total: Sum, share: int, ahead: int, *, masked: bool = False) -> Value:
        """One share of a sum. With ``masked``, the stages that mask its product are in that."""
        inside = masked and any(one in self.plan.masks for one in total.products)
        stages = () if inside else total.stages
        terms = [self._gadgets.stage(one, ahead, share) for one in stages]
        terms += [self._gadgets.value(one, ahead)[share] for one in total.products]
        radix = self.architecture.radix
        constant = Const(-(total.constant and share == 0), radix)
        return reduce(xor, terms, constant) if total.constant or not terms else reduce(xor, terms)
