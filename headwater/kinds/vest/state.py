# SPDX-License-Identifier: Apache-2.0
"""The registers of one VEST state, and what moves them."""

from __future__ import annotations

from typing import Any

from amaranth.hdl import Module, Mux, Signal, Value

from headwater.cipher.vest import State, after_round, output
from headwater.cipher.vest_tables import Tables
from headwater.core.naming import Naming


class VestRegisters:
    """One state as registers, which the load of a key zeroes, and a copy of the state after the
    setup with a key if this is ``keyed``. ``suffix`` is appended to the names of signals; ``kept``
    and ``copy_kept`` tell whether ``rst`` leaves the registers and their copy as they are."""

    def __init__(
        self, tables: Tables, suffix: str, *, kept: bool, keyed: bool, copy_kept: bool
    ) -> None:
        self._tables = tables
        self._suffix = suffix
        self.state = self._named("", reset_less=kept)
        self.keyed = self._named("_keyed", reset_less=copy_kept) if keyed else None

    def _named(self, suffix: str, *, reset_less: bool) -> State:
        suffix += self._suffix

        def signal(width: int, name: str) -> Signal:
            return Signal(width, name=f"{name}{suffix}", reset_less=reset_less)

        tables = self._tables
        return State(
            tuple(signal(kind.width, f"c{place}") for place, kind in enumerate(tables.counters)),
            signal(len(tables.diffuser), "d"),
            signal(tables.core_bits, "p"),
        )

    @property
    def all(self) -> tuple[Signal, ...]:
        """Every register."""
        return flat(self.state) + (flat(self.keyed) if self.keyed else ())

    def output(self, m: Module) -> Signal:
        """The output word of the state."""
        return Naming(m, self._suffix)(output(self._tables, self.state.core), "z")

    def connect(
        self, m: Module, *, entering: Value, seal: Value, zero: Value, moves: Value, restores: Value
    ) -> None:
        """Move the registers: to zero, or to the copy if it ``restores``, while ``zero`` holds;
        else by a round if one is made (`after_round`)."""
        wire = Naming(m, self._suffix)
        after = after_round(wire, self._tables, self.state, entering, seal)
        copies = flat(self.keyed) if self.keyed else (None,) * len(flat(self.state))
        for register, value, copy in zip(flat(self.state), flat(after), copies, strict=True):
            with m.If(zero):
                m.d.sync += register.eq(0 if copy is None else Mux(restores, copy, 0))
            with m.Elif(moves):
                m.d.sync += register.eq(value)

    def keep(self, m: Module, when: Value) -> None:
        """Copy the state when ``when`` holds."""
        assert self.keyed is not None
        with m.If(when):
            for copy, register in zip(flat(self.keyed), flat(self.state), strict=True):
                m.d.sync += copy.eq(register)


def flat(state: State) -> tuple[Any, ...]:
    """All parts of a state."""
    return (*state.counters, state.diffuser, state.core)
