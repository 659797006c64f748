# SPDX-License-Identifier: Apache-2.0
"""What all cores of VEST share: the load, the setup with key and IV, the input of a state.

The key is needed twice, bit by bit and byte by byte. It waits in a shift register. This turns by
one bit in each round of the first part, which is a whole number of turns, and shifts bytes out in
the second; after that it is zero. Bytes of the IV enter the state as they are loaded. A state is
zero while the key is loaded, and while the core is idle.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import reduce
from operator import or_
from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.cipher.vest import SEAL_IV, SEAL_KEY, SEAL_ROUNDS, WINDOW_BITS
from headwater.core.component import Core
from headwater.core.counter import counter_width, following, reached
from headwater.kinds.vest.description import VestCipher
from headwater.kinds.vest.facts import VestFacts
from headwater.kinds.vest.state import VestRegisters

_SEALED = 8
"""Counters that the constant of a seal goes into."""


class VestBase(Core):
    """VEST of one size, a round in each cycle. With ``stall=none`` ``load.valid`` must stay high
    from the first byte to the last. ``load.same_key`` (with ``keyed_state=kept``) must be constant
    through a load; the load is not taken if no key has been set up."""

    cipher: VestCipher
    facts: VestFacts

    def __init__(self, facts: VestFacts) -> None:
        super().__init__(facts)
        self._kept = self.session.keeps_secrets
        self.tables = self.cipher.tables
        self._make_control()
        self._make_registers()

    def _make_control(self) -> None:
        longest = max(self.cipher.key_bits, SEAL_ROUNDS)
        self.count = Signal(counter_width(longest))
        self.filling = Signal(init=1)
        self.keying = Signal()
        self.hashing = Signal()
        self.sealing = Signal()
        self.absorbing = Signal()
        self.step = Signal()
        self.seals_key = Signal()
        self.seals_iv = Signal()
        self.of_key = Signal()
        self.keeps = Signal()
        self.has_key = Signal()
        self.restores = Signal()
        self.count_enable = Signal()
        self.part_ends = Signal()
        self.enable = Signal()
        self.key_byte = Signal(8)
        self.entering = Signal(WINDOW_BITS)
        self._is_over: Value = Const(0, 1)
        """Whether this seal is the one after a message."""
        self._leaves_running: Value = Const(0, 1)
        """Whether the core stops running without becoming idle: a message is over."""
        self._rests: Value = self.loading
        """Whether the core stands still after a seal."""
        self._next_round: Value = Const(0, 1)
        """Whether the core makes a round in the next cycle, apart from the rounds of the setup."""
        own = (self.step,) if self.may_rest else ()
        own += (self.of_key, self.keeps) if self.facts.keeps_key else ()
        self.control_registers = (
            self.count,
            self.filling,
            self.keying,
            self.hashing,
            self.sealing,
            self.absorbing,
            self.seals_key,
            self.seals_iv,
            *own,
        )

    def _make_registers(self) -> None:
        self.key = Signal(self.cipher.key_bits, reset_less=self._kept)
        self.first = self._state("")
        self.secrets = (self.key, *self.first.all)

    def _state(self, suffix: str) -> VestRegisters:
        """One state. Zeros that are shifted in empty it, but not its copy."""
        return VestRegisters(
            self.tables,
            suffix,
            kept=self._kept,
            keyed=self.facts.keeps_key,
            copy_kept=self.architecture.clear == "none",
        )

    @property
    def may_rest(self) -> bool:
        """Whether the state stands still in some cycles outside a load."""
        return self.facts.waits or self.facts.authenticates

    comments: ClassVar = {
        "load_ready": "for the key, then for the IV",
        "load_last": "this byte is the last of the load",
        "load_same_key": "the load is of an IV alone",
        "c0": "counters: new bits enter at bit 0",
        "d": "the diffuser",
        "p": "the core",
        "c0_keyed": "copies of the registers as the setup with the key left them",
        "key": "the key: turns by bits, then leaves by bytes",
        "count": "cycles of a part of the setup; a shift-register sequence from zero",
        "filling": "the key is loaded, or the core is idle: the state is zero",
        "keying": "bits of the key enter",
        "hashing": "bytes of the key enter",
        "sealing": "rounds of a seal: a constant enters with the first one, then nothing",
        "absorbing": "bytes of the IV enter",
        "step": "a round is made, whether a load word is taken or not",
        "seals_key": "the constant behind the key enters",
        "seals_iv": "the constant behind the IV enters",
        "of_key": "the setup with the key is under way",
        "keeps": "the setup with the key is over: the state is copied",
        "has_key": "there is a copy of the state that a key made",
        "restores": "the load is of an IV alone: the state becomes the copy",
        "count_enable": "the count of cycles goes on",
        "part_ends": "a part of the setup ends with this cycle",
        "enable": "a round is made",
        "key_byte": "the byte that enters the key, or zeros",
        "entering": "what enters the counters at bit 1",
        "z": "the output of the state",
        "g0": "the functions of the counters",
        "f0": "the functions of the core, before their bits change places",
    }

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        """The circuit of the core."""
        m = Module()
        self._control(m)
        self._move_key(m)
        self._use(m)
        self.session.clear_at_once(m, self.secrets)
        if self.facts.keeps_key and not self.session.clears_at_once:
            with m.If(self.session.cleared):
                m.d.sync += [register.eq(0) for register in self._copies]
        self.session.connect(
            m,
            ready=(self.filling & ~self._same_key) | self.absorbing,
            last_word=self.load.last & (self.absorbing | self.part_ends),
            skipped=self._begins_with_iv,
            setup_over=self.sealing & self.part_ends & ~self.loading & ~self._is_over,
            running_over=self._leaves_running,
            registers=self.control_registers,
        )
        return m

    @property
    def _copies(self) -> tuple[Signal, ...]:
        """The registers that keep keyed states."""
        return self.first.all[len(self.first.all) // 2 :]

    @property
    def _same_key(self) -> Value:
        return self.load.same_key if self.facts.keeps_key else Const(0, 1)

    def _control(self, m: Module) -> None:
        rounds = self.keying | self.hashing | self.sealing
        absorbs = self.absorbing & self.load.valid
        m.d.comb += [
            self.restores.eq(self._same_key & self.has_key),
            self.count_enable.eq((self.filling & self.load_fire) | rounds),
            self.part_ends.eq(self.count_enable & self._reached(self.keying, self.sealing)),
            self.enable.eq(self.step | absorbs if self.may_rest else 1),
        ]
        with m.If(self.count_enable):
            m.d.sync += self.count.eq(Mux(self.part_ends, 0, following(self.count)))
        self._follow(m)
        if self.facts.keeps_key:
            self._restore(m)
            self._keep(m)

    def _reached(self, keying: Value, sealing: Value) -> Value:
        """Whether the count is at the last cycle of the present part of the setup."""
        key, words = self.cipher.key_bits, self.facts.key_words
        of_seal, of_words = self._is_at(SEAL_ROUNDS - 1), self._is_at(words - 1)
        return Mux(keying, self._is_at(key - 1), Mux(sealing, of_seal, of_words))

    def _is_at(self, number: int) -> Value:
        name = "LAST_SEAL_ROUND" if number == SEAL_ROUNDS - 1 else f"CYCLE_{number}"
        return reached(self.count, number, name)

    def _follow(self, m: Module) -> None:
        """Go from one part of the setup to the next."""
        key_ends, last = self.filling & self.part_ends, self.load_fire & self.load.last
        iv_ends = self.absorbing & last
        seal_ends = self.sealing & self.part_ends
        m.d.sync += [
            self.filling.eq(self.filling & ~self.part_ends),
            self.keying.eq(key_ends | (self.keying & ~self.part_ends)),
            self.hashing.eq((self.keying & self.part_ends) | (self.hashing & ~self.part_ends)),
            self.sealing.eq(
                (self.hashing & self.part_ends) | iv_ends | (self.sealing & ~self.part_ends)
            ),
            self.absorbing.eq((seal_ends & self.loading) | (self.absorbing & ~last)),
            self.seals_key.eq(self.hashing & self.part_ends),
            self.seals_iv.eq(iv_ends),
        ]
        if self.may_rest:
            rounds = self.keying | self.hashing | (self.sealing & ~(seal_ends & self._rests))
            m.d.sync += self.step.eq(key_ends | rounds | iv_ends | self._next_round)

    def _restore(self, m: Module) -> None:
        """A load of an IV alone begins with the kept state."""
        with m.If(self._begins_with_iv):
            m.d.sync += [self.filling.eq(0), self.absorbing.eq(1), self.count.eq(0)]

    @property
    def _begins_with_iv(self) -> Value:
        """Whether a load of an IV alone begins."""
        if not self.facts.keeps_key:
            return Const(0, 1)
        return self.filling & self.load.valid & self.restores

    def _keep(self, m: Module) -> None:
        """Copy the state after the setup with the key."""
        m.d.sync += [
            self.of_key.eq((self.filling & self.part_ends) | (self.of_key & ~self.keeps)),
            self.keeps.eq(self.of_key & self.sealing & self.part_ends),
        ]
        with m.If(self.session.cleared | (self.filling & self.load_fire)):
            m.d.sync += self.has_key.eq(0)
        with m.Elif(self.keeps):
            m.d.sync += self.has_key.eq(1)

    def _move_key(self, m: Module) -> None:
        """Load the key, turn it, and shift it out."""
        key = self.key
        m.d.comb += self.key_byte.eq(Mux(self.filling, self.load_word, 0))
        turned, shifted = Cat(key[1:], key[0]), Cat(key[8:], self.key_byte)
        moves: Value = Const(1, 1)
        if self.facts.waits:
            moves = (self.filling & self.load_fire) | self.keying | self.hashing
            moves |= self.session.emptying
        with m.If(moves):
            m.d.sync += key.eq(Mux(self.keying, turned, shifted))

    def _enter(self, m: Module) -> None:
        """The input of the state in the setup: a window or a byte of the key, or an IV byte."""
        window = Cat(self.key[place % len(self.key)] for place in range(WINDOW_BITS))
        low = (self.keying | self.hashing).replicate(8)
        byte = Mux(self.absorbing, self.load.payload, 0)
        m.d.comb += self.entering.eq(
            Cat((window[:8] & low) | byte, window[8:] & self.keying.replicate(WINDOW_BITS - 8))
        )

    def _seal(self, constants: dict[int, Value]) -> Value:
        """The input of the first counters at bit 0: each constant where its flag is one."""
        return Cat(
            reduce(
                or_,
                (flag for constant, flag in constants.items() if constant >> place & 1),
                Const(0, 1),
            )
            for place in range(_SEALED)
        )

    @property
    def _setup_seals(self) -> dict[int, Value]:
        return {SEAL_KEY: self.seals_key, SEAL_IV: self.seals_iv}

    @abstractmethod
    def _use(self, m: Module) -> None:
        """Move the state and use its output; subclasses define how."""
