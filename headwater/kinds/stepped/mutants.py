# SPDX-License-Identifier: Apache-2.0
"""Cores of stepped ciphers that break a promise, several for each promise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.algebra.word import concatenate
from headwater.cipher.description import Bits
from headwater.errors import InputError
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.core import SteppedCore
from headwater.kinds.stepped.description import Phase, Placed, SteppedCipher
from headwater.kinds.stepped.facts import SteppedFacts
from headwater.kinds.stepped.keystream import KeystreamCore
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.transformations.sums_ahead import SumsAhead
from headwater.kinds.stepped.word_steps import WordCore
from headwater.prove.mutants import Mutant, added, only, other_cipher, replaced, stained
from headwater.prove.session import SESSION_MUTANTS


def _one_product_too_many(facts: SteppedFacts) -> SteppedCipher | None:
    """The input of the first register of which the architecture allows it has an additional
    product."""
    several = range(len(facts.cipher.registers))
    return _first_legal(facts, (_with_product(facts.cipher, number) for number in several))


def _first_legal(facts: SteppedFacts, ciphers: Iterable[SteppedCipher]) -> SteppedCipher | None:
    """The first cipher of which there is a core of this architecture."""
    made = facts.architecture
    for cipher in ciphers:
        with suppress(InputError):
            cipher.check_choices(made.radix, made.load_width, made.options)
            return cipher
    return None


def _with_product(cipher: SteppedCipher, number: int) -> SteppedCipher:
    """The cipher with an additional product of two bits of a register in the register's input."""
    register = cipher.registers[number]
    younger = register.oldest + (1 if register.newest > register.oldest else -1)

    def step(wire: Any, *registers: Any, **others: Any) -> tuple[Bits, Mapping[str, Bits]]:
        output, after = cipher.step(wire, *registers, **others)
        return output, changed(after, registers[number])

    def changed(after: Mapping[str, Any], read: Any) -> Mapping[str, Any]:
        old = after[register.name]
        if isinstance(cipher, ShiftRegisterCipher):
            new = old ^ (read(register.oldest) & read(younger))
        else:
            new = concatenate(old[0] ^ (read[0] & read[1]), old[1:])
        return {**after, register.name: new}

    if not (isinstance(cipher, ClockedCipher) and cipher.early_step):
        return replace(cipher, step=step)
    move = cipher.early.move

    def moved(wire: Any, *registers: Any, **others: Any) -> Mapping[str, Any]:
        return changed(move(wire, *registers, **others), registers[number])

    return replace(cipher, step=step, early_step=replace(cipher.early, move=moved))


def _rewritten_wrong(facts: SteppedFacts) -> SteppedCipher | None:
    """A rewriting inverts the lowest bit of one register."""
    cipher = facts.cipher
    if not isinstance(cipher, ShiftRegisterCipher) or not cipher.rewrites:
        return None
    control, right = next(iter(cipher.rewrites.items()))

    def wrong(*words: Any) -> Mapping[str, Any]:
        made = dict(right(*words))
        name = next(iter(made))
        return {**made, name: concatenate(~made[name][0], made[name][1:])}

    return replace(cipher, rewrites={**cipher.rewrites, control: wrong})


def _other_blank_steps(facts: SteppedFacts) -> SteppedCipher:
    """The longest phase has fewer steps, or more if it is over in a cycle."""
    longest = max(facts.cipher.phases, key=lambda phase: phase.steps)
    some = _some_steps(longest, facts)
    steps = longest.steps - some if longest.steps > some else longest.steps + some
    return _with(facts.cipher, longest, replace(longest, steps=steps))


def _controls_end_early(facts: SteppedFacts) -> SteppedCipher | None:
    """The last phase with a control passes some steps to a phase without it."""
    controlled = [phase for phase in facts.cipher.phases if phase.controls]
    if not controlled:
        return None
    last = controlled[-1]
    missing = min(_some_steps(last, facts), last.steps)
    short, rest = replace(last, steps=last.steps - missing), Phase("rest", missing)
    return _with(facts.cipher, last, short, rest)


