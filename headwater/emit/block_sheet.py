# SPDX-License-Identifier: Apache-2.0
"""What the data sheet of a cipher says of its blocks."""

from __future__ import annotations

from typing import Any

from headwater.kinds.block_stream.description import BLOCK_BITS, BlockStreamCipher
from headwater.kinds.block_stream.facts import BlockStreamFacts


def blocks(cipher: BlockStreamCipher) -> dict[str, Any]:
    """What holds of the blocks at any architecture."""
    bits = cipher.counter_bits
    return {
        "rounds": cipher.rounds,
        "block_bits": BLOCK_BITS,
        "counter_bits": bits,
        "counter_wrap": f"after block 2^{bits} - 1 comes block 0, and the keystream repeats: a key "
        f"and nonce must not be used for more than 2^{bits} blocks",
        "seeking": "any block can be the first: its number is the last thing that is loaded",
    }


def block_timing(facts: BlockStreamFacts) -> dict[str, Any]:
    """What the core of an architecture needs for a block, and what its `clear` does."""
    timing = {
        "cycles_per_block": facts.cycles_per_block,
        "block_formula": facts.block_formula,
    }
    if facts.clear_cycles is None:
        return timing
    return {**timing, "clear_effect": f"after clear_cycles {facts.clear_effect}"}
