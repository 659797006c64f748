# SPDX-License-Identifier: Apache-2.0
"""What the cores of the modes of mobile telephony share: key and IV in, then one message."""

from __future__ import annotations

from typing import Any

from amaranth.hdl import Const, Module, Signal, Value
from amaranth.lib.wiring import In, Out, Signature

from headwater.core.architecture import Architecture
from headwater.kinds.stepped.description import SteppedCipher
from headwater.kinds.stepped.facts import SteppedFacts
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.kinds.stepped.word_steps import WordSteps
from headwater.kinds.telephony.description import (
    TAG_BITS,
    WORD_BITS,
    TelephonyMode,
)
from headwater.kinds.telephony.facts import TelephonyFacts


def text_stream(**beside: Any) -> Signature:
    """A stream of words of a message; ``keep`` has a one for each bit that counts."""
    text = {"payload": Out(WORD_BITS), "keep": Out(WORD_BITS), "last": Out(1)}
    return Signature({**text, "valid": Out(1), "ready": In(1), **beside})


def tag_stream() -> Signature:
    """The stream that a tag leaves through."""
    return Signature({"payload": Out(TAG_BITS), "valid": Out(1), "ready": In(1)})


class TelephonyCore(WordSteps):
    """A mode around the registers and the control of its cipher.

    Registers of the mode hold zeros or become zero while the cipher is not running, so every
    message begins alike, and `clear` needs nothing more.

    Members
    -------
    load, clear
        See `SteppedCore`.
    data_in : In(stream of 32-bit words)
        The message, its first bit on top. ``last`` marks the last word; only in it may the bits be
        fewer: ``keep`` has a one for each bit that counts, from the top, and all ones in every
        other word.
    """

    facts: TelephonyFacts

    def __init__(
        self, mode: TelephonyMode, architecture: Architecture, members: dict[str, Any]
    ) -> None:
        self.mode = mode
        base = mode.base.formed(architecture.options)
        super().__init__(base, architecture, {"data_in": In(text_stream()), **members})
        self.take = Signal()
        self.word: Value = Const(0, WORD_BITS)
        self._kept = architecture.clear != "instant"

    def _facts_of(self, cipher: SteppedCipher, architecture: Architecture) -> SteppedFacts:  # type: ignore[override]
        assert isinstance(cipher, WordCipher)
        return TelephonyFacts(cipher, architecture, self.mode)

    @property
    def progress(self) -> tuple[Signal, ...]:
        """The mode's own registers of control, zero in idle."""
        return ()

    @property
    def _control_registers(self) -> tuple[Signal, ...]:
        return *super()._control_registers, *self.progress

    @property
    def contents(self) -> tuple[Signal, ...]:
        """The mode's own registers that hold bits of the keystream or of the message."""
        return ()

    @property
    def notes(self) -> dict[str, str]:
        """What the signals of the core are, by name, for comments in the Verilog."""
        return super().notes | {
            "running": "the setup of the cipher is over",
            "take": "a data word is taken",
        }

    @property
    def secrets(self) -> tuple[Signal, ...]:
        """Registers that hold bits of state, keystream or message, or follow a message."""
        return (*super().secrets, *self.contents, *self.progress)

    def _content(self, bits: int, name: str) -> Signal:
        return Signal(bits, name=name, reset_less=self._kept)

    def elaborate(self, platform: object) -> Module:
        """The circuit, as Amaranth asks for it."""
        m = super().elaborate(platform)
        self.forget_at_once(m, self.contents)
        return m
