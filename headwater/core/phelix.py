# SPDX-License-Identifier: Apache-2.0
"""The core of Phelix: half a block, a block, or up to eight in a cycle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib.wiring import In, Out, Signature

from headwater.algebra.word import Wire
from headwater.cipher.phelix import (
    AD_MARK,
    MAC_BLOCKS,
    MAC_MARK,
    MIXINGS,
    WORD_BITS,
    State,
    WordAuthenticatedCipher,
    begin_mac,
    half_block,
    keystream_word,
    mark_data,
)
from headwater.core.architecture import Architecture
from headwater.core.component import Core
from headwater.core.phelix_data import DataWord
from headwater.core.phelix_facts import KEY_WORDS, LOAD_WORDS, PhelixFacts
from headwater.core.phelix_keys import RoundKeys

_WORDS_IN_STATE = 6
"""Load words after which the first four of the key stand where they enter the state."""


@dataclass(frozen=True)
class BlockSignals:
    """What a block is made of, for who watches the core.

    Members
    -------
    entering, ending : tuple of Value
        The state before and behind it; at radix 16 a half block's.
    old, first_key, second_key, plain, keystream : Value
        What it reads and gives; at radix 16 ``first_key`` is that of the half block.
    made_key : Value
        The second key before it is held back from the key mixing, or kept for the second half.
    """

    entering: State
    ending: State
    old: Value
    first_key: Value
    second_key: Value
    plain: Value
    keystream: Value
    made_key: Value


class PhelixCore(Core):
    """Phelix as a circuit.

    A message is a string of 32-bit words, its associated data's first: each of the two parts is
    filled up to whole words, and blocks follow each other without a gap, those of the MAC too. So
    a block always has its place in a cycle: the block with number i the place i mod ``words``.

    Members
    -------
    load : In(stream of 32 bits)
        Lengths, key and nonce as ``facts.load_order`` says. Ready until the last word is taken;
        offering one after that is the wish to load anew: the core drops what it was doing.
        With ``stall=none`` the words must come without a gap (after a gap the load begins again).
    data_in : In(stream)
        ``max(32, radix)`` bits. ``keep`` has a one for each byte that counts, ``ad`` one for each
        word of associated data, ``last`` marks the last transfer of a message. Bytes are missing
        only at the end of the last word of associated data or text; whole words only at the end
        of the last transfer. At radix 16 it is looked at in the cycle before the one that it is
        taken in, and must be there.
    data_out : Out(stream)
        The other text in the places where it was in ``data_in``, marked by ``keep``; transfers
        without any are left out. Decrypted text leaves before the tag is known.
    tag : Out(stream)
        The four words of the MAC, in the places of their blocks, marked by ``keep`` (one bit for
        each word; absent where there is one only). The core is idle when all have been taken.
    decrypt : In(1)
        Whether ``data_in`` is ciphertext; constant through a message. Absent where the core has
        one direction only.
    clear : In(1)
        Back to idle; every bit of key, nonce and state is zero after ``facts.clear_cycles``.
        Absent with ``clear=none``.

    With ``stall=none`` nothing waits: a word is taken from ``data_in`` in each cycle in which it is
    ready, ``data_out`` and ``tag`` must be taken while they are valid.
    """

    cipher: WordAuthenticatedCipher
    facts: PhelixFacts

    def __init__(self, cipher: WordAuthenticatedCipher, architecture: Architecture) -> None:
        facts = PhelixFacts(cipher, architecture)
        super().__init__(facts, _members(facts))
        self.words, self.halves = facts.words, facts.halves
        self.constants = {
            name: Signal(width, name=name.upper(), init=value)
            for name, width, value in (
                ("ad_mark", WORD_BITS, AD_MARK), ("mac_mark", WORD_BITS, MAC_MARK), ("zeros", 17, 0)
            )
        }  # fmt: skip
        self._make_registers()

    def _make_registers(self) -> None:
        kept = self.architecture.clear != "instant"
        self.z = [Signal(WORD_BITS, name=f"z{place}", reset_less=kept) for place in range(5)]
        # Between two half blocks Z4 is not what the block before ended with.
        self.old = [
            Signal(WORD_BITS, name=f"old_{place}", reset_less=kept)
            for place in range(3 + self.halves)
        ]
        self.keys = RoundKeys(self.words, self.constants["zeros"], kept=kept)
        self.second_key = Signal(WORD_BITS, name="second_key_kept", reset_less=kept)
        self.idle = Signal(init=1)
        self.keying = Signal(init=1)
        self.loading = Signal(init=1)
        self.taken = Signal(range(LOAD_WORDS))
        self.mixing = Signal()
        self.placing = Signal()
        self.setting_up = Signal()
        self.running = Signal()
        self.closing = Signal()
        self.count = Signal(range(MIXINGS))
        self.second = Signal()
        self.opening = Signal()
        self.mac_count = Signal(range(MAC_BLOCKS))
        self.was_ad = Signal()
        self.tail = Signal(2)
        self.data_periods = Signal(WORD_BITS - 3)
        self.data_turn = Signal(self.keys.turn_bits)
        self.data_rest = Signal(1 + self.words.bit_length())
        self.taking = Signal()
        self.load_word = Signal(WORD_BITS)
        self.drop = Signal()
        self.moves = Signal()
        self.block_ends = Signal()
        self.finished = Signal()
        self.blocks: list[BlockSignals] = []
        self.state_moves = Signal()
        self.z_next = [Signal(WORD_BITS, name=f"z{place}_next") for place in range(5)]

    @property
    def control_registers(self) -> tuple[Signal, ...]:
        """Registers that go back to their initial values in idle."""
        return (
            self.idle, self.keying, self.loading, self.taken, self.mixing, self.placing,
            self.setting_up, self.running, self.closing, self.count, self.second, self.opening,
            self.mac_count, self.was_ad, self.tail, self.data_periods, self.data_turn,
            self.data_rest, self.keys.number,
        )  # fmt: skip

    @property
    def secrets(self) -> tuple[Signal, ...]:
        """Registers that hold bits of key, nonce, state or keystream, or a length."""
        kept = (self.second_key,) if self.halves else ()
        return (*self.z, *self.old, *self.keys.key, *self.keys.nonce, self.keys.lengths, *kept)

    @property
    def notes(self) -> dict[str, str]:
        """What the signals of the core are, by name, for comments in the Verilog."""
        return {
            "load__ready": "until the last load word is taken",
            "z0": "Z0 to Z4 are the state",
            "old_0": "Z4 behind the fourth block before this one, then of later ones",
            "key_0": "the working key, from that of this block on",
            "nonce_0": "the nonce, likewise",
            "lengths": "bytes of the key, then bits of the tag modulo 128",
            "number": "blocks made, counted by the cycle",
            "number_next": "one more",
            "second_key_kept": "the key of the second half block",
            "idle": "no load word has been taken",
            "keying": "load words go into the key",
            "loading": "load words are to come",
            "taken": "load words taken",
            "mixing": "the key is mixed",
            "placing": "key and nonce go into the state as soon as both are there",
            "setting_up": "the blocks of the nonce setup",
            "running": "the setup is over",
            "closing": "the MAC is made",
            "second": "this is the second half of a block",
            "opening": "the MAC begins with this block",
            "mac_count": "blocks of the MAC made",
            "was_ad": "the word before was associated data",
            "tail": "length of the text in bytes, modulo 4",
            "data_periods": "eight words each of associated data",
            "data_turn": "words of it beside them, counted by the cycle",
            "data_rest": "bytes of it beside these",
            "load_word": "the load word, or zeros",
            "taking": "a load word is taken",
            "finished": "the last word of the MAC leaves",
            "drop": "what the core does ends, and it is idle",
            "moves": "the state moves",
            "block_ends": "and a block ends",
        }

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        """The circuit, as Amaranth asks for it."""
        m = Module()
        self.keys.connect(m)
        data = DataWord(m, self)
        self._control(m, data)
        _Datapath(m, self, data).build()
        data.count(m)
        with m.If(self.drop):
            m.d.sync += [register.eq(register.init) for register in self.control_registers]
        return m

    def make_half_block(self, wire: Wire, z: State, p: Value, k: Value) -> State:
        """A half block of the description."""
        return half_block(wire, z, p, k)

    @property
    def cleared(self) -> Value:
        """The wish to clear, where it is offered."""
        return Const(0, 1) if self.architecture.clear == "none" else self.clear

    def _control(self, m: Module, data: DataWord) -> None:
        m.d.comb += [
            self.load.ready.eq(self.loading),
            self.taking.eq(self.loading & self.load.valid),
            self.load_word.eq(Mux(self.load.valid, self.load.payload, 0)),
            self.drop.eq(self.ends | self.cleared | self.finished),
            self.moves.eq(self.mixing | self.setting_up | data.moves),
            self.block_ends.eq(self.moves & self.second if self.halves else self.moves),
        ]
        if self.halves:
            m.d.sync += self.second.eq(self.second ^ self.moves)
        self._count_load(m)
        last_mixing = self.mixing & self.block_ends & (self.count == MIXINGS - 1)
        cycles = self.facts.block_cycles // (1 + self.halves)
        placed = self.placing & ~self.loading
        last_setup = self.setting_up & self.block_ends & (self.count == cycles - 1)
        with m.If((self.mixing | self.setting_up) & self.block_ends):
            m.d.sync += self.count.eq(self.count + 1)
        m.d.sync += [
            self.placing.eq(last_mixing | (self.placing & self.loading)),
            self.setting_up.eq(placed | (self.setting_up & ~last_setup)),
            self.running.eq(last_setup | self.running),
        ]
        with m.If(self._key_complete):
            m.d.sync += self.mixing.eq(1)
        with m.Elif(last_mixing):
            m.d.sync += self.mixing.eq(0)

    @property
    def _key_complete(self) -> Value:
        return self.taking & (self.taken == KEY_WORDS)

    def _count_load(self, m: Module) -> None:
        with m.If(self.taking):
            m.d.sync += [
                self.idle.eq(0),
                self.taken.eq(self.taken + 1),
                self.keying.eq(self.keying & (self.taken != KEY_WORDS)),
                self.loading.eq(self.taken != LOAD_WORDS - 1),
            ]

    @property
    def ends(self) -> Value:
        """Whether the load stream ends what the core does: by the wish to load anew, and in a
        core that cannot wait also by a gap in a load."""
        if self.facts.waits:
            return ~self.loading & self.load.valid
        return self.loading != self.load.valid


def _members(facts: PhelixFacts) -> dict[str, Any]:
    """The ports of a core."""
    architecture, words = facts.architecture, facts.words
    valid: dict[str, Any] = {"valid": Out(1)} if facts.waits else {}
    ready: dict[str, Any] = {"ready": In(1)} if facts.waits else {}
    width = WORD_BITS * words
    text = {"payload": Out(width), "keep": Out(width // 8), "last": Out(1)}
    keep = {"keep": Out(words)} if words > 1 else {}
    load = {"payload": Out(WORD_BITS), "valid": Out(1), "ready": In(1)}
    return {
        "load": In(Signature(load)),
        "data_in": In(Signature({**text, "ad": Out(words), **valid, "ready": In(1)})),
        "data_out": Out(Signature({**text, "valid": Out(1), **ready})),
        "tag": Out(Signature({"payload": Out(width), **keep, "valid": Out(1), **ready})),
        **({"decrypt": In(1)} if architecture["direction"] == "both" else {}),
        **({"clear": In(1)} if architecture.clear != "none" else {}),
    }


class _Datapath:
    """The blocks of a cycle, and the registers around them."""

    def __init__(self, m: Module, core: PhelixCore, data: DataWord) -> None:
        self._m, self._core, self._data = m, core, data
        self._numbers: dict[str, int] = {}
        self._wire: Wire = self._name

    def _name(self, value: Value, name: str = "") -> Signal:
        """A signal of its own for each operation's result, numbered in their order."""
        variable = name or Signal(src_loc_at=1).name
        number = self._numbers[variable] = self._numbers.get(variable, 0) + 1
        signal = Signal(len(value), name=f"{variable}_{number}")
        self._m.d.comb += signal.eq(value)
        return signal

    def build(self) -> None:
        core = self._core
        present: State = tuple(core.z)
        ends: list[Value] = [*core.old, core.z[4]]
        made = self._half(present) if core.halves else self._block(0, present, ends[0])
        mixed = made
        for place in range(1, core.words):
            ends.append(made[4])
            made = self._block(place, made, ends[place])
        self._move_state(mixed, made)
        self._move_old(ends)
        self._move_keys()

    def _half(self, z: State) -> State:
        """Half a block: the first one, the second one, or one of the key mixing."""
        core, m = self._core, self._m
        s = self._wire(keystream_word(z, core.old[0]), "s")
        m.d.comb += self._data.keystream[0].eq(s)
        made_key = core.keys.second(m, 0)
        m.d.sync += core.second_key.eq(made_key)
        if core.architecture.clear == "shift":
            with m.If(core.idle):
                m.d.sync += core.second_key.eq(0)
        first = core.keys.first(0) & (~core.mixing & ~core.second).replicate(WORD_BITS)
        second = core.second_key & (~core.mixing & core.second).replicate(WORD_BITS)
        key = self._wire(first | second, "half_key")
        plain = self._wire(self._data.plain[0] & core.second.replicate(WORD_BITS), "p")
        entering = self._entering(0, z, ~core.second)
        ending = core.make_half_block(self._wire, entering, plain, key)
        core.blocks.append(
            BlockSignals(entering, ending, core.old[0], key, core.second_key, plain, s, made_key)
        )
        return ending

    def _block(self, place: int, z: State, old: Value) -> State:
        """A block; the one of place 0 mixes the key as well."""
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
        core.blocks.append(BlockSignals(entering, ending, old, first, second, plain, s, made_key))
        return ending

    def _entering(self, place: int, z: State, here: Value) -> State:
        """The state with what a message puts into it between two blocks."""
        data = self._data
        toggles, begins = data.toggles(place) & here, data.begins_mac(place) & here
        low, high = data.data_bytes(place)
        marked = mark_data(z, self._core.constants["ad_mark"])
        # No more bits of Z2 than the length can have.
        narrow = (z[0], z[1], z[2][: len(high)], z[3], z[4])
        closed = begin_mac(narrow, low, high, self._core.constants["mac_mark"])
        chosen = [
            Mux(begins, closed[0], z[0]), Mux(toggles, marked[1], z[1]),
            Mux(begins, closed[2], narrow[2]), z[3], Mux(begins, closed[4], z[4]),
        ]  # fmt: skip
        names = ("z0", "z1", "z2_low", "z3", "z4")
        entering = [
            self._wire(value, name) if value is not old else value
            for value, old, name in zip(chosen, z, names, strict=True)
        ]
        entering[2] = Cat(entering[2], z[2][len(high) :])
        return tuple(entering)

    def _move_state(self, mixed: State, made: State) -> None:
        core, m = self._core, self._m
        key, nonce = core.keys.key, core.keys.nonce
        placed = core.keying | core.placing
        mixes = core.mixing & core.block_ends
        word = WORD_BITS
        for place in range(4):
            outcome = made[place]
            if core.words > 1:
                outcome = Mux(core.mixing, mixed[place], made[place])
            entering = Mux(placed, key[3 + place] ^ nonce[place],
                           key[4 + place] & mixes.replicate(word))  # fmt: skip
            m.d.comb += core.z_next[place].eq((outcome & (~placed).replicate(word)) ^ entering)
        outcome = Mux(core.mixing, mixed[4], made[4]) if core.words > 1 else made[4]
        start = Cat(core.keys.lengths[:6], Const(1, 26))
        start = Mux(core.placing | core.idle, key[7], start)
        m.d.comb += core.z_next[4].eq(Mux(placed | mixes, start, outcome))
        with m.If(core.state_moves):
            m.d.sync += [word.eq(new) for word, new in zip(core.z, core.z_next, strict=True)]
        m.d.comb += core.state_moves.eq(
            core.moves | (core.keying & (core.taken == _WORDS_IN_STATE)) | core.placing
            | self._emptying
        )  # fmt: skip

    @property
    def _emptying(self) -> Value:
        """Whether zeros are shifted in, to clear what may be left."""
        core = self._core
        return core.idle if core.architecture.clear == "shift" else Const(0, 1)

    def _move_old(self, ends: Sequence[Value]) -> None:
        core, m = self._core, self._m
        shifts = core.words == 1
        moves = core.moves & ~core.second if core.halves else core.block_ends
        with m.If(moves | (self._emptying if shifts else 0)):
            m.d.sync += [
                register.eq(ends[place + core.words]) for place, register in enumerate(core.old)
            ]
        if not shifts:
            with m.If(self._emptying):
                m.d.sync += [register.eq(0) for register in core.old]

    def _move_keys(self) -> None:
        """Into the key go load words, it is mixed, and it turns with the blocks."""
        core, m, keys = self._core, self._m, self._core.keys
        turns = core.block_ends & ~core.mixing
        loads = core.keying & (core.taking | self._emptying)
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
        if core.architecture.clear == "instant":
            with m.If(core.cleared):
                m.d.sync += [register.eq(0) for register in core.secrets]

    def _move_nonce(self, turns: Value) -> None:
        """Into it go the load words behind the key, zeros before them; it turns as the key does."""
        core, m, keys = self._core, self._m, self._core.keys
        loads = core.taking | self._emptying
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
