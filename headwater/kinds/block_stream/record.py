# SPDX-License-Identifier: Apache-2.0
"""The record of this kind."""

from __future__ import annotations

from typing import Any

from headwater.core.architecture import Architecture
from headwater.kinds.block_stream.core import core_class
from headwater.kinds.block_stream.facts import BlockStreamFacts
from headwater.kinds.block_stream.model import BlockStreamModel
from headwater.kinds.block_stream.mutants import MUTANTS
from headwater.kinds.block_stream.promises import PROMISES
from headwater.kinds.kind import Kind


def _formed(cipher: Any, architecture: Architecture) -> Any:
    return cipher.with_parameters(architecture.options)


KIND = Kind(
    meaning="keystream in blocks, each a function of key, nonce and its number",
    facts=lambda cipher, made: BlockStreamFacts(_formed(cipher, made), made),
    core_class=core_class,
    formed=_formed,
    keystream=BlockStreamModel,
    promises=PROMISES,
    mutants=MUTANTS,
)
