# SPDX-License-Identifier: Apache-2.0
"""The core of Ascon whose words pass the S-boxes and the linear layer slice by slice."""

from __future__ import annotations

from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.algebra.word import concatenate
from headwater.core.naming import Naming, equals, named
from headwater.kinds.sponge.core import SpongeCore
from headwater.kinds.sponge.description import WORD_BITS
from headwater.kinds.sponge.lanes import Lane
from headwater.kinds.sponge.message_word import MessageWord
from headwater.kinds.sponge.sliced_facts import SlicedFacts


class SlicedCore(SpongeCore):
    """Ascon with ``radix`` bits of each word in a cycle: all registers of state and key are shift
    registers of so many bits a place. A load word is a slice. A word of the message stays at its
    port while its slices enter.

    In a round the lowest slices of the five words pass the S-boxes, and each word takes the sums of
    its linear layer in at its top (`headwater.kinds.sponge.lanes`). A word stands still when its
    sums are in their places. The last permutation adds the key to S2 and S3 before the S-boxes of
    its first round, while the key turns.
    """

    facts: SlicedFacts

    def __init__(self, facts: SlicedFacts) -> None:
        super().__init__(facts)
        kept = self.session.keeps_secrets
        self.windows = [
            Signal(lane.window, name=f"window_{place}", reset_less=kept)
            for place, lane in enumerate(facts.lanes)
        ]
        self.secrets = (*self.s, self.key, *self.windows)
        self.word_begins = Signal(name="word_begins")
        self.word_ends = Signal(name="word_ends")
        self.round_ends = Signal(name="round_ends")
        self.keying = Signal()

    comments: ClassVar = {
        "place": "slices of the load, the block or the tag that are over, or cycles of a round",
        "word_begins": "this is the first cycle of a word of the message or the tag",
        "word_ends": "this is the last cycle of a word of the message or the tag",
        "round_ends": "this is the last cycle of a round",
        "keying": "the round that adds the key for the tag",
        "passing": "the words pass the S-boxes",
        "absorb_enable": "a slice of a word enters the state",
        "entered": "the slice of the state with that of the message",
        **{f"window_{place}": f"the last bits that entered S{place}" for place in range(5)},
    }

    def moving(self, word: Value) -> Value:
        """The slice of a word of the message that moves in this cycle."""
        return _chosen(word, self._part)

    @property
    def _part(self) -> Value:
        """The number of a slice in its word."""
        return self.place[: (self.facts.parts - 1).bit_length()]

    @property
    def _slice(self) -> Value:
        """The number of a slice in a word of the state."""
        return self.place[:-2]

    @property
    def _first_pass(self) -> Value:
        """Whether a round has just begun, so that bits have not passed the S-boxes."""
        return ~self.place[-2:].any()

    def elaborate(self, platform: object) -> Module:
        """The circuit of the core."""
        m = super().elaborate(platform)
        at_end = self.facts.round_cycles - 1
        # The place is never behind the end: what tells the end are the ones of its number.
        ends = Cat(bit for number, bit in enumerate(self.place) if at_end >> number & 1).all()
        m.d.comb += [
            self.word_begins.eq(~self._part.any()),
            self.word_ends.eq(self._part.all()),
            self.round_ends.eq(ends),
            self.keying.eq(self.permuting & self.finishing & equals(self.round, 0, "FIRST_ROUND")),
        ]
        return m

    def _count(self, m: Module, word: MessageWord) -> None:
        """Count slices, and in a round cycles."""
        super()._count(m, word)
        ends = Mux(self.permuting, self.round_ends, self.running & self.block_ends)
        with m.If(self.permuting | self.load_fire | word.enable | self.tag_taken):
            m.d.sync += self.place.eq(Mux(ends, 0, self.place + 1))

    # --- state

    def _move_state(self, m: Module, word: MessageWord, closes: Value) -> None:  # noqa: ARG002
        sums = self._sums(m)
        beside = zip(self._turned(m, word), self._shifted_in(), strict=True)
        entering = [Mux(word.absorbing, turned, shifted) for turned, shifted in beside]
        moves = self.load_fire | self.session.emptying | word.enable | self.tag_taken
        moves = named(m, "moves", moves)
        tops = [Mux(self.permuting, *both) for both in zip(sums, entering, strict=True)]
        mark = self._mark(m, word)
        marks = [Const(0, WORD_BITS)] * 3 + [mark[:WORD_BITS], mark[WORD_BITS:]]
        for register, top, added, lane in zip(self.s, tops, marks, self.facts.lanes, strict=True):
            with m.If(moves | (self.permuting & _below(self.place, lane.cycles))):
                m.d.sync += register.eq(Cat(register[self.width :], top) ^ added)

    def _lowest(self, place: int) -> Value:
        return self.s[place][: self.width]

    def _turned(self, m: Module, word: MessageWord) -> list[Value]:
        """What enters the words while a block does."""
        return [
            self._lowest(1),
            word.entered(m, self._lowest(0)),
            self._lowest(2),
            self._lowest(4),
            self.keyed[: self.width],
        ]

    def _shifted_in(self) -> list[Value]:
        """What enters the words in the load, and behind the tag."""
        start = self.constants["initial_word"].word_select(self._slice, self.width)
        start = start & self.load_fire.replicate(self.width)
        return [start, *map(self._lowest, (2, 3, 4)), self.load_word]

    def _mark(self, m: Module, word: MessageWord) -> Value:
        """What the first slice of a text adds to S3 and S4, which it has turned already."""
        begins = named(m, "marks", word.absorbing & word.begins_text & self.word_begins)
        place = self.cipher.separation_bit
        mark = Cat(Const(0, WORD_BITS + place), begins, Const(0, WORD_BITS - 1 - place))
        return mark.rotate_right(self.width)

    def _sums(self, m: Module) -> list[Value]:
        """What enters the words in a round; the windows move on."""
        passing = named(m, "passing", self.permuting & self._first_pass)
        sums = []
        for place, new in enumerate(self._substituted(Naming(m))):
            bits = named(m, f"bits_{place}", Mux(passing, new, self._lowest(place)))
            lane, window = self.facts.lanes[place], Cat(self.windows[place], bits)
            m.d.sync += self.windows[place].eq(window[self.width :])
            sums.append(Mux(self._makes_sums(lane), self._sum(lane, window), bits))
        return sums

    def _makes_sums(self, lane: Lane) -> Value:
        """Whether a sum enters a word in this cycle of a round."""
        first = lane.first_sum
        begun, over = ~_below(self.place, first), first + lane.slices
        # A word that has moved for the last time takes nothing in.
        return begun if over == lane.cycles else begun & _below(self.place, over)

    def _sum(self, lane: Lane, window: Value) -> Value:
        bits = (lane.sum_places(bit) for bit in range(self.width))
        return Cat(Cat(window[place] for place in places).xor() for places in bits)

    def _substituted(self, wire: Naming) -> tuple[Value, ...]:
        """The lowest slices behind the S-boxes, with what is added before."""
        assert self.cipher.substitution is not None
        s0, s1, s2, s3, s4 = map(self._lowest, range(5))
        adds = self.keying.replicate(self.width)
        low, high = (self.key[at : at + self.width] & adds for at in (0, WORD_BITS))
        s2 = wire(s2 ^ self._constant() ^ low, "s2_added")
        return self.cipher.substitution(wire, (s0, s1, s2, wire(s3 ^ high, "s3_added"), s4))

    def _constant(self) -> Value:
        """The slice of the round's constant, which is the lowest byte of a word."""
        constant = self.cipher.round_constant(self.round)
        if self.width >= len(constant):
            constant = concatenate(constant, Const(0, self.width - len(constant)))
            here = ~self._slice.any()
        else:
            bits = (len(constant) // self.width - 1).bit_length()
            constant = _chosen(constant, self.place[:bits])
            here = ~self._slice[bits:].any()
        return constant & here.replicate(self.width)

    def _move_key(self, m: Module, word: MessageWord) -> None:
        enters = self.load_fire & ~self.place[-1]
        # Two passes turn it once.
        turns = word.enable | (self.keying & ~self.place[-1])
        shifted = Mux(self.running, self.key[: self.width], self.load_word)
        with m.If(enters | self.session.emptying | self.tag_taken | turns):
            m.d.sync += self.key.eq(Cat(self.key[self.width :], shifted))


def _chosen(word: Value, index: Value) -> Value:
    """One of the equal parts of a word, as many as the index has values."""
    width = len(word) >> len(index)
    parts = [word[at : at + width] for at in range(0, len(word), width)]
    for bit in index:
        parts = [Mux(bit, *both) for both in zip(parts[1::2], parts[::2], strict=True)]
    return parts[0]


def _below(count: Value, number: int) -> Value:
    """Whether a count in binary is less than a number, in a gate for each bit."""
    if number >> len(count):
        return Const(1, 1)
    less: Value = Const(0, 1)
    for place, bit in enumerate(count):
        less = ~bit | less if number >> place & 1 else ~bit & less
    return less


class SlicedBitCore(SlicedCore):
    """The same of bit strings: `keep` has a one for each bit that counts."""

    comments: ClassVar = {"keep": "bits of the input that count now"}
