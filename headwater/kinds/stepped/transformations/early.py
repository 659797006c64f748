# SPDX-License-Identifier: Apache-2.0
"""Steps that are decided in the cycle before they are made.

The registers are one step late. What the next clock does with them was found from their next
content and is held in a few bits, so that the path is as long as deciding or moving, not both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from amaranth.hdl import Cat, Module, Mux, Signal, Value

from headwater.algebra.polynomial import Variable
from headwater.core.function import FunctionNaming
from headwater.core.naming import named
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.transformations.early_masks import EarlyMasks
from headwater.kinds.stepped.transformations.transformation import State, Transformation
from headwater.kinds.stepped.unrolled import Unrolled

if TYPE_CHECKING:
    from headwater.kinds.stepped.core import SteppedCore


class Early(Transformation):
    """The circuit of one step a cycle, decided early. With ``kept`` a reset leaves what is decided
    as it is.

    Members
    -------
    following : dict of str to Value
        The registers in the description's form: what they hold in the next cycle.
    masked : dict of str to Signal
        Controls that are zero until the load has begun.
    """

    def __init__(self, cipher: ClockedCipher, *, kept: bool) -> None:
        self._cipher = cipher
        self.emptied = Signal(init=1, name="emptied")
        """Whether the core was idle in the cycle before: the load then begins from zeros."""
        self.decided: dict[str, Signal] = {
            name: Signal(name=name, reset_less=kept) for name in cipher.early.names
        }
        self.following: dict[str, Value] = {}
        self.secrets, self.flags = tuple(self.decided.values()), (self.emptied,)
        self._masks = EarlyMasks.of(cipher)
        self.masked = {name: Signal(name=f"{name}_begun") for name in sorted(self._masks.controls)}

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        return {
            "emptied": "the core was idle in the cycle before, and the load begins from zeros",
            **{
                signal.name: f"{name}, from the second step on"
                for name, signal in self.masked.items()
            },
        }

    def empty(self, m: Module, core: SteppedCore, register: Signal) -> bool:  # noqa: ARG002
        """An idle core moves in every cycle. Beside the enable this needs not wait for it."""
        with m.If(self.emptied):
            m.d.sync += register.eq(0)
        return True

    def undo(self, m: Module, core: SteppedCore, state: State) -> State:  # noqa: ARG002
        """What the registers hold in the next cycle, told by the registers as the core has them:
        no transformation with an `undo` may come behind."""
        return self.following

    def invariant(self, core: SteppedCore) -> Value:
        """What was idle in the cycle before is in the load."""
        return ~self.emptied | core.loading

    def steps(self, m: Module, core: SteppedCore) -> Unrolled:
        """The output of the registers as they are, and the registers after the step that was
        decided. The next step is decided here too, when the registers move. The load begins with
        its first word; until then the registers must be emptied."""
        operands = core.operands
        early, constants = self._cipher.early, self._cipher.constants
        words = [core.state[register.name] for register in self._cipher.registers]
        known = {name: operands[name] for name in constants}
        inputs = {name: value for name, value in operands.items() if name not in constants}
        after = early.move(FunctionNaming(m), *words, **self.decided, **known)
        moved = {name: named(m, f"{name}_moved", value) for name, value in after.items()}
        self.following = {name: Mux(self.emptied, 0, value) for name, value in moved.items()}
        m.d.comb += [
            signal.eq(inputs[name] & ~self.emptied) for name, signal in self.masked.items()
        ]
        following = _gated(moved, lambda bit: bit not in self._masks.without, self.emptied)
        next_words = [following[register.name] for register in self._cipher.registers]
        decided = early.decide(FunctionNaming(m, "_next"), *next_words, **inputs | self.masked)
        with m.If(core.count_enable):
            m.d.sync += self.emptied.eq(0)
        with m.If(core.enable):
            m.d.sync += [self.decided[name].eq(value) for name, value in decided.items()]
        output = early.output(FunctionNaming(m), *words)
        entering = _gated(moved, lambda bit: bit in self._masks.before, self.emptied)
        return Unrolled((output,), lambda _steps: entering)


def _gated(
    words: Mapping[str, Value], gate: Callable[[Variable], bool], emptied: Value
) -> dict[str, Value]:
    """The words, with those bits zero while the registers are ``emptied`` that have a gate."""
    return {
        name: Cat(bit & ~emptied if gate((name, place)) else bit for place, bit in enumerate(word))
        for name, word in words.items()
    }
