# SPDX-License-Identifier: Apache-2.0
"""A form of a word cipher beside its plain description, a step of it from any state.

A form has other registers than the plain description, and another circuit, but never another
keystream. What its registers hold is a function of the plain registers (`WordCipher.places`). So
from any plain state, one step of the description and the steps of the form that make as much must
give the same word, and the same place; so must a step of the load. Before a load the registers of
a form may hold anything, so a whole load must leave nothing of it. The text can be read with
integers or with a circuit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from headwater.algebra.word import IntegerWord, Wire, Word, concatenate, unnamed
from headwater.kinds.stepped.word_cipher import State, WordCipher

_DRAWN = 64
Wires = Callable[[str], Wire]
"""Gives each part of a comparison a wire of its own, by a suffix of its names."""
Pairs = Iterator[tuple[str, Word, Word]]
"""What must be equal: a name, a word, and another one."""


@dataclass(frozen=True)
class Operands:
    """What a step reads beside the registers."""

    entering: Word
    controls: Mapping[str, Word]
    plain: Mapping[str, Word]
    """The constants of the plain description."""
    form: Mapping[str, Word]
    """The constants of the form."""


def compared_step(form: WordCipher, state: State, inputs: Operands, wires: Wires) -> Pairs:
    """The form's words and the plain description's behind a step from a plain ``state``."""
    plain = plain_of(form)
    rewritten = replace(plain, step=form.rewritten or plain.step)
    output, moved = _stepped(rewritten, state, {**inputs.controls, **inputs.plain}, wires("_plain"))
    present, parts = form.placed(state, wires("_begun")), []
    for number in range(plain.word_bits // form.word_bits):
        operands = {**inputs.controls, **inputs.form}
        part, present = _stepped(form, present, operands, wires(f"_{number}"))
        parts.append(part)
    if plain.bit_order == "msb_first":
        parts.reverse()
    yield "output", concatenate(*parts), output
    for name, place in form.placed(moved, wires("_moved")).items():
        yield name, present[name], place


def compared_load(form: WordCipher, state: State, inputs: Operands, wires: Wires) -> Pairs:
    """The same behind a step of the load."""
    operands = {"entering": inputs.entering, **inputs.controls}
    loaded = _entered(plain_of(form), state, {**operands, **inputs.plain}, wires("_plain_entered"))
    begun = form.placed(state, wires("_before"))
    entered = _entered(form, begun, {**operands, **inputs.form}, wires("_entered"))
    for name, place in form.placed(loaded, wires("_loaded")).items():
        yield name, entered[name], place


def after_load(
    form: WordCipher,
    state: State,
    entering: Sequence[Word],
    others: Mapping[str, Word],
    bit: Callable[[bool], Word],
    wires: Wires,
) -> State:
    """The registers of a form behind a load of these words; ``bit`` gives the controls, ``others``
    are its constants."""
    for number, word in enumerate(entering):
        step = number - form.load_steps
        controls = {name: bit(form.control_at(name, step)) for name in form.controls}
        operands = {"entering": word, **controls, **others}
        state = _entered(form, state, operands, wires(f"_load_{number}"))
    return state


def is_alike(form: WordCipher) -> bool:
    """Whether a form takes key and IV as the plain description does, gives its bits in the same
    order, and makes as many of its steps in each phase as make those of the plain description. A
    step of that which a law rewrites must be the same at states drawn at random."""
    plain = plain_of(form)
    count = plain.word_bits // form.word_bits
    phases = tuple(replace(phase, steps=count * phase.steps) for phase in plain.phases)
    return form.phases == phases and _outside(form) == _outside(plain) and _keeps_step(form)


def _keeps_step(form: WordCipher) -> bool:
    plain, draw = plain_of(form), Random(1)
    if form.rewritten is None:
        return True
    rewritten = replace(plain, step=form.rewritten)
    for _ in range(_DRAWN):
        state = {
            register.name: IntegerWord(draw.getrandbits(register.length), register.length)
            for register in plain.registers
        }
        controls = {name: IntegerWord(draw.getrandbits(1), 1) for name in plain.controls}
        operands = {**controls, **plain.constants}
        (output, after), (same, kept) = (
            _stepped(cipher, state, operands, unnamed) for cipher in (plain, rewritten)
        )
        pairs = [(output, same), *((after[name], kept[name]) for name in after)]
        if any(one.value != other.value for one, other in pairs):
            return False
    return True


def plain_of(form: WordCipher) -> WordCipher:
    """The plain description of a form."""
    assert form.plain is not None
    return form.plain


def _outside(cipher: WordCipher) -> tuple[object, ...]:
    """What does not depend on the registers."""
    key = [("key", place) for place in range(cipher.key_bits)]
    iv = [("iv", place) for place in range(cipher.iv_bits[-1])]
    return (
        cipher.key_bits,
        cipher.iv_bits,
        cipher.bit_order,
        cipher.input_order,
        cipher.first_bit_on_top,
        cipher.load.zeros_last,
        cipher.load_phases,
        *map(tuple, cipher.entering_lanes(key, iv)),
    )


def _stepped(
    cipher: WordCipher, state: State, operands: Mapping[str, Word], wire: Wire
) -> tuple[Word, dict[str, Word]]:
    """The output of a step, and the registers after it."""
    output, after = cipher.step(wire, *_words(cipher, state), **operands)
    return wire(output, "part"), _named(cipher, after, wire)


def _entered(
    cipher: WordCipher, state: State, operands: Mapping[str, Word], wire: Wire
) -> dict[str, Word]:
    """The registers after a step of the load."""
    after = cipher.load.enter(wire, *_words(cipher, state), **operands)
    return _named(cipher, after, wire)


def _words(cipher: WordCipher, state: State) -> list[Word]:
    return [state[register.name] for register in cipher.registers]


def _named(cipher: WordCipher, after: State, wire: Wire) -> dict[str, Word]:
    """The registers in their order, each a value with a name."""
    return {
        register.name: wire(after[register.name], f"{register.name}_next")
        for register in cipher.registers
    }
