# SPDX-License-Identifier: Apache-2.0
"""What all cores of AES share: the load, the rounds, the keystream words.

A round takes as many cycles as a block has words. A block is its rounds and no further cycle: in
the last one the words of the next block enter at once, with the first round key added. In output
feedback these are the words that the round makes. The IV enters like words of the last round.

The key stays in a ring that turns by one word per cycle. A round has as many cycles as the ring has
words, so the word at the ring's head is always the one that a cycle needs.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.cipher.aes_ofb import FIRST_CONSTANT, SBOX, double
from headwater.core.component import Core
from headwater.core.function import FunctionNaming
from headwater.core.naming import named
from headwater.kinds.aes.facts import AesFacts


class AesCircuit(Core):
    """What circuits of AES share however their rounds are arranged: registers and S-boxes."""

    facts: AesFacts

    def _make_table(self) -> None:
        """Where the S-box is a table, the constant that holds it."""
        if self.architecture["sbox"] == "table":
            entries = SBOX.table
            table = Signal(entries.width, name="SBOX", init=entries.value)
            self.constants = {**self.constants, "sbox": table}

    def _register(self, name: str, bits: int) -> Signal:
        """A register for bits of key or state. A reset may leave its content: it ends in idle,
        which zeroes it."""
        register = Signal(bits, name=name, reset_less=self.session.keeps_secrets)
        self.secrets += (register,)
        return register

    def substitute(self, m: Module, word: Value, prefix: str) -> Value:
        """SubBytes of a word in the selected form; signal names begin with the prefix."""
        table = self.constants.get("sbox")
        found = SBOX.apply(word, FunctionNaming(m), self.architecture["sbox"], table, prefix)
        # A signal, because its bytes are read separately: an expression would be repeated for each.
        return found if isinstance(found, Signal) else named(m, f"{prefix}_out", found)

    def _offer(self, m: Module, valid: Value, word: Value) -> None:
        """Offer a word when ``valid``, otherwise zero: no intermediate state leaves."""
        m.d.comb += [
            self.keystream.valid.eq(valid),
            self.keystream.payload.eq(Mux(valid, word, 0)),
        ]


class AesCore(AesCircuit):
    """AES on a datapath of ``radix`` bits; subclasses implement the round. The keystream
    payload is zero while nothing is offered. A block follows every ``facts.cycles_per_block``
    cycles. With ``stall=none`` each word is offered for one cycle."""

    has_setup = False
    state_in: ClassVar[str] = "entering"
    """The name of what enters the state."""

    def __init__(self, facts: AesFacts) -> None:
        super().__init__(facts)
        self._make_control()
        self._make_registers()
        self._make_table()

    def _make_control(self) -> None:
        words = self.facts.words_per_block
        self.phase = Signal(range(words), name="phase") if words > 1 else Const(0, 1)
        self.taking_key = Signal(init=1)
        self.last_round = Signal(init=1)
        self.constant = Signal(8, init=FIRST_CONSTANT)
        self.following_constant = Signal(8)
        self.last_but_one = Signal()
        self.count_enable = Signal()
        self.enable = Signal()
        self.rotates: Value = Const(1, 1)
        """Whether a word of the round key is made with RotWord and the round constant."""
        phase = (self.phase,) if isinstance(self.phase, Signal) else ()
        self.control_registers = (*phase, self.taking_key, self.last_round, self.constant)

    def _make_registers(self) -> None:
        self.first_key = self._register("first_key", self.cipher.key_bits)

    comments: ClassVar = {
        "keystream_valid": "this is a word of a block",
        "first_key": "the key, which turns by a word a cycle",
        "phase": "cycles of the round, of the key or of the IV that have passed",
        "taking_key": "words of the key are still to come",
        "last_round": "the last round, or the load: the first round key is added behind it",
        "constant": "the round constant",
        "last_but_one": "round 9",
        "count_enable": "a cycle of the load or of a round passes",
        "enable": "the registers of key and state move",
        "entering": "what enters the state",
        "key_word": "the word of the round key that is made in this cycle",
    }

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        """The circuit of the core."""
        m = Module()
        self._control(m)
        self._turn_first_key(m)
        self._datapath(m)
        self.session.clear_at_once(m, self.secrets)
        last_word = self._round_over & ~self.taking_key
        self.session.connect(
            m, last_word=last_word, finished=self.finished, registers=self.control_registers
        )
        return m

    @property
    def _round_over(self) -> Value:
        """Whether this is the last cycle of a round, of the key load or of the IV load."""
        return self.phase.all() if self.facts.words_per_block > 1 else Const(1, 1)

    def _control(self, m: Module) -> None:
        count_enable: Value = Const(1, 1)
        if self.facts.waits:
            count_enable = Mux(self.loading, self.load.valid, self._rounds_enable)
        m.d.comb += [
            self.count_enable.eq(count_enable),
            self.enable.eq(count_enable | self.session.emptying),
            self.last_but_one.eq(self._last_but_one),
            self.following_constant.eq(self._following_constant),
        ]
        with m.If(self.count_enable):
            self._count(m)

    @property
    def _rounds_enable(self) -> Value:
        """Whether the rounds continue: not while an offered word waits for its reader."""
        return ~self.keystream.valid | self.keystream.ready

    @property
    def added_constant(self) -> Value:
        """The round constant where a word of the round key is made with it, else zero."""
        return self.constant

    @property
    def _last_but_one(self) -> Value:
        """Whether this is round 9: only round constant 1B has these two bits."""
        return self.constant[0] & self.constant[1]

    @property
    def _following_constant(self) -> Value:
        """The round constant behind this round."""
        return Mux(self.last_round, FIRST_CONSTANT, double(self.constant))

    def _count(self, m: Module) -> None:
        """Count key load, IV load and rounds, which all take the same number of cycles."""
        if isinstance(self.phase, Signal):
            m.d.sync += self.phase.eq(self.phase + 1)
        with m.If(self._round_over):
            m.d.sync += [
                self.taking_key.eq(0),
                self.last_round.eq(self.taking_key | self.last_but_one),
                self.constant.eq(self.following_constant),
            ]

    def _turn_first_key(self, m: Module) -> None:
        radix = self.architecture.radix
        entering = Mux(self.taking_key, self.load_word, self._first_key_word(0))
        self._shift(m, self.first_key, {}, entering, radix)

    def _first_key_word(self, place: int) -> Value:
        """The word of the key for the present cycle, or for ``place`` cycles later."""
        return part(self.first_key, place, self.architecture.radix)

    @abstractmethod
    def _datapath(self, m: Module) -> None:
        """The datapath of one cycle of a round."""

    def _entering_word(self, m: Module, made: Value) -> Value:  # noqa: ARG002
        """The word that enters the state, where the round makes ``made``."""
        entering = Mux(self.loading, self.load_word, made)
        return entering ^ Mux(self.last_round, self._first_key_word(0), 0)

    def _shift(
        self, m: Module, register: Signal, others: dict[int, Value], last: Value, width: int
    ) -> None:
        """Shift a register by one word of ``width`` bits towards its top when the core moves. What
        enters the lowest word is ``last``; ``others`` enter in place of the word below, by their
        number from the top."""
        count = len(register) // width
        below = [part(register, place + 1, width) for place in range(count - 1)]
        entering = [others.get(place, word) for place, word in enumerate([*below, last])]
        with m.If(self.enable):
            m.d.sync += register.eq(Cat(*reversed(entering)))


class RegisteredOutput(AesCore):
    """A core that offers a word from the state, in the cycle after it was made."""

    def _make_control(self) -> None:
        super()._make_control()
        self.made = Signal()
        self.control_registers += (self.made,)

    comments: ClassVar = {"made": "the cycle before made a word of keystream"}

    def _count(self, m: Module) -> None:
        super()._count(m)
        m.d.sync += self.made.eq(self.last_round & ~self.loading)


def part(register: Value, place: int, width: int) -> Value:
    """A word of a register, counted from its top."""
    top = len(register) - place * width
    return register[top - width : top]


def parts(register: Value, width: int) -> Iterator[Value]:
    """All words of a register, the top one first."""
    return (part(register, place, width) for place in range(len(register) // width))
