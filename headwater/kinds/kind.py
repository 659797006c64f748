# SPDX-License-Identifier: Apache-2.0
"""The record of a kind of cipher: everything that differs between kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from headwater.cipher.message import Message, Sealed
from headwater.core.architecture import Architecture
from headwater.core.facts import Facts
from headwater.prove.mutants import Mutant
from headwater.prove.watcher import Property


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
    """One kind of cipher.

    Members
    -------
    meaning : str
        What its ciphers are, in one line.
    facts : function
        ``facts(cipher, architecture)``: what follows from both before any circuit is built; the
        cipher is that of ``formed``.
    core_class : function
        ``core_class(facts)``: the class of the core, which is made of the facts.
    formed : function
        ``formed(cipher, architecture)``: the cipher in the form that the options select; by default
        with their parameters.
    keystream : function or None
        ``keystream(cipher, key=, iv=, iv_bits=)``: the model from the first bit of output.
    process : function or None
        ``process(cipher, message)``: the output text of a message, and its tag.
    promises : tuple of Property
        The promises of its cores, each with its proof.
    mutants : mapping of str to tuple of functions
        For each promise, by name, cores that break it.
    """

    meaning: str
    facts: Callable[[Any, Architecture], Facts]
    core_class: Callable[[Any], type[Any]]
    formed: Callable[[Any, Architecture], Any] = with_parameters
    keystream: Callable[..., KeystreamModel] | None = None
    process: Callable[[Any, Message], Sealed] | None = None
    promises: tuple[Property, ...]
    mutants: Mapping[str, tuple[Mutant, ...]]
