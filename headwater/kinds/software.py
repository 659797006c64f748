# SPDX-License-Identifier: Apache-2.0
"""How software makes keystream fast: the parts of a description that it is made of.

A core makes a word in each cycle, with all its control around it. Software that only makes
keystream needs the step of the running cipher, or the function of a block, and nothing else. The
file ``software.py`` of a kind says what these are; a kind without it has no fast software.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from headwater.algebra.word import IntegerWord, Word
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.kinds.registry import further_part


@dataclass(frozen=True)
class Part:
    """A function of words.

    Members
    -------
    inputs : mapping of str to int
        Name and width in bits of each word that it reads.
    circuit : callable
        ``circuit(wire, *words, **constants)`` gives the results by name, read with words of any
        kind.
    constants : mapping of str to IntegerWord
        The words whose value is known: tables, controls.
    has_tables : bool
        Whether circuits of a byte may become tables, whose time may depend on the data.
    """

    inputs: Mapping[str, int]
    circuit: Callable[..., Mapping[str, Word]]
    constants: Mapping[str, IntegerWord] = field(default_factory=dict)
    has_tables: bool = False


@dataclass(frozen=True)
class Software:
    """What fast software of a cipher is made of.

    Members
    -------
    shape : str
        How the parts are put together: "steps", "turns", "blocks", "planes" or "tables".
    parts : mapping of str to Part
        The functions, by name.
    facts : mapping of str to object
        Numbers and places that the shape needs besides.
    """

    shape: str
    parts: Mapping[str, Part]
    facts: Mapping[str, Any] = field(default_factory=dict)


def software_of(cipher: Cipher, architecture: Architecture) -> Software | None:
    """What fast software of a cipher is made of, where it goes on from the registers of the core of
    this architecture; None if there is none."""
    part = further_part(cipher, "software")
    software: Software | None = part.software(cipher, architecture) if part else None
    return software
