# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from headwater.kinds.block_stream.core import BlockStreamCore
from headwater.kinds.block_stream.facts import BlockStreamFacts, PipelineFacts, facts_of_fold
from headwater.kinds.block_stream.loaded import LoadedCore
from headwater.kinds.block_stream.model import BlockStreamModel
from headwater.kinds.block_stream.pipeline import PipelinedCore
from headwater.kinds.kind import Kind


def _core_class(facts: BlockStreamFacts) -> type[LoadedCore]:
    """The class of the core, by how its rounds are arranged."""
    return PipelinedCore if isinstance(facts, PipelineFacts) else BlockStreamCore


KIND = Kind(
    meaning="keystream in blocks, each a function of key, nonce and its number",
    facts=facts_of_fold,
    core_class=_core_class,
    keystream=BlockStreamModel,
)
