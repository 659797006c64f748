# SPDX-License-Identifier: Apache-2.0
"""Rounds cut into stages by registers, derived from the description.

The quarter round is read with words that know how many additions in a row made them. Additions are
what takes time, so every stage makes equally many. A word that a later stage reads passes through a
register at the end of each stage before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from amaranth.hdl import Module, Signal, Value

from headwater.algebra.word import Wire, add, concatenate, unnamed
from headwater.core.naming import Naming
from headwater.kinds.block_stream.adders import additions_in_a_row
from headwater.kinds.block_stream.description import BlockStreamCipher, Word

Delay = Callable[[str, Any], Any]
"""``delay(name, word)`` is a word one stage later; ``name`` is that of the register."""

Wires = Callable[[int], Wire]
"""``wires(n)`` names the values of quarter round n, counted through all rounds."""


@dataclass(frozen=True)
class Cut:
    """How a round is cut."""

    additions: int
    """Additions in a row that a stage makes."""
    delay: Delay


class StagedWord:
    """A word in the stage that makes it, and in later ones that read it."""

    def __init__(self, cut: Cut, value: Word, name: str, stage: int = 0, sums: int = 0) -> None:
        self.cut, self.name, self.stage, self.sums = cut, name, stage, sums
        self.by_stage = [value]

    def __len__(self) -> int:
        return len(self.by_stage[0])

    def at(self, stage: int) -> Word:
        """The word as a stage reads it, which is not before the one that makes it."""
        for end in range(self.stage + len(self.by_stage) - 1, stage):
            self.by_stage.append(self.cut.delay(f"{self.name}_after_{end}", self.by_stage[-1]))
        return self.by_stage[stage - self.stage]

    def __getitem__(self, place: int | slice) -> StagedWord:
        return _made(lambda word: word[place], self)

    def __xor__(self, other: StagedWord) -> StagedWord:
        return _made(lambda one, two: one ^ two, self, other)


def _made(
    operation: Callable[..., Word], *words: StagedWord, sums: int | None = None
) -> StagedWord:
    """The result of an operation, in the first stage that has its operands and can make it."""
    first = words[0]
    sums = max(word.sums for word in words) if sums is None else sums
    stage = max((max(sums, 1) - 1) // first.cut.additions, *(word.stage for word in words))
    value = operation(*(word.at(stage) for word in words))
    return StagedWord(first.cut, value, first.name, stage, sums)


@add.register
def _add_staged(left: StagedWord, right: StagedWord) -> StagedWord:
    return _made(add, left, right, sums=max(left.sums, right.sums) + 1)


@concatenate.register
def _concatenate_staged(lowest: StagedWord, *higher: StagedWord) -> StagedWord:
    return _made(concatenate, lowest, *higher)


def staged_round(
    cipher: BlockStreamCipher,
    stages: int,
    words: Sequence[Word],
    wires: Wires,
    delay: Delay,
    *,
    which: int = 0,
) -> list[Word]:
    """The words after round number ``which``, counted from zero, of so many ``stages``, as the last
    stage makes them."""
    cut = Cut(additions_in_a_row(cipher.quarter_round) // stages, delay)
    first = which * len(cipher.first_round)
    given = [StagedWord(cut, word, _name(place, which)) for place, word in enumerate(words)]
    made = cipher.run_round(
        lambda number: _staged_wire(wires(first + number), f"_q{first + number}"), given, which
    )
    return [word.at(stages - 1) for word in made]


def staged_rounds(
    cipher: BlockStreamCipher,
    stages: int,
    words: Sequence[Word],
    wires: Wires,
    delay: Delay,
) -> list[Word]:
    """The words after all rounds in a row, each of so many ``stages``. They are behind the
    registers at the end of the last one."""
    for which in range(cipher.rounds):
        made = staged_round(cipher, stages, words, wires, delay, which=which)
        words = [delay(_name(place, which + 1), word) for place, word in enumerate(made)]
    return list(words)


def _name(place: int, which: int) -> str:
    """The name of a word that a round reads."""
    return f"x{place}_round_{which}" if which else f"x{place}"


def _staged_wire(wire: Wire, suffix: str) -> Wire:
    """The wire of staged words: the value that is made gets the name."""

    def call(value: StagedWord, name: str = "") -> StagedWord:
        name = name or Signal(src_loc_at=1).name
        made = wire(value.at(value.stage), name)
        return StagedWord(value.cut, made, name + suffix, value.stage, value.sums)

    return call


class StageRegisters:
    """The registers at the ends of stages. What is cut is read once for their names and widths, so
    that a core has them before its circuit is made. Words that stand ``still`` while blocks pass
    are read by later stages as they are."""

    def __init__(
        self,
        read: Callable[[Wires, Delay], list[Value]],
        *,
        kept: bool,
        still: Sequence[Signal] = (),
    ) -> None:
        self._read, self._still = read, still
        self.registers: dict[str, Signal] = {}

        def delay(name: str, value: Value) -> Value:
            if self.stands(value):
                return value
            self.registers[name] = Signal(len(value), name=name, reset_less=kept)
            return self.registers[name]

        read(lambda _: unnamed, delay)

    def stands(self, value: Value) -> bool:
        """Whether a value is a word that stands still."""
        return any(value is word for word in self._still)

    def moved(self, m: Module, enable: Value) -> list[Value]:
        """The words as the last stage makes them; the stages move where ``enable`` is one."""

        def delay(name: str, value: Value) -> Value:
            if self.stands(value):
                return value
            with m.If(enable):
                m.d.sync += self.registers[name].eq(value)
            return self.registers[name]

        return self._read(lambda number: Naming(m, f"_q{number}"), delay)
