# SPDX-License-Identifier: Apache-2.0
"""The properties of a core of a bit-wise AEAD cipher.

In addition to the properties of every stepped core, ``data``, ``plain``, ``accumulate``, ``line``
and ``tag`` specify how a message is processed.
"""

from __future__ import annotations

from headwater.kinds.bit_aead.checkers import (
    check_accumulate,
    check_data,
    check_line,
    check_message_silence,
    check_plain,
    check_tag,
)
from headwater.kinds.bit_aead.description import AUTHENTICATOR
from headwater.kinds.bit_aead.facts import BitAeadFacts
from headwater.kinds.stepped import properties as stepped
from headwater.kinds.stepped.properties import few_cycles
from headwater.kinds.stepped.transformations.ahead import AHEAD
from headwater.prove.alike import always
from headwater.prove.checker import Property
from headwater.prove.reading import described, independent


def _adds_line_ahead(facts: BitAeadFacts) -> bool:
    return facts.architecture[AUTHENTICATOR.name] == AHEAD


_OWN = (
    Property(
        "silence",
        check_message_silence,
        independent("zero"),
        "a payload that is not offered is zero",
        cycles=lambda _: 1,
    ),
    Property(
        "data",
        check_data,
        described("text plus every other output bit of its steps"),
        "text leaves encrypted with every other output bit, in its place, and nothing else does",
        cycles=few_cycles,
    ),
    Property(
        "plain",
        check_plain,
        described("plain bits, and the output bits of its steps"),
        "the bits of a message that count, and a one behind them, are authenticated, each with "
        "its own output bit",
        cycles=few_cycles,
    ),
    Property(
        "accumulate",
        check_accumulate,
        independent("the shift register added for each one, bit by bit"),
        "what is authenticated changes accumulator and shift register bit by bit as described "
        "(in words of 8 bits and more: where at most one of them is one)",
        cycles=few_cycles,
    ),
    Property(
        "line",
        check_line,
        independent("sums of the shift register's bits"),
        "what the accumulator needs of the shift register and is added a cycle ahead is right "
        "when a word enters",
        by_induction=always,
        applies=_adds_line_ahead,
    ),
    Property(
        "tag",
        check_tag,
        independent("the accumulator at the end of a message that is followed beside the core"),
        "behind a message its one is authenticated, and the accumulator leaves as the tag",
        cycles=lambda _: 4,
        by_induction=always,
    ),
)

PROPERTIES = (
    *(prop for prop in stepped.PROPERTIES if prop.name not in ("silence", "empty")),
    *_OWN,
)
