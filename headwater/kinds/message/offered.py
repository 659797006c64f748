# SPDX-License-Identifier: Apache-2.0
"""The words of a message as a machine sees them: those of the stream, with a trailer behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amaranth.hdl import Const, Module, Mux, Signal, Value

from headwater.core.naming import named

if TYPE_CHECKING:
    from headwater.kinds.message.core import MessageCore


class Offered:
    """The word at the input.

    A trailer is the bit behind the last one of the message: in the place behind it, or in a word of
    its own behind a last word that is full, for which the core waits in ``trailing``.
    """

    def __init__(self, m: Module, core: MessageCore) -> None:
        data = self._data = core.data_in
        self._trailing: Signal | None = None
        self.payload: Value = data.payload
        self.keep: Value = data.keep
        self.valid: Value = data.valid
        self.last: Value = data.last
        self.ready = data.ready
        if core.cipher.text.trailer:
            self._append(m, core, core.state[core.cipher.text.trailer])

    def _append(self, m: Module, core: MessageCore, trailer: Signal) -> None:
        data, trailing = self._data, core.trailing
        keep = core.apart(data.keep, 1)
        behind = core.joined([Const(1, 1), *keep[:-1]])
        alone = core.joined([Const(1, 1), *[Const(0, 1)] * (len(keep) - 1)])
        extended = data.keep | (behind & data.last.replicate(len(keep)))
        self.keep = named(m, "extended", Mux(trailing, alone, extended))
        counted = Mux(trailing, 0, data.keep)
        added = ~counted & trailer.replicate(len(keep))
        self.payload = named(m, "message_word", (data.payload & counted) | added)
        self.valid = data.valid | trailing
        self.last = trailing | (data.last & ~keep[-1])
        self.ready = Signal(name="word_ready")
        m.d.comb += data.ready.eq(self.ready & ~trailing)
        taken = self.valid & self.ready
        with m.If(taken):
            m.d.sync += trailing.eq(~trailing & data.last & keep[-1])
