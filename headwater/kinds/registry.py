# SPDX-License-Identifier: Apache-2.0
"""The kinds of cipher: packages with the same files, in this folder or from outside.

A description carries its kind: the class that names it lies in the kind's package. So nothing has
to be registered for a cipher to be used.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from headwater.cipher.description import Cipher
from headwater.errors import InputError, unknown

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
    "aes",
    "word_aead",
    "sponge",
    "message",
    "vest",
    "telephony",
)
"""Folders beside this file, each with the same files."""

GROUP = "headwater.kinds"
"""The entry point group in which installed packages name the packages of their kinds."""


def kinds() -> dict[str, str]:
    """The package of each kind by its name: those of this folder, and those of installed packages.
    What decides about a cipher is the class of its description; see `package_of`."""
    points = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    return {name: f"{__package__}.{name}" for name in KINDS} | {
        point.name: point.value for point in points if point.name not in KINDS
    }


def kind(name: str) -> Kind:
    """The record of a kind by its name."""
    return record(_package(name))


def properties(name: str) -> tuple[Property, ...]:
    """The properties of the cores of a kind by its name, each with its proof."""
    return properties_in(_package(name))


def _package(name: str) -> str:
    packages = {**kinds(), "interleaved": f"{__package__}.interleaved"}
    if name not in packages:
        raise unknown("kind of a cipher", name, packages)
    return packages[name]


def package_of(cipher: Cipher) -> str:
    """The package of a cipher's kind: the one that holds the description class which names the
    kind."""
    owner = next(one for one in type(cipher).__mro__ if "kind" in vars(one))
    return owner.__module__.rpartition(".")[0]


@cache
def record(package: str) -> Kind:
    """The record of the kind in a package, imported on first use."""
    from headwater.kinds.kind import Kind

    kind_record = getattr(_part(package, "record"), "KIND", None)
    if not isinstance(kind_record, Kind):
        raise InputError(f"{package}.record must offer its kind as KIND, not {kind_record!r:.60}")
    return kind_record


def properties_in(package: str) -> tuple[Property, ...]:
    """The properties of the cores of the kind in a package, each with its proof."""
    own: tuple[Property, ...] = _part(package, "properties").PROPERTIES
    return own


def _part(package: str, part: str) -> ModuleType:
    try:
        return import_module(f"{package}.{part}")
    except ModuleNotFoundError as error:
        raise InputError(
            f"kind of a description must be a package with {part}.py beside the class that names "
            f"the kind, not {package or 'a file of its own'}: {error}"
        ) from error


def kind_of(cipher: Cipher) -> Kind:
    """The kind of a cipher."""
    return record(package_of(cipher))


def further_part(cipher: Cipher, name: str) -> ModuleType | None:
    """A file that a kind may have, such as its software; None if the cipher's has none."""
    package = package_of(cipher)
    return _part(package, name) if find_spec(f"{package}.{name}") else None


def build(cipher: Cipher, architecture: Architecture) -> Core:
    """The core of ``cipher`` at ``architecture``."""
    facts = facts_of(cipher, architecture)
    core: Core = _core_class(cipher, facts)(facts)
    return core


def _core_class(cipher: Cipher, facts: Facts) -> type[Any]:
    """The class of the core with these facts."""
    if facts.architecture.is_masked:
        masked: type[Any] = masked_part(cipher, "core").MaskedCore
        return masked
    if facts.architecture.streams > 1:
        core_class: type[Any] = _interleaving("core").InterleavedCore
        return core_class
    return kind_of(cipher).core_class(facts)


def facts_of(cipher: Cipher, architecture: Architecture) -> Facts:
    """What follows from ``cipher`` and ``architecture`` before any circuit is built."""
    if architecture.is_masked:
        masked: Facts = masked_part(cipher, "facts").facts_of_shares(cipher, architecture)
        return masked
    kind, plain = kind_of(cipher), architecture.plain
    facts = kind.facts(kind.formed(cipher, plain), plain)
    if architecture.streams > 1:
        of_turns: Facts = _interleaving("facts").InterleavedFacts(
            facts.cipher, architecture, facts, kind.core_class(facts)
        )
        return of_turns
    return facts


def _interleaving(part: str) -> ModuleType:
    """A part of what all cores with several sessions share, imported on first use."""
    return import_module(f"headwater.core.interleaving.{part}")


def masked_part(cipher: Cipher, part: str) -> ModuleType:
    """A part of what the cores in shares of a cipher have, imported on first use."""
    return import_module(f"{kind_of(cipher).masked}.{part}")


def properties_of(cipher: Cipher, architecture: Architecture) -> list[Property]:
    """The properties of the core of ``cipher`` at ``architecture``."""
    facts = facts_of(cipher, architecture)
    if architecture.is_masked:
        return list(masked_part(cipher, "properties").PROPERTIES)
    turns = architecture.streams > 1
    offered = properties("interleaved") if turns else properties_in(package_of(cipher))
    laws = list(import_module("headwater.prove.laws").laws_of(facts.cipher))
    names = {prop.name for prop in offered}
    for law in laws:
        if law.name in names:
            raise InputError(
                f"law of {cipher.name} must have a name that no property has, not {law.name!r}"
            )
    return [*(prop for prop in offered if prop.applies(facts)), *laws]


def property_folder(cipher: Cipher, architecture: Architecture) -> str:
    """The name of the properties of a core: its kind's, or that of sessions in turn, which compare
    the core with the plain one."""
    return "interleaved" if architecture.streams > 1 else cipher.kind


def files_of(cipher: Cipher) -> Path:
    """The folder of a cipher's kind."""
    return Path(str(import_module(package_of(cipher)).__file__)).parent
