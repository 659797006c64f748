# SPDX-License-Identifier: Apache-2.0
"""The core of Ascon: words of a block enter one after another, then rounds of the permutation."""

from __future__ import annotations

from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.algebra.word import Wire
from headwater.core.component import Core
from headwater.core.naming import Naming, equals, named
from headwater.kinds.sponge.description import WORD_BITS, SpongeAead, State
from headwater.kinds.sponge.facts import SpongeFacts
from headwater.kinds.sponge.message_word import MessageWord
from headwater.kinds.sponge.registers import Registers


class SpongeCore(Core):
    """Ascon as a circuit.

    Key and nonce are shifted into S1 to S4, the key also into a register of its own. While a block
    enters, S0 and S1 turn word by word, so that every word enters in the same place; so do S2, S3
    with S4, and the key. Behind the block all are where they were.

    The key is added in cycles in which a word enters, not in a round. In the first block it is
    added to S3 and S4 word by word as they turn, by the gates that add it to the tag. Before the
    last permutation it is added at once, as only the last word may tell that the message ends.

    The core is idle when the whole tag has been taken. Decrypted text leaves before the tag is
    known. With ``stall=none``, ``data_out`` and ``tag`` must be taken while they are valid.
    """

    cipher: SpongeAead
    facts: SpongeFacts

    def __init__(self, facts: SpongeFacts) -> None:
        super().__init__(facts)
        self.width, self.unrolled = facts.architecture.radix, facts.unrolled
        kept = self.session.keeps_secrets
        self.copies = self._make_registers(kept=kept)
        self.s, self.key = self.copies[0].s, self.copies[0].key
        self.place = Signal(range(facts.load_words_count))
        self.permuting = Signal()
        self.round = Signal(4)
        self.finishing = Signal()
        self.tagging = Signal()
        self.first_block = Signal(init=1, name=self.first_name)
        self.opened = Signal()
        self.texting = Signal()
        self.padded = Signal()
        self.ended = Signal()
        self.block_ends = Signal()
        self.tag_taken = Signal()
        self.keyed = Signal(len(self.tag.payload))
        self.word: MessageWord
        self.closes_message: Signal
        self.made: list[State] = []
        self.control_registers = (
            self.place,
            self.permuting,
            self.round,
            self.finishing,
            self.tagging,
            self.first_block,
            self.opened,
            self.texting,
            self.padded,
            self.ended,
        )
        self.secrets = tuple(one for own in self.copies for one in (*own.s, own.key))
        self.finished = self.tag_taken & self.block_ends
        initial = Signal(WORD_BITS, name="INITIAL_WORD", init=self.cipher.initial_word)
        self.constants = {"initial_word": initial}

    first_name: ClassVar[str] = "fresh"
    """The name of the register that is one until a block is complete."""

    knows_idle = True
    """Yes: zeros are shifted in while the core is idle, and not while load words are missing."""

    comments: ClassVar = {
        "s0": "S0 to S4 are the state; words of the message enter S0 and S1",
        "key": "the key, which is needed again for the tag",
        "place": "words of the load, the block or the tag that are over",
        "permuting": "rounds are made",
        "round": "number of the next round",
        "finishing": "the permutation behind the message is made",
        "tagging": "the tag leaves",
        "fresh": "no block is complete: the key is added to S3 and S4",
        "opened": "associated data has begun, and its padding has not",
        "texting": "the text has begun",
        "padded": "the padding of this block has begun",
        "ended": "the last word of the message has been taken",
        "block_ends": "this is the last word of a block, or of the tag",
        "absorbing": "the words of a block are taken",
        "associated": "the word at the input is associated data",
        "takes": "the word at the input belongs to the part that is not yet padded",
        "text_here": "the word at the input is text that can be taken",
        "absorb_enable": "a word enters the state",
        "begins_text": "the text begins with this word",
        "keep": "bytes of the input that count now",
        "pads": "the padding begins in this word",
        "closed": "the part ends with this block",
        "entered": "the word of the state with that of the message",
        "closes_message": "the last word of the text's last block enters",
        "keyed": "the lowest word of S3 and S4; with the key in the first block and in the tag",
    }

    word_begins: Value = Const(1, 1)
    """Whether the cycle is the first one that a word of the message or the tag needs."""
    word_ends: Value = Const(1, 1)
    """Whether it is the last one."""
    round_ends: Value = Const(1, 1)
    """Whether a round that is made ends in this cycle."""

    def moving(self, word: Value) -> Value:
        """The part of a word of the message that moves in this cycle."""
        return word

    def _make_registers(self, *, kept: bool) -> tuple[Registers, ...]:
        """The registers of state and key: once."""
        return (Registers(self.facts.word_bits, kept=kept),)

    @property
    def rate_word(self) -> Value:
        """The part of the state that the next word of the message enters."""
        return self.copies[0].rate_word

    @property
    def makes(self) -> Value:
        """Whether the state takes what the rounds make."""
        return self.permuting

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        """The circuit of the core."""
        m = Module()
        self.word = word = MessageWord(m, self)
        closes = named(m, "closes_message", word.is_text() & word.closed & self.block_ends)
        self.closes_message = closes
        last_round = self._permute(m, word, closes)
        self._count(m, word)
        self._offer_tag(m)
        self._move_state(m, word, closes)
        self._move_key(m, word)
        word.count(m)
        self.session.clear_at_once(m, self.secrets)
        self.session.connect(
            m,
            last_word=self.place.all(),
            setup_over=last_round & ~self.running,
            finished=self.finished,
            registers=self.control_registers,
        )
        return m

    def make_round(self, wire: Wire, s: State, number: Value) -> State:
        """A round as in the description."""
        return self.cipher.permutation_round(wire, s, self.cipher.round_constant(number))

    # --- control

    def _permute(self, m: Module, word: MessageWord, closes: Value) -> Value:
        """Begin and count the rounds; whether those of this cycle are the last."""
        number = self.cipher.long_rounds - self.unrolled
        is_last = self.makes & equals(self.round, number, "LAST_ROUND")
        last = named(m, "last_round", is_last & self.round_ends)
        begins = named(m, "permutation_begins", word.enable & self.block_ends)
        with m.If(self.makes & self.round_ends):
            m.d.sync += [
                self.round.eq(self.round + self.unrolled),
                self.permuting.eq(~last),
                self.tagging.eq(last & self.finishing),
            ]
        with m.If((self.load_fire & self.place.all()) | begins):
            m.d.sync += self.permuting.eq(1)
        with m.If(begins):
            m.d.sync += [
                self.round.eq(Mux(closes, Const(0, 4), Const(self.facts.first_short_number, 4))),
                self.finishing.eq(closes),
            ]
        return last

    def _count(self, m: Module, word: MessageWord) -> None:
        """Count words. A block has half as many as the load."""
        m.d.comb += self.block_ends.eq(Cat(Const(1, 1), self.place[:-1]).all())
        with m.If(self.load_fire | word.enable | self.tag_taken):
            m.d.sync += self.place.eq(self.place + 1)

    def _offer_tag(self, m: Module) -> None:
        adds = self.first_block | self.tagging
        taken = self.tag.ready | ~self.word_begins if self.facts.waits else Const(1, 1)
        m.d.comb += [
            self.keyed.eq(Cat(own.keyed(adds) for own in self.copies)),
            self.tag.valid.eq(self.tagging & self.word_begins),
            self.tag.payload.eq(Mux(self.tag.valid, self.keyed, 0)),
            self.tag_taken.eq(self.tagging & taken),
        ]

    # --- state

    def _rounds(self, m: Module, *, short: Value) -> tuple[State, ...]:
        """The state of each copy after the rounds of a cycle. In the first cycle of a ``short``
        permutation the first rounds are left out where it is no multiple of the unrolling."""
        s: State = (self.s[0], self.s[1], self.s[2], self.s[3], self.s[4])
        first = self.facts.first_short_number
        left_out = self.cipher.long_rounds - self.cipher.short_rounds - first
        skips = short & equals(self.round, first, "FIRST_ROUND") if left_out else Const(0, 1)
        for turn in range(self.unrolled):
            wire = Naming(m, f"_{turn}" if self.unrolled > 1 else "")
            number = wire((self.round + turn)[:4], "number") if turn else self.round
            after = self.make_round(wire, s, number)
            if turn < left_out:
                after = tuple(Mux(skips, old, new) for old, new in zip(s, after, strict=True))
            s = tuple(wire(word, f"made_{place}") for place, word in enumerate(after))
            self.made.append(s)
        return (s,)

    def _move_state(self, m: Module, word: MessageWord, closes: Value) -> None:
        after = self._rounds(m, short=self.running & ~self.finishing)
        moves, absorbs = self._moves(m, word)
        entered = word.entered(m, self.rate_word)
        for number, (own, state) in enumerate(zip(self.copies, after, strict=True)):
            mixed, shifted = self._mixed(number, entered, closes), self._shifted(number)
            with m.If(moves):
                m.d.sync += [
                    register.eq(Mux(self.makes, new, Mux(absorbs, added, moved)))
                    for register, new, added, moved in zip(
                        own.s, state, mixed, shifted, strict=True
                    )
                ]

    def _mixed(self, number: int, entered: Value, closes: Value) -> list[Value]:
        """A copy, by its number, after a word of the message. What is public is added to the first
        one alone."""
        part = slice(number * self.width, (number + 1) * self.width)
        marks = Const(0, 1) if number else self.word.begins_text
        own = self.copies[number]
        return own.entered(entered[part], self.keyed[part], marks, closes, self.cipher)

    def _shifted(self, number: int) -> list[Value]:
        """A copy after a word of the load, or of the tag."""
        return self.copies[number].shifted(self._start(number), self._loaded(number))

    def _moves(self, m: Module, word: MessageWord) -> tuple[Value, Value]:
        """Whether the state moves, and whether that is for a word of the message if not for a
        round."""
        shifts = named(m, "shifts", self.load_fire | self.session.emptying)
        return self.makes | word.enable | shifts | self.tag_taken, word.absorbing

    def _start(self, number: int) -> Value:  # noqa: ARG002
        """S0 of a copy, by its number, with each word of the load."""
        return self.constants["initial_word"] & self.load_fire.replicate(WORD_BITS)

    def _loaded(self, number: int) -> Value:  # noqa: ARG002
        """What enters a copy in the load."""
        return self.load_word

    def _loaded_key(self, number: int) -> Value:
        """What enters the key of a copy in the load."""
        return self._loaded(number)

    def _move_key(self, m: Module, word: MessageWord) -> None:
        moves, absorbs = self._moves_key(word)
        for number, own in enumerate(self.copies):
            shifted = Cat(own.key[self.width :], self._loaded_key(number))
            with m.If(moves):
                m.d.sync += own.key.eq(Mux(absorbs, own.turned_key, shifted))

    def _moves_key(self, word: MessageWord) -> tuple[Value, Value]:
        """Whether the key moves, and whether that is for a word of the message."""
        keying = self.load_fire & ~self.place[-1]
        return keying | self.session.emptying | self.tag_taken | word.enable, word.absorbing


class SpongeBitCore(SpongeCore):
    """The same of bit strings: `keep` has a one for each bit that counts."""

    comments: ClassVar = {"keep": "bits of the input that count now"}
