# SPDX-License-Identifier: Apache-2.0
"""The core that fits a cipher's kind."""

from __future__ import annotations

from headwater.cipher.authenticated import AuthenticatedCipher
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.authenticated import AuthenticatedCore
from headwater.core.base import CipherCore
from headwater.core.keystream import KeystreamCore


def build(cipher: Cipher, architecture: Architecture) -> CipherCore:
    """The core of ``cipher`` at ``architecture``."""
    if isinstance(cipher, AuthenticatedCipher):
        return AuthenticatedCore(cipher, architecture)
    return KeystreamCore(cipher, architecture)
