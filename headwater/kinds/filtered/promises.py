# SPDX-License-Identifier: Apache-2.0
"""What a core of a filtered LFSR promises."""

from __future__ import annotations

from dataclasses import replace

from headwater.kinds.bit_aead import promises as bit_aead
from headwater.kinds.filtered.facts import FilteredFacts
from headwater.kinds.filtered.watch import (
    watch_inverse,
    watch_next,
    watch_output,
    watch_setup,
    watch_step,
)
from headwater.kinds.filtered.watch_message import watch_absorb, watch_data, watch_tag
from headwater.kinds.stepped import promises as stepped
from headwater.prove.alike import always, where_it_waits
from headwater.prove.reading import apart, described, other_gates
from headwater.prove.watcher import Property


def authenticates(facts: FilteredFacts) -> bool:
    """Condition that holds for cores that make a tag."""
    return facts.cipher.authenticates


_SHARED = {promise.name: promise for promise in stepped.PROMISES}
_SILENT = next(promise for promise in bit_aead.PROMISES if promise.name == "silence")

PROMISES = (
    Property(
        "inverse", watch_inverse,
        apart("the product of every element and its inverse, which must be one"),
        "what leaves an inverter is the inverse of what entered it, for every element of the field",
    ),
    Property(
        "step", watch_step,
        apart("the LFSR cell by cell, by the description's places of taps and inverses"),
        "each cycle clocks the LFSR so often, and adds the inverses that are due, as described",
    ),
    Property(
        "setup", watch_setup,
        described("its injections in each step, and a binary count of load words and cycles"),
        "no output word is there before the setup ends, the first one is exactly then, and the "
        "inverses enter that are to",
        cycles=lambda _: 4, by_induction=always,
    ),
    Property(
        "output", watch_output,
        other_gates("bit 0 of the inverses and cell 0, delayed as often as the registers cut"),
        "output bits are those of the inverses and of cell 0, in their order",
        cycles=lambda facts: 2 + facts.pace.cuts,
    ),
    Property(
        "next", watch_next,
        other_gates("the word that waited, and that it moves with each word used"),
        "each output word is there until it is used, and then the next one",
        cycles=lambda _: 4, by_induction=always, applies=where_it_waits,
    ),
    *(_SHARED[name] for name in ("session", "clear", "hold")),
    replace(_SHARED["silence"], applies=lambda facts: facts.waits and not authenticates(facts)),
    replace(_SILENT, applies=authenticates),
    Property(
        "data", watch_data,
        apart("text plus the keystream that the core has, in its place"),
        "text leaves encrypted with the keystream, in its place, and nothing else does",
        cycles=lambda _: 1, applies=authenticates,
    ),
    Property(
        "absorb", watch_absorb,
        apart("the shift register added for each one, bit by bit"),
        "each bit of a message, and each step of the setup, changes accumulator and shift register "
        "as described (in words of 8 bits and more: where at most one bit of a message is one)",
        applies=authenticates,
    ),
    Property(
        "tag", watch_tag,
        apart("accumulator plus keystream bits, in order"),
        "behind a message the accumulator leaves, encrypted with the keystream bits that follow",
        cycles=lambda _: 3, applies=authenticates,
    ),
)  # fmt: skip
