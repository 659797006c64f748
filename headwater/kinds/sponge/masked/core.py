# SPDX-License-Identifier: Apache-2.0
"""The core of a sponge in two shares: state and key, twice; what follows the message, once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib.wiring import In, Member

from headwater.core.naming import named, staged
from headwater.core.shares import SHARES
from headwater.kinds.sponge.core import SpongeCore
from headwater.kinds.sponge.description import STATE_WORDS, WORD_BITS, State
from headwater.kinds.sponge.masked.facts import MaskedSpongeFacts
from headwater.kinds.sponge.masked.shared_word import Pair, SharedNaming, SharedWord
from headwater.kinds.sponge.message_word import MessageWord
from headwater.kinds.sponge.registers import Registers

_TURNING = (0, 1, 3, 4)
"""The words of the state that turn while a block enters, or take a word in."""


class MaskedCore(SpongeCore):
    """The same core in two shares. Nothing of the control depends on a share.

    A round takes two cycles. In the first one the terms of a product that are of different shares
    are masked, and enter registers; in the second the round is made (domain-oriented masking:
    H. Gross, S. Mangard, T. Korak, TIS 2016). These registers are zero in all other cycles.

    In the load the whole state gets new masks with each word, also S0 and the zeros that are
    shifted in to clear it, so that it is a uniform sharing from then on; the key gets masks of its
    own. Words that turn while a block enters, or take a word in, get new masks, too: a probe on a
    product of two words would see both shares of a bit that goes from one to the other, in two
    cycles.
    """

    facts: MaskedSpongeFacts
    first_name = "first_block"

    def __init__(self, facts: MaskedSpongeFacts) -> None:
        super().__init__(facts)
        self.multiplied = Signal()
        self.multiplies = Signal()
        self.rounds = Signal()
        self.turns = Signal()
        self.keys_in = Signal()
        self.control_registers += (self.multiplied,)
        self.factors: list[tuple[Pair, Pair]] = []
        self.crosses: list[tuple[Signal, Signal]] = []

    comments: ClassVar = {
        "fresh": "a mask for each product, or for a word of the load",
        "first_block": "no block is complete: the key is added to S3 and S4",
        "multiplied": "the products of different shares are in their registers",
        "multiplies": "products of different shares enter their registers",
        "rounds": "a round is made",
        "turns": "a word of the load enters, or zeros do",
        "keys_in": "the same of a word of the key, or of zeros",
    }

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        crosses = {
            one.name: f"terms of product {number} that are of different shares, masked"
            for number, pair in enumerate(self.crosses)
            for one in pair
        }
        return super().notes | crosses

    @property
    def driving(self) -> Mapping[str, str]:
        """What leads from the control to the shares."""
        word = self.word
        leading = (
            *(self.permuting, self.multiplied, self.round, self.turns, self.keys_in),
            *(self.load_fire, self.tagging, self.first_block, self.padded, self.data_out.valid),
            *(word.enable, word.keep, word.associated, word.begins_text, self.closes_message),
        )
        return {one.name: one.name for one in leading}

    def _ports_beside(self) -> Mapping[str, Member]:
        return {"fresh": In(self.facts.fresh_bits)}

    def _make_registers(self, *, kept: bool) -> tuple[Registers, ...]:
        """The registers of state and key: in two shares."""
        return tuple(
            Registers(self.width, kept=kept, suffix=f"_share{share}") for share in range(SHARES)
        )

    @property
    def rate_word(self) -> Value:
        """The part of the state that the next word of the message enters, both shares."""
        return Cat(own.rate_word for own in self.copies)

    @property
    def makes(self) -> Value:
        """Whether the state takes what the rounds make."""
        return self.rounds

    def elaborate(self, platform: object) -> Module:
        """The circuit of the core."""
        m = super().elaborate(platform)
        m.d.comb += [
            self.multiplies.eq(self.permuting & ~self.multiplied),
            self.rounds.eq(self.permuting & self.multiplied),
        ]
        return m

    def _permute(self, m: Module, word: MessageWord, closes: Value) -> Value:
        m.d.sync += self.multiplied.eq(self.multiplies)
        return super()._permute(m, word, closes)

    def _rounds(self, m: Module, *, short: Value) -> tuple[State, ...]:  # noqa: ARG002
        """Both shares of the state after a round."""

        def multiply(left: Pair, right: Pair) -> Pair:
            return self._product(m, left, right)

        pairs = zip(*(own.s for own in self.copies), strict=True)
        s = [SharedWord.of(pair, f"s{place}", multiply) for place, pair in enumerate(pairs)]
        wire = SharedNaming(m)
        made = self.make_round(wire, (s[0], s[1], s[2], s[3], s[4]), self.round)
        words = [wire(word, f"made_{place}").shares for place, word in enumerate(made)]
        self.secrets += tuple(one for pair in self.crosses for one in pair)
        first, second = zip(*words, strict=True)
        return first, second

    def _product(self, m: Module, left: Pair, right: Pair) -> Pair:
        """A gadget: the terms of different shares get the same mask, and pass a register."""
        number = len(self.crosses)
        mask, kept = self._fresh(number), self.session.keeps_secrets
        left, right = (
            (staged(m, f"{side}{number}_share0", one), staged(m, f"{side}{number}_share1", other))
            for side, (one, other) in (("left", left), ("right", right))
        )
        cross, products = [], []
        for share in range(SHARES):
            register = Signal(WORD_BITS, name=f"cross{number}_share{share}", reset_less=kept)
            masked = (left[share] & right[1 - share]) ^ mask
            m.d.sync += register.eq(Mux(self.multiplies, masked, 0))
            made = (left[share] & right[share]) ^ register
            products.append(named(m, f"product{number}_share{share}", made))
            cross.append(register)
        self.factors.append((left, right))
        self.crosses.append((cross[0], cross[1]))
        return products[0], products[1]

    # --- the control of the shares

    def _moves(self, m: Module, word: MessageWord) -> tuple[Value, Value]:
        """As in the plain core. That nothing enters while rounds are made is said once more, where
        the checker of leakage sees it."""
        zeros = self.session.emptying | self.tag_taken
        m.d.comb += [
            self.turns.eq(self.load_fire | zeros),
            self.keys_in.eq((self.load_fire & ~self.place[-1]) | zeros),
        ]
        enters = ~self.permuting & (word.enable | self.turns)
        return self.rounds | enters, word.enable

    def _moves_key(self, word: MessageWord) -> tuple[Value, Value]:
        return ~self.permuting & (word.enable | self.keys_in), word.enable

    # --- new masks

    def _fresh(self, number: int) -> Value:
        """A word of the random bits of a cycle."""
        return self.fresh.word_select(number, WORD_BITS)

    def _mask(self, place: int) -> Value:
        """The new mask of a word of the state. Each bit gets that which a product 32 places further
        has in other cycles: a bit must not get one of a product that it is made of, and the linear
        layer keeps these places apart."""
        return self._fresh(place).rotate_left(WORD_BITS // 2)

    def _mixed(self, number: int, entered: Value, closes: Value) -> list[Value]:
        made = super()._mixed(number, entered, closes)
        return [word ^ self._mask(at) if at in _TURNING else word for at, word in enumerate(made)]

    def _shifted(self, number: int) -> list[Value]:
        made = super()._shifted(number)
        return [word ^ self._mask(place) for place, word in enumerate(made)]

    def _start(self, number: int) -> Value:
        return Const(0, WORD_BITS) if number else super()._start(number)

    def _loaded(self, number: int) -> Value:
        return self.load_word[number * self.width : (number + 1) * self.width]

    def _loaded_key(self, number: int) -> Value:
        """With a mask of its own: the key has none in common with the state."""
        first = STATE_WORDS * WORD_BITS
        return self._loaded(number) ^ self.fresh[first : first + self.width]
