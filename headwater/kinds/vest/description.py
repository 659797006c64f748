# SPDX-License-Identifier: Apache-2.0
"""The VEST family: ciphers of one size, with or without a MAC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from headwater.cipher.description import Cipher
from headwater.cipher.option import DIRECTION, KEY_BITS_ADVICE, Option
from headwater.cipher.vest_tables import Tables, tables
from headwater.errors import InputError, describe_lengths, unknown

_LENGTHS = tuple(range(8, 513, 8))
"""Lengths of keys in bits: the cipher takes any number of bytes, and these are offered."""

_IV_BITS = 64
"""Length of the IV that figures are for, if none is chosen."""


@dataclass(frozen=True, kw_only=True)
class VestCipher(Cipher):
    """VEST of one size."""

    kind: ClassVar[str] = "vest"

    size: int
    """Bits of keystream per round."""

    @property
    def tables(self) -> Tables:
        """The tables of its root family."""
        return tables(self.size)

    @property
    def parameters(self) -> tuple[Option, ...]:
        """The length of the key; the default is this cipher's own."""
        values = tuple(map(str, dict.fromkeys((self.key_bits, *_LENGTHS))))
        return (
            Option(
                "key_bits",
                values,
                "length of the key; where a key is given, it is the key's",
                KEY_BITS_ADVICE,
            ),
        )

    def with_parameters(self, values: Mapping[str, str]) -> VestCipher:
        """The cipher with keys of this length; other names are ignored."""
        (option,) = self.parameters
        chosen = values.get(option.name, option.default)
        if chosen not in option.values:
            raise unknown(f"option {option.name}", chosen, option.values)
        return self.for_key(int(chosen))

    def for_key(self, bits: int) -> VestCipher:
        """The cipher that takes keys of this length."""
        if bits not in _LENGTHS:
            raise InputError(
                f"key of {self.name} must be {describe_lengths(_LENGTHS)}, not {bits} bits"
            )
        return self if bits == self.key_bits else replace(self, key_bits=bits)

    def sheet(self) -> dict[str, Any]:
        """The parts of a state."""
        tables = self.tables
        counters = sum(kind.width for kind in tables.counters)
        return {
            "registers": {
                "counters": {"length": counters, "registers": len(tables.counters)},
                "diffuser": {"length": len(tables.diffuser)},
                "core": {"length": tables.core_bits, "functions": len(tables.rows)},
            },
        }

    @property
    def options(self) -> tuple[Option, ...]:
        """Whether a new IV needs the key again, and the IV length that figures are given for."""
        lengths = tuple(map(str, dict.fromkeys((_IV_BITS, *self.iv_bits))))
        return (
            *super().options,
            Option(
                "keyed_state",
                ("dropped", "kept"),
                "dropped: the state after a key's setup is not kept; kept: the state after a key's "
                "setup stays in registers of its own, so that a new IV can be loaded without the "
                "key",
                "kept costs as many registers again as the state has. Choose it where one key "
                "serves many short messages.",
            ),
            Option(
                "iv_bits",
                lengths,
                "length of the IV that setup cycles and energy are given for; the core takes all",
                "A longer IV takes more cycles of setup, and changes no circuit.",
            ),
        )

    @property
    def state_bits(self) -> int:
        """Flip-flops that the running cipher itself needs."""
        counters = sum(kind.width for kind in self.tables.counters)
        return counters + len(self.tables.diffuser) + self.tables.core_bits

    def legal_radices(self) -> tuple[int, ...]:
        """One round per cycle: every function reads bits of the round before."""
        return (self.size,)

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:  # noqa: ARG002
        """A byte: a round takes in one."""
        return (8,)


@dataclass(frozen=True, kw_only=True)
class VestAead(VestCipher):
    """VEST with a second state that makes a MAC of associated data and text."""

    takes_associated_data: bool = True
    text_unit = 8
    service = "aead"
    tag_lengths = tuple(range(8, 513, 8))
    """Multiples of 8 bits, up to 512: the tag is keystream of the second state."""

    default_tag_bits = 128

    @property
    def state_bits(self) -> int:
        """Flip-flops of both states."""
        return 2 * super().state_bits

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of the cipher without MAC, and the directions of a message."""
        return (*super().options, DIRECTION)

    def legal_radices(self) -> tuple[int, ...]:
        """Message bits per cycle: a round of the MAC takes a byte, one of the cipher gives
        ``size``."""
        return (min(8, self.size),)
