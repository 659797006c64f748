# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from headwater.kinds.kind import Kind
from headwater.kinds.word_aead.core import WordAeadCore
from headwater.kinds.word_aead.facts import WordAeadFacts
from headwater.kinds.word_aead.model import process

KIND = Kind(
    meaning="words that take their text in and authenticate it",
    facts=WordAeadFacts,
    core_class=lambda _: WordAeadCore,
    process=process,
)
