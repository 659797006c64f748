# SPDX-License-Identifier: Apache-2.0
"""A message machine as an integrity mode of a mobile network: COUNT, FRESH and DIRECTION with each
message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

from headwater.cipher.option import Option
from headwater.errors import InputError
from headwater.kinds.message.description import MessageCipher

COUNT_BITS, FRESH_BITS = 32, 32


@dataclass(frozen=True, kw_only=True)
class MessageIntegrity(MessageCipher):
    """Makes a tag for a message of any length in bits. The first bit of a message is the most
    significant bit of its first word. The nonce of the machine is formed of the IV."""

    key_bits: int = 128
    iv_bits: tuple[int, ...] = (COUNT_BITS + FRESH_BITS + 1,)
    bit_order: Literal["lsb_first", "msb_first"] = "msb_first"
    first_bit_on_top: bool = True
    unit: Literal["byte", "bit"] = "bit"
    formed_bits: int
    """Bits of the nonce."""
    form_iv: Callable[[int, int, int], bytes]
    """``form_iv(count, fresh, direction)`` is the nonce that the machine takes."""
    iv_rule: str
    """The same in prose."""

    service = "3gpp-mac"
    turns_key: ClassVar[bool] = False
    """No: the key enters as it is given."""

    @property
    def call_fields(self) -> tuple[tuple[str, int], ...]:
        """The fields COUNT, FRESH and DIRECTION with their lengths in bits."""
        return ("count", COUNT_BITS), ("fresh", FRESH_BITS), ("direction", 1)

    @property
    def load_rule(self) -> str:
        """How the nonce of the machine follows from the IV."""
        return f"The nonce is formed of the message's: {self.iv_rule}"

    @property
    def nonce_bits(self) -> int:
        """Bits of the nonce that a load has."""
        return self.formed_bits

    @property
    def parameters(self) -> tuple[Option, ...]:
        """None: lengths are in bits."""
        return ()

    def loaded(self, key: bytes, nonce: bytes) -> tuple[bytes, bytes]:
        """Key and nonce as a load has them, from key and IV."""
        self.input_bits(key, nonce)
        string = int.from_bytes(nonce, "big") >> -self.iv_bits[-1] % 8
        direction, fresh = string & 1, string >> 1 & (1 << FRESH_BITS) - 1
        return key, self.form_iv(string >> 1 + FRESH_BITS, fresh, direction)

    def check_functions(self) -> None:
        """Refuse an IV of other fields."""
        wanted = (sum(bits for _, bits in self.call_fields),)
        if self.iv_bits != wanted:
            raise InputError(f"iv_bits of {self.name} must be {wanted}, not {self.iv_bits!r}")
        super().check_functions()
