# SPDX-License-Identifier: Apache-2.0
"""The core of a self-synchronising cipher: key and IV in, then text through it."""

from __future__ import annotations

from typing import Any

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib.wiring import In, Out, Signature

from headwater.core.architecture import Architecture
from headwater.core.component import Core
from headwater.core.counter import counter_states, counter_taps, counter_width
from headwater.core.naming import Naming, equals, named
from headwater.kinds.self_synchronising.description import (
    SelfSynchronisingCipher,
    Stage,
    following_cells,
)
from headwater.kinds.self_synchronising.facts import SelfSynchronisingFacts


class SelfSynchronisingCore(Core):
    """Encrypts and decrypts; the text's ciphertext, whichever way it goes, feeds the cipher.

    What enters waits for a cycle in ``c``. The keyed register moves in the next cycle, on a
    registered enable, so it is ``radix - 1`` steps late; the pipeline makes up for it. It is
    neither loaded nor emptied: whatever it held is gone when a setup ends.

    Members
    -------
    load : In(stream of ``radix`` bits)
        Key and IV as ``facts.load_order`` says. Ready until the last word is taken; offering one
        after that is the wish to load anew: the core drops what it was doing. With ``stall=none``
        the words must come without a gap (after a gap the load begins again).
    data_in : In(stream of ``radix`` bits)
        Text, its first bit in payload bit 0. ``keep`` has a one for each bit that counts, ``last``
        is handed on. Bits that do not count enter as zeros of ciphertext, either way the text
        goes: a text that follows a word with such bits is decrypted right.
    data_out : Out(stream of ``radix`` bits)
        The other text, in the same cycle, in the same places, other bits zero.
    decrypt : In(1)
        Whether ``data_in`` is ciphertext. Absent where the core has one direction only.
    clear : In(1)
        Back to idle; no bit depends on what was before after ``facts.clear_cycles``. Absent with
        ``clear=none``.

    With ``stall=none`` nothing waits: once set up, a word goes in and comes out in each cycle.
    """

    cipher: SelfSynchronisingCipher
    facts: SelfSynchronisingFacts

    def __init__(self, cipher: SelfSynchronisingCipher, architecture: Architecture) -> None:
        facts = SelfSynchronisingFacts(cipher, architecture)
        super().__init__(facts, _members(facts))
        self.radix = architecture.radix
        self._make_registers()

    def _make_registers(self) -> None:
        facts, radix = self.facts, self.radix
        kept = self.architecture.clear != "instant"
        self.c = Signal(radix, reset_less=kept)
        self.q = Signal(len(self.cipher.cells), reset_less=kept)
        self.key = Signal(self.cipher.key_bits, reset_less=kept)
        self.layers = [
            [Signal(section[-1].length, name=facts.numbered(section[-1].name, place),
                    reset_less=kept) for place in range(radix)]
            for section in facts.sections[:-1]
        ]  # fmt: skip
        self.line = Signal(facts.line_bits, reset_less=kept)
        self.hold = Signal(radix, reset_less=kept)
        self.count = Signal(counter_width(facts.setup_cycles))
        self.loading = Signal(init=1)
        self.keying = Signal(init=1)
        self.shifts_in_idle = self.architecture.clear == "shift"
        self.idle = Signal(init=1)
        self.step = Signal(init=self.shifts_in_idle)
        self.taking = Signal()
        self.take = Signal()
        self.drop = Signal()
        self.key_moves = Signal()
        self.word = Signal(radix)
        self.text = Signal(radix)
        self.ciphertext = Signal(radix)

    @property
    def control_registers(self) -> tuple[Signal, ...]:
        """Registers that go back to their initial values in idle."""
        return self.count, self.loading, self.keying, self.idle, self.step

    @property
    def secrets(self) -> tuple[Signal, ...]:
        """Registers that hold bits of key, text or state."""
        layers = [register for layer in self.layers for register in layer]
        held = (self.hold,) if self.facts.waits else ()
        return (self.key, self.c, self.q, *layers, self.line, *held)

    @property
    def notes(self) -> dict[str, str]:
        """What the signals of the core are, by name, for comments in the Verilog."""
        return {
            "load__ready": "until the last load word is taken",
            "key": "bit i is key bit i",
            "c": "the last ciphertext bits, the oldest in bit 0",
            "q": "the keyed register: bit n is the cell with address n + 1",
            "line": "keystream to come, the oldest in bit 0",
            "hold": "the word of the cycle before",
            "count": "load words taken; a shift-register sequence from zero",
            "loading": "load words are to come",
            "keying": "those of the key",
            "idle": "none has been taken, and zeros are shifted in",
            "step": "the cipher moves",
            "taking": "a load word is taken",
            "take": "a data word is taken",
            "drop": "what the core does ends, and it is idle",
            "key_moves": "the key is shifted",
            "word": "the word of keystream",
            "text": "the other text",
            "ciphertext": "of the two",
        }

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        """The circuit, as Amaranth asks for it."""
        m = Module()
        self._control(m)
        self._move_cipher(m)
        self._move_key(m)
        self._cross(m)
        self.forget_at_once(m, self.secrets)
        return m

    # --- the setup

    def _control(self, m: Module) -> None:
        """Count load words. A word that a core waits for moves the cipher in the next cycle."""
        facts = self.facts
        m.d.comb += [
            self.load.ready.eq(self.loading),
            self.taking.eq(self.loading & self.load.valid),
            self.drop.eq(self._ends | self.cleared),
        ]
        with m.If(self.taking):
            m.d.sync += [
                self.count.eq(Cat(~Cat(self.count[tap] for tap in self._taps).xor(),
                                  self.count[:-1])),
                self.keying.eq(self.keying & ~self._reached(facts.key_words - 1)),
                self.loading.eq(~self._reached(facts.setup_cycles - 1)),
                self.idle.eq(0),
            ]  # fmt: skip
        m.d.sync += self.step.eq(self._goes_on)
        with m.If(self.drop):
            m.d.sync += [register.eq(register.init) for register in self.control_registers]

    @property
    def _goes_on(self) -> Value:
        """Whether the cipher moves in the next cycle."""
        if not self.facts.waits:
            return Const(1, 1)
        moves = self.taking | self.take
        return moves | self.idle if self.shifts_in_idle else moves

    @property
    def moves(self) -> Value:
        """Whether the cipher moves."""
        return self.step if self.facts.waits else Const(1, 1)

    @property
    def _taps(self) -> tuple[int, ...]:
        return counter_taps(len(self.count))

    def _reached(self, number: int) -> Value:
        """Whether so many load words were taken."""
        name = "LAST_KEY_WORD" if number == self.facts.key_words - 1 else f"WORD_{number}"
        return equals(self.count, counter_states(len(self.count), number + 1)[number], name)

    @property
    def _ends(self) -> Value:
        """Whether the load stream ends what the core does: by the wish to load anew, and in a
        core that cannot wait also by a gap in a load."""
        if self.facts.waits:
            return ~self.loading & self.load.valid
        return self.loading != self.load.valid

    def _move_key(self, m: Module) -> None:
        """Key bits are shifted in at the top, and so are zeros in idle."""
        word = self.load.payload
        if self.shifts_in_idle:
            word = word & self.load.valid.replicate(self.radix)
        moves: Value = self.keying
        if self.facts.waits:
            moves = self.keying & self.load.valid
            moves = moves | self.idle if self.shifts_in_idle else moves
        m.d.comb += self.key_moves.eq(moves)
        with m.If(self.key_moves):
            m.d.sync += self.key.eq(Cat(self.key[self.radix :], word))

    # --- the cipher

    def _move_cipher(self, m: Module) -> None:
        """As many steps as the radix, and what the pipeline makes of the cells before each."""
        cells: dict[int, Value] = {
            cell.address: self.q[cell.address - 1] for cell in self.cipher.cells
        }
        made = []
        for place in range(self.radix):
            read = {0: self.c[place], **cells}
            first = Cat(*(read[address] for address in range(len(read))))
            made.append(self._through(m, first, place))
            cells = self.make_cells(m, read, place)
        window = Cat(self.line, *made)
        following = Cat(*(cells[address + 1] for address in range(len(cells))))
        with m.If(self.moves):
            m.d.sync += [self.q.eq(following), self.line.eq(window[self.radix :])]
        m.d.comb += self.word.eq(self._shown(window[: self.radix]))
        if self.facts.waits:
            m.d.sync += self.hold.eq(self.word)

    def make_cells(self, m: Module, read: dict[int, Value], place: int) -> dict[int, Value]:
        """What every cell becomes in a step."""
        wire = Naming(m, f"_{place}" if self.radix > 1 else "")
        return following_cells(self.cipher.cells, read, self.key.__getitem__, wire)

    def _through(self, m: Module, cells: Value, place: int) -> Value:
        """The last stage of the pipeline at one of the steps; registers stand between sections."""
        word = cells
        layers = [*self.layers, None]
        for section, layer in zip(self.facts.sections, layers, strict=True):
            for stage in section:
                word = self._stage(m, stage, word, place)
            if layer is not None:
                with m.If(self.moves):
                    m.d.sync += layer[place].eq(word)
                word = layer[place]
        return word

    def _stage(self, m: Module, stage: Stage, word: Value, place: int) -> Value:
        name = self.facts.numbered(stage.name, place)
        made = stage.made(Naming(m, f"_{name}"), word)
        return named(m, f"{name}_made", made)

    def _shown(self, made: Value) -> Value:
        """The word of this cycle: a new one where the cipher moves, else the one that waits."""
        return Mux(self.step, made, self.hold) if self.facts.waits else made

    # --- the text

    def _cross(self, m: Module) -> None:
        """Text crosses under the keystream, and the ciphertext enters, or the IV in a setup."""
        data, out, running = self.data_in, self.data_out, ~self.loading
        m.d.comb += [
            data.ready.eq(running & (out.ready if self.facts.waits else 1)),
            out.valid.eq(running & (data.valid if self.facts.waits else 1)),
            self.take.eq(data.ready & out.valid),
            self.text.eq((data.payload ^ self.word) & data.keep),
            out.payload.eq(self.text & out.valid.replicate(self.radix) if self.facts.waits
                           else self.text),
            out.keep.eq(data.keep),
            out.last.eq(data.last),
            self.ciphertext.eq(Mux(self._decrypts, data.payload & data.keep, self.text)),
        ]  # fmt: skip
        iv = self.load.payload & (~self.keying).replicate(self.radix)
        m.d.sync += self.c.eq(Mux(self.loading, iv, self.ciphertext))

    @property
    def _decrypts(self) -> Value:
        direction = self.architecture["direction"]
        return self.decrypt if direction == "both" else Const(direction == "decrypt", 1)


def _members(facts: SelfSynchronisingFacts) -> dict[str, Any]:
    """The ports of a core."""
    architecture = facts.architecture
    radix = architecture.radix
    valid: dict[str, Any] = {"valid": Out(1)} if facts.waits else {}
    ready: dict[str, Any] = {"ready": In(1)} if facts.waits else {}
    text = {"payload": Out(radix), "keep": Out(radix), "last": Out(1)}
    load = {"payload": Out(radix), "valid": Out(1), "ready": In(1)}
    return {
        "load": In(Signature(load)),
        "data_in": In(Signature({**text, **valid, "ready": In(1)})),
        "data_out": Out(Signature({**text, "valid": Out(1), **ready})),
        **({"decrypt": In(1)} if architecture["direction"] == "both" else {}),
        **({"clear": In(1)} if architecture.clear != "none" else {}),
    }


def core_class(
    _cipher: SelfSynchronisingCipher, _architecture: Architecture
) -> type[SelfSynchronisingCore]:
    """The one class of core."""
    return SelfSynchronisingCore
