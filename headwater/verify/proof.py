# SPDX-License-Identifier: Apache-2.0
"""Proves a core's promises, and shows for each that a core which breaks it is found out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from amaranth.back import rtlil
from amaranth.hdl import Module, Value

from headwater.cipher.description import Bits, ShiftRegisterCipher, Window
from headwater.core.architecture import Architecture
from headwater.core.facts import CoreFacts
from headwater.core.keystream import KeystreamCore
from headwater.core.unrolling import Unrolled
from headwater.flow import sat
from headwater.flow.process import private_folder
from headwater.verify.properties import PROPERTIES, Property, Watcher
from headwater.verify.record import Record


def prove(cipher: ShiftRegisterCipher, architecture: Architecture) -> list[Record]:
    """One record per promise that a core of this architecture makes.

    It fails if the promise does not hold, or if the mutant made to break it is not refuted: a
    proof that cannot fail proves nothing.
    """
    facts = CoreFacts(cipher, architecture)
    return [
        _record(promise, cipher, architecture) for promise in PROPERTIES if promise.applies(facts)
    ]


def _record(promise: Property, cipher: ShiftRegisterCipher, architecture: Architecture) -> Record:
    failures = []
    if not is_kept(promise, KeystreamCore(cipher, architecture), cipher):
        failures.append(f"it is not true that {promise.meaning}")
    mutant = MUTANTS[promise.name](cipher, architecture)
    if is_kept(promise, mutant, cipher, followed=True):
        failures.append(f"the mutant that breaks the promise was not found: {promise.meaning}")
    return Record(
        check=f"proof of {promise.name}",
        engine="sat",
        architecture=architecture,
        passed=int(not failures),
        failures=tuple(failures),
    )


def is_kept(
    promise: Property, core: KeystreamCore, cipher: ShiftRegisterCipher, *, followed: bool = False
) -> bool:
    """Whether ``core`` keeps the promise as ``cipher`` means it.

    With ``followed`` the core is followed from reset for as long as the promise needs to be
    broken, and no induction is made: so a core that breaks it is really caught doing so.
    """
    by_induction = promise.by_induction and not followed
    watcher = Watcher(core, cipher, promise.watch, by_induction=by_induction)
    text = rtlil.convert(watcher, name="spec", platform="formal", emit_src=False)
    cycles = 2 if by_induction else promise.cycles(core.facts)
    with private_folder() as folder:
        return sat.holds(text, folder, cycles=cycles, by_induction=by_induction)


def _one_and_too_many(cipher: ShiftRegisterCipher, architecture: Architecture) -> KeystreamCore:
    """The first register's feedback gets one more product."""
    first = cipher.registers[0]

    def step(wire: Any, *windows: Window) -> tuple[Bits, Mapping[str, Bits]]:
        output, feedback = cipher.step(wire, *windows)
        younger = first.oldest + (1 if first.newest > first.oldest else -1)
        extra = windows[0](first.oldest) & windows[0](younger)
        return output, {**feedback, first.name: feedback[first.name] ^ extra}

    return KeystreamCore(replace(cipher, step=step), architecture)


def _one_blank_cycle_short(
    cipher: ShiftRegisterCipher, architecture: Architecture
) -> KeystreamCore:
    steps = cipher.blank_steps - architecture.radix
    return KeystreamCore(replace(cipher, blank_steps=steps), architecture)


class _Forgetful(KeystreamCore):
    """Offers what the state gives now, whether the word before was taken or not."""

    def _word(self, m: Module, output: Value) -> Value:
        super()._word(m, output)
        return output


class _Stained(KeystreamCore):
    """One bit of the state, once it is one, is never zero again."""

    def _move_state(self, m: Module, unrolled: Unrolled) -> None:
        super()._move_state(m, unrolled)
        bit = self.state[self.cipher.registers[0].name][0]
        with m.If(bit):
            m.d.sync += bit.eq(1)


MUTANTS: Mapping[str, Callable[[ShiftRegisterCipher, Architecture], KeystreamCore]] = {
    "step": _one_and_too_many,
    "setup": _one_blank_cycle_short,
    "hold": _Forgetful,
    "clear": _Stained,
}
"""For each promise a core that breaks it."""
