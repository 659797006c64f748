# SPDX-License-Identifier: Apache-2.0
"""Words in two shares side by side: share 0 is the lower half of a payload, share 1 the upper."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from headwater.core.streams import Stream

SHARES = 2


def in_shares(words: Sequence[int], width: int, masks: Sequence[int] | None = None) -> list[int]:
    """Words of ``width`` bits in two shares; share 1 is the mask. Masks that are not given are
    irregular, but the same in each call: good for simulations."""
    masks = _irregular(len(words), width) if masks is None else masks
    return [word ^ mask | mask << width for word, mask in zip(words, masks, strict=True)]


def joined(payload: int, width: int) -> int:
    """The sum of both shares of a word of ``width`` bits."""
    return (payload ^ payload >> width) & ((1 << width) - 1)


def stream_in_shares(stream: Stream) -> Stream:
    """A stream whose words have twice as many bits. A mark is of as many bits of each share."""
    width, order = stream.width, stream.order
    order += f"; share 0 in the lower {width}, share 1 in the upper {width} payload bits"
    if stream.direction == "input":
        order += "; each bit has a random mask"
    return replace(
        stream,
        width=SHARES * width,
        keep_bits=SHARES * stream.keep_bits,
        ad_bits=SHARES * stream.ad_bits,
        order=order,
    )


def _irregular(count: int, width: int) -> list[int]:
    size = -(-width // 8)
    stream = hashlib.shake_256(b"masks").digest(size * count)
    return [
        int.from_bytes(stream[at : at + size], "little") % (1 << width)
        for at in range(0, len(stream), size)
    ]
