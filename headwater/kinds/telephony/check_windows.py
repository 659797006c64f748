# SPDX-License-Identifier: Apache-2.0
"""Checker for the core of a tag of windows behind the first one."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import xor

from amaranth.hdl import Assert, Assume, Cat, Module, Mux, Signal, Value

from headwater.kinds.telephony.windows_behind_core import WindowsBehindCore
from headwater.prove.checker import Proof, aborting, becomes


def check_windows(
    reachable: Callable[[WindowsBehindCore], Value], m: Module, core: WindowsBehindCore, _: Proof
) -> None:
    """The first words of the keystream fill sum and window, in their order; a data word adds the
    windows of its ones and of its end; the tag is the sum, from the top. Proven for at most one
    window, as all are added alike."""
    m.d.comb += Assume(reachable(core))
    bits, data, word = core.bits, core.data_in, core.word
    keep = data.keep
    ones, end = keep & data.payload, Signal(32, name="end")
    m.d.comb += end.eq(Cat(*(~keep[place] & keep[place + 1] for place in range(31))))
    message = Signal(32, name="windows")
    m.d.comb += message.eq(ones | end)
    m.d.comb += Assume((message & (message - 1)[:32]) == 0)
    m.d.comb += Assume((~keep & (~keep + 1)[:32]) == 0)
    stays = core.running & ~aborting(core)
    takes, taken = data.valid & data.ready, core.tag.valid & core.tag.ready
    line, sums = Cat(word, core.older), Cat(core.older, core.sum)
    windows = (line[place + 1 :][:bits] & message[place].replicate(bits) for place in range(32))
    shifted = sums[bits - 32 : 2 * bits - 32]
    for when, value in (
        (stays & ~core.primed, shifted),
        (stays & taken, shifted),
        (stays & takes, core.sum ^ reduce(xor, windows)),
    ):
        becomes(m, when, core.sum, value)
    moves = ~core.primed | taken | (takes & keep[31])
    becomes(m, stays, core.older, Mux(moves, line[:bits], core.older))
    becomes(m, stays, core.primed, core.primed | core.place.all())
    becomes(m, stays, core.sending, core.sending | (takes & data.last))
    becomes(m, stays, core.place, (core.place + (~core.primed | taken))[: len(core.place)])
    left = core.older[bits - 32 :]
    m.d.comb += [
        Assert(data.ready == (core.primed & ~core.sending)),
        Assert(core.data_fire == takes),
        Assert(core.tag.valid == core.sending),
        Assert(
            ~core.tag.valid
            | (core.tag.payload == core.sum[bits - 32 :] ^ Mux(core.one_left, left, 0))
        ),
    ]
    becomes(m, stays & takes & data.last, core.one_left, keep.all() | ~keep.any())
    becomes(m, stays & core.sending, core.one_left, core.one_left)
