# SPDX-License-Identifier: Apache-2.0
"""What a core of a filtered LFSR promises."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from headwater.kinds.bit_aead import promises as bit_aead
from headwater.kinds.filtered.watch import (
    watch_inverse,
    watch_next,
    watch_output,
    watch_setup,
    watch_step,
)
from headwater.kinds.filtered.watch_message import watch_absorb, watch_data, watch_tag
from headwater.kinds.stepped import promises as stepped
from headwater.prove.alike import always, never
from headwater.prove.watcher import Property


def _where(*conditions: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda facts: all(holds(facts) for holds in conditions)


def _held(promises: Sequence[Property], where: Callable[[Any], bool]) -> Iterator[Property]:
    """Promises of another kind about words that wait, for the cores that ``where`` selects."""
    for promise in promises:
        if promise.name in ("hold", "silence"):
            yield replace(promise, applies=_where(where, promise.applies))


PROMISES = (
    Property(
        "inverse",
        "what leaves an inverter gives one with what entered it, in the description's field",
        watch_inverse, lambda facts: 1 + facts.pace.cuts, never, always,
    ),
    Property(
        "step",
        "each cycle clocks the LFSR so often, and adds the inverses that are due, as described",
        watch_step, lambda _: 2, never, always,
    ),
    Property(
        "setup",
        "no output word is there before the setup ends, the first one is exactly then, and the "
        "inverses enter that are to",
        watch_setup, lambda _: 4, always, always,
    ),
    Property(
        "output",
        "output bits are those of the inverses and of cell 0, in their order",
        watch_output, lambda facts: 2 + facts.pace.cuts, never, always,
    ),
    Property(
        "next",
        "each output word is there until it is used, and then the next one",
        watch_next, lambda _: 4, always, lambda facts: facts.waits,
    ),
    *(promise for promise in stepped.PROMISES if promise.name in ("session", "clear")),
    *_held(stepped.PROMISES, lambda facts: not facts.cipher.authenticates),
    *_held(bit_aead.PROMISES, lambda facts: facts.cipher.authenticates),
    Property(
        "data",
        "text leaves encrypted with the keystream, in its place, and nothing else does",
        watch_data, lambda _: 1, never, lambda facts: facts.cipher.authenticates,
    ),
    Property(
        "absorb",
        "each bit of a message, and each step of the setup, changes accumulator and shift register "
        "as described (in words of 8 bits and more: where at most one bit of a message is one)",
        watch_absorb, lambda _: 2, never, lambda facts: facts.cipher.authenticates,
    ),
    Property(
        "tag",
        "behind a message the accumulator leaves, encrypted with the keystream bits that follow",
        watch_tag, lambda _: 3, never, lambda facts: facts.cipher.authenticates,
    ),
)  # fmt: skip
