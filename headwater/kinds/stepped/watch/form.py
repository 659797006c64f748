# SPDX-License-Identifier: Apache-2.0
"""A form of a word cipher is its plain description, step by step."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from amaranth.hdl import Assert, Cat, Const, Module, Signal, Value

from headwater.core.function import FunctionNaming
from headwater.kinds.stepped.description import Phase
from headwater.kinds.stepped.form import Operands, comparisons, has_same_schedule
from headwater.kinds.stepped.unrolling import constants_of
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.prove.laws import any_word
from headwater.prove.watcher import Watcher


def watch_form(m: Module, _core: object, watcher: Watcher) -> None:
    """From any state, with the controls of any phase."""
    form: WordCipher = watcher.cipher
    plain = form.plain
    assert plain is not None
    state = {register.name: any_word(m, register.name, register.length)
             for register in plain.registers}  # fmt: skip
    controls = {name: any_word(m, name, 1) for name in plain.controls}
    given = Operands(
        any_word(m, "entering", plain.lane_count), controls, constants_of(plain), constants_of(form)
    )
    legal = {
        "step": _in_phases(controls, (*plain.phases, Phase("running", 1))),
        "load": _in_phases(controls, plain.load_phases),
    }
    m.d.comb += Assert(Const(has_same_schedule(form)))
    for name, one, other in comparisons(form, state, given, partial(FunctionNaming, m)):
        m.d.comb += Assert(~legal[name.split()[0]] | (one == other))


def _in_phases(controls: dict[str, Signal], phases: Iterable[Phase]) -> Value:
    """Whether the controls are those of one of the phases."""
    sets = dict.fromkeys(frozenset(phase.controls) for phase in phases)
    return Cat(
        Cat(~signal ^ Const(name in some) for name, signal in controls.items()).all()
        for some in sets
    ).any()
