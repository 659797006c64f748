# SPDX-License-Identifier: Apache-2.0
"""The setup of a VEST core, followed with binary counts."""

from __future__ import annotations

from collections.abc import Iterator

from amaranth.hdl import Cat, Const, Module, Mux, ResetSignal, Signal, Value

from headwater.cipher.vest import SEAL_ROUNDS, WINDOW_BITS
from headwater.core.counter import state_after
from headwater.kinds.vest.authenticated import VestAeadCore
from headwater.kinds.vest.core import VestBase
from headwater.prove.checker import Proof, assert_always, ended


class Course:
    """The point of the setup that a core must be at."""

    def __init__(self, m: Module, core: VestBase, proof: Proof) -> None:
        facts = core.facts
        self._core = core
        self.key_bits, self.key_words = core.cipher.key_bits, facts.key_words
        self.total = self.key_bits + self.key_words + SEAL_ROUNDS

        def counter(name: str, last: int) -> Signal:
            return Signal(range(last + 1), name=proof.named(name))

        self.words = counter("words", self.key_words)
        """Bytes of the key that were taken."""
        self.rounds = counter("rounds", self.total)
        """Rounds that were made since the whole key was taken."""
        self.loaded = counter("loaded", 1)
        self.of_iv = counter("of_iv", 1)
        """Whether the load's last byte was one of an IV."""
        self.iv_rounds = counter("iv_rounds", SEAL_ROUNDS)
        """Rounds since the load's last byte."""
        self.closed = counter("closed", 1)
        """Whether the message is over."""
        self.tag_rounds = counter("tag_rounds", SEAL_ROUNDS)
        """Rounds since the message was over."""
        self.has_key = counter("has_key", 1)
        """Whether a state after the setup with a key is kept."""
        self.just_keyed = counter("just_keyed", 1)
        self.fresh = counter("fresh", 1)
        """Whether the word of this cycle is a new one."""
        self.filled = self.words == self.key_words
        self.keyed = self.rounds == self.total
        self.over = self.keyed & self.loaded & (~self.of_iv | (self.iv_rounds == SEAL_ROUNDS))
        self.absorbs = self.filled & self.keyed & ~self.loaded
        self.same_key = core.load.same_key if facts.keeps_key else Const(0, 1)
        self.dropped = ended(core, self.loaded)
        self._move(m)

    def _move(self, m: Module) -> None:
        load = self._core.load
        takes = ~self.filled & load.valid & ~self.same_key
        restores = ~self.filled & load.valid & self.same_key & self.has_key
        last = self.words == self.key_words - 1
        with m.If(takes):
            m.d.sync += [self.words.eq(self.words + 1), self.loaded.eq(last & load.last)]
        with m.If(restores):
            m.d.sync += [self.words.eq(self.key_words), self.rounds.eq(self.total)]
        with m.If(self.filled & ~self.keyed):
            m.d.sync += self.rounds.eq(self.rounds + 1)
        with m.If(self.absorbs & load.valid & load.last):
            m.d.sync += [self.loaded.eq(1), self.of_iv.eq(1)]
        with m.If(self.of_iv & (self.iv_rounds != SEAL_ROUNDS)):
            m.d.sync += self.iv_rounds.eq(self.iv_rounds + 1)
        with m.If(self.closed & (self.tag_rounds != SEAL_ROUNDS)):
            m.d.sync += self.tag_rounds.eq(self.tag_rounds + 1)
        self._use(m)
        m.d.sync += self.just_keyed.eq(
            self.filled & (self.rounds == self.total - 1) & ~self.dropped & ~ResetSignal()
        )
        course = (
            self.words,
            self.rounds,
            self.loaded,
            self.of_iv,
            self.iv_rounds,
            self.closed,
            self.tag_rounds,
        )
        with m.If(self.dropped | ResetSignal()):
            m.d.sync += [register.eq(0) for register in course]
        clear = self._core.clear if self._core.architecture.clear != "none" else Const(0, 1)
        with m.If(clear | ResetSignal() | takes):
            m.d.sync += self.has_key.eq(0)
        with m.Elif(self.just_keyed):
            m.d.sync += self.has_key.eq(1)

    def _use(self, m: Module) -> None:
        """Follow the core after the setup."""
        core = self._core
        if isinstance(core, VestAeadCore):
            data = core.data_in
            present = data.valid if core.facts.waits else Const(1, 1)
            with m.If(self.over & ~self.closed & data.ready & present & data.last):
                m.d.sync += self.closed.eq(1)
        elif core.facts.waits:
            m.d.sync += self.fresh.eq(~self.over | core.keystream.ready)

    @property
    def makes_round(self) -> Value:
        """Whether a round must be made in this cycle."""
        setup = (self.filled & ~self.keyed) | (self.of_iv & (self.iv_rounds != SEAL_ROUNDS))
        setup |= self.absorbs & self._core.load.valid
        if isinstance(self._core, VestAeadCore):
            return setup | (self.closed & (self.tag_rounds != SEAL_ROUNDS))
        return setup | (self.over & self.fresh)

    @property
    def entering(self) -> Value:
        """The input of the state, from the key register or from the load."""
        core, key = self._core, self._core.key
        window = Cat(key[place % len(key)] for place in range(WINDOW_BITS))
        hashing = self.rounds < self.key_bits + self.key_words
        of_key = Mux(self.rounds < self.key_bits, window, Mux(hashing, window[:8], 0))
        return Mux(self.absorbs, core.load.payload, Mux(self.filled, of_key, 0))


