# SPDX-License-Identifier: Apache-2.0
"""A register in the stage numbers of its paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from headwater.errors import InputError


@dataclass(frozen=True)
class Register:
    """A register whose bits have the stage numbers of its paper. Exchanged ends are the commonest
    cause of a wrong keystream."""

    name: str
    """Its name in the step function, in the Verilog and in reports."""
    newest: int
    """Number of the stage where new bits enter."""
    oldest: int
    """Number of the stage where they leave."""
    setup_only: bool = False
    """Whether the register serves the setup alone and is no part of the running state, as a copy of
    the key is."""
    from_zero: bool = False
    """Whether such a register must be zero when a setup begins even so (`Injected` loads)."""

    @property
    def length(self) -> int:
        """Number of stages."""
        return abs(self.newest - self.oldest) + 1

    def position(self, stage: int) -> int:
        """Distance of a stage from the oldest one: its bit number in a shift register's integer
        and in its Verilog."""
        if not min(self.newest, self.oldest) <= stage <= max(self.newest, self.oldest):
            raise InputError(
                f"stage of register {self.name} must lie between {self.newest} and {self.oldest}, "
                f"not {stage!r}"
            )
        return abs(stage - self.oldest)

    def oldest_first(self, stages: Sequence[Any]) -> list[Any]:
        """Contents given in ascending stage number, put in order of bit number."""
        if len(stages) != self.length:
            raise InputError(
                f"register {self.name} must be loaded with {self.length} bits, not {len(stages)}"
            )
        return list(reversed(stages)) if self.newest < self.oldest else list(stages)
