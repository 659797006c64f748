# SPDX-License-Identifier: Apache-2.0
"""What cores of AES with a key of 128, 192 or 256 bits share; `line_widths` has their datapaths.

The round key is a line of as many words as the key has. Its first words are those that are added
next; each cycle appends what KeyExpansion makes of the first and the last word. So the words of
every length of key are made in one way, as FIPS 197 numbers them. The key itself turns in a ring.
In the last round of a block the words that follow it are made of the ring, and the line begins
anew: no word of a block's key is made twice, and no cycle is lost.

One count is all the control there is. It counts the load words; then the cycles of a block, whose
last round is round 0: in it words leave, and those of the next block enter with the first round key
added. Behind the load a round 0 stands alone, from which no word leaves.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any, ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.cipher.aes import COLUMNS, change_before, round_constant
from headwater.core.naming import equals, named
from headwater.kinds.aes.core import AesCore, part
from headwater.kinds.aes.counter_words import OfferedWords
from headwater.kinds.aes.description import BLOCK_BITS
from headwater.kinds.aes.facts import LineFacts


class LineCore(OfferedWords, AesCore):
    """What these cores share; subclasses say which blocks enter, and who uses the words."""

    facts: LineFacts
    cipher: Any
    """The mode of AES."""
    has_setup = True
    state_in = "state_in"

    def __init__(self, facts: LineFacts) -> None:
        super().__init__(facts)
        chain = (self.first_key, self.block)
        self.emptied = [one for one in self.secrets if not any(one is other for other in chain)]
        """The registers that are zeroed while the load words pass through the others."""

    def _make_control(self) -> None:
        words = self.facts.words_per_block
        self.key_words = self.cipher.key_bits // 32
        self.phase = Signal(range(words), name="phase") if words > 1 else Const(0, 1)
        self.round = Signal(range(self.facts.rounds))
        self.taking_key = Const(0, 1)
        self.last_round = Signal()
        self.full = Signal()
        self.moves = Signal()
        self.enable = self.moves
        self.loads = Signal()
        self.makes = Signal()
        self.made: Value = Const(0, self.architecture.radix)
        """The word that the round makes."""
        phase = (self.phase,) if isinstance(self.phase, Signal) else ()
        self.control_registers = (*phase, self.round, self.full)

    def _make_registers(self) -> None:
        super()._make_registers()
        self.block = self._register("block", BLOCK_BITS)

    comments: ClassVar = {
        "first_key": "the key, the word that is due on top",
        "block": "the IV, and what a mode makes of it",
        "state_in": "what enters the state",
        "round_key": "the next words of the round key, the one that is added on top",
        "phase": "cycles of the round that have passed",
        "round": "the number of the round, zero for the last one of a block; load words before",
        "last_round": "the last round: the first round key of the next block is added",
        "full": "there is a keystream word",
        "moves": "a cycle of a round passes",
        "loads": "a load word, or zeros, enter the block and the key",
        "makes": "a keystream word is made",
        "hold": "the keystream word that is next",
        "present_key": "the words of which the next ones are made",
        "changes": "the word before the one that is made goes through the S-boxes",
        "rotates": "with RotWord and a round constant",
        "constant": "the round constant, or zero",
        "newest": "the word, or its byte, before the one that is made",
        "key_word": "the word of the round key that is made",
    }

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        """The circuit of the core."""
        m = Module()
        self._control(m)
        self._datapath(m)
        self._move_key(m)
        self._move_block(m)
        self._offer_words(m)
        if self.session.shifts_zeros:
            with m.If(self.loading):
                m.d.sync += [register.eq(0) for register in self.emptied]
        self.session.clear_at_once(m, self.secrets)
        self.session.connect(
            m,
            last_word=self._ends(self.facts.load_cycles),
            setup_over=~self.loading & self._round_over & self.last_round,
            finished=self.finished,
            registers=self.control_registers,
        )
        return m

    # --- control

    @property
    def position(self) -> Value:
        """The cycle of a block, or the number of the load word."""
        return Cat(self.phase, self.round) if isinstance(self.phase, Signal) else self.round

    def _ends(self, count: int) -> Value:
        """Whether this is the last of so many cycles."""
        return self.position == count - 1

    def _control(self, m: Module) -> None:
        passes = self.load_fire if self.facts.waits else Const(1, 1)
        m.d.comb += [
            self.last_round.eq(self.round == 0),
            self.moves.eq(~self.loading & self._rounds_enable),
            self.loads.eq(self.loading & (passes | self.session.emptying)),
            self.makes.eq(self._makes_word),
        ]
        m.d.sync += self.full.eq(self.makes | (self.full & ~self.word_taken))
        over = Mux(
            self.loading,
            self._ends(self.facts.load_cycles),
            self._ends(self.facts.cycles_per_block),
        )
        with m.If(Mux(self.loading, passes, self.moves)):
            m.d.sync += self.position.eq(Mux(over, 0, self.position + 1))

    @property
    def _makes_word(self) -> Value:
        """Whether a cycle of the rounds makes a word that is used."""
        return self.running & self.moves & self.last_round

    @property
    def _rounds_enable(self) -> Value:
        """Whether the rounds continue: not while a word is made and the one before it waits."""
        return ~(self.last_round & self.full) | self.word_taken

    # --- key and block

    def _move_key(self, m: Module) -> None:
        """Load words pass through the block into the key. Then the key turns."""
        width, key = self.architecture.load_width, self.first_key
        chain = self.block[: self.facts.chained_bits]
        with m.If(self.loads):
            m.d.sync += [
                chain.eq(Cat(self.load_word, chain)[: len(chain)]),
                key.eq(Cat(Cat(self.load_word, chain)[-width:], key)[: len(key)]),
            ]
        with m.Elif(self.moves):
            turned = Cat(self._first_key_word(0), self.first_key)[: len(self.first_key)]
            m.d.sync += self.first_key.eq(turned)

    def _turned(self, entering: Value) -> Value:
        """The block behind its next word, with another one in the last place."""
        return Cat(entering, self.block)[:BLOCK_BITS]

    @property
    def _first_block_word(self) -> Value:
        """The word on top of the block."""
        return part(self.block, 0, self.architecture.radix)

    @abstractmethod
    def _move_block(self, m: Module) -> None:
        """Change the block behind the load."""

    @abstractmethod
    def block_word(self) -> Value:
        """The word of the next block that enters in the last round."""

    def _entering_word(self, m: Module, made: Value) -> Value:
        self.made = made if isinstance(made, Signal) else named(m, "made", made)
        begun = self.block_word() ^ self._first_key_word(0)
        return Mux(self.last_round, begun, self.made)

    # --- round key

    def _of_round(self, m: Module, name: str, values: Sequence[int], width: int = 1) -> Value:
        """The value for the present round, of those for round 0 and all others."""
        if len(set(values)) == 1:
            return Const(values[0], width)
        return named(
            m,
            name,
            Cat(
                self._in_rounds([number for number, value in enumerate(values) if value >> bit & 1])
                for bit in range(width)
            ),
        )

    def _in_rounds(self, numbers: Sequence[int]) -> Value:
        """Whether the present round is one of these."""
        here = (equals(self.round, number, f"ROUND_{number}") for number in numbers)
        return reduce(or_, here, Const(0, 1))

    def _numbers(self) -> list[range]:
        """The words that each round makes, by their number in FIPS 197."""
        firsts = (self.key_words + COLUMNS * number for number in range(self.facts.rounds))
        return [range(first, first + COLUMNS) for first in firsts]

    def changed_at(self, m: Module, place: int) -> Value:
        """Whether the word before the one at this place of a round goes through the S-boxes."""
        changes = [
            int(bool(change_before(words[place], self.key_words))) for words in self._numbers()
        ]
        return self._of_round(m, f"changes_{place}", changes)

    def rotation(self, m: Module) -> tuple[Value, Value]:
        """Whether the change of the present round has RotWord, and its round constant."""
        length = self.key_words
        rotated = [
            [number for number in words if change_before(number, length) == "rotated"]
            for words in self._numbers()
        ]
        plain = [
            any(change_before(number, length) == "substituted" for number in words)
            for words in self._numbers()
        ]
        rotates = self._of_round(m, "rotates", [int(not one) for one in plain])
        constants = [round_constant(numbers[0], length) if numbers else 0 for numbers in rotated]
        return rotates, self._of_round(m, "constant", constants, 8)
