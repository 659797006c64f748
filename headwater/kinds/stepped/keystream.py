# SPDX-License-Identifier: Apache-2.0
"""The core of a synchronous stream cipher: key and IV in, keystream out."""

from __future__ import annotations

from typing import ClassVar

from amaranth.hdl import Module, Value

from headwater.kinds.stepped.controller import (
    ComparingController,
    CountingController,
    MarkedController,
    SetupController,
)
from headwater.kinds.stepped.core import SteppedCore


class KeystreamCore(SteppedCore):
    """A stepped core whose output is keystream. The payload is zero while nothing is offered. With
    ``stall=none`` every cycle after the setup gives a word; before that the payload holds bits of
    the setup, which must not be used."""

    comments: ClassVar = {"keystream_valid": "the setup is over"}
    holds = False

    @property
    def assigned_last(self) -> tuple[str, ...]:
        """An abort resets a register that it reads. Before Yosys calls ABC9 it takes a flip-flop
        with a reset for a gate of a loop, and cuts the loop at one gate: at `abort`, where this is
        assigned before the registers. Then `rst` takes a LUT of its own, behind that of `abort`. Of
        a core that holds it is less than what another order of so many cells changes."""
        return () if self.holds else ("abort",)

    @property
    def _controller_class(self) -> type[CountingController]:
        """Where every cycle counts, comparisons take less than the registers before them."""
        if self.cipher.any_length:
            return MarkedController
        return SetupController if self.facts.waits else ComparingController

    @property
    def word_taken(self) -> Value:
        """Whether the keystream word is taken."""
        return self.keystream.ready

    def _offer(self, m: Module, output: Value) -> None:
        """Offer a keystream word in every cycle once the setup is over."""
        m.d.comb += [
            self.keystream.valid.eq(self.running),
            self.keystream.payload.eq(self._word(m, output)),
        ]
