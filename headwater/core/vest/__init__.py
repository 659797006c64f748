# SPDX-License-Identifier: Apache-2.0
"""Cores of VEST: one that gives keystream, and one that encrypts and authenticates."""

from __future__ import annotations

from headwater.cipher.vest import VestAuthenticated, VestCipher
from headwater.core.architecture import Architecture
from headwater.core.vest.authenticated import VestAuthenticatedCore
from headwater.core.vest.base import VestBase
from headwater.core.vest.facts import VestFacts
from headwater.core.vest.keystream import VestCore

__all__ = ["VestBase", "VestFacts", "build_vest", "form_of"]


def form_of(cipher: VestCipher) -> type[VestCore] | type[VestAuthenticatedCore]:
    """The kind of core that the cipher has."""
    return VestAuthenticatedCore if isinstance(cipher, VestAuthenticated) else VestCore


def build_vest(cipher: VestCipher, architecture: Architecture) -> VestBase:
    """The core of a cipher of any size, for keys of the architecture's length."""
    return form_of(cipher)(cipher.with_parameters(architecture.options), architecture)
