# SPDX-License-Identifier: Apache-2.0
"""The core of a word cipher: a load with its own steps, then a word in each cycle."""

from __future__ import annotations

from collections.abc import Mapping

from amaranth.hdl import Module, Mux, Signal, Value

from headwater.kinds.stepped.controller import CountingController
from headwater.kinds.stepped.controls import ControlSignals
from headwater.kinds.stepped.core import SteppedCore
from headwater.kinds.stepped.keystream import KeystreamCore
from headwater.kinds.stepped.load_table import LoadTable
from headwater.kinds.stepped.unrolled import Unrolled
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.kinds.stepped.word_facts import WordFacts


class WordSteps(SteppedCore):
    """A cipher whose load overwrites every register; see `headwater.kinds.stepped.word_cipher`. In
    idle the core can load zeros: this is how ``clear=shift`` zeroes the state."""

    cipher: WordCipher
    facts: WordFacts

    def _make_registers(self) -> None:
        super()._make_registers()
        self.constants = {**self.constants, **self.load_table.constants}

    def _make_controls(self) -> ControlSignals:
        self.load_table = LoadTable(self.facts.timeline, self.count)
        return ControlSignals(self.facts.timeline, beside=self.load_table.names)

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        notes = {name: text for name, text in super().notes.items() if name not in self.state}
        return notes | {
            "load_entry": "what differs from one load word to another, by `count`",
        }

    @property
    def _controller_class(self) -> type[CountingController]:
        """The load looks up its controls by a count from zero."""
        return CountingController

    def _unrolled(self, m: Module) -> Unrolled:
        self.load_table.connect(m, self._loaded_one)
        return super()._unrolled(m)

    def _control_at(self, name: str, position: int) -> Value:
        if name in self.load_table.names:
            return self.load_table.value(name, position)
        return super()._control_at(name, position)

    def _entering(self, position: int) -> Value:
        lanes, width = self.cipher.lane_count, self.facts.timeline.load_steps_per_cycle
        first = (width - 1 - position) * lanes
        return self.load_word[first : first + lanes]

    def _injected_state(self, unrolled: Unrolled) -> dict[str, Value]:
        """The registers after the load steps of a cycle while loading, else after its steps."""
        timeline = self.facts.timeline
        assert unrolled.entered is not None
        loaded = unrolled.entered(timeline.load_steps_per_cycle)
        return _either(self.loading, loaded, unrolled.after(timeline.steps_per_cycle))


class WordCore(WordSteps, KeystreamCore):
    """A word cipher whose output is keystream."""

    holds = True


def _either(
    loading: Value, loaded: Mapping[str, Value], stepped: Mapping[str, Value]
) -> dict[str, Value]:
    """Each register from one of two alternatives, without a multiplexer where both are the same."""
    return {
        name: stepped[name] if _same(value, stepped[name]) else Mux(loading, value, stepped[name])
        for name, value in loaded.items()
    }


def _same(one: Value, other: Value) -> bool:
    """Whether both values are the same signal."""
    return isinstance(one, Signal) and one is other
