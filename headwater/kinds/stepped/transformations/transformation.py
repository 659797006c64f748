# SPDX-License-Identifier: Apache-2.0
"""What a core does otherwise than the plain one, and the way back.

The plain core has the registers of the description. A cycle makes its steps one behind the other.
A core is the plain one with its transformations applied in order. Each has the circuit that it
adds, and `undo`, which takes the registers that it leaves back to those that it found. So what a
core's registers mean is never written for a core: it is the composition of the `undo`s, backwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from amaranth.hdl import Const, Module, Signal, Value

if TYPE_CHECKING:
    from headwater.kinds.stepped.core import SteppedCore
    from headwater.kinds.stepped.unrolled import Unrolled

State = Mapping[str, Value]


class Transformation:
    """One transformation of a core. A method that a transformation leaves out changes nothing.

    Members
    -------
    secrets : tuple of Signal
        The registers that it adds and that hold bits of key, state or keystream.
    flags : tuple of Signal
        The registers that it adds to the control, which an abort resets.
    """

    secrets: tuple[Signal, ...] = ()
    flags: tuple[Signal, ...] = ()

    @property
    def notes(self) -> Mapping[str, str]:
        """Comments for the Verilog, by signal name."""
        return {}

    def steps(self, m: Module, core: SteppedCore) -> Unrolled | None:  # noqa: ARG002
        """The steps of a cycle, where it makes them."""
        return None

    def output(self, m: Module, core: SteppedCore, word: Value) -> Value:  # noqa: ARG002
        """The output word of a cycle, of the bits that its steps give."""
        return word

    def count(self, m: Module, core: SteppedCore) -> None:
        """Go on with a load word or a cycle. Called under the condition that the count does."""

    def move(self, m: Module, core: SteppedCore) -> None:
        """Move the registers that it adds as the state moves."""

    def take(self, m: Module, core: SteppedCore, register: Signal) -> None:
        """What a register of the state takes otherwise than from a step. Called after that, under
        the condition that the state moves."""

    def in_flip_flops(
        self,
        m: Module,  # noqa: ARG002
        name: str,  # noqa: ARG002
        register: Value,
        value: Value,
    ) -> tuple[Value, Value]:
        """What of a register of the state flip-flops hold, and what that becomes, of the whole
        register and of the whole ``value`` that it takes."""
        return register, value

    def empty(self, m: Module, core: SteppedCore, register: Signal) -> bool:  # noqa: ARG002
        """Make a register of the state zero, where the session must not; whether it does so."""
        return False

    def undo(self, m: Module, core: SteppedCore, state: State) -> State:  # noqa: ARG002
        """The registers that it found, of those that it leaves."""
        return state

    def invariant(self, core: SteppedCore) -> Value:  # noqa: ARG002
        """What relates the registers that it adds to the others, in every reachable state."""
        return Const(1, 1)
