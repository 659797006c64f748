# SPDX-License-Identifier: Apache-2.0
"""The core of a confidentiality mode: text plus keystream."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Value

from headwater.core.naming import named
from headwater.kinds.telephony.block_facts import BlockModeFacts, LineModeFacts
from headwater.kinds.telephony.core import TelephonyCore
from headwater.kinds.telephony.facts import TelephonyFacts


class ConfidentialityCore(TelephonyCore):
    """Encrypts and decrypts, one keystream word for each message word. The core is idle when the
    last word of ``data_out`` has been taken."""

    def __init__(self, facts: TelephonyFacts | BlockModeFacts | LineModeFacts) -> None:
        super().__init__(facts)
        self.finished = self.data_fire & self.data_in.last

    @property
    def word_taken(self) -> Value:
        """Whether the keystream word is used: a data word is taken."""
        return self.data_fire

    def _offer_message(self, m: Module) -> None:
        data, out = self.data_in, self.data_out
        text = named(m, "text", (data.payload ^ self.word) & self.kept_bits)
        m.d.comb += [
            out.valid.eq(self.with_word(self.running) & data.valid),
            data.ready.eq(self.with_word(self.running) & out.ready),
            self.data_fire.eq(out.valid & out.ready),
            out.payload.eq(Mux(out.valid, text, 0)),
            out.keep.eq(data.keep),
            out.last.eq(data.last),
        ]
