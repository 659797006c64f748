# SPDX-License-Identifier: Apache-2.0
"""The core of VEST that encrypts and authenticates: two states side by side.

Both have the same setup except for the constant after the key. Then the first state gives
keystream. The second takes in what is authenticated, a byte per round; after the message it gives
the tag.
"""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.cipher.vest import SEAL_IV, SEAL_MAC_KEY, SEAL_MESSAGE
from headwater.kinds.vest.core import VestBase

_BYTE = 8


class VestAeadCore(VestBase):
    """VEST with its MAC.

    Decrypted text leaves before the tag is known. With ``stall=none``, ``data_out`` and ``tag``
    must be taken while they are valid. A byte of text uses a byte of keystream: two rounds make it
    where a round gives four bits; a wider output gives several bytes, one after the other.
    """

    def _make_control(self) -> None:
        super()._make_control()
        self.over = Signal()
        self.tagging = Signal()
        self.seals_message = Signal()
        self.data_fire = Signal()
        self.text_fire = Signal()
        self.first_enable = Signal()
        self.second_enable = Signal()
        self.authenticated_byte = Signal(_BYTE)
        self.place = Signal(range(max(2, self.cipher.size // _BYTE)))
        self._is_over, self._rests = self.over, Const(1, 1)
        self._leaves_running = self._next_round = self.data_fire & self.data_in.last
        self.control_registers += (self.over, self.tagging, self.seals_message, self.place)

    def _make_registers(self) -> None:
        super()._make_registers()
        self.second = self._state("_mac")
        self.low = Signal(self.cipher.size, reset_less=self._kept)
        self.secrets += (*self.second.all, *((self.low,) if self.halves else ()))

    @property
    def halves(self) -> bool:
        """Whether a byte of keystream takes two rounds."""
        return self.cipher.size < _BYTE

    @property
    def _copies(self) -> tuple[Signal, ...]:
        return super()._copies + self.second.all[len(self.second.all) // 2 :]

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        place = (
            "the first half of a byte of keystream is there"
            if self.halves
            else "which byte of the output is the next"
        )
        return super().notes | {
            "c0_mac": "counters of the MAC's state: new bits enter at bit 0",
            "over": "the message is over",
            "tagging": "the tag is offered",
            "seals_message": "the constant behind the message enters",
            "data_fire": "a data word is taken",
            "text_fire": "a data word of text is taken",
            "first_enable": "the cipher makes a round",
            "second_enable": "the MAC makes a round",
            "enable": "cipher and MAC make a round in the setup, or the MAC behind a message",
            "place": place,
            "low": "the first half of a byte of keystream",
            "mask": "a byte of keystream",
            "authenticated_byte": "what is authenticated of a data word, or zeros",
        }

    def _follow(self, m: Module) -> None:
        super()._follow(m)
        ends = self.data_fire & self.data_in.last
        with m.If(ends):
            m.d.sync += [self.sealing.eq(1), self.over.eq(1)]
        m.d.sync += [
            self.seals_message.eq(ends),
            self.tagging.eq((self.over & self.sealing & self.part_ends) | self.tagging),
        ]
        if self.halves:
            with m.If(self.running):
                m.d.sync += self.place.eq(~self.place | ~self.text_fire)
        else:
            m.d.sync += self.place.eq(self.place + self.text_fire)

    def _use(self, m: Module) -> None:
        self._enter(m)
        output, tag = self.first.output(m), self.second.output(m)
        plain = self._cross(m, self._mask(m, output))
        seals = {
            SEAL_MAC_KEY: self.seals_key,
            SEAL_IV: self.seals_iv,
            SEAL_MESSAGE: self.seals_message,
        }
        authenticated = Cat(self.entering[:_BYTE] | plain, self.entering[_BYTE:])
        self._move(m)
        for registers, moves, entering, constants in (
            (self.first, self.first_enable, self.entering, self._setup_seals),
            (self.second, self.second_enable, authenticated, seals),
        ):
            registers.connect(
                m,
                entering=entering,
                seal=self._seal(constants),
                zero=self.filling,
                moves=moves,
                restores=self.restores,
            )
            if self.facts.keeps_key:
                registers.keep(m, self.keeps)
        m.d.comb += [
            self.tag.valid.eq(self.tagging),
            self.tag.payload.eq(Mux(self.tagging, tag, 0)),
        ]

    def _mask(self, m: Module, output: Value) -> Value:
        """The next byte of keystream."""
        if not self.halves:
            mask = Signal(_BYTE)
            m.d.comb += mask.eq(_byte(output, self.place))
            return mask
        with m.If(self.filling):
            m.d.sync += self.low.eq(0)
        with m.Elif(self.running & ~self.place):
            m.d.sync += self.low.eq(output)
        return Cat(self.low, output)

    def _cross(self, m: Module, mask: Value) -> Value:
        """Encrypt or decrypt the data word; return what of it is authenticated in the cycle that
        takes it, else zeros."""
        data, out, waits = self.data_in, self.data_out, self.facts.waits
        present: Value = data.valid if waits else Const(1, 1)
        is_text = data.keep & ~data.ad
        text = Signal(_BYTE)
        plain = self.authenticated_byte
        ready = self.running & self.place if self.halves else self.running
        shown = (out.valid if waits else ready & is_text).replicate(_BYTE)
        out_taken = out.ready | ~is_text if waits else Const(1, 1)
        m.d.comb += [
            text.eq(data.payload ^ mask),
            out.valid.eq(ready & present & is_text),
            out.payload.eq(text & shown),
            out.keep.eq(is_text),
            out.last.eq(data.last),
            data.ready.eq(ready & out_taken),
            self.data_fire.eq(data.ready & present),
            self.text_fire.eq(self.data_fire & is_text),
        ]
        entering = Mux(self.decrypts & is_text, text, data.payload)
        m.d.comb += plain.eq(Mux(self.data_fire & data.keep, entering, 0))
        return plain

    def _move(self, m: Module) -> None:
        """Move both states in the setup. Then the first moves when its output is used, the second
        when it takes in a byte or tag bits are taken."""
        absorbs = self.data_fire & self.data_in.keep
        tag_taken = self.tagging & (self.tag.ready if self.facts.waits else 1)
        used = self.text_fire & self.place.all()
        if self.halves:
            used = self.running & (~self.place | self.text_fire)
        m.d.comb += [
            self.first_enable.eq((self.enable & ~self.over) | used),
            self.second_enable.eq(self.enable | absorbs | tag_taken),
        ]


def _byte(word: Value, place: Value) -> Value:
    """A byte of a word, selected by ``place``."""
    if len(word) == _BYTE:
        return word
    half = len(word) // 2
    low, high = (_byte(part, place[:-1]) for part in (word[:half], word[half:]))
    return Mux(place[-1], high, low)
