# SPDX-License-Identifier: Apache-2.0
"""What each promise of a core compares it with, and how it is proven."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.kinds.registry import facts_of, kind_of, promises_of
from headwater.verify.vector_files import own_files

VECTORS = "vectors"
"""What stands in the place of a promise where the evidence is published vectors."""


@dataclass(frozen=True)
class Evidence:
    """One promise of a core, or its vectors; all members are words."""

    promise: str
    against: str
    """See `headwater.prove.reading.Reading`."""
    what: str
    method: str
    meaning: str


def evidence(cipher: Cipher, architecture: Architecture) -> list[Evidence]:
    """One for each promise that a core of this architecture makes, and one for the published
    vectors of its cipher, if it has any."""
    formed = kind_of(cipher).formed(cipher, architecture)
    facts = facts_of(cipher, architecture)
    found = [
        Evidence(one.name, one.reading.against, one.reading.what, one.method(facts), one.meaning)
        for one in promises_of(formed, architecture)
    ]
    if own_files(cipher):
        found.append(Evidence(
            VECTORS, "apart", "published values", "simulation, registers random at power-up",
            "what leaves the core is what others have published",
        ))  # fmt: skip
    return found
