# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from headwater.kinds.block_stream.core import BlockStreamCore
from headwater.kinds.block_stream.facts import BlockStreamFacts
from headwater.kinds.block_stream.model import BlockStreamModel
from headwater.kinds.kind import Kind

KIND = Kind(
    meaning="keystream in blocks, each a function of key, nonce and its number",
    facts=BlockStreamFacts,
    core_class=lambda _: BlockStreamCore,
    keystream=BlockStreamModel,
)
