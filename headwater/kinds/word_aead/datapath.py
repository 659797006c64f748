# SPDX-License-Identifier: Apache-2.0
"""The blocks of a cycle of Phelix, and the registers around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.algebra.word import Wire
from headwater.cipher.phelix import State, begin_mac, keystream_word, mark_data
from headwater.core.naming import equals, named
from headwater.kinds.word_aead.data import DataWord
from headwater.kinds.word_aead.description import WORD_BITS

if TYPE_CHECKING:
    from headwater.kinds.word_aead.core import WordAeadCore

_WORDS_IN_STATE = 6
"""Load words after which the first four of the key stand where they enter the state."""


@dataclass(frozen=True)
class BlockSignals:
    """The operands of a block, for checkers of the core; at radix 16 of a half block."""

    entering: State
    ending: State
    old: Value
    first_key: Value
    second_key: Value
    plain: Value
    keystream: Value
    made_key: Value
    """The second key before it is masked for the key mixing, or stored for the second half."""


class Datapath:
    """The blocks of a cycle, and the registers around them."""

    def __init__(self, m: Module, core: WordAeadCore, data: DataWord) -> None:
        self._m, self._core, self._data = m, core, data
        self._numbers: dict[str, int] = {}
        self._blocks: list[BlockSignals] = []
        self._wire: Wire = self._name

    def _name(self, value: Value, name: str = "") -> Signal:
        """A signal for each operation's result, numbered in order."""
        variable = name or Signal(src_loc_at=1).name
        number = self._numbers[variable] = self._numbers.get(variable, 0) + 1
        return named(self._m, f"{variable}_{number}", value)

    def build(self) -> list[BlockSignals]:
        """Drive the registers and outputs; return the operands of each block."""
        core = self._core
        present: State = tuple(core.z)
        ends: list[Value] = [*core.old, core.z[4]]
        after = self._half(present) if core.halves else self._block(0, present, ends[0])
        mixed = after
        for place in range(1, core.words):
            ends.append(after[4])
            after = self._block(place, after, ends[place])
        self._move_state(mixed, after)
        self._move_old(ends)
        self._move_keys()
        return self._blocks

    def _half(self, z: State) -> State:
        """Half a block: the first, the second, or one of the key mixing."""
        core, m = self._core, self._m
        s = self._wire(keystream_word(z, core.old[0]), "s")
        m.d.comb += self._data.keystream[0].eq(s)
        made_key = core.keys.second(m, 0)
        m.d.sync += core.second_key.eq(made_key)
        if core.session.shifts_zeros:
            with m.If(core.idle):
                m.d.sync += core.second_key.eq(0)
        first = core.keys.first(0) & (~core.mixing & ~core.second).replicate(WORD_BITS)
        second = core.second_key & (~core.mixing & core.second).replicate(WORD_BITS)
        key = self._wire(first | second, "half_key")
        plain = self._wire(self._data.plain[0] & core.second.replicate(WORD_BITS), "p")
        entering = self._entering(0, z, ~core.second)
        ending = core.make_half_block(self._wire, entering, plain, key)
        self._blocks.append(
            BlockSignals(entering, ending, core.old[0], key, core.second_key, plain, s, made_key)
        )
        return ending

    def _block(self, place: int, z: State, old: Value) -> State:
        """A block; at place 0 its logic also mixes the key."""
        core, m = self._core, self._m
        first, second = core.keys.first(place), core.keys.second(m, place)
        made_key = second
        if place == 0:
            first, second = (key & (~core.mixing).replicate(WORD_BITS) for key in (first, second))
            first, second = self._wire(first, "first_key"), self._wire(second, "masked_key")
        zero = Const(0, WORD_BITS)
        entering, plain = self._entering(place, z, Const(1, 1)), self._data.plain[place]
        middle = core.make_half_block(self._wire, entering, zero, first)
        s = self._wire(keystream_word(middle, old), "s")
        m.d.comb += self._data.keystream[place].eq(s)
        ending = core.make_half_block(self._wire, middle, plain, second)
        self._blocks.append(BlockSignals(entering, ending, old, first, second, plain, s, made_key))
        return ending

    def _entering(self, place: int, z: State, here: Value) -> State:
        """The state before a block, with what a message adds to it between two blocks."""
        data = self._data
        toggles, begins = data.toggles(place) & here, data.begins_mac(place) & here
        low, high = data.data_bytes(place)
        marked = mark_data(z, self._core.constants["ad_mark"])
        # No more bits of Z2 than the length can have.
        narrow = (z[0], z[1], z[2][: len(high)], z[3], z[4])
        closed = begin_mac(narrow, low, high, self._core.constants["mac_mark"])
        chosen = [
            Mux(begins, closed[0], z[0]),
            Mux(toggles, marked[1], z[1]),
            Mux(begins, closed[2], narrow[2]),
            z[3],
            Mux(begins, closed[4], z[4]),
        ]
        names = ("z0", "z1", "z2_low", "z3", "z4")
        entering = [
            self._wire(value, name) if value is not old else value
            for value, old, name in zip(chosen, z, names, strict=True)
        ]
        entering[2] = Cat(entering[2], z[2][len(high) :])
        return tuple(entering)

    def _move_state(self, mixed: State, after: State) -> None:
        core, m = self._core, self._m
        key, nonce = core.keys.key, core.keys.nonce
        placed = named(m, "placed", core.keying | core.placing)
        mixes = core.mixing & core.block_ends
        word = WORD_BITS
        for place in range(4):
            outcome = after[place]
            if core.words > 1:
                outcome = Mux(core.mixing, mixed[place], after[place])
            entering = Mux(
                placed, key[3 + place] ^ nonce[place], key[4 + place] & mixes.replicate(word)
            )
            m.d.comb += core.z_next[place].eq((outcome & (~placed).replicate(word)) ^ entering)
        outcome = Mux(core.mixing, mixed[4], after[4]) if core.words > 1 else after[4]
        start = Cat(core.keys.lengths[:6], Const(1, 26))
        start = Mux(core.placing | core.idle, key[7], start)
        m.d.comb += core.z_next[4].eq(Mux(placed | mixes, start, outcome))
        with m.If(core.state_enable):
            m.d.sync += [word.eq(new) for word, new in zip(core.z, core.z_next, strict=True)]
        m.d.comb += core.state_enable.eq(
            core.enable
            | core.placing
            | core.session.emptying
            | (core.keying & equals(core.taken, _WORDS_IN_STATE, "WORDS_IN_STATE"))
        )

    def _move_old(self, ends: Sequence[Value]) -> None:
        core, m = self._core, self._m
        shifts = core.words == 1
        moves = core.enable & ~core.second if core.halves else core.block_ends
        with m.If(moves | (self._core.session.emptying if shifts else 0)):
            m.d.sync += [
                register.eq(ends[place + core.words]) for place, register in enumerate(core.old)
            ]
        if not shifts:
            with m.If(self._core.session.emptying):
                m.d.sync += [register.eq(0) for register in core.old]

    def _move_keys(self) -> None:
        """The key register takes load words, is mixed, and turns with the blocks."""
        core, m, keys = self._core, self._m, self._core.keys
        turns = core.block_ends & ~core.mixing
        loads = core.keying & (core.load_fire | self._core.session.emptying)
        turned, _ = keys.turned()
        with m.If(core.mixing & core.block_ends):
            self._set(keys.key, [*core.z_next[:4], *keys.key[:4]])
        if core.words == 1:
            with m.Elif(loads | turns):
                self._set(keys.key, [*turned[:-1], Mux(core.keying, core.load_word, turned[-1])])
        else:
            with m.Elif(loads):
                self._set(keys.key, [*keys.key[1:], core.load_word])
            with m.Elif(turns):
                self._set(keys.key, turned)
        with m.If(turns):
            m.d.sync += keys.number.eq(keys.following)
        self._move_nonce(turns)
        with m.If(core.idle):
            m.d.sync += keys.lengths.eq(Cat(core.load_word[:6], core.load_word[8:15]))
        core.session.clear_at_once(m, core.secrets)

    def _move_nonce(self, turns: Value) -> None:
        """The nonce register takes the load words after the key, and turns like the key."""
        core, m, keys = self._core, self._m, self._core.keys
        loads = core.load_fire | self._core.session.emptying
        entering = core.load_word & (~core.keying).replicate(WORD_BITS)
        _, turned = keys.turned()
        if core.words == 1:
            with m.If(loads | turns):
                self._set(keys.nonce, [*turned[:-1], Mux(core.loading, entering, turned[-1])])
            return
        with m.If(loads):
            self._set(keys.nonce, [*keys.nonce[1:], entering])
        with m.Elif(turns):
            self._set(keys.nonce, turned)

    def _set(self, registers: Sequence[Signal], values: Sequence[Value]) -> None:
        self._m.d.sync += [
            register.eq(value) for register, value in zip(registers, values, strict=True)
        ]
