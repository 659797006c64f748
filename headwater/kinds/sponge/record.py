# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from headwater.core.architecture import Architecture
from headwater.kinds.kind import Kind
from headwater.kinds.sponge.core import SpongeBitCore, SpongeCore
from headwater.kinds.sponge.description import SLICES, SpongeAead
from headwater.kinds.sponge.facts import SpongeFacts
from headwater.kinds.sponge.model import process
from headwater.kinds.sponge.sliced import SlicedBitCore, SlicedCore
from headwater.kinds.sponge.sliced_facts import SlicedFacts


def _facts(cipher: SpongeAead, architecture: Architecture) -> SpongeFacts:
    return (SlicedFacts if architecture.radix in SLICES else SpongeFacts)(cipher, architecture)


def _core_class(facts: SpongeFacts) -> type[SpongeCore]:
    of_bits = facts.cipher.text_unit == 1
    if isinstance(facts, SlicedFacts):
        return SlicedBitCore if of_bits else SlicedCore
    return SpongeBitCore if of_bits else SpongeCore


KIND = Kind(
    meaning="a permutation that takes blocks of text in and gives a tag",
    facts=_facts,
    core_class=_core_class,
    process=process,
    masked="headwater.kinds.sponge.masked",
)
