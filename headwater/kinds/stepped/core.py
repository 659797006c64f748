# SPDX-License-Identifier: Apache-2.0
"""The core of a cipher that goes in steps."""

from __future__ import annotations

from headwater.core.architecture import Architecture
from headwater.kinds.stepped.description import SteppedCipher
from headwater.kinds.stepped.keystream import KeystreamCore
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.kinds.stepped.word_steps import WordCore


def core_class(cipher: SteppedCipher, _architecture: Architecture) -> type[KeystreamCore]:
    """The class of the core: word ciphers have a load with its own steps."""
    return WordCore if isinstance(cipher, WordCipher) else KeystreamCore
