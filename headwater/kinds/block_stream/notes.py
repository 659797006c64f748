# SPDX-License-Identifier: Apache-2.0
"""What the registers of a core whose keystream is blocks are for, in its Verilog."""

from __future__ import annotations

from headwater.kinds.block_stream.description import WORDS
from headwater.kinds.block_stream.facts import BlockStreamFacts


def notes_of(facts: BlockStreamFacts) -> dict[str, str]:
    """Comments by signal name, in the order of the Verilog."""
    second = facts.buffered
    rows = {
        f"x{place}": f"begins a block with word {place} of its matrix" for place in range(WORDS)
    }
    return rows | {
        "loaded": "load words taken",
        "counter": "number of the block in the state",
        "following": "number of the block to begin with",
        "buffer": "the block whose words are offered, the next word lowest",
        "buffered_counter": "number of the block in the buffer",
        "word": "words of the buffer that were taken",
        "ahead": "the word of the matrix that is selected, to be added in the next cycle",
        "full": "the buffer holds words" if second else "the state holds a finished block",
        "derived": "the key is the one that blocks have",
        "derives": "the words after these rounds become the key",
        "begun": "the state holds a block",
        "all_begun": "every stage holds a block, and the one that is renewed is finished",
        "cycle": "cycles of rounds of this block that have passed"
        if second
        else "cycles of rounds, or words of the block, that have passed",
        "renew": _renewal(facts),
        "part_ends": "the last cycle of the rounds, or of the words of a block",
        "enable": "the state moves",
    }


def _renewal(facts: BlockStreamFacts) -> str:
    if facts.buffered:
        return "the state takes the next matrix"
    if facts.shares_adders:
        return "the next matrix enters the state, and adders of the rounds add the present one"
    return "words of the next matrix enter the state"
