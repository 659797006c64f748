# SPDX-License-Identifier: Apache-2.0
"""Counters for the cycles of a setup: one counter, or a clock divider and a shift register.

Both mark the last load word, the last blank cycle, and the changes of controls. Registers that are
set one count ahead keep wide comparisons away from flags that drive many gates.
"""

from __future__ import annotations

from itertools import groupby, pairwise
from math import gcd
from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.core.counter import (
    best_start,
    counter_width,
    first_reached,
    first_reached_in,
    following,
    reached,
    states_of,
)
from headwater.kinds.stepped.timeline import Timeline


class CountingController:
    """One counter for load words and for blank cycles."""

    load_resets: ClassVar[bool] = False
    """Whether the load, and no reset, brings the count to its start."""

    def __init__(self, timeline: Timeline, last_mark: Value | None, tag_words: int) -> None:
        self._timeline = timeline
        self._tag_words = tag_words
        self._counted_load = timeline.counted_load_cycles
        self._total = self._counted_load + timeline.blank_cycles
        self.count = Signal(self._width, init=self._start, reset_less=self.load_resets)
        """A maximal-length shift register, at its start in idle. It also counts tag words."""
        self._make_flags(last_mark)

    @property
    def _cycles(self) -> int:
        """Cycles after which the count restarts or stops."""
        return self._total

    @property
    def _width(self) -> int:
        return counter_width(max(self._cycles, self._tag_words))

    @property
    def _start(self) -> int:
        """The state from which the count starts."""
        return 0

    def _make_flags(self, last_mark: Value | None) -> None:  # noqa: ARG002
        several = self._counted_load > 1
        self.last_word: Value = Signal(name="last_word") if several else Const(1, 1)
        """Whether the next load word is the last."""
        self.last_blank: Value = Signal(name="last_blank")
        """Whether this is the last blank cycle."""

    @property
    def registers(self) -> tuple[Signal, ...]:
        """Registers that an abort resets."""
        own = isinstance(self.last_word, Signal)
        flags = (self.last_word, self.last_blank) if own else (self.last_blank,)
        return self.count, *flags

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        return {
            "count": "load words, then blank cycles; a shift-register sequence from zero",
            "last_word": "the next load word is the last",
            "last_blank": "this is the last blank cycle",
        }

    def connect(self, m: Module, loading: Value) -> None:
        """Drive what does not wait for the count to go on."""

    def reached(self, number: int, name: str) -> Value:
        """Whether ``number`` cycles have been counted; ``name`` is this value's in the Verilog."""
        return reached(self.count, number, name)

    def ends(self, cycle: int, loading: Value) -> Value:
        """Whether this is cycle ``cycle`` of the timeline; see `Timeline.wave`."""
        if cycle == self._counted_load - 1:
            return loading & self.last_word
        return self.last_blank if cycle == self._total - 1 else self._ends_counted(cycle, loading)

    def _ends_counted(self, counted: int, loading: Value) -> Value:  # noqa: ARG002
        part, first = (
            ("BLANK", self._counted_load) if counted >= self._counted_load else ("WORD", 0)
        )
        return self.reached(counted, f"{part}_{counted - first}")

    def advance(self, m: Module, loading: Value, running: Value) -> None:  # noqa: ARG002
        """Count a cycle."""
        m.d.sync += [
            self.count.eq(following(self.count)),
            self.last_blank.eq(self.comes(self._total, "BEFORE_LAST_BLANK")),
        ]
        if self._counted_load > 1:
            m.d.sync += self.last_word.eq(self.comes(self._counted_load, "BEFORE_LAST_WORD"))

    def comes(self, cycles: int, name: str) -> Value:
        """Whether the next cycle is the last of so many, which has this ``name`` in the Verilog."""
        return self.reached(cycles - 2, name)

    def flag_of_last(self, cycles: int) -> list[int]:
        """The flag of the last of so many cycles, in all cycles of a setup and in the one behind
        them."""
        return [int(cycle == cycles - 1) for cycle in range(self._total + 1)]


class SetupController(CountingController):
    """One counter, of a load of fixed length. Its flags are set by comparisons of as few bits as
    tell a cycle from those before, and may be one again later, when nothing reads them; the count
    starts where these bits are fewest."""

    @property
    def _start(self) -> int:
        last_word = self._counted_load - 2 if self._counted_load > 2 else None
        return best_start(self._width, self._total - 2, last_word)

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        return super().notes | {"count": "load words, then blank cycles; a shift-register sequence"}

    def comes(self, cycles: int, name: str) -> Value:  # noqa: ARG002
        """Whether the next cycle is the last of so many; it may be one again later."""
        return first_reached(self.count, cycles - 2)

    def flag_of_last(self, cycles: int) -> list[int]:
        """The flag of the last of so many cycles, in all cycles of a setup and in the one behind
        them. It may be one again later."""
        return [0, *first_reached_in(self.count, cycles - 2, states_of(self.count, self._total))]


