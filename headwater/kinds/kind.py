# SPDX-License-Identifier: Apache-2.0
"""The record of a kind of cipher: everything that differs between kinds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from headwater.cipher.message import Message, Sealed
from headwater.cipher.whole_state import WholeState
from headwater.core.architecture import Architecture
from headwater.core.facts import Facts


class KeystreamModel(Protocol):
    """A keystream made by a description read with integers."""

    def skip(self, bits: int) -> None:
        """Pass over output bits."""

    def read(self, bits: int) -> bytes:
        """The next output bits, packed in the cipher's order, zeros to the byte."""


def with_parameters(cipher: Any, architecture: Architecture) -> Any:
    """The cipher with the parameters that an architecture's options hold."""
    return cipher.with_parameters(architecture.options)


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of cipher. Its properties are found by `headwater.kinds.registry`, so that it is
    imported for proofs alone."""

    meaning: str
    """What its ciphers are, in one line."""
    facts: Callable[[Any, Architecture], Facts]
    """What follows from cipher and architecture before any circuit is built; the cipher is that of
    ``formed``."""
    core_class: Callable[[Any], type[Any]]
    """The class of the core, which is made of the facts."""
    masked: str = "headwater.kinds.stepped.masked"
    """The package of its cores in shares; by default that which says why a cipher has none."""
    formed: Callable[[Any, Architecture], Any] = with_parameters
    """The cipher in the form that the options select."""
    keystream: Callable[..., KeystreamModel] | None = None
    """``keystream(cipher, key=, iv=, iv_bits=)``: the model from the first bit of output."""
    whole_state: Callable[[Any], WholeState | None] = lambda _: None
    """Which bit of a state is where, of a cipher whose keystream can begin with one."""
    from_state: Callable[[Any, bytes], KeystreamModel] | None = None
    """``from_state(cipher, state)``: the model from a whole state on."""
    process: Callable[[Any, Message], Sealed] | None = None
    """The output text of a message, and its tag."""
