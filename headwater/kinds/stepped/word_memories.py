# SPDX-License-Identifier: Apache-2.0
"""The core of a word cipher with memories, which are emptied before a load."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from typing import Any, ClassVar

from amaranth.hdl import Module, Signal, Value

from headwater.core.memory import Ram, StoredMemory
from headwater.kinds.stepped.unrolled import Unrolled
from headwater.kinds.stepped.word_steps import WordCore


class WordMemoryCore(WordCore):
    """A word cipher that reads and writes memories.

    A RAM has no reset and is cleared word by word. In idle the core first overwrites all words with
    zeros, one of each memory in a cycle; then it takes a load. So nothing of a session is left in
    a memory ``facts.clear_cycles`` behind its end.
    """

    comments: ClassVar = {
        "load_ready": "until the last load word is taken, once the memories are zero",
        "zeroed": "words of each memory that are zero, until all are",
        "empty": "the memories are zero since the core is idle, or a session has begun",
    }

    def _make_registers(self) -> None:
        super()._make_registers()
        self.zeroed = Signal(range(self.most_words))
        self.memories_empty = Signal(name="empty")
        self.control_registers = (*self.control_registers, self.zeroed, self.memories_empty)

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by the names of signals and memories."""
        return dict(ChainMap(super().notes, *(ram.notes for ram in self.rams.values())))

    @property
    def most_words(self) -> int:
        """Words of the largest memory."""
        return max(one.words for one in self.cipher.memories)

    def _held(self, m: Module) -> Mapping[str, Any]:
        self.rams = {
            one.name: Ram(m, one.name, one.words, one.bits, printed=self.printed)
            for one in self.cipher.memories
        }
        return {**self.state, **{name: ram.present for name, ram in self.rams.items()}}

    def memories(self, m: Module) -> Mapping[str, StoredMemory]:
        """Each memory, for a checker."""
        return {name: ram.watched(m) for name, ram in self.rams.items()}

    @property
    def _load_ready(self) -> Value:
        return self.loading & self.memories_empty

    @property
    def _word_counts(self) -> Value | None:
        """A word that is not taken yet is masked."""
        return self.load_fire if self.session.shifts_zeros else None

    @property
    def _loaded_one(self) -> Value:
        """A load is the session's; its constants are zero while the core is idle."""
        return self.load_fire if self.session.shifts_zeros else super()._loaded_one

    def _move_state(self, m: Module, unrolled: Unrolled) -> None:
        super()._move_state(m, unrolled)
        moves = self.enable & ~self.loading
        stepped = unrolled.after(self.facts.timeline.steps_per_cycle)
        empty = self.memories_empty
        assert isinstance(empty, Signal)
        for name, ram in self.rams.items():
            ram.connect([(moves, stepped[name])], ~empty, self.zeroed)
        with m.If(~empty):
            m.d.sync += [
                self.zeroed.eq(self.zeroed + 1),
                empty.eq(self.zeroed == self.most_words - 1),
            ]
