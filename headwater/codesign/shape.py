# SPDX-License-Identifier: Apache-2.0
"""What the C drivers of a system must know of the shape of a core."""

from __future__ import annotations

from headwater.interface.core_shape import CoreShape
from headwater.interface.port import Port
from headwater.interface.registers import WORD_BITS


def driver_settings(core: CoreShape, port: Port) -> dict[str, int]:
    """Macros of the C drivers."""
    return {
        "COP_INSTRUCTIONS": int(port.instruction),
        "COP_PAIRS": int(port.pairs),
        "COP_RESULTS": port.results,
        "COP_FIFO": int(port.fifo),
        "COP_DMA": int(port.dma),
        **(_text_settings(core) if core.takes_text else {}),
        "COP_POLLED_WORDS": 4 if port.fifo else _polled_words(core.output_width),
    }


def _text_settings(core: CoreShape) -> dict[str, int]:
    """Words that enter the core at once; words that go in before the first of these comes out."""
    together = max(1, core.streams["data_in"].width // WORD_BITS)
    return {"COP_TRANSFER_WORDS": together, "COP_LAG_WORDS": core.words_ahead - together}


def _polled_words(width: int) -> int:
    """Words of 32 bits that are ready when the core offers a word of ``width`` bits: 1, 2, 4 or
    16."""
    return max(words for words in (1, 2, 4, 16) if words == 1 or WORD_BITS * words <= width)
