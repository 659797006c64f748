# SPDX-License-Identifier: Apache-2.0
"""Mutants: cores that are changed so that they break a promise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from amaranth.hdl import Module, Value

from headwater.core.component import Core

Mutant = Callable[[type[Any], Any], Core | None]
"""``mutant(core_class, facts)`` is a broken core of this class; None if there is nothing to
break."""


def replaced(mixin: type) -> Mutant:
    """The core with the methods of ``mixin`` in place of its own."""
    return lambda core_class, facts: type(mixin.__name__, (mixin, core_class), {})(facts)


def with_part(name: str, part: type) -> Mutant:
    """The core that makes a part of it from another class, which it has as its ``name``."""
    return replaced(type(part.__name__, (), {name: part}))


def added(fault: Callable[[Module, Any], None]) -> Mutant:
    """The core with ``fault(m, core)`` called last: its statements override the core's own."""

    class Faulty(Core):
        def elaborate(self, platform: object) -> Any:
            m = super().elaborate(platform)
            fault(m, self)
            return m

    return replaced(Faulty)


def bare_bit(m: Module, core: Any) -> None:
    """Bit 0 of each word of text leaves as it has entered."""
    with m.If(core.data_out.valid):
        m.d.comb += core.data_out.payload[0].eq(core.data_in.payload[0])


def stained(bit: Callable[[Any], Value]) -> Mutant:
    """The core with a bit that, once one, never becomes zero again."""

    def fault(m: Module, core: Any) -> None:
        with m.If(bit(core)):
            m.d.sync += bit(core).eq(1)

    return added(fault)


def other_cipher(change: Callable[[Any], Any]) -> Mutant:
    """The core of a slightly different cipher: ``change(facts)``, if that is not None."""

    def made(core_class: type[Any], facts: Any) -> Core | None:
        changed = change(facts)
        return None if changed is None else core_class(replace(facts, cipher=changed))

    return made


def only(condition: Callable[[Any], bool], mutant: Mutant) -> Mutant:
    """The mutant, for cores alone whose facts meet the condition."""
    return lambda core_class, facts: mutant(core_class, facts) if condition(facts) else None
