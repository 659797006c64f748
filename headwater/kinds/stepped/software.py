# SPDX-License-Identifier: Apache-2.0
"""The step of a running cipher on whole registers, for software that goes on from a core's state.

Shift registers make as many steps at once as the core does in a cycle; other registers make one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from headwater.algebra.word import IntegerWord, Wire, Word, concatenate
from headwater.cipher.register import Register
from headwater.core.architecture import Architecture
from headwater.kinds.registry import facts_of
from headwater.kinds.software import Part, Software
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import SteppedCipher
from headwater.kinds.stepped.facts import SteppedFacts
from headwater.kinds.stepped.model import memories_of
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher

OUTPUT = "output"
"""The result that is keystream; the others are registers."""


def software(cipher: SteppedCipher, architecture: Architecture) -> Software | None:
    """The running step; None where the core's registers are not those of the description, where
    its output is read ahead of them, where a step reads what is made in the same one, or stores in
    a memory."""
    facts = facts_of(cipher, architecture)
    assert isinstance(facts, SteppedFacts)
    formed = facts.cipher
    if not goes_on(facts) or memories_of(formed):
        return None
    registers = {one.name: one.length for one in formed.registers}
    constants = {name: IntegerWord(0, 1) for name in formed.controls}
    if isinstance(formed, ShiftRegisterCipher):
        bits = architecture.radix
        if bits > formed.natural_radix:
            return None
        circuit: Callable[..., Mapping[str, Word]] = partial(steps_at_once, formed, bits)
    else:
        bits, circuit = formed.word_bits, partial(_one_step, formed)
        constants |= getattr(formed, "constants", {})
        if isinstance(formed, ClockedCipher):
            constants["entering"] = IntegerWord(0, formed.lane_count)
    tables = architecture.options.get("sbox") == "table"
    of_bits = isinstance(formed, (ShiftRegisterCipher, ClockedCipher))
    return Software(
        "steps",
        {"step": Part(registers, circuit, constants, tables)},
        {"bits": bits, "of_bits": of_bits},
    )


def goes_on(facts: SteppedFacts) -> bool:
    """Whether a running core's registers are those of the description, with nothing read ahead of
    them."""
    timeline = facts.timeline
    moved = facts.architecture.options.get("form", "fibonacci") != "fibonacci"
    return not (moved or timeline.latency or timeline.steps_ahead or timeline.surplus_bits)


def steps_at_once(
    cipher: ShiftRegisterCipher, steps: int, wire: Wire, *words: Word, **constants: Word
) -> dict[str, Word]:
    """So many steps: the output, the first bit lowest, and the registers after them."""
    state = _by_name(cipher, words)
    windows = [_window(one, state[one.name], steps) for one in cipher.registers]
    controls = {name: constants[name].replicate(steps) for name in cipher.controls}
    output, entering = cipher.step(wire, *windows, **controls)
    after = {
        one.name: concatenate(state[one.name][steps:], entering[one.name])
        for one in cipher.registers
    }
    return {OUTPUT: output, **after}


def _window(register: Register, word: Word, steps: int) -> Callable[[int], Word]:
    """The stages of a register as so many steps see them; bit 0 of its word is the oldest one."""

    def stages(stage: int) -> Word:
        low = abs(stage - register.oldest)
        return word[low : low + steps]

    return stages


def _one_step(
    cipher: SteppedCipher, wire: Wire, *words: Word, **constants: Word
) -> dict[str, Word]:
    """One step of registers that are read and written whole."""
    output, after = cipher.step(wire, *words, **constants)
    return {OUTPUT: output, **{one.name: after[one.name] for one in cipher.registers}}


def _by_name(cipher: SteppedCipher, words: Sequence[Word]) -> dict[str, Word]:
    return {one.name: word for one, word in zip(cipher.registers, words, strict=True)}
