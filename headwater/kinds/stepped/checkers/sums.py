# SPDX-License-Identifier: Apache-2.0
"""What was added a cycle ahead is what the present state gives."""

from __future__ import annotations

from amaranth.hdl import Const, Module, Value

from headwater.kinds.stepped.checkers.phases import phases
from headwater.kinds.stepped.core import SteppedCore
from headwater.kinds.stepped.transformations.sums_ahead import SumsAhead
from headwater.prove.checker import Proof, assert_always


def check_sums(m: Module, core: SteppedCore, proof: Proof) -> None:
    """From the end of the load on the registers of sums are beside the state what they stand
    for."""
    assert_always(m, proof, [sums_are_right(core)], given=phases(core))


def sums_are_right(core: SteppedCore) -> Value:
    """An invariant of the parts of sums that are made a cycle ahead, proven by ``sums``."""
    ahead = core.transformed(SumsAhead)
    return ahead.are_right(core) if ahead else Const(1, 1)
