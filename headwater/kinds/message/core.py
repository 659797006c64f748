# SPDX-License-Identifier: Apache-2.0
"""The core of a message machine: a phase for each operation, and the registers it moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.core.component import Core
from headwater.core.naming import named
from headwater.kinds.message.calling import moved, word_of
from headwater.kinds.message.description import MessageCipher
from headwater.kinds.message.facts import MessageFacts
from headwater.kinds.message.message_word import MessageWord
from headwater.kinds.message.operations import (
    Do,
    Function,
    Operation,
    Part,
    Repeat,
    Squeeze,
    Take,
)
from headwater.kinds.message.program import Section
from headwater.kinds.message.selecting import chosen_word, places_of, sized, staged
from headwater.kinds.message.wires import Wires

State = dict[str, Value]


class MessageCore(Core):
    """A machine as a circuit.

    ``phase`` says which operation is made, ``count`` how much of it is over: words of a load, a
    block or a tag, or steps. Registers move in every cycle of a phase but for those in which a word
    is missing or not taken. In phase 0, the first word of the load enters a state of zeros; without
    one the state becomes zero.

    Decrypted text leaves before the tag is known.
    """

    cipher: MessageCipher
    facts: MessageFacts

    knows_idle = False
    """No: that is phase 0."""

    comments: ClassVar = {
        "phase": "the operation that is made",
        "count": "words or steps of it that are over, or the number of the next step",
        "ended": "the last word of the message has been taken",
        "begun": "associated data has begun",
        "ad_bytes": "bytes of the associated data so far",
        "text_bytes": "bytes of the text so far",
        "leaves": "the phase ends in this cycle",
        "target": "the phase behind it",
        "associated": "the word at the input is associated data",
        "own": "the word at the input belongs to the part that is taken",
        "known": "there is a word at the input, or the message has ended",
        "keep": "bytes of the input that count now",
        "enters": "a word enters the state",
        "closes": "it is the last of its block",
        "entering": "the word that enters: plaintext or associated data, and the padding",
        "shown": "the other text",
    }

    def __init__(self, facts: MessageFacts) -> None:
        super().__init__(facts)
        self.program, kept = facts.program, self.session.keeps_secrets
        self.state: State = {
            one.name: Signal(one.bits, name=one.name, reset_less=kept)
            for one in self.cipher.registers
        }
        self.phase = Signal(range(len(self.program.operations)))
        self.count = Signal(range(max(self._most(), 1) + 1))
        self.ended = Signal()
        self.begun = Signal()
        self.lengths = {name: Signal(self.cipher.length_bits, name=name)
                        for name in self.cipher.counted}  # fmt: skip
        self.leaves = Signal()
        self.target = Signal.like(self.phase, name="target")
        self.word: MessageWord
        self.wires: Wires
        section = self.program.associated
        self.knows_begun = section is not None and not section.part.streams
        self.control_registers = (
            self.phase, self.count, self.ended, *((self.begun,) if self.knows_begun else ()),
            *self.lengths.values(),
        )  # fmt: skip
        self.secrets = tuple(self.state.values())
        self.constants = {
            name: Signal(word.width, name=name.upper(), init=word.value)
            for name, word in self.cipher.constants.items()
        }

    @property
    def words(self) -> Mapping[str, Value]:
        """Constants and lengths, by the names that functions ask for."""
        return {**self.constants, **self.lengths}

    def first_of(self, phase: int) -> int:
        """What ``count`` begins with in a phase."""
        one = self.program.operations[phase]
        return one.first_number if isinstance(one, Repeat) else int(phase == 1)

    def last_of(self, phase: int) -> int:
        """What ``count`` is in the last cycle of a phase that is an operation."""
        one, at = self.program.operations[phase], self.architecture
        match one:
            case Take():
                return one.bits // at.load_width - 1
            case Repeat():
                return one.first_number + one.count - at.radix
            case Squeeze():
                return one.bits // self.facts.tag_width - 1
        return 0

    def last_word_of(self, part: Part) -> int:
        """What ``count`` is when the last word of a whole block enters."""
        return self.facts.words(part) - 1

    def _most(self) -> int:
        phases = range(len(self.program.operations))
        parts = [self.last_word_of(section.part) for section in self.program.sections]
        return max(*map(self.last_of, phases), *parts)

    def at(self, phases: Iterable[int]) -> Value:
        """Whether the phase is one of these."""
        return Cat(self.phase == phase for phase in sorted(set(phases))).any()

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        """The circuit of the core."""
        m = Module()
        self.wires = Wires(m)
        self.word = word = MessageWord(m, self)
        self._control(m)
        self._offer_tag(m)
        self._move(m)
        word.count(m)
        self.session.clear_at_once(m, self.secrets)
        last_take, takes = self.program.last_take, [0, *self._phases(Take)]
        last_start = self.program.started - 1
        last_tag = len(self.program.operations) - 1
        self.finished = named(m, "finished", self.leaves & (self.phase == last_tag))
        self.session.connect(
            m, last_word=(self.phase == last_take) & (self.count == self.last_of(last_take)),
            setup_over=self.leaves & (self.phase == last_start),
            ready=self.at(takes), finished=self.finished, registers=self.control_registers,
        )  # fmt: skip
        return m

    def _phases(self, kind: type[Operation]) -> list[int]:
        """The phases that are operations of a kind."""
        return [phase for phase, one in self.program.each() if isinstance(one, kind)]

    def _first_counts(self) -> Value:
        """What ``count`` begins with in the target."""
        value: Value = Const(0, len(self.count))
        for phase, _ in self.program.each():
            if self.first_of(phase):
                value = Mux(self.target == phase, self.first_of(phase), value)
        return value

    # --- control

    def _control(self, m: Module) -> None:
        """When a phase ends, which is next, and how it is counted."""
        repeats = self._phases(Repeat)
        step = self.architecture.radix
        by = Mux(self.at(repeats), step, 1) if repeats and step > 1 else 1
        leaves, target = (self.phase == 0) & self.load_fire, self.phase + 1
        if self.first_of(1) > self.last_of(1):
            target = Mux(self.phase == 0, self.program.following[1], target)
        for section in self.program.sections:
            if section.choose != section.enter:
                chosen = self.phase == section.choose
                leaves |= chosen & self.word.known
                target = Mux(chosen, self._chosen(section), target)
            entering = self.phase == section.enter
            over, where = self._over(section)
            leaves |= entering & over
            target = Mux(entering, where, target)
        for phase, one in self.program.each():
            here, following = self.phase == phase, self.program.following[phase]
            leaves |= here & self._moves(one) & (self.count == self.last_of(phase))
            if following != phase + 1:
                target = Mux(here, following, target)
        m.d.comb += [self.leaves.eq(leaves), self.target.eq(target)]
        counts, wraps = self._counts()
        with m.If(self.leaves | wraps):
            m.d.sync += self.count.eq(Mux(self.leaves, self._first_counts(), 0))
        with m.Elif(counts):
            m.d.sync += self.count.eq(self.count + by)
        with m.If(self.leaves):
            m.d.sync += self.phase.eq(self.target)
        if self.knows_begun:
            associated = self.program.associated
            assert associated is not None
            with m.If((self.phase == associated.enter) & self.word.enters & self.word.closes):
                m.d.sync += self.begun.eq(1)

    def _moves(self, one: Operation) -> Value:
        """Whether an operation goes on in this cycle."""
        moves = {Take: self.load_fire, Squeeze: self.tag.ready}
        return moves.get(type(one), Const(1, 1))

    def _counts(self) -> tuple[Value, Value]:
        """Whether ``count`` goes on if the phase does not end, and whether it begins anew."""
        counts: Value = Const(0, 1)
        for phase, one in self.program.each():
            if self.last_of(phase) != self.first_of(phase):
                counts |= (self.phase == phase) & self._moves(one)
        several = [one.enter for one in self.program.sections if self.last_word_of(one.part)]
        if not several:
            return counts, Const(0, 1)
        enters = self.at(several) & self.word.enters
        return counts | enters, enters & self.word.closes

    def _chosen(self, section: Section) -> Value:
        """The phase behind the choice whether there is a block, a first or a further one; only
        associated data is asked for a further one."""
        word, part = self.word, section.part
        where = Mux(word.own | Const(part.at_least_one, 1), section.first, section.past)
        if section is not self.program.associated:
            return where
        further = word.own | Const(part.pad is not None and part.pad.when == "always", 1)
        return Mux(self.begun, Mux(further, section.between, section.end), where)

    def _over(self, section: Section) -> tuple[Value, Value]:
        """Whether the phase ends in which words enter, and the one behind it."""
        word, part = self.word, section.part
        is_text, block = section is self.program.text, word.enters & word.closes
        if part.streams:
            return word.passes | (block & word.is_last & Const(is_text, 1)), Const(section.past)
        if not is_text:
            return block, Mux(word.is_full, section.choose, section.end)
        always = part.pad is not None and part.pad.when == "always"
        goes_on = word.is_full & (Const(always, 1) | ~word.is_last)
        return block, Mux(goes_on, section.between, section.end)

    def _offer_tag(self, m: Module) -> None:
        """The words of the tag."""
        payload: Value = Const(0, self.facts.tag_width)
        for phase, one in self.program.each():
            if isinstance(one, Squeeze):
                wire = self.wires(f"_tag_{phase}")
                word = word_of(one.function, wire, {**self.words, **self.state})
                word = chosen_word(named(m, f"tag_{phase}", word), self.count, len(payload))
                payload |= word & (self.phase == phase).replicate(len(payload))
        m.d.comb += [
            self.tag.valid.eq(self.at(self._phases(Squeeze))),
            self.tag.payload.eq(payload),
        ]

    # --- state

    def _move(self, m: Module) -> None:
        """The next state in each phase."""
        after: list[tuple[list[int], State, Value]] = []
        for phase, one in self.program.each():
            if isinstance(one, Do):
                wire = self.wires(f"_{phase}")
                state = moved(one.function, wire, self.state, self.words)
                after.append(([phase], state, Const(1, 1)))
            elif isinstance(one, Take):
                after.append(([phase], self._taken(m, phase, one, self.state), self.load_fire))
        after.append(([0], self._first_taken(m), Const(1, 1)))
        after += [(phases, state, Const(1, 1)) for phases, state in self._stepped(m)]
        after += [(phases, state, self.word.enters) for phases, state in self.word.entered(m)]
        for name, register in self.state.items():
            moves, value = self.phase == 0, Const(0, len(register))
            for phases, state, enable in after:
                if state[name] is not register:
                    here = self.at(phases)
                    moves |= here & enable
                    value |= state[name] & here.replicate(len(register))
            with m.If(moves):
                m.d.sync += register.eq(value)

    def _first_taken(self, m: Module) -> State:
        """The state after the first phase: zero, or what the first word makes of zeros."""
        one = self.program.operations[1]
        assert isinstance(one, Take)
        zeros: State = {name: Const(0, len(word)) for name, word in self.state.items()}
        return {
            name: word if word is zeros[name] else word & self.load_fire.replicate(len(word))
            for name, word in self._taken(m, 0, one, zeros).items()
        }

    def _taken(self, m: Module, phase: int, take: Take, state: State) -> State:
        """The state after a word of the load."""
        if take.enter is None:
            shifted = Cat(state[take.into], self.load.payload)[len(self.load.payload) :]
            return state | {take.into: shifted}
        size, width = take.block_bits or take.bits, self.architecture.load_width
        if width >= size:
            return self._taken_in_turn(m, phase, take.enter, state, size)
        places = size // width
        count = self.count if phase else Const(0, len(self.count))
        here = (places_of(count, place, places, take.bits // width) for place in range(places))
        block = Cat(self.load.payload & one.replicate(width) for one in here)
        wire = self.wires(f"_{phase}")
        block = named(m, f"block_{phase}", block)
        return moved(take.enter, wire, state, {**self.words, "block": block})

    def _taken_in_turn(
        self, m: Module, phase: int, enter: Function, state: State, size: int
    ) -> State:
        """The state after the blocks of a word of the load."""
        for place in range(len(self.load.payload) // size):
            block = self.load.payload[place * size : (place + 1) * size]
            wire = self.wires(f"_{phase}_{place}")
            after = moved(enter, wire, state, {**self.words, "block": block})
            state = {name: word if word is state[name]
                     else staged(m, f"{name}_taken_{phase}_{place}", word)
                     for name, word in after.items()}  # fmt: skip
        return state

    def _stepped(self, m: Module) -> list[tuple[list[int], State]]:
        """The state after the steps of a cycle, with its phases: those of a step share it."""
        groups: dict[object, list[tuple[int, Repeat]]] = {}
        for phase, one in self.program.each():
            if isinstance(one, Repeat):
                groups.setdefault(one.step, []).append((phase, one))
        made = []
        for group in groups.values():
            suffix = "" if len(groups) == 1 else f"_{group[0][0]}"
            controls = self._controls(m, group)
            state = self._steps(m, group[0][1], self._begun(m, group), controls, suffix)
            made.append(([phase for phase, _ in group], state))
        return made

    def _controls(self, m: Module, group: list[tuple[int, Repeat]]) -> State:
        """The bits that the step of these phases may ask for."""
        return {
            name: named(m, name, self.at(phase for phase, one in group if name in one.controls))
            for name in self.cipher.controls_of(group[0][1].step)
        }

    def _begun(self, m: Module, group: list[tuple[int, Repeat]]) -> State:
        """The state before the first step of the cycle: ``begin`` is done in the first cycle."""
        begun = self.state
        for phase, one in group:
            if one.begin is not None:
                first = (self.phase == phase) & (self.count == one.first_number)
                changed = moved(one.begin, self.wires(f"_{phase}"), self.state, self.words)
                first = named(m, f"begins_{phase}", first)
                begun = {name: Mux(first, changed[name], word)
                         if changed[name] is not self.state[name] else word
                         for name, word in begun.items()}  # fmt: skip
        return {name: word if word is self.state[name] else named(m, f"{name}_begun", word)
                for name, word in begun.items()}  # fmt: skip

    def _steps(
        self, m: Module, repeat: Repeat, state: State, controls: State, suffix: str
    ) -> State:
        """The state after as many steps as a cycle makes."""
        bits, radix = self.cipher.number_bits(repeat.step), self.architecture.radix
        for turn in range(radix):
            wire = self.wires(f"{suffix}_{turn}" if radix > 1 else suffix)
            number = self.number(turn, bits)
            after = moved(repeat.step, wire, state, {**self.words, **controls, "number": number})
            made = f"{suffix}_{turn}" if radix > 1 else suffix
            state = {name: word if word is state[name] else staged(m, f"{name}_made{made}", word)
                     for name, word in after.items()}  # fmt: skip
        return state

    def number(self, turn: int, bits: int) -> Value:
        """The number of a step of this cycle."""
        return sized(self.count + turn if turn else self.count, bits)
