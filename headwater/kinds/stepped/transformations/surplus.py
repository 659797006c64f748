# SPDX-License-Identifier: Apache-2.0
"""Output that waits for a cycle, where the radix does not divide the steps of the setup.

The last blank cycle makes the first steps that are not blank as well. Their output is kept: a word
has the last bits of the cycle before, then the first bits of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amaranth.hdl import Cat, Module, Signal, Value

from headwater.kinds.stepped.transformations.transformation import Transformation

if TYPE_CHECKING:
    from headwater.kinds.stepped.core import SteppedCore


class Surplus(Transformation):
    """So many bits of output wait for a cycle. With ``kept`` a reset leaves them as they are."""

    def __init__(self, bits: int, *, kept: bool) -> None:
        self.register = Signal(bits, name="surplus", reset_less=kept)
        self.secrets = (self.register,)

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        return {"surplus": "the last output bits of the cycle before, with which a word begins"}

    def output(self, m: Module, core: SteppedCore, word: Value) -> Value:
        """The bits that were kept, then the first ones of the cycle."""
        fresh = len(word) - len(self.register)
        behind = word[fresh:]
        if core.cipher.gives_ones:
            behind &= (~core.loading).replicate(len(behind))
        with m.If(core.enable):
            m.d.sync += self.register.eq(behind)
        core.session.clear_at_once(m, (self.register,))
        return Cat(self.register, word[:fresh])
