# SPDX-License-Identifier: Apache-2.0
"""The core of VEST: for keystream, or for authenticated encryption."""

from __future__ import annotations

from headwater.core.architecture import Architecture
from headwater.kinds.vest.authenticated import VestAeadCore
from headwater.kinds.vest.description import VestAead, VestCipher
from headwater.kinds.vest.keystream import VestCore


def core_class(
    cipher: VestCipher, _architecture: Architecture
) -> type[VestCore] | type[VestAeadCore]:
    """The class of core for the cipher, with or without MAC."""
    return VestAeadCore if isinstance(cipher, VestAead) else VestCore
