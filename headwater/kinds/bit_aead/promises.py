# SPDX-License-Identifier: Apache-2.0
"""What a core of a bit-wise AEAD cipher promises.

In addition to the promises of every stepped core, ``data``, ``plain``, ``accumulate`` and ``tag``
specify how a message is processed.
"""

from __future__ import annotations

from headwater.kinds.bit_aead.watch import (
    watch_accumulate,
    watch_data,
    watch_message_silence,
    watch_plain,
    watch_tag,
)
from headwater.kinds.stepped import promises as stepped
from headwater.kinds.stepped.promises import few_cycles
from headwater.prove.alike import always, never
from headwater.prove.watcher import Property

_OWN = (
    Property(
        "silence", "a payload that is not offered is zero",
        watch_message_silence, lambda _: 1, never, always,
    ),
    Property(
        "data",
        "text leaves encrypted with every other output bit, in its place, and nothing else does",
        watch_data, few_cycles, never, always,
    ),
    Property(
        "plain",
        "the bits of a message that count, and a one behind them, are authenticated, each with "
        "its own output bit",
        watch_plain, few_cycles, never, always,
    ),
    Property(
        "accumulate",
        "what is authenticated changes accumulator and shift register bit by bit as described "
        "(in words of 8 bits and more: where at most one of them is one)",
        watch_accumulate, few_cycles, never, always,
    ),
    Property(
        "tag",
        "behind a message its one is authenticated, and the accumulator leaves as the tag",
        watch_tag, lambda _: 4, always, always,
    ),
)  # fmt: skip

PROMISES = (
    *(promise for promise in stepped.PROMISES if promise.name != "silence"),
    *_OWN,
)