class MarkedController(SetupController):
    """One counter of blank cycles, behind a load of any length, whose last word has a mark. The
    count stands at its start while load words are to come, but for the first cycle in idle."""

    load_resets = True

    def _make_flags(self, last_mark: Value | None) -> None:
        super()._make_flags(None)
        assert last_mark is not None
        self.last_word = last_mark

    @property
    def registers(self) -> tuple[Signal, ...]:
        """Registers that an abort resets."""
        return (self.last_blank,)

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        return super().notes | {"count": "blank cycles; a shift-register sequence"}

    def connect(self, m: Module, loading: Value) -> None:
        """Count in every cycle, as the setup never waits."""
        m.d.sync += self.count.eq(Mux(loading, self.count.init, following(self.count)))

    def ends(self, cycle: int, loading: Value) -> Value:
        """Whether this is cycle ``cycle`` of the timeline, which has the last load word alone; see
        `Timeline.wave`."""
        return super().ends(cycle - 1, loading)

    def _ends_counted(self, counted: int, loading: Value) -> Value:
        before_last = counted == self._total - 2
        here = self._next_is_last if before_last else super()._ends_counted(counted, loading)
        return here & ~loading

    @property
    def _next_is_last(self) -> Value:
        return self.comes(self._total, "BEFORE_LAST_BLANK")

    def advance(self, m: Module, loading: Value, running: Value) -> None:  # noqa: ARG002
        """Tell the last blank cycle."""
        m.d.sync += self.last_blank.eq(self._next_is_last & ~loading)


class ComparingController(CountingController):
    """One counter, of a load of fixed length. Its flags are comparisons, of as few bits as tell the
    end of the load, and of the setup, from the cycles before. They take no registers, and may be
    one again later: nothing reads them then."""

    @property
    def _start(self) -> int:
        """The state from which the count starts: zero if it may wait, as an enable and a reset to
        ones take more gates than the bits that it saves."""
        if self._timeline.architecture.stall == "stream":
            return 0
        last_word = self._counted_load - 1 if self._counted_load > 1 else None
        return best_start(self._width, self._total - 1, last_word)

    @property
    def registers(self) -> tuple[Signal, ...]:
        """Registers that an abort resets."""
        return (self.count,)

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        return {
            "count": "load words, then blank cycles; a shift-register sequence",
            "last_word": "this load word is the last",
            "last_blank": "this blank cycle is the last",
        }

    def connect(self, m: Module, loading: Value) -> None:  # noqa: ARG002
        """Drive the flags."""
        ends = (self._counted_load, self.last_word), (self._total, self.last_blank)
        m.d.comb += [
            flag.eq(first_reached(self.count, cycles - 1))
            for cycles, flag in ends
            if isinstance(flag, Signal)
        ]

    def advance(self, m: Module, loading: Value, running: Value) -> None:  # noqa: ARG002
        """Count a cycle."""
        m.d.sync += self.count.eq(following(self.count))


class ShiftingController(CountingController):
    """A counter divides the clock by the greatest common divisor of the phases' cycles. At each
    tick a one moves through a shift register with one bit for each such part."""

    @property
    def _cycles(self) -> int:
        timeline = self._timeline
        cipher, radix = timeline.cipher, timeline.architecture.radix
        values = [
            [cipher.control_at(control, step) for control in cipher.controls]
            for step in range(0, cipher.blank_steps, radix)
        ]
        lengths = [len(list(run)) for _, run in groupby(values)]
        return gcd(timeline.load_cycles, *lengths)

    def _make_flags(self, last_mark: Value | None) -> None:  # noqa: ARG002
        parts = (self._total - self._timeline.latency) // self._cycles
        self.stage = Signal(parts, init=1)
        """A one at the present part; zero after the setup."""
        self.tick: Value = Signal(name="tick") if self._cycles > 1 else Const(1, 1)
        """Whether this is the last cycle of a part."""
        first_blank = self._timeline.load_cycles // self._cycles
        self.last_word = self.tick & self.stage[first_blank - 1]
        self._over = self.tick & self.stage[-1]
        self._flush = [Signal(name=f"flush_{cycle}") for cycle in range(self._timeline.latency)]
        self.last_blank = self._flush[-1] if self._flush else self._over

    @property
    def registers(self) -> tuple[Signal, ...]:
        """Registers that an abort resets."""
        ticks = (self.tick,) if isinstance(self.tick, Signal) else ()
        return (self.count, self.stage, *ticks, *self._flush)

    def _ends_counted(self, counted: int, loading: Value) -> Value:  # noqa: ARG002
        part, rest = divmod(counted + 1, self._cycles)
        if rest or part > len(self.stage):
            raise ValueError(f"cycle {counted} must be the last of a part")
        return self.tick & self.stage[part - 1]

    def advance(self, m: Module, loading: Value, running: Value) -> None:  # noqa: ARG002
        """Count a cycle. Tag words that are more than a part has cycles are counted on."""
        restarts = self.tick & ~running if self._tag_words > self._cycles else self.tick
        m.d.sync += self.count.eq(Mux(restarts, 0, following(self.count)))
        if isinstance(self.tick, Signal):
            m.d.sync += self.tick.eq(self.reached(self._cycles - 2, "BEFORE_TICK"))
        with m.If(self.tick):
            m.d.sync += self.stage.eq(Cat(0, self.stage[:-1]))
        for before, flag in pairwise([self._over, *self._flush]):
            m.d.sync += flag.eq(before)
