# SPDX-License-Identifier: Apache-2.0
"""Cores of stepped ciphers that break a promise, several for each promise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from amaranth.hdl import Const, Module, Mux, Signal, Value

from headwater.algebra.word import concatenate
from headwater.cipher.description import Bits
from headwater.core.architecture import Architecture
from headwater.core.component import Core
from headwater.kinds.registry import build, kind_of
from headwater.kinds.stepped.base import SteppedCore
from headwater.kinds.stepped.description import Phase, Placed, SteppedCipher
from headwater.kinds.stepped.keystream import KeystreamCore
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.unrolling import Unrolled
from headwater.kinds.stepped.word_steps import WordCore
from headwater.prove.mutants import Mutant, replacing
from headwater.prove.session import session_mutants


def other_cipher(change: Callable[[SteppedCipher, Architecture], SteppedCipher | None]) -> Mutant:
    """The core of a cipher that ``change`` makes slightly different."""

    def made(cipher: SteppedCipher, architecture: Architecture) -> Core | None:
        changed = change(cipher, architecture)
        return None if changed is None else build(changed, architecture)

    return made


def _core_class(cipher: SteppedCipher, architecture: Architecture) -> type:
    return kind_of(cipher).core_class(cipher, architecture)


other_core = replacing(_core_class)
"""The core of the same cipher with some of its methods replaced."""


def _one_product_too_many(cipher: SteppedCipher, _architecture: Architecture) -> SteppedCipher:
    """The input of the first register has an additional product."""
    first = cipher.registers[0]
    younger = first.oldest + (1 if first.newest > first.oldest else -1)

    def step(wire: Any, *registers: Any, **others: Any) -> tuple[Bits, Mapping[str, Bits]]:
        output, after = cipher.step(wire, *registers, **others)
        old, read = after[first.name], registers[0]
        if isinstance(cipher, ShiftRegisterCipher):
            new = old ^ (read(first.oldest) & read(younger))
        else:
            new = concatenate(old[0] ^ (read[0] & read[1]), old[1:])
        return output, {**after, first.name: new}

    return replace(cipher, step=step)


def _rewritten_wrong(cipher: SteppedCipher, _architecture: Architecture) -> SteppedCipher | None:
    """A rewriting inverts the lowest bit of one register."""
    if not isinstance(cipher, ShiftRegisterCipher) or not cipher.rewrites:
        return None
    control, right = next(iter(cipher.rewrites.items()))

    def wrong(*words: Any) -> Mapping[str, Any]:
        made = dict(right(*words))
        name = next(iter(made))
        return {**made, name: concatenate(~made[name][0], made[name][1:])}

    return replace(cipher, rewrites={**cipher.rewrites, control: wrong})


def _blank_steps_missing(cipher: SteppedCipher, architecture: Architecture) -> SteppedCipher:
    longest = max(cipher.phases, key=lambda phase: phase.steps)
    short = replace(longest, steps=longest.steps - _some_steps(longest, architecture))
    return replace(cipher, phases=_with(cipher.phases, longest, short))


def _controls_end_early(cipher: SteppedCipher, architecture: Architecture) -> SteppedCipher | None:
    """The last phase with a control passes some steps to a phase without it."""
    controlled = [phase for phase in cipher.phases if phase.controls]
    if not controlled:
        return None
    last = controlled[-1]
    missing = min(_some_steps(last, architecture), last.steps)
    short, rest = replace(last, steps=last.steps - missing), Phase("rest", missing)
    return replace(cipher, phases=_with(cipher.phases, last, short, rest))


def _some_steps(phase: Phase, architecture: Architecture) -> int:
    """The steps of one cycle; half a phase where parts of a phase are counted, because one further
    cycle would divide it into many parts."""
    cycles = phase.steps // architecture.radix
    halves = architecture["controller"] == "shift"
    return architecture.radix * max(1, cycles // 2 if halves else 1)


def _with(phases: Sequence[Phase], changed: Phase, *by: Phase) -> tuple[Phase, ...]:
    return tuple(new for phase in phases for new in (by if phase is changed else (phase,)))


def _first_register_turned(cipher: SteppedCipher, _architecture: Architecture) -> SteppedCipher:
    """The first register is loaded rotated by one place."""
    placed, name = cipher.load, cipher.registers[0].name
    assert isinstance(placed, Placed)

    def content(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
        right = placed.content(key, iv)
        return {**right, name: [*right[name][1:], right[name][0]]}

    return replace(cipher, load=Placed(content))


def _sum_inverted(cipher: SteppedCipher, _architecture: Architecture) -> SteppedCipher | None:
    """The first bit that is a sum is loaded complemented."""
    placed, sums = cipher.load, cipher.load_sums
    assert isinstance(placed, Placed)
    if not sums.adds:
        return None
    name, place = next(place for place, entry in sums.sums() if entry.is_sum)
    register = next(register for register in cipher.registers if register.name == name)

    def content(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
        right = register.oldest_first(placed.content(key, iv)[name])
        wrong = [*right[:place], right[place] ^ 1, *right[place + 1 :]]
        return {**placed.content(key, iv), name: register.oldest_first(wrong)}

    return replace(cipher, load=Placed(content))


class _Deaf(SteppedCore):
    """The first bits of a load word do not enter."""

    def _entering(self, position: int) -> Value:
        return super()._entering(position) if position else Const(0, self.cipher.lane_count)


class _WrongConstant(WordCore):
    """One control of the load is inverted."""

    def _control_at(self, name: str, position: int) -> Value:
        right = super()._control_at(name, position)
        return ~right if name == self.load_table.names[0] else right


class _Unemptied(SteppedCore):
    """Reset leaves the state as it is."""

    def _make_registers(self) -> None:
        super()._make_registers()
        self.state = {
            name: Signal.like(register, name=name, reset_less=True)
            for name, register in self.state.items()
        }


class _Hasty(SteppedCore):
    """Continues even if its words are not used."""

    @property
    def _word_taken(self) -> Value:
        return Const(1, 1)


class _Forgetful(SteppedCore):
    """Offers the present output even if the word before was not used."""

    def _word(self, m: Module, output: Value) -> Value:
        super()._word(m, output)
        return output


class _Stained(SteppedCore):
    """One bit of the state, once one, never becomes zero again."""

    def _move_state(self, m: Module, unrolled: Unrolled) -> None:
        super()._move_state(m, unrolled)
        bit = self.state[self.cipher.registers[0].name][0]
        with m.If(bit):
            m.d.sync += bit.eq(1)


class _Bare(KeystreamCore):
    """Shows its output even while nothing is offered."""

    def _offer(self, m: Module, output: Value) -> None:
        super()._offer(m, output)
        m.d.comb += self.keystream.payload.eq(Mux(self.step, output, self.hold))


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "step": (other_cipher(_one_product_too_many), other_cipher(_rewritten_wrong)),
    "setup": (other_cipher(_blank_steps_missing), other_cipher(_controls_end_early)),
    "session": session_mutants(_core_class),
    "load": (other_cipher(_first_register_turned), other_cipher(_sum_inverted)),
    "entering": (other_core(_Deaf), other_core(_Unemptied)),
    "words": (other_core(_Deaf), other_core(_WrongConstant)),
    "next": (other_core(_Hasty),),
    "hold": (other_core(_Forgetful),),
    "silence": (other_core(_Bare),),
    "clear": (other_core(_Stained),),
}
"""For each promise cores that break it."""
