# SPDX-License-Identifier: Apache-2.0
"""The steps of a cycle: windows of the LFSR, the inverters, and delayed bits of inverses.

A window of the LFSR at a tap has one bit for each step of the cycle. A bit that has still to be
injected between two cells is added to the windows of the taps below them; see `pace`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import groupby
from operator import xor

from amaranth.hdl import Cat, Module, Mux, Signal, Value

from headwater.algebra.straight_line import Program
from headwater.algebra.word import through
from headwater.core.function import FunctionNaming
from headwater.core.naming import named, staged
from headwater.kinds.filtered.pace import Pace

_FULL_CUTS = ((0, 0, 0, 0), (0, 1, 0, 0), (1, 0, 1, 0), (1, 1, 1, 0))
"""By number of cuts: the registers behind each part of an inverter for all bits."""

_SINGLE_CUTS = ((0, 0, 0), (0, 1, 0), (0, 1, 1), (1, 1, 1))
"""The same of one that makes single bits."""


class Datapath:
    """The circuit of a cycle.

    ``s`` is the LFSR. For each bit of an inverse, ``waiting`` has the delayed bits that have still
    to be injected, the oldest at bit 0. ``injecting`` tells by position whether the inverter
    outputs are injected, ``kept`` whether registers keep their content in a reset.
    """

    def __init__(
        self,
        m: Module,
        pace: Pace,
        s: Signal,
        waiting: Mapping[int, Signal],
        injecting: Value,
        *,
        kept: bool,
    ) -> None:
        self._m, self._pace, self._s, self._waiting = m, pace, s, waiting
        self._cipher, self._kept = pace.cipher, kept
        self.updates: list[tuple[Signal, Value]] = []
        """Registers of the inverters, and their next values when the state moves."""
        bits = range(pace.cipher.bits)
        self.arriving = {bit: Signal(pace.rate, name=f"arriving_{bit}") for bit in bits}
        """By bit: those of inverses that leave the inverters in this cycle and are injected."""
        windows = (self._window(tap) for tap in self._cipher.feedback_cells)
        self._entering = named(m, f"{s.name}_in", reduce(xor, windows))
        self._line = Cat(s, self._entering)
        self.inverted: list[Value] = []
        """By bit: the input of the inversion, step by step."""
        self.behind: dict[str, list[tuple[int, list[Value]]]] = {}
        """For the inverters of all bits, ``full``, and those of single bits, ``more``: what comes
        behind each part. First the registers there, then by bit the values, step by step."""
        self._full, self._single = self._inverses()
        for bit, signal in self.arriving.items():
            m.d.comb += signal.eq(self._full[bit] & injecting)
        self.words = self._words()
        """For each kind of output its bits, one for each step of a running cycle."""

    def made(self, time: int) -> list[tuple[int, Value]]:
        """The bits of the inverse that leaves the inverter of step ``time``, with their numbers."""
        if time < self._pace.rate:
            return [(bit, made[time]) for bit, made in enumerate(self._full)]
        place = time - self._pace.rate
        return [
            (bit, made[place]) for bit, made in zip(self._cipher.outputs, self._single, strict=True)
        ]

    @property
    def moved(self) -> Value:
        """The LFSR after the steps of a cycle of the setup."""
        cipher, rate = self._cipher, self._pace.rate
        added: dict[int, list[Value]] = {}
        for bit, step in self._present():
            if self._pace.enters(bit, step):
                place = cipher.injected_cells[bit] + cipher.delay + step - rate
                added.setdefault(place, []).append(self._late(bit, step))
        for place, values in self._fresh_feedback():
            added.setdefault(place, []).extend(values)
        return _with(self._line[rate : rate + cipher.length], added)

    @property
    def run(self) -> Value:
        """The LFSR after a running cycle, where it makes other steps than the setup's."""
        return self._line[self._pace.radix :]

    def waits(self, bit: int) -> Value:
        """The delayed values of an inverse's bit after a cycle."""
        rate = self._pace.rate
        return Cat(*(self._late(bit, step + rate) for step in self._pace.waiting(bit)))

    def _present(self) -> Iterator[tuple[int, int]]:
        """Bits of inverses, with their steps, that are delayed or arrive in this cycle."""
        for bit in range(self._cipher.bits):
            for step in (*self._pace.waiting(bit), *self._pace.arriving):
                yield bit, step

    def _late(self, bit: int, step: int) -> Value:
        """A bit that is delayed or arrives."""
        waiting, arriving = self._pace.waiting(bit), self._pace.arriving
        if step in waiting:
            return self._waiting[bit][step - waiting.start]
        return self.arriving[bit][step - arriving.start]

    def _passing(self, tap: int, time: int) -> Iterator[tuple[int, int]]:
        """The bits that a tap must read although they have not been injected above it."""
        for bit, cell in enumerate(self._cipher.injected_cells):
            step = tap + time - cell - self._cipher.delay
            if cell >= tap and (step in self._pace.waiting(bit) or step in self._pace.arriving):
                yield bit, step

    def _window(self, tap: int, first: int = 0, count: int | None = None, name: str = "") -> Value:
        """What a tap reads in the steps of a cycle, without the bits that arrive in this cycle.
        With a name, sums become signals of that name, and the window consists of wires only."""
        pace = self._pace
        last = first + (pace.radix if count is None else count)
        source = self._s if tap + last <= len(self._s) else self._line
        added = {
            time - first: late
            for time in range(first, min(last, pace.rate))
            if (
                late := [
                    self._late(bit, step)
                    for bit, step in self._passing(tap, time)
                    if pace.cuts or step < 0
                ]
            )
        }
        wire = (lambda value: named(self._m, name, value)) if name else None
        return _with(source[tap + first : tap + last], added, wire)

    def _fresh_feedback(self) -> Iterator[tuple[int, list[Value]]]:
        """Where the feedback of this cycle lacks bits that arrive in it, with these bits."""
        if self._pace.cuts:
            return
        for time in range(self._pace.rate):
            fresh = [
                self._late(bit, step)
                for tap in self._cipher.feedback_cells
                for bit, step in self._passing(tap, time)
                if step >= 0
            ]
            if fresh:
                yield len(self._s) + time - self._pace.rate, fresh

    def _inverses(self) -> tuple[list[Value], list[Value]]:
        """All bits of the inverses in steps of the setup; in other steps only the output bits."""
        cipher, pace = self._cipher, self._pace
        x = self._inputs("x", 0, pace.rate)
        full = self._through(cipher.inversion(), _FULL_CUTS[pace.cuts], x, "full")
        single: list[Value] = []
        if pace.changes:
            more = self._inputs("x_more", pace.rate, pace.radix - pace.rate)
            few = cipher.inversion(cipher.outputs)
            single = self._through(few, _SINGLE_CUTS[pace.cuts], more, "more")
            x = [Cat(*both) for both in zip(x, more, strict=True)]
        self.inverted = x
        return full, single

    def _inputs(self, name: str, first: int, count: int) -> list[Value]:
        """The inputs of the inversion in ``count`` steps, bit by bit."""
        return [
            staged(self._m, f"{name}_{bit}", self._window(tap, first, count, f"{name}_{bit}_late"))
            for bit, tap in enumerate(self._cipher.filter_cells)
        ]

    def _through(
        self, parts: Sequence[Program], cuts: Sequence[int], signals: list[Value], name: str
    ) -> list[Value]:
        """A circuit in parts, with registers after some of them."""
        wire, steps = FunctionNaming(self._m), len(signals[0])
        self.behind[name] = []
        for part, count, letter in zip(parts, cuts, "abcd", strict=False):
            inverted = [
                wire(
                    through(
                        wire,
                        f"invert_{name}_{letter}",
                        len(part.outputs),
                        part.word,
                        Cat(signal[step] for signal in signals),
                    ),
                    f"{name}_{letter}_step_{step}",
                )
                for step in range(steps)
            ]
            signals = [Cat(word[place] for word in inverted) for place in range(len(part.outputs))]
            for _ in range(count):
                signals = [
                    self._register(f"{name}_{letter}_{place}", value)
                    for place, value in enumerate(signals)
                ]
            self.behind[name].append((count, signals))
        return signals

    def _register(self, name: str, value: Value) -> Signal:
        signal = Signal(len(value), name=f"{name}_before", reset_less=self._kept)
        self.updates.append((signal, value))
        return signal

    def _words(self) -> list[Value]:
        """For each kind of output, the bits of this cycle's steps as they leave the inverters."""
        mask: Value = self._window(0)
        for cut in range(self._pace.cuts):
            mask = self._register(f"mask_{cut}", mask)
        words: list[Value] = [
            Cat(self._full[output], *self._single[place : place + 1])
            for place, output in enumerate(self._cipher.outputs)
        ]
        words[0] = named(self._m, "filtered", words[0] ^ mask)
        return words


def _with(
    value: Value,
    added: Mapping[int, Sequence[Value]],
    wire: Callable[[Value], Value] | None = None,
) -> Value:
    """A word with bits added at some of its places; ``wire`` names the sums."""
    pieces = []
    for has_more, group in groupby(range(len(value)), added.__contains__):
        places = list(group)
        piece = value[places[0] : places[-1] + 1]
        if has_more:
            piece = piece ^ Cat(*(reduce(xor, added[place]) for place in places))
            piece = wire(piece) if wire else piece
        pieces.append(piece)
    return pieces[0] if len(pieces) == 1 else Cat(*pieces)


def delayed(lag: Signal, word: Value, *, pace: Pace, running: Value) -> tuple[Value, Value]:
    """The bits that leave the inverters, as a stream, bits from before this cycle first; and the
    next value of the register of the last of them. Until the cipher runs, these are the steps of
    the setup."""
    stream = Cat(lag, word)
    after = stream[pace.radix : pace.radix + len(lag)]
    if pace.changes:
        after = Mux(running, after, stream[pace.rate : pace.rate + len(lag)])
    return stream, after
