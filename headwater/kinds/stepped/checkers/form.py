# SPDX-License-Identifier: Apache-2.0
"""A form of a word cipher is its plain description, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from amaranth.hdl import Assert, Cat, Const, Module, Signal, Value

from headwater.core.function import FunctionNaming
from headwater.kinds.stepped.description import Phase
from headwater.kinds.stepped.form import (
    Operands,
    after_load,
    compared_load,
    compared_step,
    is_alike,
    plain_of,
)
from headwater.kinds.stepped.unrolling import constants_of
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.prove.checker import Proof
from headwater.prove.laws import any_word


def check_form(m: Module, _core: object, proof: Proof) -> None:
    """From any state, with the controls of any phase; and a whole load from any two."""
    form: WordCipher = proof.cipher
    plain, wires = plain_of(form), partial(FunctionNaming, m)
    state = {
        register.name: any_word(m, register.name, register.length) for register in plain.registers
    }
    controls = {name: any_word(m, name, 1) for name in plain.controls}
    words = [
        any_word(m, f"entering_{number}", form.lane_count) for number in range(form.load_steps)
    ]
    constants = constants_of(form)
    operands = Operands(words[0], controls, constants_of(plain), constants)
    running = _in_phases(controls, (*plain.phases, Phase("running", 1)))
    loading = _in_phases(controls, plain.load_phases)
    m.d.comb += Assert(Const(is_alike(form)))
    for _, one, other in compared_step(form, state, operands, wires):
        m.d.comb += Assert(~running | (one == other))
    for _, one, other in compared_load(form, state, operands, wires):
        m.d.comb += Assert(~loading | (one == other))
    first, second = (_behind_load(m, form, words, constants, name) for name in ("one", "other"))
    for name, word in first.items():
        m.d.comb += Assert(word == second[name])


def _behind_load(
    m: Module, form: WordCipher, words: Sequence[Value], constants: Mapping[str, Value], name: str
) -> Mapping[str, Value]:
    """The registers of a form behind a load of these words, from any state of this name."""
    before = {
        register.name: any_word(m, f"{name}_{register.name}", register.length)
        for register in form.registers
    }
    return after_load(
        form,
        before,
        words,
        constants,
        lambda bit: Const(bit, 1),
        lambda suffix: FunctionNaming(m, f"_{name}{suffix}"),
    )


def _in_phases(controls: dict[str, Signal], phases: Iterable[Phase]) -> Value:
    """Whether the controls are those of one of the phases."""
    sets = dict.fromkeys(frozenset(phase.controls) for phase in phases)
    return Cat(
        Cat(~signal ^ Const(name in some) for name, signal in controls.items()).all()
        for some in sets
    ).any()
