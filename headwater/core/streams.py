# SPDX-License-Identifier: Apache-2.0
"""What the ports of a core mean: a record for each of its streams.

Every module that drives, reads or documents a port reads these records.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from headwater.algebra import bitstring


@dataclass(frozen=True, kw_only=True)
class Stream:
    """One stream of words into a core or out of it."""

    name: str
    """Its ports are called ``name_payload``, ``name_keep`` and so on."""
    direction: Literal["input", "output"]
    width: int
    """Bits of a word."""
    order: str
    """What the words hold and in which order, as prose."""
    top_first: bool = False
    """Whether the first bit of a word is its most significant one; else it is bit 0."""
    keep_bits: int = 0
    """Bits of the word that each bit of ``keep`` stands for; 0 where there is no ``keep``."""
    ad_bits: int = 0
    """Bits of the word that each bit of ``ad`` (associated data) stands for; 0 without ``ad``."""
    marks: tuple[str, ...] = ()
    """Its one-bit marks: ``last``, ``same_key``."""
    last_ends: bool = True
    """Whether the word with `last` ends the session."""
    waits: bool = True
    """Whether the environment may pause the stream: only then an input has ``valid`` and an output
    ``ready``. An input always has ``ready``, an output always ``valid``."""
    part_bits: int = 1
    """Associated data and text each begin at a multiple of this number of bits."""
    gives_empty_words: bool = False
    """Output text only: whether every data word gives an output word, even one without text."""
    bits: int | None = None
    """Tag only: its length in the core, where that is fixed."""
    behind_bits: int | None = None
    """Tag only, where its place in a word depends on the length of the message: bits from the end
    of the message to the tag. None where the tag begins with a word."""

    @property
    def members(self) -> dict[str, int]:
        """The members of the stream and their widths, in the order of the ports."""
        keep = {"keep": self.width // self.keep_bits} if self.keep_bits else {}
        last = {mark: 1 for mark in self.marks if mark == "last"}
        ad = {"ad": self.width // self.ad_bits} if self.ad_bits else {}
        others = {mark: 1 for mark in self.marks if mark != "last"}
        shaking = [
            name
            for name, always in (("valid", "output"), ("ready", "input"))
            if self.waits or self.direction == always
        ]
        return {"payload": self.width, **keep, **last, **ad, **others, **dict.fromkeys(shaking, 1)}

    @property
    def ports(self) -> dict[str, tuple[str, int]]:
        """Direction and width of each port, by name."""
        other = "output" if self.direction == "input" else "input"
        return {
            f"{self.name}_{member}": (other if member == "ready" else self.direction, width)
            for member, width in self.members.items()
        }

    def turned(self, word: int) -> int:
        """The payload of a word whose bit 0 is its first bit, or the word of a payload."""
        return bitstring.reverse(word, self.width) if self.top_first else word

    def payload(self, string: int, number: int) -> int:
        """The payload of word ``number`` of a bit string whose bit 0 is its first bit."""
        return self.turned(self.window(string, number))

    def window(self, string: int, number: int) -> int:
        """Word ``number`` of a bit string, its first bit as bit 0."""
        return string >> self.width * number & (1 << self.width) - 1

    def marked(self, string: int, number: int, unit: int) -> int:
        """The marks of word ``number``: each is the first of the ``unit`` bits that it marks."""
        word, count = self.window(string, number), self.width // unit
        marks = sum((word >> unit * place & 1) << place for place in range(count))
        return bitstring.reverse(marks, count) if self.top_first else marks
