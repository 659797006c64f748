# SPDX-License-Identifier: Apache-2.0
"""The properties of a core of a cipher that goes in steps.

Only a checker's registers, named ``spec_...``, start from a known value. The registers of the core
start with any content, as after power-up. So a property over a few cycles is proven for every
state. A property proven by induction from a reset holds for runs of any length.

Together the properties specify the whole core: ``load`` or ``entering`` the state after a load,
``setup`` the cycles after it and their controls, ``step`` the logic of a cycle, ``next`` and
``hold`` the words.
"""

from __future__ import annotations

from dataclasses import replace

from amaranth.hdl import Module

from headwater.algebra.word import IntegerWord, unnamed
from headwater.kinds.stepped.checkers.form import check_form
from headwater.kinds.stepped.checkers.load import check_load
from headwater.kinds.stepped.checkers.memories import (
    check_registers,
    registers_cleared,
)
from headwater.kinds.stepped.checkers.phases import phases
from headwater.kinds.stepped.checkers.setup import check_setup
from headwater.kinds.stepped.checkers.steps import check_entering, check_step
from headwater.kinds.stepped.checkers.streams import check_next
from headwater.kinds.stepped.checkers.sums import check_sums
from headwater.kinds.stepped.checkers.words import check_words_entering
from headwater.kinds.stepped.core import SteppedCore
from headwater.kinds.stepped.facts import SteppedFacts
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.transformations.ahead import AHEAD
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.prove.alike import always, clear, hold, silence, where_it_waits
from headwater.prove.checker import CONTROL, Proof, Property
from headwater.prove.memories import emptied, has_memories
from headwater.prove.reading import described
from headwater.prove.session import session


def latency(facts: SteppedFacts) -> int:
    """Cycles by which the output is later than its state."""
    return facts.timeline.latency


def few_cycles(facts: SteppedFacts) -> int:
    """Two cycles, plus the latency of the output."""
    return 2 + latency(facts)


def _cycles_of_zeros(facts: SteppedFacts) -> int:
    """Cycles from a reset until the first load words are in, and some more."""
    return 3 + (facts.zeroing.cycles if facts.zeroing else 0)


def _is_placed(facts: SteppedFacts) -> bool:
    return isinstance(facts.cipher, ShiftRegisterCipher)


def _adds_ahead(facts: SteppedFacts) -> bool:
    return facts.architecture["form"] == AHEAD


def _is_of_words(facts: SteppedFacts) -> bool:
    return isinstance(facts.cipher, WordCipher)


def _is_a_form(facts: SteppedFacts) -> bool:
    """Refuses places that do not fit, before a circuit is begun."""
    cipher = facts.cipher
    if not isinstance(cipher, WordCipher) or cipher.plain is None:
        return False
    registers = cipher.plain.registers
    zeros = {register.name: IntegerWord(0, register.length) for register in registers}
    cipher.placed(zeros, unnamed)
    return True


_CLEAR = clear("no bit of the state behind")


def _check_clear(m: Module, core: SteppedCore, proof: Proof) -> None:
    """Of a core with memories the registers; `empty` says that the memories become zero."""
    checker = _CLEAR.checker if core.memories_empty is None else check_registers
    checker(m, core, proof)


def _clear_cycles(facts: SteppedFacts) -> int:
    return registers_cleared(facts) + 1 if has_memories(facts) else _CLEAR.cycles(facts)


PROPERTIES = (
    Property(
        "step",
        check_step,
        described("its steps, one at a time"),
        "one cycle moves the state, and gives the word, of as many single steps as the radix",
        cycles=few_cycles,
    ),
    Property(
        "form",
        check_form,
        described("its plain text, a step of it from any state"),
        "the form of the description that the options select makes the same words of the same "
        "state",
        cycles=lambda _: 1,
        applies=_is_a_form,
        of_core=False,
    ),
    Property(
        "sums",
        check_sums,
        described("what its sums are of the present state"),
        "what is added of a sum a cycle ahead is what the state gives when it is used",
        by_induction=always,
        applies=_adds_ahead,
    ),
    Property(
        "setup",
        check_setup,
        described("its controls in each step, and a binary count of load words and cycles"),
        "no output word is there before the setup ends, the first one is exactly then, the state "
        "moves in each blank cycle, and the controls are on in just their steps",
        by_induction=always,
        by_hand=CONTROL,
    ),
    session(phases),
    Property(
        "load",
        check_load,
        described("its state after a load, of the load words that came"),
        "after the last load word the state is the description's, whatever it was before",
        by_induction=always,
        applies=_is_placed,
    ),
    Property(
        "entering",
        check_entering,
        described("its steps of the load, a bit of each lane at a time"),
        "the bits of a load word enter, one of each lane a step, a state that was zero",
        cycles=_cycles_of_zeros,
        by_induction=always,
        applies=lambda facts: not _is_placed(facts) and not _is_of_words(facts),
    ),
    Property(
        "words",
        check_words_entering,
        described("its steps of the load, word by word"),
        "each load word makes of the registers what the description's steps of the load do",
        by_induction=always,
        applies=_is_of_words,
        by_hand=CONTROL,
    ),
    emptied(lambda core: core.loading, has_memories),
    Property(
        "next",
        check_next,
        described("its steps behind the word that waits"),
        "each output word is there until it is used, and then the one of so many steps on",
        cycles=few_cycles,
        by_induction=lambda facts: not latency(facts),
        applies=where_it_waits,
    ),
    hold(phases, latency=latency),
    silence(phases=phases),
    replace(_CLEAR, checker=_check_clear, cycles=_clear_cycles),
)
