# SPDX-License-Identifier: Apache-2.0
"""The core of Phelix: half a block, a block, or up to eight in a cycle."""

from __future__ import annotations

from typing import ClassVar

from amaranth.hdl import Module, Signal, Value

from headwater.algebra.word import Wire
from headwater.cipher.phelix import AD_MARK, MAC_BLOCKS, MAC_MARK, MIXINGS, State, half_block
from headwater.core.component import Core
from headwater.core.naming import equals, named
from headwater.kinds.word_aead.data import DataWord
from headwater.kinds.word_aead.datapath import BlockSignals, Datapath
from headwater.kinds.word_aead.description import WORD_BITS, PhelixAead
from headwater.kinds.word_aead.facts import KEY_WORDS, LOAD_WORDS, WordAeadFacts
from headwater.kinds.word_aead.keys import RoundKeys


class WordAeadCore(Core):
    """Phelix as a circuit.

    A message is a string of 32-bit words, associated data first; each of the two parts is padded to
    whole words. Blocks follow each other without a gap, including those of the MAC. So the place of
    a block in a cycle is fixed: block i is at place i mod ``words``.

    The core is idle when the whole tag has been taken. Decrypted text leaves before the tag is
    known. With ``stall=none``, ``data_out`` and ``tag`` must be taken while they are valid. At
    radix 16 ``data_in`` is read one cycle before it is taken, and must already be valid then.
    """

    cipher: PhelixAead
    facts: WordAeadFacts
    keys_class = RoundKeys

    def __init__(self, facts: WordAeadFacts) -> None:
        super().__init__(facts)
        self.words, self.halves = facts.words, facts.halves
        self.constants = {
            name: Signal(width, name=name.upper(), init=value)
            for name, width, value in (
                ("ad_mark", WORD_BITS, AD_MARK),
                ("mac_mark", WORD_BITS, MAC_MARK),
                ("zeros", 17, 0),
            )
        }
        self._make_registers()

    def _make_registers(self) -> None:
        kept = self.session.keeps_secrets
        self.z = [Signal(WORD_BITS, name=f"z{place}", reset_less=kept) for place in range(5)]
        # At a half block Z4 may not be the one at the end of the block before.
        self.old = [
            Signal(WORD_BITS, name=f"old_{place}", reset_less=kept)
            for place in range(3 + self.halves)
        ]
        self.keys = self.keys_class(self.words, self.constants["zeros"], kept=kept)
        self.second_key = Signal(WORD_BITS, name="second_key_kept", reset_less=kept)
        self.keying = Signal(init=1)
        self.taken = Signal(range(LOAD_WORDS))
        self.mixing = Signal()
        self.placing = Signal()
        self.setting_up = Signal()
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
        self.enable = Signal()
        self.block_ends = Signal()
        self.mac_over = Signal()
        self.blocks: list[BlockSignals] = []
        self.state_enable = Signal()
        self.z_next = [Signal(WORD_BITS, name=f"z{place}_next") for place in range(5)]
        self.control_registers = (
            self.keying,
            self.taken,
            self.mixing,
            self.placing,
            self.setting_up,
            self.closing,
            self.count,
            self.second,
            self.opening,
            self.mac_count,
            self.was_ad,
            self.tail,
            self.data_periods,
            self.data_turn,
            self.data_rest,
            self.keys.number,
        )
        self.finished = self.mac_over
        stored = (self.second_key,) if self.halves else ()
        keys = (*self.keys.key, *self.keys.nonce, self.keys.lengths)
        self.secrets = (*self.z, *self.old, *keys, *stored)

    knows_idle = True
    """Yes: the first load word is stored in another register than the others."""

    comments: ClassVar = {
        "z0": "Z0 to Z4 are the state",
        "old_0": "Z4 behind the fourth block before this one, then of later ones",
        "key_0": "the working key, from the word of this block on",
        "nonce_0": "the nonce, from the word of this block on",
        "lengths": "bytes of the key, then bits of the tag modulo 128",
        "number": "blocks made, counted by the cycle",
        "number_next": "blocks made, with that of this cycle",
        "second_key_kept": "the key of the second half block",
        "keying": "load words go into the key",
        "taken": "load words taken",
        "mixing": "the key is mixed",
        "placing": "key and nonce go into the state as soon as both are there",
        "setting_up": "the blocks of the nonce setup are made",
        "closing": "the MAC is made",
        "second": "this is the second half of a block",
        "opening": "the MAC begins with this block",
        "mac_count": "blocks of the MAC made",
        "was_ad": "the word before was associated data",
        "tail": "length of the text in bytes, modulo 4",
        "data_periods": "eight words each of associated data",
        "data_turn": "words of associated data beside `data_periods`, counted by the cycle",
        "data_rest": "bytes of associated data beside its whole words",
        "mac_over": "the last word of the MAC leaves",
        "enable": "the state is enabled: a block, or half a one, is made",
        "block_ends": "the state is enabled and a block ends",
    }

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        """The circuit of the core."""
        m = Module()
        self.keys.connect(m)
        data = DataWord(m, self)
        self._control(m, data)
        self.blocks = Datapath(m, self, data).build()
        data.count(m)
        self.session.connect(
            m,
            last_word=self.taken == LOAD_WORDS - 1,
            setup_over=self._last_setup,
            finished=self.finished,
            registers=self.control_registers,
        )
        return m

    def make_half_block(self, wire: Wire, z: State, p: Value, k: Value) -> State:
        """Half a block as in the description."""
        return half_block(wire, z, p, k)

    def _control(self, m: Module, data: DataWord) -> None:
        m.d.comb += [
            self.enable.eq(self.mixing | self.setting_up | data.enable),
            self.block_ends.eq(self.enable & self.second if self.halves else self.enable),
        ]
        if self.halves:
            m.d.sync += self.second.eq(self.second ^ self.enable)
        self._count_load(m)
        last_mixing = (
            self.mixing & self.block_ends & equals(self.count, MIXINGS - 1, "LAST_OF_MIXING")
        )
        last_mixing = named(m, "last_mixing", last_mixing)
        placed = self.placing & ~self.loading
        with m.If((self.mixing | self.setting_up) & self.block_ends):
            m.d.sync += self.count.eq(self.count + 1)
        m.d.sync += [
            self.placing.eq(last_mixing | (self.placing & self.loading)),
            self.setting_up.eq(placed | (self.setting_up & ~self._last_setup)),
        ]
        with m.If(self._key_complete):
            m.d.sync += self.mixing.eq(1)
        with m.Elif(last_mixing):
            m.d.sync += self.mixing.eq(0)

    @property
    def _last_setup(self) -> Value:
        """Whether the last block of the nonce setup ends in this cycle."""
        cycles = self.facts.block_cycles // (1 + self.halves)
        last = equals(self.count, cycles - 1, "LAST_OF_SETUP")
        return self.setting_up & self.block_ends & last

    @property
    def _key_complete(self) -> Value:
        return self.load_fire & equals(self.taken, KEY_WORDS, "KEY_WORDS")

    def _count_load(self, m: Module) -> None:
        with m.If(self.load_fire):
            m.d.sync += [
                self.taken.eq(self.taken + 1),
                self.keying.eq(self.keying & ~equals(self.taken, KEY_WORDS, "KEY_WORDS")),
            ]
