# SPDX-License-Identifier: Apache-2.0
"""The core of VEST that gives keystream."""

from __future__ import annotations

from typing import ClassVar

from amaranth.hdl import Module, Signal

from headwater.kinds.vest.core import VestBase


class VestCore(VestBase):
    """VEST whose output is keystream. The payload is zero while nothing is offered. With
    ``stall=none`` every cycle after the setup gives a word; before that the payload holds bits of
    the setup, which must not be used."""

    def _make_control(self) -> None:
        super()._make_control()
        self._next_round = self.running & self.keystream.ready

    def _make_registers(self) -> None:
        super()._make_registers()
        self.hold = Signal(self.architecture.radix, reset_less=self._kept)
        self.secrets += (self.hold,) if self.facts.waits else ()

    comments: ClassVar = {
        "keystream_valid": "the setup is over",
        "hold": "the word of the cycle before",
    }

    def _use(self, m: Module) -> None:
        self._enter(m)
        output = self.first.output(m)
        m.d.comb += [
            self.keystream.valid.eq(self.running),
            self.keystream.payload.eq(self.held_word(m, output)),
        ]
        self.first.connect(
            m,
            entering=self.entering,
            seal=self._seal(self._setup_seals),
            zero=self.filling,
            moves=self.enable,
            restores=self.restores,
        )
        if self.facts.keeps_key:
            self.first.keep(m, self.keeps)
