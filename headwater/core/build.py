# SPDX-License-Identifier: Apache-2.0
"""The core that fits a cipher's kind, and its facts."""

from __future__ import annotations

from headwater.cipher.aes_ofb import AesOfb
from headwater.cipher.authenticated import AuthenticatedCipher
from headwater.cipher.block_stream import BlockStreamCipher
from headwater.cipher.description import Cipher
from headwater.cipher.mobile import MobileMode
from headwater.cipher.phelix import WordAuthenticatedCipher
from headwater.cipher.self_synchronising import SelfSynchronisingCipher
from headwater.cipher.sfinks import Sfinks
from headwater.cipher.stepped import SteppedCipher
from headwater.cipher.vest import VestCipher
from headwater.cipher.word_cipher import WordCipher
from headwater.core.aes import AesFacts, build_aes
from headwater.core.architecture import Architecture
from headwater.core.authenticated import AuthenticatedCore
from headwater.core.blocks.core import BlockStreamCore
from headwater.core.blocks.facts import BlockStreamFacts
from headwater.core.component import Core
from headwater.core.facts import CoreFacts, Facts
from headwater.core.keystream import KeystreamCore
from headwater.core.mobile.core import kind_of
from headwater.core.mobile.facts import MobileFacts
from headwater.core.phelix.core import PhelixCore
from headwater.core.phelix.facts import PhelixFacts
from headwater.core.sfinks.core import SfinksCore
from headwater.core.sfinks.facts import SfinksFacts
from headwater.core.sfinks.message import SfinksMessageCore
from headwater.core.synchronising.core import SynchronisingCore
from headwater.core.synchronising.facts import SynchronisingFacts
from headwater.core.vest import VestFacts, build_vest
from headwater.core.words.core import WordCore
from headwater.core.words.facts import WordFacts


def build(cipher: Cipher, architecture: Architecture) -> Core:
    """The core of ``cipher`` at ``architecture``."""
    match cipher:
        case AuthenticatedCipher():
            return AuthenticatedCore(cipher, architecture)
        case WordCipher():
            return WordCore(cipher.formed(architecture.options), architecture)
        case Sfinks():
            return sfinks_kind(cipher)(cipher, architecture)
        case SteppedCipher():
            return KeystreamCore(cipher, architecture)
        case BlockStreamCipher():
            return BlockStreamCore(cipher.with_parameters(architecture.options), architecture)
        case WordAuthenticatedCipher():
            return PhelixCore(cipher, architecture)
        case AesOfb():
            return build_aes(cipher, architecture)
        case MobileMode():
            return kind_of(cipher)(cipher, architecture)
        case SelfSynchronisingCipher():
            return SynchronisingCore(cipher, architecture)
        case VestCipher():
            return build_vest(cipher, architecture)
    raise TypeError(f"{type(cipher).__name__} has no core")


def sfinks_kind(cipher: Sfinks) -> type[SfinksCore] | type[SfinksMessageCore]:
    """The core of SFINKS, with its authentication or without."""
    return SfinksMessageCore if cipher.authenticates else SfinksCore


def facts_of(cipher: Cipher, architecture: Architecture) -> Facts:
    """What follows from both before any circuit is built."""
    match cipher:
        case WordCipher():
            return WordFacts(cipher.formed(architecture.options), architecture)
        case Sfinks():
            return SfinksFacts(cipher, architecture)
        case SteppedCipher():
            return CoreFacts(cipher, architecture)
        case BlockStreamCipher():
            return BlockStreamFacts(cipher.with_parameters(architecture.options), architecture)
        case WordAuthenticatedCipher():
            return PhelixFacts(cipher, architecture)
        case AesOfb():
            return AesFacts(cipher, architecture)
        case MobileMode():
            return MobileFacts(cipher.base.formed(architecture.options), architecture, cipher)
        case SelfSynchronisingCipher():
            return SynchronisingFacts(cipher, architecture)
        case VestCipher():
            return VestFacts(cipher.with_parameters(architecture.options), architecture)
    raise TypeError(f"{type(cipher).__name__} has no core")
