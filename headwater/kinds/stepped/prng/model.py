# SPDX-License-Identifier: Apache-2.0
"""A source of random bits in software, cycle by cycle: what its Verilog does, from the description
read with integers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from headwater.kinds.stepped.prng.lockup import WATCHED_BITS
from headwater.kinds.stepped.prng.shape import PrngShape
from headwater.kinds.stepped.prng.state import State, state_of


@dataclass(frozen=True)
class PrngInputs:
    """What the inputs are before a clock edge."""

    en: bool = False
    reset: bool = False
    restart: bool = False
    seed_valid: bool = False
    seed: int = 0
    state_write: bool = False
    state_word: int = 0
    state_in: int = 0


@dataclass(frozen=True)
class PrngOutputs:
    """What the outputs are before a clock edge."""

    seed_ready: bool
    valid: bool
    prng: int
    error: bool
    state_out: int = 0


class PrngModel:
    """A source of random bits after a reset. Before the first whole seed `prng` is zero here, and
    unknown in hardware, as is the state while `prng_valid` is low. Words of the state may be
    written before a seed begins, or while bits are offered."""

    def __init__(self, shape: PrngShape) -> None:
        self._shape = shape
        self._restart()
        self._words = [0] * shape.instances
        self._held = 2 if shape.reset == "async" else 0

    def _restart(self) -> None:
        count = self._shape.instances
        self._loaded: list[int] = []
        self._part = self._blank = 0
        self._running = self._offered = self._failed = False
        self._locked = [frozenset[tuple[str, ...]]()] * count
        self._zero_words = [0] * count
        """Of a source that is watched by its words: those given away in a row that were zero."""
        self._states: list[State] = []
        self._stored = [0] * count

    def _resets_now(self, inputs: PrngInputs) -> bool:
        """Whether a reset acts at once: also in the two cycles after it."""
        if inputs.reset and self._shape.reset == "async":
            self._held = 3
            self._restart()
        now, self._held = self._held > 0, max(0, self._held - 1)
        return now

    @property
    def _loading(self) -> bool:
        return len(self._loaded) < self._shape.facts.timeline.load_cycles

    def clock(self, inputs: PrngInputs) -> PrngOutputs:
        """The outputs in a cycle with these inputs, at whose end the clock rises."""
        resets = self._resets_now(inputs)
        taken = (self._loading or self._running) and not inputs.restart and not resets
        ends_word = self._part == self._shape.parts - 1 or self._ends_load
        radix = self._shape.architecture.radix
        whole = sum(word << radix * number for number, word in enumerate(self._words))
        outputs = PrngOutputs(
            taken and ends_word,
            self._offered,
            whole & (1 << self._shape.random_bits) - 1,
            self._failed,
        )
        if self._shape.state_port:
            outputs = replace(outputs, state_out=self._read(inputs.state_word, outputs))
        if inputs.restart or inputs.reset or resets:
            self._restart()
        else:
            word = self._load_word(inputs.seed) if taken and inputs.seed_valid else None
            self._move(inputs.en, word)
            if word is not None:
                self._part = 0 if ends_word else self._part + 1
            if inputs.state_write and self._shape.state_port:
                self._write(inputs.state_word, inputs.state_in)
        return outputs

    def _read(self, number: int, outputs: PrngOutputs) -> int:
        """A word of the state."""
        if number == self._shape.state_words - 1:
            return outputs.error << 1 | outputs.valid
        core, place = divmod(number, self._shape.facts.state_words)
        if core >= self._shape.instances:
            return 0
        width = self._shape.seed_width
        return self._content(core) >> place * width & (1 << width) - 1

    def _content(self, core: int) -> int:
        """State and output register of an instance, as they are read."""
        if not self._states:
            return self._stored[core]
        value, low = 0, 0
        for register in self._shape.cipher.registers:
            value |= self._states[core].content(register.name) << low
            low += register.length
        return value | self._words[core] << low

    def _write(self, number: int, word: int) -> None:
        """Write a word of the state; the last one begins to offer bits."""
        if number == self._shape.state_words - 1:
            if word & 1:
                self._resume(error=self._shape.watched and bool(word & 2))
            return
        core, place = divmod(number, self._shape.facts.state_words)
        if core < self._shape.instances:
            low, width = place * self._shape.seed_width, self._shape.seed_width
            mask = (1 << width) - 1 << low
            self._set_content(core, self._content(core) & ~mask | word << low)

    def _set_content(self, core: int, value: int) -> None:
        self._stored[core] = value
        if self._states:
            for register in self._shape.cipher.registers:
                here = value & (1 << register.length) - 1
                self._states[core].set_content(register.name, here)
                value >>= register.length
            self._words[core] = value & (1 << self._shape.architecture.radix) - 1

    def _resume(self, *, error: bool) -> None:
        """Offer bits from the next cycle on, from the words that were written."""
        if not self._states:
            nothing = [0] * self._shape.facts.timeline.load_cycles
            self._states = [state_of(self._shape.facts, nothing) for _ in self._stored]
            for core, value in enumerate(self._stored):
                self._set_content(core, value)
        self._loaded = [0] * self._shape.facts.timeline.load_cycles
        self._part = 0
        self._running = self._offered = True
        self._failed = self._failed or error

    def zero(self, marks: int) -> None:
        """Make the state of some instances zero, as a fault would: those whose bit is set."""
        for number, state in enumerate(self._states):
            for register in self._shape.cipher.registers:
                if marks >> number & 1:
                    state.set_content(register.name, 0)

    @property
    def _ends_load(self) -> bool:
        return len(self._loaded) == self._shape.facts.timeline.load_cycles - 1

    def _load_word(self, seed: int) -> int:
        width = self._shape.architecture.load_width
        return seed >> width * self._part & (1 << width) - 1

    def _move(self, en: bool, word: int | None) -> None:
        """One cycle: of the load, of the blank cycles, or of the running cipher."""
        if self._loading:
            if word is not None:
                self._load(word)
        elif not self._running:
            self._blank += 1
            self._running = self._blank == self._shape.facts.timeline.blank_cycles
        else:
            self._run(en or not self._offered, word)

    def _load(self, word: int) -> None:
        """Take a load word; with the last one, carry out the whole setup."""
        self._loaded.append(word)
        if not self._loading:
            self._states = [self._set_up(number) for number in range(self._shape.instances)]
            self._running = not self._shape.facts.timeline.blank_cycles

    def _set_up(self, number: int) -> State:
        """The state of an instance after the whole load and the blank cycles."""
        facts, words = self._shape.facts, [*self._loaded]
        lowest = self._shape.architecture.load_width - facts.number_bits
        words[facts.numbered_word] ^= number << lowest
        return state_of(facts, words)

    def _run(self, fills: bool, word: int | None) -> None:
        locked = [self._seen(number, fills=fills) for number in range(len(self._states))]
        for number, state in enumerate(self._states):
            if fills or word is not None or self._locked[number]:
                output = state.cycle(word or 0)
                self._words[number] = output if fills else self._words[number]
                self._revive(state, self._locked[number])
        self._offered = True
        self._failed = self._failed or any(self._locked)
        self._locked = locked

    def _seen(self, number: int, *, fills: bool) -> frozenset[tuple[str, ...]]:
        """The sets of registers of an instance that are found to be locked up in this cycle."""
        if not self._shape.by_words:
            return self._zeros(self._states[number])
        was, now = self._zero_words[number], self._locked[number]
        if fills:
            zero = self._offered and not self._words[number] & (1 << WATCHED_BITS) - 1
            self._zero_words[number] = min(was + 1, 2) if zero else 0
        if now:
            self._zero_words[number] = 0
        return frozenset(self._shape.facts.locking) if was == 2 and not now else frozenset()

    def _zeros(self, state: State) -> frozenset[tuple[str, ...]]:
        """The sets of registers that are locked up."""
        return frozenset(
            names for names in self._shape.facts.locking if not any(map(state.content, names))
        )

    def _revive(self, state: State, locked: frozenset[tuple[str, ...]]) -> None:
        """Put a one into registers that were locked up."""
        for register in self._shape.cipher.registers:
            if any(names[0] == register.name for names in locked):
                one = 1 << register.length - 1
                state.set_content(register.name, state.content(register.name) | one)
