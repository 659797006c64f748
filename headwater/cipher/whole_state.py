# SPDX-License-Identifier: Apache-2.0
"""The whole state of a cipher as bytes, with which a keystream can begin in place of key and IV.

A state has the registers in the order of the description, of each its stages in ascending number,
and no padding between registers. Its bits become bytes by the cipher's `bit_order`; bits that are
left of the last byte are zero. Registers that serve the setup alone are no part of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

from headwater.algebra import bitstring
from headwater.cipher.description import Cipher
from headwater.cipher.register import Register
from headwater.errors import InputError, describe_lengths

STATE_ORDER = (
    "registers in the order in which `show` prints them, of each its stages in ascending number, "
    "no padding between them, packed into bytes by the cipher's bit order"
)
"""The order of the bits of a state in words."""


@dataclass(frozen=True)
class StatePart:
    """A register of the state."""

    register: Register
    turned: bool
    """Whether the lowest stage is the highest bit of the register's number, not bit 0."""

    @property
    def name(self) -> str:
        """The name of the register."""
        return self.register.name

    @property
    def length(self) -> int:
        """The number of its stages."""
        return self.register.length

    def in_order(self, value: int) -> int:
        """The register's number as a string of stages, the lowest one in bit 0; or back."""
        return bitstring.reverse(value, self.length) if self.turned else value

    def __str__(self) -> str:
        ends = self.register.newest, self.register.oldest
        return f"{self.name} {min(ends)}..{max(ends)}"


@dataclass(frozen=True)
class WholeState:
    """Which bit of a state is where: the registers of a cipher in order."""

    cipher: Cipher
    parts: tuple[StatePart, ...]

    @property
    def bits(self) -> int:
        """The length of a state."""
        return sum(part.length for part in self.parts)

    @property
    def places(self) -> list[int]:
        """The first bit of each register."""
        return [0, *accumulate(part.length for part in self.parts)][:-1]

    def __str__(self) -> str:
        parts = ", ".join(map(str, self.parts))
        return f"{self.bits} bits, packed {self.cipher.bit_order}: {parts}"

    def check(self, state: bytes) -> None:
        """Refuse a state of another length; no error shows it."""
        if len(state) != -(-self.bits // 8):
            raise InputError(
                f"state of {self.cipher.name} must be "
                f"{describe_lengths((self.bits,))}, "
                f"not {8 * len(state)} bits"
            )
        if bitstring.from_bytes(state, self.cipher.bit_order) >> self.bits:
            raise InputError(f"unused bits of the state of {self.cipher.name} must be zero")

    def contents(self, state: bytes) -> dict[str, int]:
        """What each register holds, as its number in the Verilog."""
        self.check(state)
        string = bitstring.from_bytes(state, self.cipher.bit_order)
        return {
            part.name: part.in_order(string >> place & (1 << part.length) - 1)
            for part, place in zip(self.parts, self.places, strict=True)
        }

    def packed(self, contents: Mapping[str, int]) -> bytes:
        """The state with these contents of its registers."""
        string = sum(
            part.in_order(contents[part.name]) << place
            for part, place in zip(self.parts, self.places, strict=True)
        )
        return bitstring.to_bytes(string, self.bits, self.cipher.bit_order)


@dataclass(frozen=True)
class StateVector:
    """One segment of the keystream from a whole state on, in a vector file."""

    name: str
    state: bytes
    offset: int
    """Number of the first keystream bit of the segment."""
    bits: int
    keystream: bytes
    """The expected keystream, packed in the cipher's bit order."""