def _some_steps(phase: Phase, facts: SteppedFacts) -> int:
    """The steps of one cycle; half a phase where parts of a phase are counted, because one further
    cycle would divide it into many parts."""
    steps = facts.timeline.steps_per_cycle
    halves = facts.architecture["controller"] == "shift"
    return steps * max(1, phase.steps // steps // 2 if halves else 1)


def _with(cipher: SteppedCipher, changed: Phase, *by: Phase) -> SteppedCipher:
    """The cipher with other phases in place of one."""
    phases = (new for phase in cipher.phases for new in (by if phase is changed else (phase,)))
    return replace(cipher, phases=tuple(phases))


def _loaded(cipher: SteppedCipher, name: str, wrong: Callable[[Any], Any]) -> SteppedCipher:
    """The cipher with a changed content of one register after the load."""
    placed = cipher.load
    assert isinstance(placed, Placed)

    def content(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
        right = placed.content(key, iv)
        return {**right, name: wrong(right[name])}

    return replace(cipher, load=Placed(content))


def _register_turned(facts: SteppedFacts) -> SteppedCipher | None:
    """A register is loaded rotated by one place: the first of which the architecture allows it."""
    cipher = facts.cipher
    return _first_legal(facts, (
        _loaded(cipher, register.name, lambda right: [*right[1:], right[0]])
        for register in cipher.registers
    ))  # fmt: skip


def _sum_inverted(facts: SteppedFacts) -> SteppedCipher | None:
    """The first bit that is a sum is loaded complemented."""
    cipher, sums = facts.cipher, facts.cipher.load_sums
    if not sums.adds:
        return None
    name, place = next(place for place, entry in sums.sums() if entry.is_sum)
    register = next(register for register in cipher.registers if register.name == name)

    def wrong(content: Sequence[Any]) -> Sequence[Any]:
        bits = list(register.oldest_first(content))
        bits[place] ^= 1
        return register.oldest_first(bits)

    return _loaded(cipher, name, wrong)


class _Deaf(SteppedCore):
    """The first bits of a load word do not enter."""

    def _entering(self, position: int) -> Value:
        return super()._entering(position) if position else Const(0, self.cipher.lane_count)


def _has_load_controls(facts: SteppedFacts) -> bool:
    return any(phase.controls for phase in facts.cipher.load_phases)


class _WrongConstant(WordCore):
    """One control of the load is inverted."""

    def _control_at(self, name: str, position: int) -> Value:
        right = super()._control_at(name, position)
        return ~right if name == self.load_table.names[0] else right


class _Unkept(SteppedCore):
    """A word has its own cycle's last bits in place of those that were kept."""

    def _from_surplus(self, m: Module, output: Value) -> Value:
        super()._from_surplus(m, output)
        fresh = len(output) - len(self.surplus)
        return Cat(output[fresh:], output[:fresh])


def _keeps(facts: SteppedFacts) -> bool:
    return facts.timeline.surplus_bits > 0


class _Unemptied(SteppedCore):
    """Reset and abort leave the state as it is, and a bit that should take zero does not."""

    def _make_registers(self) -> None:
        super()._make_registers()
        if self.early:
            self.early.emptied = Signal(name="emptied")
        if self.zeroed_load:
            *others, _ = self.zeroed_load.plan.taken.items()
            self.zeroed_load.plan = replace(self.zeroed_load.plan, taken=dict(others))
        self.state = {
            name: Signal.like(register, name=name, reset_less=True)
            for name, register in self.state.items()
        }


class _Restless(SteppedCore):
    """A state that should wait moves on."""

    def _moves(self, m: Module) -> Value:
        moves = super()._moves(m)
        return moves if self.holds else moves | self.running


class _Hasty(_Restless):
    """Continues even if its words are not used."""

    def _count(self, m: Module) -> None:
        super()._count(m)
        if self.holds:
            m.d.sync += self.step.eq(~self.loading | self.last_word)


class _Forgetful(_Restless):
    """Offers the present output even if the word before was not used."""

    def _word(self, m: Module, output: Value) -> Value:
        word = super()._word(m, output)
        return output if self.holds else word


class _Bare(KeystreamCore):
    """Shows its output even while nothing is offered."""

    def _offer(self, m: Module, output: Value) -> None:
        super()._offer(m, output)
        bare = Mux(self.step, output, self.hold) if self.holds else output
        m.d.comb += self.keystream.payload.eq(bare)


def _still(m: Module, core: SteppedCore) -> None:
    """The state does not move in the last blank cycle."""
    with m.If(core.last_blank):
        m.d.comb += core.enable.eq(0)


class _Behind(SteppedCore):
    """Of the first sum that is made ahead, a bit is that of the present state."""

    def _move_ahead(self, m: Module, ahead: SumsAhead) -> None:
        super()._move_ahead(m, ahead)
        place, register = next(iter(ahead.registers.items()))
        with m.If(self.enable):
            m.d.sync += register[0].eq(ahead.present(self.state)[place][0])


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "step": (
        other_cipher(_one_product_too_many),
        other_cipher(_rewritten_wrong),
        only(_keeps, replaced(_Unkept)),
    ),
    "sums": (replaced(_Behind),),
    "setup": (
        other_cipher(_other_blank_steps),
        other_cipher(_controls_end_early),
        added(_still),
    ),
    "session": SESSION_MUTANTS,
    "load": (other_cipher(_register_turned), other_cipher(_sum_inverted)),
    "entering": (replaced(_Deaf), replaced(_Unemptied)),
    "words": (replaced(_Deaf), only(_has_load_controls, replaced(_WrongConstant))),
    "next": (replaced(_Hasty),),
    "hold": (replaced(_Forgetful),),
    "silence": (replaced(_Bare),),
    "clear": (stained(lambda core: core.secrets[0][0]),),
}
