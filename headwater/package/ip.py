# SPDX-License-Identifier: Apache-2.0
"""What is delivered: a core behind an interface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from headwater.algebra import bitstring
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.facts import Facts
from headwater.interface.core_shape import CoreShape
from headwater.interface.port import Port, features
from headwater.interface.registers import Register, offered
from headwater.kinds.registry import facts_of

_INSTRUCTION_OF_ITS_OWN = ("DATA", "STATUS", "LOAD_FIRST", "LOAD_NEXT", "TAG_EXPECTED", "TEXT")


@dataclass(frozen=True)
class Ip:
    """A core behind an interface.

    Members
    -------
    cipher : Cipher
    architecture : Architecture
    core : CoreShape
    interface : str
        A name of `headwater.interface.INTERFACES`.
    port : Port
        How a processor reaches the core.
    top : str
        The module on top.
    """

    cipher: Cipher
    architecture: Architecture
    core: CoreShape
    interface: str
    port: Port
    top: str

    @property
    def name(self) -> str:
        """The name of the core, with which every name of the package begins."""
        return self.core.module

    @cached_property
    def facts(self) -> Facts:
        """What follows from cipher and architecture."""
        return facts_of(self.cipher, self.architecture)

    @property
    def gives_keystream(self) -> bool:
        """Whether the core gives keystream; else it takes a message."""
        return "keystream" in self.core.streams

    @property
    def tag_bytes(self) -> int:
        """Length of the tag that the driver uses: the longest; 0 where there are no tags."""
        return self.cipher.default_tag_bits // 8 if self.cipher.tag_lengths else 0

    @property
    def in_bits(self) -> bool:
        """Whether messages may end within a byte: a mode of mobile telephony."""
        return bool(self.cipher.call_fields)

    @property
    def registers(self) -> tuple[Register, ...]:
        """The registers of this core on this interface."""
        return offered(features(self.core, self.port))

    @property
    def by_number(self) -> list[Register]:
        """The registers that custom instructions reach by their number, with REGISTER. The others
        have instructions of their own."""
        return [one for one in self.registers if one.name not in _INSTRUCTION_OF_ITS_OWN]

    @property
    def identity(self) -> Mapping[str, int]:
        """What the registers that tell one core from another hold."""
        return self.core.identity

    @property
    def top_first(self) -> bool:
        """Whether the first bit of a word of text or tag is its highest. Load words may have the
        other order."""
        return self.core.outputs[0].top_first

    @property
    def turns_bytes(self) -> bool:
        """Whether the bits of a byte are in the opposite order in a word."""
        return (self.cipher.bit_order == "msb_first") != self.top_first

    def word(self, data: bytes) -> int:
        """Up to four bytes of a text as a word of the interface."""
        bits = bitstring.from_bytes(data, self.cipher.bit_order)
        return bitstring.reverse(bits, 32) if self.top_first else bits

    def words(self, data: bytes) -> list[int]:
        """Bytes as words of the interface."""
        return [self.word(data[place : place + 4]) for place in range(0, len(data), 4)]