def check_setup(m: Module, core: VestBase, proof: Proof) -> None:
    """In every cycle the core is at the point of the setup that the counts give."""
    course = Course(m, core, proof)
    key_sealed = course.filled & (course.rounds == course.key_bits + course.key_words)
    iv_sealed = course.of_iv & (course.iv_rounds == 0)
    properties = [
        core.abort == course.dropped,
        core.load.ready == ((~course.filled & ~course.same_key) | course.absorbs),
        core.filling == ~course.filled,
        core.running == (course.over & ~course.closed),
        core.seals_key == key_sealed,
        core.seals_iv == iv_sealed,
        core.filling | core.running | (core.entering == course.entering),
    ]
    if core.may_rest:
        properties.append(core.filling | (core.enable == course.makes_round))
    if isinstance(core, VestAeadCore):
        properties += [
            core.tagging == (course.closed & (course.tag_rounds == SEAL_ROUNDS)),
            core.seals_message == (course.closed & (course.tag_rounds == 0)),
            core.over == course.closed,
        ]
    if core.facts.keeps_key:
        properties += [core.has_key == course.has_key, core.keeps == course.just_keyed]
    assert_always(m, proof, properties, invariants=_invariants(core, course))


def _invariants(core: VestBase, course: Course) -> Iterator[Value]:
    """Further invariants of the counts and of the core."""
    key, words = course.key_bits, course.key_words
    yield (course.words <= words) & (course.rounds <= course.total)
    yield (course.iv_rounds <= SEAL_ROUNDS) & (course.tag_rounds <= SEAL_ROUNDS)
    yield course.filled | ((course.rounds == 0) & ~course.loaded)
    yield ~course.of_iv | (course.keyed & course.loaded)
    yield course.of_iv | (course.iv_rounds == 0)
    yield ~course.closed | course.over
    yield course.closed | (course.tag_rounds == 0)
    if not isinstance(core, VestAeadCore):
        yield ~course.closed
    yield core.loading == ~course.loaded
    in_key = course.filled & ~course.keyed
    keying = in_key & (course.rounds < key)
    hashing = in_key & (course.rounds >= key) & (course.rounds < key + words)
    of_key = in_key & (course.rounds >= key + words)
    of_iv = course.of_iv & (course.iv_rounds != SEAL_ROUNDS)
    of_tag = course.closed & (course.tag_rounds != SEAL_ROUNDS)
    yield core.keying == keying
    yield core.hashing == hashing
    yield core.sealing == (of_key | of_iv | of_tag)
    yield core.absorbing == course.absorbs
    if core.knows_idle:
        yield core.idle == (course.words == 0)
    yield core.count == _count(core, course, (keying, hashing, of_key, of_iv, of_tag))
    if core.may_rest:
        rests = core.filling | course.absorbs
        yield core.step == (~rests & course.makes_round)
    if core.facts.keeps_key:
        yield core.of_key == (in_key | course.just_keyed)
        yield ~course.just_keyed | (course.keyed & ~course.of_iv & ~course.closed)


def _count(core: VestBase, course: Course, parts: tuple[Value, ...]) -> Value:
    """The value that the core's counter must have."""
    keying, hashing, of_key, of_iv, of_tag = parts
    key, words = course.key_bits, course.key_words
    longest = max(key, SEAL_ROUNDS)
    number = Mux(keying, course.rounds, 0)
    number = Mux(hashing, course.rounds - key, number)
    number = Mux(of_key, course.rounds - key - words, number)
    number = Mux(of_iv, course.iv_rounds, number)
    number = Mux(of_tag, course.tag_rounds, number)
    number = Mux(core.filling, course.words, number)
    return state_after(core.count, number[: longest.bit_length()], longest - 1)
