# SPDX-License-Identifier: Apache-2.0
"""Properties that a description states of itself, and that ``verify --prove`` proves of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from headwater.algebra.word import Wire, Word, all_ones
from headwater.errors import InputError


@dataclass(frozen=True)
class Law:
    """A property of a description, for all values of some words.

    Raises
    ------
    InputError
        If the name is no identifier.
    """

    name: str
    """What `verify` calls it; an identifier."""
    meaning: str
    """What holds, in words."""
    holds: Callable[..., Word]
    """``holds(wire, **words)`` is one bit, which must be one, in the operations of
    `headwater.algebra.word`."""
    words: Mapping[str, int] = field(default_factory=dict, hash=False)
    """The words by name, with their widths in bits."""

    def __post_init__(self) -> None:
        if not self.name.isidentifier():
            raise InputError(f"name of a law must be an identifier, not {self.name!r}")

    def words_of(self, cipher: Any) -> Mapping[str, int]:  # noqa: ARG002
        """The words that it is about in the description of ``cipher``, with their widths."""
        return self.words

    def bit(self, cipher: Any, wire: Wire, words: Mapping[str, Word]) -> Word:  # noqa: ARG002
        """The bit that must be one for any values of these words."""
        return self.holds(wire, **words)

    def checked(self, cipher: Any, wire: Wire, words: Mapping[str, Word]) -> Word:
        """`bit`; an error if it is no single bit."""
        bit = self.bit(cipher, wire, words)
        bits = len(bit) if hasattr(bit, "__len__") else None
        if bits != 1:
            shown = f"not {bit!r:.80}" if bits is None else f"not {bits}"
            raise InputError(f"law {self.name} of {cipher.name} must give one bit, {shown}")
        return bit


def equal(one: Word, other: Word) -> Word:
    """Whether two words of the same width are the same."""
    return all_ones(~(one ^ other))
