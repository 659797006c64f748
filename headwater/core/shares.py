# SPDX-License-Identifier: Apache-2.0
"""Words in two shares side by side: share 0 is the lower half of a payload, share 1 the upper."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import replace

from headwater.cipher.option import MASKING
from headwater.core.architecture import Architecture
from headwater.core.streams import Stream
from headwater.errors import InputError

SHARES = 2


def in_shares(words: Sequence[int], width: int, masks: Sequence[int] | None = None) -> list[int]:
    """Words of ``width`` bits in two shares; share 1 is the mask. Masks that are not given are
    irregular, but the same in each call: good for simulations."""
    masks = _irregular(len(words), width) if masks is None else masks
    return [word ^ mask | mask << width for word, mask in zip(words, masks, strict=True)]


def joined(payload: int, width: int) -> int:
    """The sum of both shares of a word of ``width`` bits."""
    return (payload ^ payload >> width) & ((1 << width) - 1)


class WordsInShares:
    """What the facts of a core say of its words, where all are as wide as its radix."""

    architecture: Architecture

    def shared(
        self,
        words: Sequence[int],
        masks: Sequence[int] | None = None,
        *,
        stream: str = "load",  # noqa: ARG002
    ) -> list[int]:
        """Words in two shares."""
        return in_shares(words, self.architecture.radix, masks)

    def joined(self, payload: int, *, stream: str = "keystream") -> int:  # noqa: ARG002
        """The sum of both shares of a word."""
        return joined(payload, self.architecture.radix)


def choice_in_shares(
    chosen: Architecture, masking: str, kept: Collection[str] | None = None
) -> Architecture:
    """An architecture of a core in shares, which tells of the options ``kept`` of the plain one, by
    default of all.

    Raises
    ------
    InputError
        If it clears at once, which leaves no uniform sharing.
    """
    if chosen.clear == "instant":
        raise InputError("option clear of a masked core must be shift or none, not 'instant'")
    own = [(name, value) for name, value in chosen.chosen if kept is None or name in kept]
    return replace(chosen, chosen=(*own, (MASKING.name, masking)))


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
