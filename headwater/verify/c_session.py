# SPDX-License-Identifier: Apache-2.0
"""A session of a generated C model, called from Python."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

from headwater.emit.c_model import CModel
from headwater.flow import doing
from headwater.flow.c_library import FLAGS, c_library

_TYPES = {
    "const uint8_t *": ctypes.c_char_p,
    "unsigned ": ctypes.c_uint,
    "uint64_t ": ctypes.c_uint64,
}

SKIPPED_BITS = 1 << 24
"""Keystream bits that one call passes over at most: a second or so of the slowest model."""


class CLibrary:
    """A compiled model.

    Parameters
    ----------
    model
        Its text.
    flags
        Those of the compiler.
    """

    def __init__(self, model: CModel, flags: Sequence[str] = FLAGS) -> None:
        files = {
            f"{model.name}.h": model.header,
            f"{model.name}.c": model.source,
            "size.c": _SIZE.format(name=model.name),
        }
        self.model = model
        self._library = ctypes.CDLL(str(c_library(files, flags)))
        self.session_bytes: int = ctypes.c_size_t.in_dll(self._library, "session_bytes").value

    def call(self, function: str, *arguments: Any) -> int:
        """Call a function of the model."""
        return int(getattr(self._library, f"{self.model.name}_{function}")(*arguments))

    def whole(self, function: str, *arguments: Any, **inputs: Any) -> int:
        """Call a function of a whole message: the inputs of ``init``, then the arguments."""
        return self.call(function, *self._inputs(inputs), *arguments)

    def _inputs(self, named: Mapping[str, Any]) -> list[Any]:
        return [_TYPES[kind](named[name]) for name, kind in self.model.parameters.items()]

    def begin(self, *, decrypts: bool = False, **inputs: Any) -> CSession | None:
        """A session with these inputs of ``init``; None if the model refuses them."""
        session = CSession(self)
        way = self.model.inits[-1 if decrypts else 0]
        return None if self.call(way, session.memory, *self._inputs(inputs)) else session

    def from_state(self, state: bytes) -> CSession:
        """A session that begins with a state, of a model that has the function for it."""
        session = CSession(self)
        refused = self.call("init_state", session.memory, state)
        assert not refused, "what the model takes, its C takes"
        return session


class CSession:
    """One session. Its methods are the functions of the model; a refusal is a `ValueError`.

    Members
    -------
    memory : ctypes array
        What the model keeps.
    """

    def __init__(self, library: CLibrary) -> None:
        self._library = library
        self.memory = ctypes.create_string_buffer(library.session_bytes)

    def _call(self, function: str, *arguments: Any) -> None:
        if self._library.call(function, self.memory, *arguments):
            raise ValueError(f"{function} was refused")

    def skip(self, bits: int) -> None:
        """Pass over keystream bits, in parts: no signal is handled while the C runs."""
        for _, count in doing.parts(bits, SKIPPED_BITS):
            self._call("skip", ctypes.c_uint64(count))

    def keystream(self, count: int) -> bytes:
        """The next bytes of keystream."""
        out = ctypes.create_string_buffer(count)
        self._call("keystream", out, ctypes.c_size_t(count))
        return out.raw

    def associated_data(self, data: bytes, count: int | None = None) -> None:
        """All associated data: so many bytes, or bits where its length is one of bits."""
        units = len(data) if count is None else count
        self._call("associated_data", data, ctypes.c_size_t(units))

    def text(self, way: str, text: bytes, bits: int) -> bytes:
        """The text that leaves: ``way`` is "encrypt" or "decrypt"."""
        out = ctypes.create_string_buffer(len(text))
        self._call(way, out, text, ctypes.c_size_t(bits))
        return out.raw

    def authenticate(self, text: bytes, bits: int) -> None:
        """The next bits of a message that is not encrypted."""
        self._call("authenticate", text, ctypes.c_size_t(bits))

    def tag(self, bits: int) -> bytes:
        """The tag of the message, which has so many bits."""
        out = ctypes.create_string_buffer(-(-bits // 8))
        self._call("tag", out)
        return out.raw

    def check_tag(self, expected: bytes) -> bool:
        """Whether the tag of the message is this one."""
        return not self._library.call("check_tag", self.memory, expected)

    def clear(self) -> None:
        """Erase the session."""
        self._library.call("clear", self.memory)


_SIZE = """\
#include "{name}.h"
extern const size_t session_bytes;
const size_t session_bytes = sizeof({name}_session);
"""
