# SPDX-License-Identifier: Apache-2.0
"""The registers of one VEST state, and what moves them."""

from __future__ import annotations

from typing import Any

from amaranth.hdl import Module, Mux, Signal, Value

from headwater.cipher.vest import State, after_round, output
from headwater.cipher.vest_tables import Tables
from headwater.core.naming import Naming


class VestRegisters:
    """One state as registers, which the load of a key zeroes.

    Parameters
    ----------
    tables
        The tables of the cipher's size.
    suffix
        Appended to the names of its signals.
    kept
        Whether ``rst`` leaves the registers as they are; a load zeroes them in any case.
    keyed
        Whether the state after the setup with a key is kept in a copy.

    Members
    -------
    state, keyed : State
        The registers, and the copy.
    """

    def __init__(self, tables: Tables, suffix: str, *, kept: bool, keyed: bool) -> None:
        self._tables = tables
        self._suffix = suffix
        self.state = self._named("", reset_less=kept)
        self.keyed = self._named("_keyed", reset_less=kept) if keyed else None

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
        """Move the registers.

        Parameters
        ----------
        entering, seal
            See `after_round`.
        zero
            Whether the state becomes zero, or the copy if ``restores``.
        moves
            Whether a round is made, unless ``zero``.
        restores
            Whether the copy replaces the zero state.
        """
        wire = Naming(m, self._suffix)
        made = after_round(wire, self._tables, self.state, entering, seal)
        copies = flat(self.keyed) if self.keyed else (None,) * len(flat(self.state))
        for register, value, copy in zip(flat(self.state), flat(made), copies, strict=True):
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
