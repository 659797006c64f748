# SPDX-License-Identifier: Apache-2.0
"""The controls of a load with its own steps, looked up by the count of load words.

Constants of the description that differ between steps of the load are such controls.
"""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Signal, Value

from headwater.algebra.word import table_word
from headwater.core.counter import counter_states
from headwater.core.naming import VALUE
from headwater.kinds.stepped.timeline import Timeline


class LoadTable:
    """The controls of a load at each position of its steps, by the ``count`` of load words, zero at
    the first (`headwater.core.counter`)."""

    def __init__(self, timeline: Timeline, count: Signal) -> None:
        self._count = count
        phases = timeline.cipher.load_phases
        controls = dict.fromkeys(name for phase in phases for name in phase.controls)
        self.names = tuple(sorted(controls, key=lambda name: (len(name), name)))
        """The names of the controls."""
        self._waves = {
            (name, position): tuple(
                map(bool, timeline.wave(name, position)[: timeline.load_cycles])
            )
            for position in range(timeline.load_steps_per_cycle)
            for name in self.names
        }
        changing = (key for key, wave in self._waves.items() if len(set(wave)) > 1)
        self._places = {key: place for place, key in enumerate(changing)}
        self._entry: Value = Const(0, 1)
        self.constants: dict[str, Signal] = {}
        """The table, which nothing drives; empty where no control changes."""
        if self._places:
            self.constants["load_table"] = self._table(timeline.load_cycles)

    def _table(self, words: int) -> Signal:
        """One entry for each value of the count. It has one bit for each control that changes, step
        after step, the first at bit 0."""
        entries = [0] * (1 << len(self._count))
        numbers = {}
        for word, state in enumerate(counter_states(len(self._count), words)):
            entries[state] = sum(
                self._waves[key][word] << place for key, place in self._places.items()
            )
            numbers[f"{VALUE}{state}"] = f"load word {word}"
        table = table_word(entries, 1 << self._stride_bits)
        return Signal(table.width, name="LOAD_TABLE", init=table.value, attrs=numbers)

    @property
    def _stride_bits(self) -> int:
        """Bits of the distance between two entries, which is a power of two."""
        return max(0, len(self._places) - 1).bit_length()

    def connect(self, m: Module, shown: Value) -> None:
        """Look up the present entry; while ``shown`` is zero all controls are zero."""
        self._shown = shown
        if self.constants:
            self._entry = Signal(len(self._places), name="load_entry")
            first = Cat(Const(0, self._stride_bits), self._count)
            entry = self.constants["load_table"].bit_select(first, len(self._places))
            m.d.comb += self._entry.eq(entry & shown.replicate(len(self._places)))

    def value(self, control: str, position: int) -> Value:
        """The value of a control at a position of the load's steps."""
        wave = self._waves.get((control, position), (False,))
        if (control, position) in self._places:
            return self._entry[self._places[control, position]]
        return self._shown if wave[0] else Const(0, 1)
