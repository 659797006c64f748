# SPDX-License-Identifier: Apache-2.0
"""The state of an instance in software: a description read with integers, a cycle at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.model import WholeRegisters, Windows
from headwater.kinds.stepped.prng.facts import PrngFacts
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher


class State(ABC):
    """The state of an instance after its load, of which ``reading`` makes the steps. It begins
    with those of the blank cycles."""

    def __init__(self, facts: PrngFacts, reading: Windows | WholeRegisters) -> None:
        self.facts = facts
        self.content, self.set_content = reading.content, reading.set_content
        self._reading = reading
        for phase in facts.cipher.phases:
            reading.set_controls(phase.controls)
            self.advance(phase.steps)
        reading.set_controls(())

    def advance(self, steps: int) -> int:
        """Run steps; gives their output, the oldest bit at bit 0."""
        natural = self.facts.cipher.natural_radix
        return sum(
            self._reading.advance(min(natural, steps - start)) << start
            for start in range(0, steps, natural)
        )

    @abstractmethod
    def cycle(self, word: int) -> int:
        """The steps of a cycle in which a seed word is taken, or zeros; gives their output, the
        oldest bit at bit 0."""


class PlacedState(State):
    """Of a cipher into which key and IV are placed: a later word is added after the steps."""

    def cycle(self, word: int) -> int:
        """The steps of a cycle, then the word."""
        output = self.advance(self.facts.architecture.radix)
        for register, places in self.facts.mixed.items():
            added = sum((word >> bit & 1) << place for place, bit in places.items())
            self.set_content(register, self.content(register) ^ added)
        return output


class InjectedState(State):
    """Of a cipher whose steps key and IV enter: a later word enters them as well."""

    def __init__(self, facts: PrngFacts, reading: WholeRegisters) -> None:
        super().__init__(facts, reading)
        self._enter = reading.enter

    def cycle(self, word: int) -> int:
        """The steps of a cycle, the first of which the word enters."""
        if not word:
            return self.advance(self.facts.architecture.radix)
        lanes = [_bits(self.facts, word, lane) for lane in range(self.facts.cipher.lane_count)]
        entering = [
            sum(bit << lane for lane, bit in enumerate(bits)) for bits in zip(*lanes, strict=True)
        ]
        output = sum(self._enter(bits, ()) << step for step, bits in enumerate(entering))
        left = self.facts.architecture.radix - len(entering)
        return output | self.advance(left) << len(entering)


def state_of(facts: PrngFacts, words: Sequence[int]) -> State:
    """The state after a load of these words and the blank cycles; a word may have any content."""
    entered = [
        [bit for word in words for bit in _bits(facts, word, lane)]
        for lane in range(facts.cipher.lane_count)
    ]
    match facts.cipher:
        case ShiftRegisterCipher() as cipher:
            return PlacedState(facts, Windows(cipher, *_key_and_iv(cipher, entered)))
        case ClockedCipher() as cipher:
            return InjectedState(facts, WholeRegisters(cipher, entered))


def _bits(facts: PrngFacts, word: int, lane: int) -> Iterator[int]:
    """The bits that a load word gives to a lane, the first one first."""
    steps = facts.timeline.load_steps_per_cycle
    return (word >> lane * steps + step & 1 for step in range(steps))


def _key_and_iv(
    cipher: ShiftRegisterCipher, entered: Sequence[Sequence[int]]
) -> tuple[list[int], list[int]]:
    """The bits of key and IV, from all bits of each lane: a lane ends with the last of its own."""
    count = cipher.key_bits + cipher.iv_bits[-1]
    numbers = range(count)
    values = [0] * count
    lanes = cipher.entering_lanes(numbers[: cipher.key_bits], numbers[cipher.key_bits :])
    for lane, bits in zip(lanes, entered, strict=True):
        for number, bit in zip(lane, bits[-len(lane) :], strict=True):
            values[number] = bit
    return values[: cipher.key_bits], values[cipher.key_bits :]
