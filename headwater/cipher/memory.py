# SPDX-License-Identifier: Apache-2.0
"""A memory of a cipher: words that its functions read and write by address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from headwater.algebra.memory import fetch, store
from headwater.cipher.keywords import check_name
from headwater.errors import InputError, between

__all__ = ["Memory", "fetch", "store"]

MOST_WORDS, MOST_BITS = 1 << 16, 64


@dataclass(frozen=True)
class Memory:
    """Words that functions read with `fetch` and write with `store`. All are zero when a session
    begins."""

    name: str
    """Its name in the functions, in the Verilog and in reports."""
    words: int
    """How many, from 2 to 65,536. An address has as many bits as the last one needs: 8 for 256
    words, 10 for 1000. Behind the last word zeros are read, and nothing is written."""
    bits: int
    """Bits of a word, at most 64."""

    @property
    def address_bits(self) -> int:
        """Bits of an address."""
        return (self.words - 1).bit_length()


def check_memories(cipher: str, memories: Sequence[Memory], names: Sequence[str]) -> None:
    """Refuse memories of illegal sizes, and names that something else of the description has."""
    in_use = set(names)
    for one in memories:
        check_name(f"memory of {cipher}", one.name)
        between(2, MOST_WORDS, f"words of memory {one.name} of {cipher}", one.words)
        between(1, MOST_BITS, f"bits of memory {one.name} of {cipher}", one.bits)
        if one.name in in_use:
            raise InputError(
                f"memory of {cipher} must have a name that nothing else has, not {one.name!r}"
            )
        in_use.add(one.name)


def check_stored(
    what: str, stored: Mapping[str, Any], memories: Sequence[Memory], kind: type
) -> None:
    """Refuse what is no content of a memory where one is given; ``kind`` is the class of the
    reading."""
    for one in memories:
        if not isinstance(stored[one.name], kind):
            raise InputError(
                f"{one.name} of {what} must be the memory, or what store(...) gives, not "
                f"{type(stored[one.name]).__name__}"
            )
