# SPDX-License-Identifier: Apache-2.0
"""Steps of a cipher as combinational logic: what is asked for, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from amaranth.hdl import Cat, Const, Value

Controls = Callable[[str, int], Value]
"""Value of a control at a position of the unrolled steps."""


@dataclass(frozen=True)
class Unrolled:
    """Steps of a cipher as combinational logic."""

    outputs: Sequence[Value]
    """The output of each evaluation. The first begins ``ahead`` steps after the present state."""
    after: Callable[[int], Mapping[str, Value]]
    """Each register after n steps, for n up to the number of steps unrolled."""
    entered: Callable[[int], Mapping[str, Value]] | None = None
    """Each register after n steps of a load that has its own steps."""
    newest_first: bool = False
    """Whether the newest output is at the lowest bits of a word of output."""

    @property
    def output(self) -> Value:
        """All outputs as one word."""
        return Cat(*(reversed(self.outputs) if self.newest_first else self.outputs))


def no_controls(_name: str, _position: int) -> Value:
    """All controls zero: the running cipher."""
    return Const(0, 1)
