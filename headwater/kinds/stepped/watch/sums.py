# SPDX-License-Identifier: Apache-2.0
"""What was added a cycle ahead is what the present state gives."""

from __future__ import annotations

from functools import reduce
from operator import and_

from amaranth.hdl import Const, Module, Value

from headwater.kinds.stepped.core import SteppedCore
from headwater.kinds.stepped.watch.phases import phases
from headwater.prove.watcher import Watcher, promise


def watch_sums(m: Module, core: SteppedCore, watcher: Watcher) -> None:
    """From the end of the load on the registers of sums are beside the state what they stand
    for."""
    promise(m, watcher, [sums_are_right(core)], given=phases(core))


def sums_are_right(core: SteppedCore) -> Value:
    """An invariant of the parts of sums that are made a cycle ahead, proven by ``sums``."""
    if core.sums_ahead is None:
        return Const(1, 1)
    meant = core.sums_ahead.present(core.state)
    right = (core.sums_ahead.registers[place] == value for place, value in meant.items())
    return core.loading | reduce(and_, right)
