# SPDX-License-Identifier: Apache-2.0
"""The properties of a core of a filtered LFSR."""

from __future__ import annotations

from dataclasses import replace

from headwater.kinds.bit_aead import properties as bit_aead
from headwater.kinds.filtered.check_message import check_absorb, check_data, check_tag
from headwater.kinds.filtered.checkers import (
    check_inverse,
    check_next,
    check_output,
    check_setup,
    check_step,
)
from headwater.kinds.filtered.facts import FilteredFacts
from headwater.kinds.stepped import properties as stepped
from headwater.prove.alike import always, where_it_waits
from headwater.prove.checker import CONTROL, Property
from headwater.prove.reading import described, independent, other_gates


def authenticates(facts: FilteredFacts) -> bool:
    """Condition that holds for cores that make a tag."""
    return facts.cipher.authenticates


_SHARED = {prop.name: prop for prop in stepped.PROPERTIES}
_SILENT = next(prop for prop in bit_aead.PROPERTIES if prop.name == "silence")

PROPERTIES = (
    Property(
        "inverse",
        check_inverse,
        independent("the product of every element and its inverse, which must be one"),
        "what leaves an inverter is the inverse of what entered it, for every element of the field",
    ),
    Property(
        "step",
        check_step,
        independent("the LFSR cell by cell, by the description's places of taps and inverses"),
        "each cycle clocks the LFSR so often, and adds the inverses that are due, as described",
    ),
    Property(
        "setup",
        check_setup,
        described("its injections in each step, and a binary count of load words and cycles"),
        "no output word is there before the setup ends, the first one is exactly then, and the "
        "inverses enter that are to",
        cycles=lambda _: 4,
        by_induction=always,
        by_hand=CONTROL,
    ),
    Property(
        "output",
        check_output,
        other_gates("bit 0 of the inverses and cell 0, delayed as often as the registers cut"),
        "output bits are those of the inverses and of cell 0, in their order",
        cycles=lambda facts: 2 + facts.pace.cuts,
    ),
    Property(
        "next",
        check_next,
        other_gates("the word that waited, and that it moves with each word used"),
        "each output word is there until it is used, and then the next one",
        cycles=lambda _: 4,
        by_induction=always,
        applies=where_it_waits,
    ),
    *(_SHARED[name] for name in ("session", "clear", "hold")),
    replace(_SHARED["silence"], applies=lambda facts: facts.waits and not authenticates(facts)),
    replace(_SILENT, applies=authenticates),
    Property(
        "data",
        check_data,
        independent("text plus the keystream that the core has, in its place"),
        "text leaves encrypted with the keystream, in its place, and nothing else does",
        cycles=lambda _: 1,
        applies=authenticates,
    ),
    Property(
        "absorb",
        check_absorb,
        independent("the shift register added for each one, bit by bit"),
        "each bit of a message, and each step of the setup, changes accumulator and shift register "
        "as described (in words of 8 bits and more: where at most one bit of a message is one)",
        applies=authenticates,
    ),
    Property(
        "tag",
        check_tag,
        independent("accumulator plus keystream bits, in order"),
        "behind a message the accumulator leaves, encrypted with the keystream bits that follow",
        cycles=lambda _: 3,
        applies=authenticates,
    ),
)
