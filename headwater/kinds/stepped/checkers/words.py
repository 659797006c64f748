# SPDX-License-Identifier: Apache-2.0
"""A load with its own steps enters key and IV as the description says."""

from __future__ import annotations

from collections.abc import Mapping

from amaranth.hdl import Array, Const, Module, Signal, Value

from headwater.core.counter import state_after
from headwater.core.naming import Naming
from headwater.kinds.stepped.checkers.phases import phases
from headwater.kinds.stepped.checkers.reference import Schedule
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.kinds.stepped.word_steps import WordCore
from headwater.prove.checker import Proof, aborting, assert_always


def check_words_entering(m: Module, core: WordCore, proof: Proof) -> None:
    """Each load word changes the registers like the description's load steps, with their controls,
    counted in binary beside the core."""
    cipher: WordCipher = proof.cipher
    schedule = Schedule.of(cipher, core)
    words = Signal(range(schedule.words + 1), name=proof.named("words"))
    fresh = Signal(name=proof.named("fresh"))
    m.d.sync += fresh.eq(core.load_fire & ~aborting(core))
    with m.If(core.load_fire):
        m.d.sync += words.eq(words + 1)
    with m.If(aborting(core)):
        m.d.sync += words.eq(0)
    properties = [
        words <= schedule.words,
        core.loading == (words != schedule.words),
        ~core.loading | (core.count == state_after(core.count, words, schedule.words)),
        # ``last_word`` is one while the next load word is the last.
        ~core.loading | (core.last_word == (words == schedule.words - 1)),
    ]
    for name, value in _entered(m, core, cipher, schedule, words).items():
        expected = Signal(len(value), name=proof.named(f"expected_{name}"))
        m.d.sync += expected.eq(value)
        properties.append(~fresh | (core.state[name] == expected))
    assert_always(m, proof, properties, invariants=[phases(core)])


def _entered(
    m: Module, core: WordCore, cipher: WordCipher, schedule: Schedule, words: Signal
) -> Mapping[str, Value]:
    """The registers after the steps of the present load word."""
    state: Mapping[str, Value] = core.state
    lanes, width = cipher.lane_count, schedule.width
    for position in range(width):
        first = (width - 1 - position) * lanes
        controls = {
            name: _by_word(cipher, schedule, name, position, words) for name in cipher.controls
        }
        state = cipher.load.enter(
            Naming(m, f"_{position}_spec"),
            *(state[register.name] for register in cipher.registers),
            entering=core.load.payload[first : first + lanes],
            **controls,
            **{name: core.constants[name] for name in cipher.constants},
        )
    return state


def _by_word(
    cipher: WordCipher, schedule: Schedule, control: str, position: int, words: Signal
) -> Value:
    total = schedule.words * schedule.width
    values = [
        cipher.control_at(control, word * schedule.width + position - total)
        for word in range(schedule.words)
    ]
    return Value.cast(Array(Const(int(value), 1) for value in (*values, False))[words])
