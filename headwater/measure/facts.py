# SPDX-License-Identifier: Apache-2.0
"""What follows from a cipher and an architecture: of a core, or of a source of random bits."""

from __future__ import annotations

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.facts import Facts
from headwater.kinds.registry import facts_of
from headwater.kinds.stepped.prng.shape import source_of


def facts_at(cipher: Cipher, architecture: Architecture) -> Facts:
    """Timing and bits in a cycle."""
    source = source_of(cipher, architecture)
    return source.whole if source else facts_of(cipher, architecture)
