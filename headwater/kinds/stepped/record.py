# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from headwater.core.architecture import Architecture
from headwater.kinds.kind import KeystreamModel, Kind
from headwater.kinds.stepped.beginning import whole_state
from headwater.kinds.stepped.description import SteppedCipher
from headwater.kinds.stepped.facts import SteppedFacts
from headwater.kinds.stepped.keystream import KeystreamCore
from headwater.kinds.stepped.model import Model, from_state
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.kinds.stepped.word_facts import WordFacts
from headwater.kinds.stepped.word_memories import WordMemoryCore
from headwater.kinds.stepped.word_model import WordModel
from headwater.kinds.stepped.word_steps import WordCore


def _formed(cipher: SteppedCipher, architecture: Architecture) -> SteppedCipher:
    if isinstance(cipher, WordCipher):
        return cipher.formed(architecture.options, architecture.radix)
    return cipher


def _facts(cipher: SteppedCipher, architecture: Architecture) -> SteppedFacts:
    if isinstance(cipher, WordCipher):
        return WordFacts(cipher, architecture)
    return SteppedFacts(cipher, architecture)


def _core_class(facts: SteppedFacts) -> type[KeystreamCore]:
    if isinstance(facts, WordFacts):
        return WordMemoryCore if facts.cipher.memories else WordCore
    return KeystreamCore


def _keystream(
    cipher: SteppedCipher, *, key: bytes, iv: bytes, iv_bits: int | None
) -> KeystreamModel:
    if isinstance(cipher, WordCipher):
        return WordModel(cipher, key=key, iv=iv, iv_bits=iv_bits)
    return Model(cipher, key=key, iv=iv, iv_bits=iv_bits)


KIND = Kind(
    meaning="bits or words in steps: registers, a load, phases and a step function",
    facts=_facts,
    core_class=_core_class,
    formed=_formed,
    keystream=_keystream,
    whole_state=whole_state,
    from_state=from_state,
)
