# SPDX-License-Identifier: Apache-2.0
"""The circuit of runs of stages that are words of a RAM; see `delays`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from amaranth.hdl import Cat, Const, Module, Signal, Value

from headwater.cipher.register import Register
from headwater.core.memory import bare_ram
from headwater.core.naming import named
from headwater.kinds.stepped.transformations.delays import Delays, stage_at
from headwater.kinds.stepped.transformations.transformation import State, Transformation

if TYPE_CHECKING:
    from headwater.kinds.stepped.core import SteppedCore


@dataclass(frozen=True)
class _Piece:
    """Places ``first`` to ``end - 1`` of a register: flip-flops, or a run in the RAM."""

    first: int
    end: int
    flip_flops: Signal | None = None
    lane: int = 0
    """The lowest bit of a run in each word of the RAM."""


class Delayed(Transformation):
    """One RAM for all runs, and flip-flops for the other stages. No reset reaches the RAM: its
    words are replaced as the state moves. With ``kept`` a reset leaves the flip-flops as they are.

    Members
    -------
    place : Signal
        Where the oldest word is, and the next one goes.
    leaving, entering : Signal
        The oldest word, and the one that replaces it when the state moves.
    """

    def __init__(self, plan: Delays, registers: Sequence[Register], *, kept: bool) -> None:
        self._plan = plan
        self.place = Signal(range(plan.words), name="delays_place")
        self.leaving = Signal(plan.bits, name="delays_leaving")
        self.entering = Signal(plan.bits, name="delays_entering")
        self._content = Signal(plan.words * plan.bits, name="delays", reset_less=True)
        self._registers = {one.name: one for one in registers if plan.runs.get(one.name)}
        self._pieces = {
            name: tuple(self._divided(one, kept=kept)) for name, one in self._registers.items()
        }
        self.secrets = (*self._flip_flops, self._content)

    def _divided(self, register: Register, *, kept: bool) -> Iterator[_Piece]:
        """The pieces of a register, the oldest first."""
        done, name = 0, register.name
        for first in (*reversed(self._plan.runs[name]), register.length):
            if first > done:
                ends = sorted((stage_at(register, done), stage_at(register, first - 1)))
                label = "_".join(map(str, (name, *dict.fromkeys(ends))))
                yield _Piece(done, first, Signal(first - done, name=label, reset_less=kept))
            done = first + self._plan.size
            if first < register.length:
                yield _Piece(first, done, lane=self._plan.lanes[name, first])

    @property
    def _flip_flops(self) -> Iterator[Signal]:
        for pieces in self._pieces.values():
            yield from (one.flip_flops for one in pieces if one.flip_flops is not None)

    @property
    def seen(self) -> dict[str, Value]:
        """The registers that have runs, as steps read them: within a run its oldest word alone."""
        hidden = Const(0, self._plan.size - self._plan.radix)
        return {name: self._joined(name, [self.leaving], hidden) for name in self._pieces}

    def undo(self, m: Module, core: SteppedCore, state: State) -> State:  # noqa: ARG002
        """The registers, with the words of the RAM in the order of their age."""
        words = [
            named(m, f"delayed_{age}", self._content.word_select(place, self._plan.bits))
            for age in range(self._plan.words)
            for place in ((self.place + age)[: len(self.place)],)
        ]
        whole = {name: self._joined(name, words, Const(0, 0)) for name in self._pieces}
        return {**state, **whole}

    def _joined(self, name: str, words: Sequence[Value], above: Value) -> Value:
        """A register of its flip-flops and its parts of words, the oldest first, with what is above
        these in a run."""
        radix = self._plan.radix
        return Cat(
            Cat(*(word[one.lane : one.lane + radix] for word in words), above)
            if one.flip_flops is None
            else one.flip_flops
            for one in self._pieces[name]
        )

    def in_flip_flops(
        self, m: Module, name: str, register: Value, value: Value
    ) -> tuple[Value, Value]:
        """The pieces between runs. The newest word of each run goes into the RAM."""
        if name not in self._pieces:
            return register, value
        radix, pieces = self._plan.radix, self._pieces[name]
        for one in pieces:
            if one.flip_flops is None:
                newest = value[one.end - radix : one.end]
                m.d.comb += self.entering[one.lane : one.lane + radix].eq(newest)
        left = [one for one in pieces if one.flip_flops is not None]
        held = Cat(*(one.flip_flops for one in left if one.flip_flops is not None))
        return held, Cat(*(value[one.first : one.end] for one in left))

    def move(self, m: Module, core: SteppedCore) -> None:
        """Replace the oldest word, and go to the next one."""
        ram = bare_ram(m, self._content, self._plan.bits, printed=core.printed)
        ram.read(self.place, self.leaving)
        ram.write(core.enable, self.place, self.entering)
        with m.If(core.enable):
            m.d.sync += self.place.eq(self.place + 1)

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by the names of signals and of the RAM."""
        top = "bit 0 is stage {}, the oldest"
        return {
            "delays": "runs of stages side by side, the words of a run in the order of their age",
            "delays_place": "where the oldest word is, and the next one goes",
            "delays_leaving": "the oldest word",
            "delays_entering": "the word that replaces it",
            **{
                one.flip_flops.name: top.format(stage_at(self._registers[name], one.first))
                for name, pieces in self._pieces.items()
                for one in pieces
                if one.flip_flops is not None
            },
        }
