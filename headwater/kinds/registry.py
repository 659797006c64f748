# SPDX-License-Identifier: Apache-2.0
"""The kinds of cipher: a new one is a folder beside this file and a line here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from headwater.cipher.description import Cipher

if TYPE_CHECKING:
    from headwater.core.architecture import Architecture
    from headwater.core.component import Core
    from headwater.core.facts import Facts
    from headwater.kinds.kind import Kind
    from headwater.prove.mutants import Mutant
    from headwater.prove.watcher import Property

KINDS = (
    "stepped",
    "bit_aead",
    "filtered",
    "self_synchronising",
    "block_stream",
    "aes_ofb",
    "word_aead",
    "sponge",
    "vest",
    "telephony",
)
"""Folders, each with the same files. A description class names the one that it belongs to."""


@cache
def kind(name: str) -> Kind:
    """The record of a kind, imported on first use."""
    if name not in KINDS:
        raise ValueError(f"kind of a cipher must be one of {', '.join(KINDS)}, not {name!r}")
    return _part(name, "record").KIND


def promises(name: str) -> tuple[Property, ...]:
    """What the cores of a kind promise, each with its proof."""
    return _part(name, "promises").PROMISES


def mutants(name: str) -> Mapping[str, tuple[Mutant, ...]]:
    """For each promise of a kind, by name, cores that break it."""
    return _part(name, "mutants").MUTANTS


def _part(kind: str, part: str) -> ModuleType:
    return import_module(f"headwater.kinds.{kind}.{part}")


def kind_of(cipher: Cipher) -> Kind:
    """The kind of a cipher."""
    return kind(cipher.kind)


def build(cipher: Cipher, architecture: Architecture) -> Core:
    """The core of ``cipher`` at ``architecture``."""
    facts = facts_of(cipher, architecture)
    core: Core = kind_of(cipher).core_class(facts)(facts)
    return core


def facts_of(cipher: Cipher, architecture: Architecture) -> Facts:
    """What follows from ``cipher`` and ``architecture`` before any circuit is built."""
    kind = kind_of(cipher)
    return kind.facts(kind.formed(cipher, architecture), architecture)


def promises_of(cipher: Cipher, architecture: Architecture) -> list[Property]:
    """What the core of ``cipher`` at ``architecture`` promises."""
    facts = facts_of(cipher, architecture)
    return [promise for promise in promises(cipher.kind) if promise.applies(facts)]


def mutants_of(promise: str, cipher: Cipher, architecture: Architecture) -> Iterator[Core]:
    """Cores of ``cipher`` at ``architecture`` that each break a promise."""
    facts, kind = facts_of(cipher, architecture), kind_of(cipher)
    for mutant in mutants(cipher.kind)[promise]:
        core = mutant(kind.core_class(facts), facts)
        if core is not None:
            yield core
