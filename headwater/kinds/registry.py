# SPDX-License-Identifier: Apache-2.0
"""The kinds of cipher: a new one is a folder beside this file and a line here."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from headwater.cipher.description import Cipher
from headwater.errors import InputError

if TYPE_CHECKING:
    from headwater.core.architecture import Architecture
    from headwater.core.component import Core
    from headwater.core.facts import Facts
    from headwater.kinds.kind import Kind
    from headwater.prove.checker import Property

KINDS = (
    "stepped",
    "bit_aead",
    "filtered",
    "self_synchronising",
    "block_stream",
    "aes_ofb",
    "word_aead",
    "sponge",
    "message",
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


def properties(name: str) -> tuple[Property, ...]:
    """The properties of the cores of a kind, each with its proof."""
    return _part(name, "properties").PROPERTIES


def _part(kind: str, part: str) -> ModuleType:
    return import_module(f"headwater.kinds.{kind}.{part}")


def kind_of(cipher: Cipher) -> Kind:
    """The kind of a cipher."""
    return kind(cipher.kind)


def build(cipher: Cipher, architecture: Architecture) -> Core:
    """The core of ``cipher`` at ``architecture``."""
    facts = facts_of(cipher, architecture)
    core: Core = _core_class(cipher, facts)(facts)
    return core


def _core_class(cipher: Cipher, facts: Facts) -> type[Any]:
    """The class of the core with these facts."""
    if facts.architecture.streams > 1:
        made: type[Any] = _interleaving("core").InterleavedCore
        return made
    return kind_of(cipher).core_class(facts)


def facts_of(cipher: Cipher, architecture: Architecture) -> Facts:
    """What follows from ``cipher`` and ``architecture`` before any circuit is built."""
    kind, plain = kind_of(cipher), architecture.plain
    facts = kind.facts(kind.formed(cipher, plain), plain)
    if architecture.streams > 1:
        made: Facts = _interleaving("facts").InterleavedFacts(
            facts.cipher, architecture, facts, kind.core_class(facts)
        )
        return made
    return facts


def _interleaving(part: str) -> ModuleType:
    """A part of what all cores with several sessions share, imported on first use."""
    return import_module(f"headwater.core.interleaving.{part}")


def properties_of(cipher: Cipher, architecture: Architecture) -> list[Property]:
    """The properties of the core of ``cipher`` at ``architecture``."""
    facts = facts_of(cipher, architecture)
    made = properties(property_folder(cipher, architecture))
    laws = list(import_module("headwater.prove.laws").laws_of(facts.cipher))
    names = {prop.name for prop in made}
    for law in laws:
        if law.name in names:
            raise InputError(f"law of {cipher.name} must have a name that no property has, not "
                             f"{law.name!r}")  # fmt: skip
    return [*(prop for prop in made if prop.applies(facts)), *laws]


def property_folder(cipher: Cipher, architecture: Architecture) -> str:
    """The folder with the properties of a core: its kind's, or that of sessions in turn, which
    compare the core with the plain one."""
    return "interleaved" if architecture.streams > 1 else cipher.kind
