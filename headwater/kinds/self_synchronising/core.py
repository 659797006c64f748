# SPDX-License-Identifier: Apache-2.0
"""The core of a self-synchronising cipher: key and IV in, then text through it."""

from __future__ import annotations

from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.core.component import Core
from headwater.core.counter import counter_width, following, reached
from headwater.core.naming import Naming, named
from headwater.kinds.self_synchronising.description import (
    SelfSynchronisingCipher,
    Stage,
    following_cells,
)
from headwater.kinds.self_synchronising.facts import SelfSynchronisingFacts


class SelfSynchronisingCore(Core):
    """Encrypts and decrypts; the ciphertext, in either direction, feeds the cipher.

    A ciphertext bit waits one cycle in ``c``. The keyed register moves in the next cycle, on a
    registered enable, so it is ``radix - 1`` steps late; the pipeline makes up for it. It is
    neither loaded nor emptied: a setup replaces all its content. Data crosses combinationally. As
    bits without ``keep`` enter as zeros of ciphertext in both directions, text after such a word is
    decrypted correctly.
    """

    cipher: SelfSynchronisingCipher
    facts: SelfSynchronisingFacts
    has_setup = False

    def __init__(self, facts: SelfSynchronisingFacts) -> None:
        super().__init__(facts)
        self.radix = self.architecture.radix
        self._make_registers()

    def _make_registers(self) -> None:
        facts, radix = self.facts, self.radix
        kept = self.session.keeps_secrets
        self.c = Signal(radix, reset_less=kept)
        self.q = Signal(len(self.cipher.cells), reset_less=kept)
        self.key = Signal(self.cipher.key_bits, reset_less=kept)
        self.layers = [
            [
                Signal(
                    section[-1].length,
                    name=facts.numbered(section[-1].name, place),
                    reset_less=kept,
                )
                for place in range(radix)
            ]
            for section in facts.sections[:-1]
        ]
        self.line = Signal(facts.line_bits, reset_less=kept)
        self.hold = Signal(radix, reset_less=kept)
        self.count = Signal(counter_width(facts.setup_cycles))
        self.keying = Signal(init=1)
        self.step = Signal(init=self.session.shifts_zeros)
        self.data_fire = Signal()
        self.key_enable = Signal()
        self.word = Signal(radix)
        self.text = Signal(radix)
        self.ciphertext = Signal(radix)
        self.control_registers = (self.count, self.keying, self.step)
        layers = [register for layer in self.layers for register in layer]
        held = (self.hold,) if facts.waits else ()
        self.secrets = (self.key, self.c, self.q, *layers, self.line, *held)

    comments: ClassVar = {
        "key": "bit i is key bit i",
        "c": "the last ciphertext bits, the oldest in bit 0",
        "q": "the keyed register: bit n is the cell with address n + 1",
        "line": "keystream to come, the oldest in bit 0",
        "hold": "the keystream word of the cycle before",
        "count": "load words taken; a shift-register sequence from zero",
        "keying": "words of the key are still to come",
        "step": "the cipher moves",
        "data_fire": "a data word is taken",
        "key_enable": "the key is shifted",
        "word": "the keystream word of this cycle",
        "text": "what leaves: ciphertext where plaintext enters, and the reverse",
        "ciphertext": "of the word that enters and the one that leaves, the ciphertext",
    }

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        """The circuit of the core."""
        m = Module()
        self._control(m)
        self._move_cipher(m)
        self._move_key(m)
        self._cross(m)
        self.session.clear_at_once(m, self.secrets)
        last_word = self._reached(self.facts.setup_cycles - 1)
        self.session.connect(m, last_word=last_word, registers=self.control_registers)
        return m

    # --- the setup

    def _control(self, m: Module) -> None:
        """Count load words. In a waiting core the cipher moves one cycle after a word is taken."""
        facts = self.facts
        with m.If(self.load_fire):
            m.d.sync += [
                self.count.eq(following(self.count)),
                self.keying.eq(self.keying & ~self._reached(facts.key_words - 1)),
            ]
        m.d.sync += self.step.eq(
            self.load_fire | self.data_fire | self.session.emptying if facts.waits else 1
        )

    @property
    def enable(self) -> Value:
        """Whether the cipher moves."""
        return self.step if self.facts.waits else Const(1, 1)

    def _reached(self, number: int) -> Value:
        """Whether ``number`` load words were taken."""
        name = "LAST_KEY_WORD" if number == self.facts.key_words - 1 else f"WORD_{number}"
        return reached(self.count, number, name)

    def _move_key(self, m: Module) -> None:
        """Shift key bits in at the top; in idle, zeros."""
        enable: Value = self.keying
        if self.facts.waits:
            enable = (self.keying & self.load.valid) | self.session.emptying
        m.d.comb += self.key_enable.eq(enable)
        with m.If(self.key_enable):
            m.d.sync += self.key.eq(Cat(self.key[self.radix :], self.load_word))

    # --- the cipher

    def _move_cipher(self, m: Module) -> None:
        """Make ``radix`` steps, each with the pipeline's result for the cells before it."""
        cells: dict[int, Value] = {
            cell.address: self.q[cell.address - 1] for cell in self.cipher.cells
        }
        outputs = []
        for place in range(self.radix):
            read = {0: self.c[place], **cells}
            first = Cat(*(read[address] for address in range(len(read))))
            outputs.append(self._through(m, first, place))
            cells = self.make_cells(m, read, place)
        window = Cat(self.line, *outputs)
        after = Cat(*(cells[address + 1] for address in range(len(cells))))
        with m.If(self.enable):
            m.d.sync += [self.q.eq(after), self.line.eq(window[self.radix :])]
        m.d.comb += self.word.eq(self._shown(window[: self.radix]))
        if self.facts.waits:
            m.d.sync += self.hold.eq(self.word)

    def make_cells(self, m: Module, read: dict[int, Value], place: int) -> dict[int, Value]:
        """The next value of every cell in a step."""
        wire = Naming(m, f"_{place}" if self.radix > 1 else "")
        return following_cells(self.cipher.cells, read, self.key.__getitem__, wire)

    def _through(self, m: Module, cells: Value, place: int) -> Value:
        """The last stage of the pipeline at one of the steps, with registers between sections."""
        word = cells
        layers = [*self.layers, None]
        for section, layer in zip(self.facts.sections, layers, strict=True):
            for stage in section:
                word = self._stage(m, stage, word, place)
            if layer is not None:
                with m.If(self.enable):
                    m.d.sync += layer[place].eq(word)
                word = layer[place]
        return word

    def _stage(self, m: Module, stage: Stage, word: Value, place: int) -> Value:
        name = self.facts.numbered(stage.name, place)
        after = stage.made(Naming(m, f"_{name}"), word)
        return named(m, f"{name}_made", after)

    def _shown(self, output: Value) -> Value:
        """The keystream word of this cycle: a new one if the cipher moves, else the old one."""
        return Mux(self.step, output, self.hold) if self.facts.waits else output

    # --- the text

    def _cross(self, m: Module) -> None:
        """Combine text and keystream; the ciphertext enters the cipher, or the IV in a setup."""
        data, out, running = self.data_in, self.data_out, ~self.loading
        m.d.comb += [
            data.ready.eq(running & (out.ready if self.facts.waits else 1)),
            out.valid.eq(running & (data.valid if self.facts.waits else 1)),
            self.data_fire.eq(data.ready & out.valid),
            self.text.eq((data.payload ^ self.word) & data.keep),
            out.payload.eq(
                self.text & out.valid.replicate(self.radix) if self.facts.waits else self.text
            ),
            out.keep.eq(data.keep),
            out.last.eq(data.last),
            self.ciphertext.eq(Mux(self.decrypts, data.payload & data.keep, self.text)),
        ]
        iv = self.load.payload & (~self.keying).replicate(self.radix)
        m.d.sync += self.c.eq(Mux(self.loading, iv, self.ciphertext))
