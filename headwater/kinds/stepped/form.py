# SPDX-License-Identifier: Apache-2.0
"""A form of a word cipher beside its plain description, one step of it from any state.

A form has other registers than the plain description, and another circuit, but never another
keystream. What its registers hold is a function of the plain registers (`WordCipher.places`). So
from any plain state, one step of the description and the steps of the form that make as much must
give the same word, and the same place. The text can be read with integers or with a circuit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from headwater.algebra.word import Wire, Word, concatenate
from headwater.kinds.stepped.word_cipher import State, WordCipher

Wires = Callable[[str], Wire]
"""Gives each part of a comparison a wire of its own, by a suffix of its names."""


@dataclass(frozen=True)
class Operands:
    """What a step reads beside the registers."""

    entering: Word
    controls: Mapping[str, Word]
    plain: Mapping[str, Word]
    """The constants of the plain description."""
    form: Mapping[str, Word]
    """The constants of the form."""


def comparisons(
    form: WordCipher, state: State, given: Operands, wires: Wires
) -> Iterator[tuple[str, Word, Word]]:
    """What must be equal: a name, the form's word and the plain description's. ``state`` has the
    registers of the plain description. ``step ...`` holds with the controls of a step,
    ``load ...`` with those of a step of the load."""
    plain = form.plain
    assert plain is not None
    output, moved = _stepped(plain, state, {**given.controls, **given.plain}, wires("_plain"))
    loaded = plain.load.enter(
        wires("_plain_loaded"), *state.values(), entering=given.entering,
        **given.controls, **given.plain,
    )  # fmt: skip
    begun, parts = form.placed(state, wires("_begun")), []
    present = begun
    for number in range(plain.word_bits // form.word_bits):
        part, present = _stepped(
            form, present, {**given.controls, **given.form}, wires(f"_{number}")
        )
        parts.append(part)
    entered = form.load.enter(
        wires("_loaded"), *begun.values(), entering=given.entering, **given.controls, **given.form
    )
    if plain.bit_order == "msb_first":
        parts.reverse()
    yield "step output", concatenate(*parts), output
    for name, place in form.placed(_kept(plain, moved, wires("_moved")), wires("_kept")).items():
        yield f"step {name}", present[name], place
    kept = _kept(plain, loaded, wires("_entered"))
    for name, place in form.placed(kept, wires("_entered_places")).items():
        yield f"load {name}", entered[name], place


def has_same_schedule(form: WordCipher) -> bool:
    """Whether each phase of a form has as many of its steps as make those of the plain
    description, and takes the same bits of key and IV."""
    plain = form.plain
    assert plain is not None
    count = plain.word_bits // form.word_bits
    phases = tuple(replace(phase, steps=count * phase.steps) for phase in plain.phases)
    return form.phases == phases and _load(form) == _load(plain)


def _load(cipher: WordCipher) -> tuple[object, ...]:
    """Which bit of key and IV enters where, and the controls of the load."""
    key = [("key", place) for place in range(cipher.key_bits)]
    iv = [("iv", place) for place in range(cipher.iv_bits[-1])]
    return cipher.load_phases, *map(tuple, cipher.entering_lanes(key, iv))


def _stepped(
    cipher: WordCipher, state: State, operands: Mapping[str, Word], wire: Wire
) -> tuple[Word, dict[str, Word]]:
    """The output of a step, and the registers after it."""
    words = [state[register.name] for register in cipher.registers]
    output, after = cipher.step(wire, *words, **operands)
    return wire(output, "part"), _kept(cipher, after, wire)


def _kept(cipher: WordCipher, after: State, wire: Wire) -> dict[str, Word]:
    """The registers in their order, each a value with a name."""
    return {register.name: wire(after[register.name], f"{register.name}_next")
            for register in cipher.registers}  # fmt: skip
