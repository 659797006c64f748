# SPDX-License-Identifier: Apache-2.0
"""Steps that are decided in the cycle before they are made.

The registers are one step late. What the next clock does with them was found from their next
content and is held in a few bits, so that the path is as long as deciding or moving, not both.
"""

from __future__ import annotations

from collections.abc import Mapping

from amaranth.hdl import Module, Mux, Signal, Value

from headwater.core.function import FunctionNaming
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.unrolled import Unrolled


class EarlySteps:
    """The circuit of one step a cycle, decided early. With ``kept`` a reset leaves what is decided
    as it is.

    Members
    -------
    following : dict of str to Signal
        The registers in the description's form: what they hold in the next cycle.
    """

    def __init__(self, cipher: ClockedCipher, *, kept: bool) -> None:
        self._cipher = cipher
        self.emptied = Signal(init=1, name="emptied")
        """Whether the core was idle in the cycle before: the load then begins from zeros."""
        self.decided: dict[str, Signal] = {
            name: Signal(name=name, reset_less=kept) for name in cipher.early.names
        }
        self.following: dict[str, Value] = {}

    def unroll(
        self,
        m: Module,
        state: Mapping[str, Value],
        operands: Mapping[str, Value],
        *,
        enable: Value,
        begun: Value,
    ) -> Unrolled:
        """The output of the registers as they are, and the registers after the step that was
        decided. The next step is decided here too, when the registers move. The load has ``begun``
        with its first word; until then the registers must be emptied."""
        early, constants = self._cipher.early, self._cipher.constants
        words = [state[register.name] for register in self._cipher.registers]
        known = {name: operands[name] for name in constants}
        given = {name: value for name, value in operands.items() if name not in constants}
        moved = early.move(FunctionNaming(m), *words, **self.decided, **known)
        self.following = {name: Mux(self.emptied, 0, value) for name, value in moved.items()}
        next_words = [self.following[register.name] for register in self._cipher.registers]
        decided = early.decide(FunctionNaming(m, "_next"), *next_words, **given)
        with m.If(begun):
            m.d.sync += self.emptied.eq(0)
        with m.If(enable):
            m.d.sync += [self.decided[name].eq(value) for name, value in decided.items()]
        output = early.output(FunctionNaming(m), *words)
        return Unrolled((output,), lambda _steps: moved)
