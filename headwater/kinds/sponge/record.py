# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from headwater.kinds.kind import Kind
from headwater.kinds.sponge.core import SpongeBitCore, SpongeCore
from headwater.kinds.sponge.facts import SpongeFacts
from headwater.kinds.sponge.model import process

KIND = Kind(
    meaning="a permutation that takes blocks of text in and gives a tag",
    facts=SpongeFacts,
    core_class=lambda facts: SpongeBitCore if facts.cipher.text_unit == 1 else SpongeCore,
    process=process,
    masked="headwater.kinds.sponge.masked",
)
