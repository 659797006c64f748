# SPDX-License-Identifier: Apache-2.0
"""A self-checking testbench for a generated core, in any Verilog-2001 simulator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from headwater.core.facts import Facts
from headwater.core.streams import Stream
from headwater.templating import Templates

_RENDERED = Templates(Path(__file__).with_name("templates")).rendered

Marked = tuple[int, int, int]
"""A data word that goes in: payload, keep, marks of associated data; or one that comes out:
payload, keep, whether it is the last."""
Words = Sequence[int | Marked]
"""The words of a stream, in order."""

_CYCLE_LIMIT = 100_000


def testbench(core: str, facts: Facts, words: Mapping[str, Words]) -> str:
    """The module ``{core}_tb``, which sends or expects the words of each stream. It prints "PASS",
    or "FAIL" and why."""
    streams = facts.streams
    given = {name: words[name] for name in streams if name in words}
    outputs = [name for name in given if streams[name].direction == "output"]
    return _RENDERED(
        "testbench.v",
        core=core,
        streams=streams,
        inputs=list(facts.inputs),
        ports=["clk", "rst", *(port for one in streams.values() for port in one.ports),
               *facts.inputs],
        words={name: [f"{_value(streams[name], word):x}" for word in some]
               for name, some in given.items()},
        width_of={name: sum(_parts(streams[name]).values()) for name in given},
        together={name: _together(streams[name]) for name in given},
        outputs=outputs,
        waits=any(streams[name].waits for name in outputs),
        total=sum(len(given[name]) for name in outputs),
        seen=" + ".join(f"{name}_seen" for name in outputs),
        wrong=" || ".join(f"{name}_wrong" for name in outputs),
        cycle_limit=_CYCLE_LIMIT,
    )  # fmt: skip


def _members(stream: Stream) -> tuple[str, ...]:
    """The members of a stored word, the lowest bits first; for message words they include marks."""
    if not stream.keep_bits or "last" not in stream.marks:
        return ("payload",)
    return ("payload", "keep", "ad" if stream.direction == "input" else "last")


def _parts(stream: Stream) -> dict[str, int]:
    """The members that the core has ports for, with their widths."""
    return {name: stream.members[name] for name in _members(stream) if name in stream.members}


def _together(stream: Stream) -> str:
    return "{" + ", ".join(f"{stream.name}__{part}" for part in reversed(_parts(stream))) + "}"


def _value(stream: Stream, word: int | Marked) -> int:
    """A word as one number, without members that the core has no port for."""
    value, at, widths = 0, 0, _parts(stream)
    parts = (word,) if isinstance(word, int) else word
    for name, part in zip(_members(stream), parts, strict=True):
        if name in widths:
            value |= part << at
            at += widths[name]
    return value
