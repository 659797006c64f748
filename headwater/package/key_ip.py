# SPDX-License-Identifier: Apache-2.0
"""What is delivered: a core on AXI4-Stream whose key and IV are written into registers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.interface.axi4stream import Wrapped
from headwater.interface.identity import identity_of
from headwater.interface.load_probing import load_table
from headwater.interface.load_table import BLOCK
from headwater.interface.registers import Register


@dataclass(frozen=True)
class KeyIp:
    """A core on AXI4-Stream whose key and IV are written into registers.

    Members
    -------
    cipher : Cipher
    architecture : Architecture
    name : str
        The core's module, with whose name every name of the package begins.
    wrapped : Wrapped
    """

    cipher: Cipher
    architecture: Architecture
    name: str
    wrapped: Wrapped

    @property
    def top(self) -> str:
        """The module on top."""
        return self.wrapped.top

    @property
    def registers(self) -> Sequence[Register]:
        """The registers."""
        return self.wrapped.registers

    @property
    def identity(self) -> Mapping[str, int]:
        """What the registers that tell one core from another hold."""
        return identity_of(self.cipher, self.architecture)

    @property
    def controls(self) -> dict[str, int]:
        """The bits of CONTROL by their names."""
        return {
            field.name: field.mask
            for register in self.registers
            if register.name == "CONTROL"
            for field in register.fields
        }

    @property
    def iv_lengths(self) -> tuple[int, ...]:
        """The lengths of the IV in bits that can be loaded: whole bytes, or the longest."""
        lengths = load_table(self.cipher, self.architecture).iv_bits
        whole = tuple(bits for bits in lengths if bits % 8 == 0)
        return whole if self.wrapped.any_length and whole else lengths[-1:]

    @property
    def block_bytes(self) -> int:
        """Bytes of the number of the first block behind the IV."""
        return self.wrapped.parts[BLOCK]
