# SPDX-License-Identifier: Apache-2.0
"""A copy of `loading` for a register of the state of which it drives many gates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amaranth.hdl import Module, Signal, Value

from headwater.kinds.stepped.transformations.transformation import Transformation

if TYPE_CHECKING:
    from headwater.kinds.stepped.core import SteppedCore


class LoadingCopy(Transformation):
    """The register ``name`` of the state is loaded by a flag of its own. That is made from itself,
    so that no synthesis takes both for one."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.copy = Signal(init=1, name="loading_copy")
        self.flags = (self.copy,)

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        return {"loading_copy": "as loading, which alone would drive too many gates"}

    def count(self, m: Module, core: SteppedCore) -> None:
        """One until the last load word is taken."""
        m.d.sync += self.copy.eq(self.copy & ~core.last_word)

    def invariant(self, core: SteppedCore) -> Value:
        """The copy is what it is a copy of."""
        return self.copy == core.loading
