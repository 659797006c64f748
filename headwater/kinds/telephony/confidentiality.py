# SPDX-License-Identifier: Apache-2.0
"""The core of a mode of confidentiality: a text under the keystream."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Value
from amaranth.lib.wiring import Out

from headwater.core.architecture import Architecture
from headwater.core.naming import named
from headwater.kinds.telephony.base import TelephonyCore, text_stream
from headwater.kinds.telephony.description import (
    TelephonyMode,
)


class ConfidentialityCore(TelephonyCore):
    """Encrypts and decrypts: a word of the message for each word of the keystream.

    Members
    -------
    data_in
        See `TelephonyCore`.
    data_out : Out(stream of 32-bit words)
        The other text, in the same places, other bits zero. The core is idle when its last word
        has been taken.
    """

    def __init__(self, mode: TelephonyMode, architecture: Architecture) -> None:
        super().__init__(mode, architecture, {"data_out": Out(text_stream())})

    @property
    def _word_taken(self) -> Value:
        return self.take

    @property
    def _finished(self) -> Value:
        return self.take & self.data_in.last

    def _offer(self, m: Module, output: Value) -> None:
        data, out = self.data_in, self.data_out
        self.word = self._word(m, output)
        text = named(m, "text", (data.payload ^ self.word) & data.keep)
        m.d.comb += [
            out.valid.eq(self.running & data.valid),
            data.ready.eq(self.running & out.ready),
            self.take.eq(out.valid & out.ready),
            out.payload.eq(Mux(out.valid, text, 0)),
            out.keep.eq(data.keep),
            out.last.eq(data.last),
        ]
