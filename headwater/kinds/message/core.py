# SPDX-License-Identifier: Apache-2.0
"""The core of a message machine: a phase for each operation, and the registers it moves."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.core.component import Core
from headwater.core.memory import Ram, StoredMemory
from headwater.core.naming import named
from headwater.kinds.message.calling import word_of
from headwater.kinds.message.description import MessageCipher
from headwater.kinds.message.facts import MessageFacts
from headwater.kinds.message.message_word import MessageWord
from headwater.kinds.message.moves import Moves
from headwater.kinds.message.operations import (
    Operation,
    Part,
    Repeat,
    Squeeze,
    Take,
)
from headwater.kinds.message.program import Section
from headwater.kinds.message.selecting import State, apart, chosen_word, joined
from headwater.kinds.message.wires import Wires


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
        "trailing": "the trailer enters in a word of its own",
        "extended": "bits of the input that count, with the trailer behind the last one",
        "message_word": "the input with the trailer",
        "word_ready": "the word, or the trailer alone, is taken",
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
        "zeroed": "words of each memory that are zero, until all are",
        "empty": "the memories are zero since the core is idle, or a session has begun",
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
        self.lengths = {
            name: Signal(self.cipher.length_bits, name=name) for name in self.cipher.counted
        }
        self.trailing = Signal()
        self.leaves = Signal()
        self.target = Signal.like(self.phase, name="target")
        self.word: MessageWord
        self.wires: Wires
        section = self.program.associated
        self.knows_begun = section is not None and not section.part.streams
        most = max((one.words for one in self.cipher.memories), default=1)
        self.zeroed = Signal(range(most))
        has_memories = bool(self.cipher.memories)
        self.memories_empty: Value = Signal(name="empty") if has_memories else Const(1, 1)
        """Whether the memories are zero, or a session has begun."""
        emptying = (self.zeroed, self.memories_empty) if has_memories else ()
        self.control_registers = (
            self.phase,
            self.count,
            self.ended,
            *((self.begun,) if self.knows_begun else ()),
            *((self.trailing,) if self.cipher.text.trailer else ()),
            *self.lengths.values(),
            *emptying,
        )
        self.secrets = tuple(self.state.values())
        self.constants = {
            name: Signal(word.width, name=name.upper(), init=word.value)
            for name, word in self.cipher.constants.items()
        }

    def apart(self, word: Value, size: int) -> list[Value]:
        """The parts of a word, the first ones of the bit string first."""
        return apart(word, size, top_first=self.cipher.first_bit_on_top)

    def joined(self, parts: Sequence[Value]) -> Value:
        """A word of parts of a bit string, the first one given first."""
        return joined(parts, top_first=self.cipher.first_bit_on_top)

    @property
    def room(self) -> Value:
        """Whether the other text of a word can leave, where there is one."""
        return self.data_out.ready if self.cipher.encrypts else Const(1, 1)

    @property
    def words(self) -> Mapping[str, Value]:
        """Constants and lengths, by the names that functions ask for."""
        return {**self.constants, **self.lengths}

    def memories(self, m: Module) -> Mapping[str, StoredMemory]:
        """Each memory, for a checker."""
        return {name: ram.watched(m) for name, ram in self.rams.items()}

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by the names of signals and memories."""
        notes = super().notes
        if self.cipher.unit == "bit":
            notes["keep"] = "bits of the input that count now"
        return dict(ChainMap(notes, *(ram.notes for ram in self.rams.values())))

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

    def elaborate(self, platform: object) -> Module:
        """The circuit of the core."""
        m = Module()
        printed = getattr(platform, "printed", True)
        self.rams = {
            one.name: Ram(m, one.name, one.words, one.bits, printed=printed)
            for one in self.cipher.memories
        }
        self.held: State = {**self.state, **{name: ram.present for name, ram in self.rams.items()}}
        self.wires = Wires(m)
        self.word = word = MessageWord(m, self)
        self._control(m)
        self._offer_tag(m)
        Moves(m, self).make()
        word.count(m)
        self.session.clear_at_once(m, self.secrets)
        last_take = self.program.last_take
        # A load of one word is over in phase 0.
        takes_last = 0 if last_take == 1 and self.last_of(1) == 0 else last_take
        takes = self.at([0, *self._phases(Take)])
        takes = takes & self.memories_empty if self.rams else takes
        last_start = self.program.started - 1
        last_tag = len(self.program.operations) - 1
        ends: Value = self.leaves & (self.phase == last_tag)
        self.finished = named(m, "finished", Const(0, 1) if self.cipher.output_bits else ends)
        self.session.connect(
            m,
            last_word=(self.phase == takes_last) & (self.count == self.last_of(last_take)),
            setup_over=self.leaves & (self.phase == last_start),
            ready=takes,
            finished=self.finished,
            registers=self.control_registers,
        )
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
                word = word_of(one.function, wire, {**self.words, **self.held})
                words = self.apart(named(m, f"tag_{phase}", word), len(payload))
                word = chosen_word(words, self.count)
                payload |= word & (self.phase == phase).replicate(len(payload))
        m.d.comb += [
            self.tag.valid.eq(self.at(self._phases(Squeeze))),
            self.tag.payload.eq(payload),
        ]
