# SPDX-License-Identifier: Apache-2.0
"""What a core of a bit-wise AEAD cipher promises.

In addition to the promises of every stepped core, ``data``, ``plain``, ``accumulate``, ``line`` and
``tag`` specify how a message is processed.
"""

from __future__ import annotations

from headwater.kinds.bit_aead.description import AUTHENTICATOR
from headwater.kinds.bit_aead.facts import BitAeadFacts
from headwater.kinds.bit_aead.watch import (
    watch_accumulate,
    watch_data,
    watch_line,
    watch_message_silence,
    watch_plain,
    watch_tag,
)
from headwater.kinds.stepped import promises as stepped
from headwater.kinds.stepped.promises import few_cycles
from headwater.kinds.stepped.transformations.ahead import AHEAD
from headwater.prove.alike import always
from headwater.prove.reading import apart, described
from headwater.prove.watcher import Property


def _adds_line_ahead(facts: BitAeadFacts) -> bool:
    return facts.architecture[AUTHENTICATOR.name] == AHEAD


_OWN = (
    Property(
        "silence", watch_message_silence,
        apart("zero"),
        "a payload that is not offered is zero",
        cycles=lambda _: 1,
    ),
    Property(
        "data", watch_data,
        described("text plus every other output bit of its steps"),
        "text leaves encrypted with every other output bit, in its place, and nothing else does",
        cycles=few_cycles,
    ),
    Property(
        "plain", watch_plain,
        described("plain bits, and the output bits of its steps"),
        "the bits of a message that count, and a one behind them, are authenticated, each with "
        "its own output bit",
        cycles=few_cycles,
    ),
    Property(
        "accumulate", watch_accumulate,
        apart("the shift register added for each one, bit by bit"),
        "what is authenticated changes accumulator and shift register bit by bit as described "
        "(in words of 8 bits and more: where at most one of them is one)",
        cycles=few_cycles,
    ),
    Property(
        "line", watch_line,
        apart("sums of the shift register's bits"),
        "what the accumulator needs of the shift register and is added a cycle ahead is right "
        "when a word enters",
        by_induction=always, applies=_adds_line_ahead,
    ),
    Property(
        "tag", watch_tag,
        apart("the accumulator at the end of a message that is followed beside the core"),
        "behind a message its one is authenticated, and the accumulator leaves as the tag",
        cycles=lambda _: 4, by_induction=always,
    ),
)  # fmt: skip

PROMISES = (
    *(promise for promise in stepped.PROMISES if promise.name != "silence"),
    *_OWN,
)
