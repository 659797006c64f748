# SPDX-License-Identifier: Apache-2.0
"""A cipher whose seed is its whole state: the load places every bit of it, and no setup follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from headwater.cipher.description import Cipher
from headwater.cipher.register import Register
from headwater.errors import InputError
from headwater.kinds.stepped.beginning import whole_state
from headwater.kinds.stepped.description import Placed
from headwater.kinds.stepped.shift_register import WIDEST_RADIX, ShiftRegisterCipher


@dataclass(frozen=True)
class WholeLoad:
    """The content of registers from a string of their bits: those of one register behind those of
    another, of each the oldest stage first, so that the string moves in as the registers move."""

    registers: tuple[Register, ...]
    """In the order of the string."""

    def __call__(self, state: Sequence[Any], _iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
        """Each register's content, in ascending stage number."""
        content, first = {}, 0
        for register in self.registers:
            part = state[first : first + register.length]
            # Turned round twice, a content is what it was.
            content[register.name] = register.oldest_first(part)
            first += register.length
        return content

    def __str__(self) -> str:
        return "the whole state: stages " + ", then ".join(
            f"{one.oldest} to {one.newest} of {one.name}" for one in self.registers
        )


@dataclass(frozen=True, kw_only=True)
class WholeSeeded(ShiftRegisterCipher):
    """A cipher whose key is its whole state, and that runs when this is loaded."""

    plain: ShiftRegisterCipher
    """The cipher as it is described."""

    def legal_radices(self) -> tuple[int, ...]:
        """Every radix up to the number of state bits."""
        return tuple(range(1, self.state_bits + 1))

    @property
    def further_radices(self) -> range:
        """Every radix up to `WIDEST_RADIX`."""
        return range(self.state_bits + 1, WIDEST_RADIX + 1)

    @cached_property
    def digest(self) -> str:
        """That of the cipher as it is described."""
        return self.plain.digest

    def string_of(self, state: bytes) -> list[int]:
        """The bits of a state (`headwater.cipher.whole_state`) as they are loaded, the first one
        first."""
        places = whole_state(self.plain)
        assert places is not None
        assert isinstance(self.load.content, WholeLoad)
        contents = places.contents(state)
        return [
            contents[register.name] >> place & 1
            for register in self.load.content.registers
            for place in range(register.length)
        ]


def seeded_by_state(cipher: Cipher) -> WholeSeeded:
    """A cipher with its whole state in place of key and IV, and without a setup. The register that
    enters last is the first of the description where its stages ascend from the newest one, else
    the last one: so a state is loaded in the order of its stages, or in the reverse one."""
    if not isinstance(cipher, ShiftRegisterCipher):
        raise InputError(
            f"cipher of a source that is seeded by its whole state must be one into which key and "
            f"IV are placed; those of {cipher.name} go through its steps"
        )
    first, *_ = cipher.registers
    registers = cipher.registers[::-1] if first.newest < first.oldest else cipher.registers
    load = WholeLoad(registers)
    return WholeSeeded(
        name=cipher.name,
        title=f"{cipher.title}, seeded by its whole state",
        source=cipher.source,
        security=cipher.security,
        bit_order=cipher.bit_order,
        convention=cipher.convention,
        registers=cipher.registers,
        step=cipher.step,
        lut_sums=cipher.lut_sums,
        form_on_fpga=cipher.form_on_fpga,
        key_bits=cipher.state_bits,
        iv_bits=(0,),
        load=Placed(load),
        lane_names=str(load),
        plain=cipher,
        # Phases without steps: their controls, which a step takes, are always zero.
        phases=tuple(replace(phase, steps=0) for phase in cipher.phases),
    )
