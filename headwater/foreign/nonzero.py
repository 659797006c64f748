# SPDX-License-Identifier: Apache-2.0
"""Registers of a description that are never zero, as the cells of a sum modulo a prime: a core may
do as it likes where they are."""

from __future__ import annotations

from functools import lru_cache

from amaranth.back import rtlil
from amaranth.hdl import Assert, Assume, Const, Module, Signal

from headwater.flow.folders import private_folder
from headwater.flow.sat import Check, Verdict, answers
from headwater.kinds.stepped.runs import RunCipher
from headwater.kinds.stepped.unrolling import unroll


@lru_cache(maxsize=8)
def never_zero(cipher: RunCipher, time_limit_s: float) -> tuple[str, ...]:
    """The registers of which no running step makes one zero, from any state in which none of them
    is.

    Raises
    ------
    ToolError
        If the solver comes to no answer; `TookTooLongError` if it takes longer than the limit.
    """
    names = tuple(one.name for one in cipher.registers if one.length > 1 and not one.setup_only)
    while names:
        checks = [Check(_checker(cipher, names, name), 1) for name in names]
        with private_folder() as folder:
            said = answers(checks, folder, time_limit_s)
        kept = tuple(
            name for name, one in zip(names, said, strict=True) if one.verdict is Verdict.HOLDS
        )
        if kept == names:
            break
        names = kept
    return names


def _checker(cipher: RunCipher, names: tuple[str, ...], asked: str) -> str:
    """A step from a state in which some registers are not zero, after which one is not."""
    m = Module()
    state = {one.name: Signal(one.length, name=f"state_{one.name}") for one in cipher.registers}
    m.d.comb += [Assume(state[name].any()) for name in names]
    unrolled = unroll(m, cipher, state, radix=1, controls=lambda _name, _step: Const(0, 1))
    m.d.comb += Assert(unrolled.after(1)[asked].any())
    return rtlil.convert(m, name="checker", ports=[*state.values()], emit_src=False)
