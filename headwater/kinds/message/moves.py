# SPDX-License-Identifier: Apache-2.0
"""What the registers of a machine's core become in each phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amaranth.hdl import Cat, Const, Module, Value

from headwater.core.naming import named
from headwater.kinds.message.calling import moved
from headwater.kinds.message.operations import Do, Function, Repeat, Take
from headwater.kinds.message.selecting import State, called, either, places_of, sized, staged

if TYPE_CHECKING:
    from headwater.kinds.message.core import MessageCore


class Moves:
    """The next state. The phases exclude each other, so that it is a sum of what they make."""

    def __init__(self, m: Module, core: MessageCore) -> None:
        self._m, self._core = m, core
        self._state, self._words, self._wires = core.held, core.words, core.wires

    def make(self) -> None:
        """The next state in each phase."""
        after: list[tuple[list[int], State, Value]] = []
        for phase, one in self._core.program.each():
            if isinstance(one, Do):
                wire = self._wires(f"_{phase}")
                state = moved(one.function, wire, self._state, self._words)
                after.append(([phase], state, Const(1, 1)))
            elif isinstance(one, Take):
                after.append(([phase], self._taken(phase, one, self._state), self._core.load_fire))
        after.append(([0], self._first_taken(), Const(1, 1)))
        after += [(phases, state, Const(1, 1)) for phases, state in self._stepped()]
        enters = self._core.word.enters
        entered = self._core.word.entered(self._m)
        after += [(phases, state, enters) for phases, state in entered]
        self._store(after)
        for name, register in self._core.state.items():
            moves, value = self._core.phase == 0, Const(0, len(register))
            for phases, state, enable in after:
                if state[name] is not register:
                    here = self._core.at(phases)
                    moves |= here & enable
                    value |= state[name] & here.replicate(len(register))
            with self._m.If(moves):
                self._m.d.sync += register.eq(value)

    def _store(self, after: list[tuple[list[int], State, Value]]) -> None:
        """What enters memories in each phase. In phase 0 they are emptied, before a load word is
        taken."""
        core = self._core
        for name, ram in core.rams.items():
            changes = [
                (core.at(phases) & (core.load_fire if 0 in phases else enable), state[name])
                for phases, state, enable in after
                if state[name].stored
            ]
            ram.connect(changes, ~core.memories_empty, core.zeroed)
        if core.rams:
            last = max(ram.words for ram in core.rams.values()) - 1
            with self._m.If(~core.memories_empty):
                self._m.d.sync += [
                    core.zeroed.eq(core.zeroed + 1),
                    core.memories_empty.eq(core.zeroed == last),
                ]

    def _first_taken(self) -> State:
        """The state after the first phase: zero, or what the first word makes of zeros."""
        one = self._core.program.operations[1]
        assert isinstance(one, Take)
        zeros: State = {name: Const(0, len(word)) for name, word in self._core.state.items()}
        fires, taken = self._core.load_fire, self._taken(0, one, {**self._state, **zeros})
        first = {
            name: word if taken[name] is word else taken[name] & fires.replicate(len(word))
            for name, word in zeros.items()
        }
        return {**taken, **first}

    def _taken(self, phase: int, take: Take, state: State) -> State:
        """The state after a word of the load."""
        if take.enter is None:
            word = self._core.load.payload
            return state | {take.into: self._shifted(state[take.into], word)}
        size, width = take.block_bits or take.bits, self._core.architecture.load_width
        if width >= size:
            return self._taken_in_turn(phase, take.enter, state, size)
        places = size // width
        count = self._core.count if phase else Const(0, len(self._core.count))
        here = (places_of(count, place, places, take.bits // width) for place in range(places))
        block = self._core.joined([self._core.load.payload & one.replicate(width) for one in here])
        wire = self._wires(f"_{phase}")
        block = named(self._m, f"block_{phase}", block)
        return moved(take.enter, wire, state, {**self._words, "block": block})

    def _shifted(self, register: Value, word: Value) -> Value:
        """A register behind whose last bit a word of the load enters."""
        if self._core.cipher.first_bit_on_top:
            return Cat(word, register)[: len(register)]
        return Cat(register, word)[len(word) :]

    def _taken_in_turn(self, phase: int, enter: Function, state: State, size: int) -> State:
        """The state after the blocks of a word of the load."""
        for place, block in enumerate(self._core.apart(self._core.load.payload, size)):
            wire = self._wires(f"_{phase}_{place}")
            after = moved(enter, wire, state, {**self._words, "block": block})
            state = {
                name: word
                if word is state[name]
                else staged(self._m, f"{name}_taken_{phase}_{place}", word)
                for name, word in after.items()
            }
        return state

    def _stepped(self) -> list[tuple[list[int], State]]:
        """The state after the steps of a cycle, with its phases: those of a step share it."""
        groups: dict[object, list[tuple[int, Repeat]]] = {}
        for phase, one in self._core.program.each():
            if isinstance(one, Repeat):
                groups.setdefault(one.step, []).append((phase, one))
        moves = []
        for group in groups.values():
            suffix = "" if len(groups) == 1 else f"_{group[0][0]}"
            controls = self._controls(group)
            state = self._steps(group[0][1], self._begun(group), controls, suffix)
            moves.append(([phase for phase, _ in group], state))
        return moves

    def _controls(self, group: list[tuple[int, Repeat]]) -> State:
        """The bits that the step of these phases may ask for."""
        return {
            name: named(
                self._m, name, self._core.at(phase for phase, one in group if name in one.controls)
            )
            for name in self._core.cipher.controls_of(group[0][1].step)
        }

    def _begun(self, group: list[tuple[int, Repeat]]) -> State:
        """The state before the first step of the cycle: ``begin`` is done in the first cycle."""
        begun = self._state
        for phase, one in group:
            if one.begin is not None:
                first = (self._core.phase == phase) & (self._core.count == one.first_number)
                changed = moved(one.begin, self._wires(f"_{phase}"), self._state, self._words)
                first = named(self._m, f"begins_{phase}", first)
                begun = {
                    name: either(first, changed[name], word)
                    if changed[name] is not self._state[name]
                    else word
                    for name, word in begun.items()
                }
        return {
            name: word if word is self._state[name] else called(self._m, f"{name}_begun", word)
            for name, word in begun.items()
        }

    def _steps(self, repeat: Repeat, state: State, controls: State, suffix: str) -> State:
        """The state after as many steps as a cycle makes."""
        bits, radix = self._core.cipher.number_bits(repeat.step), self._core.architecture.radix
        for turn in range(radix):
            wire = self._wires(f"{suffix}_{turn}" if radix > 1 else suffix)
            number = self.number(turn, bits)
            after = moved(repeat.step, wire, state, {**self._words, **controls, "number": number})
            ending = f"_made{suffix}_{turn}" if radix > 1 else f"_made{suffix}"
            state = {
                name: word if word is state[name] else staged(self._m, f"{name}{ending}", word)
                for name, word in after.items()
            }
        return state

    def number(self, turn: int, bits: int) -> Value:
        """The number of a step of this cycle."""
        return sized(self._core.count + turn if turn else self._core.count, bits)
