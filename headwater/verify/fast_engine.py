# SPDX-License-Identifier: Apache-2.0
"""The engine for texts of any length: the model, or the generated C where the model would take
long."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import monotonic
from typing import Any

from headwater.cipher.description import Cipher
from headwater.cipher.message import Message, Sealed
from headwater.core.architecture import Architecture
from headwater.emit.c_model import c_radix
from headwater.errors import InputError, ToolError
from headwater.flow.c_library import has_compiler
from headwater.verify.c_engine import CEngine
from headwater.verify.engine import Engine, ModelEngine, accepted
from headwater.verify.segments import Segment

_BEGINNING = 4096
"""Bits that the model makes first: how long this takes tells how long the rest would."""
_LONG_S = 2.0
"""About what it takes to generate and compile the C."""


class FastEngine:
    """The model for what is short. What would take it long is left to the generated C, if there is
    a compiler, and if it begins as the model does.

    Parameters
    ----------
    cipher
        What both are made of.
    """

    name = "fast"

    def __init__(self, cipher: Cipher) -> None:
        self._cipher = cipher
        self._model = ModelEngine(cipher)

    def run(self, segments: Sequence[Segment]) -> list[bytes]:
        """The bytes of every segment, in the order given."""
        return [b"".join(self.pieces(segment)) for segment in segments]

    def pieces(self, segment: Segment) -> Iterator[bytes]:
        """The bytes of a segment in pieces of whole bytes."""
        bits = segment.offset + segment.bits
        first = replace(segment, offset=0, bits=min(bits, _BEGINNING))
        of_state = segment.state is not None
        return self._engine(bits, lambda one: one.run([first]), of_state=of_state).pieces(segment)

    def process(self, messages: Sequence[Message]) -> list[Sealed]:
        """The output text and tag of every message, in the order given."""
        return [self._processed(message) for message in messages]

    def accepts(self, messages: Sequence[Message], tags: Sequence[bytes]) -> list[bool]:
        """Whether each message is accepted with its tag."""
        return accepted(self, messages, tags)

    def _processed(self, message: Message) -> Sealed:
        count = _BEGINNING // 8
        first = replace(
            message,
            associated_data=message.associated_data[:count],
            text=message.text[:count],
            bits=min(message.bits, _BEGINNING),
            data_bits=min(message.associated_bits, _BEGINNING),
        )
        bits = message.bits + message.associated_bits
        engine = self._engine(bits, lambda one: one.process([first]))
        (sealed,) = engine.process([message])
        return sealed

    def _engine(
        self, bits: int, begin: Callable[[Engine], Any], *, of_state: bool = False
    ) -> Engine:
        """The engine for so many bits; ``begin`` makes the beginning with an engine. ``of_state``
        is whether it begins with a state."""
        if bits <= _BEGINNING:
            return self._model
        start = monotonic()
        expected = begin(self._model)
        if (monotonic() - start) * bits / _BEGINNING < _LONG_S:
            return self._model
        if not has_compiler():
            return self._model
        try:
            radix = c_radix(self._cipher, of_state=of_state)
            architecture = Architecture.choose(self._cipher, radix=radix)
            engine = CEngine(self._cipher, architecture)
            started = begin(engine)
        except InputError:
            return self._model  # There is no C of it, or not for this direction.
        if started != expected:
            raise ToolError(f"the C of {self._cipher.name} must begin as its model, but does not")
        return engine
