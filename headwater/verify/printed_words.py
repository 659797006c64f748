# SPDX-License-Identifier: Apache-2.0
"""Words of a text as the simulator prints them, where each stays in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def printed_words(printed: Iterator[str], marks: Iterable[int]) -> Iterator[int]:
    """The payloads of some words.

    Parameters
    ----------
    printed
        Lines with payload and ``keep``.
    marks
        The ``keep`` that each word must have.

    Raises
    ------
    ValueError
        If a word is marked otherwise than the one that went in, or a bit is set that is not marked.
    """
    for number, expected in enumerate(marks):
        payload, keep = (int(word, 16) for word in next(printed).split())
        if keep != expected or payload & ~keep:
            raise ValueError(f"word {number} must have the bits {expected:x}, not {keep:x}")
        yield payload
