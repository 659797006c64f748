# SPDX-License-Identifier: Apache-2.0
"""A self-checking testbench for a generated core, in any simulator of SystemVerilog."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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

_BEYOND_SETUP = 10
"""So many cycles longer than a setup nothing is loaded: a core that begins by itself is found."""
_CYCLES, _TIMES_SETUP, _CYCLES_OF_WORD = 1000, 8, 100
"""After so many cycles, times the setup, and cycles for each word, a session has come to a halt."""


@dataclass(frozen=True)
class _Early:
    """A session that ends before it is whole: when, in Verilog, and by what."""

    when: str
    by: str


@dataclass(frozen=True)
class BenchSession:
    """A session that a testbench runs."""

    words: Mapping[str, Words]
    """Those of each stream."""
    decrypts: bool = False


def testbench(core: str, facts: Facts, sessions: Sequence[BenchSession]) -> str:
    """The module ``{core}_tb``, which sends or expects the words of each session. It prints "PASS",
    or "FAIL" and why. The second session is begun several times, and ended early by all that can
    end it; all others are whole."""
    streams = facts.streams
    names = [name for name in streams if name in sessions[0].words]
    inputs = {name: [one.words.get(name, ()) for one in sessions] for name in names}
    outputs = [name for name in names if streams[name].direction == "output"]
    totals = [sum(len(inputs[name][place]) for name in outputs) for place in range(len(sessions))]
    words = max(sum(map(len, one.words.values())) for one in sessions)
    wait = facts.setup_cycles + _BEYOND_SETUP
    early = _early(facts, len(inputs["load"][1]), totals[1])
    return _RENDERED(
        "testbench.v",
        core=core,
        streams=streams,
        inputs=list(facts.inputs),
        ports=[
            "clk",
            "rst",
            *(port for one in streams.values() for port in one.ports),
            *facts.inputs,
        ],
        words={
            name: [f"{_value(streams[name], word):x}" for some in lists for word in some]
            for name, lists in inputs.items()
        },
        begins={
            name: _by_message([sum(map(len, lists[:place])) for place in range(len(lists))])
            for name, lists in inputs.items()
        },
        counts={name: _by_message(list(map(len, lists))) for name, lists in inputs.items()},
        decrypts=_by_message([int(one.decrypts) for one in sessions]),
        width_of={name: sum(_parts(streams[name]).values()) for name in inputs},
        together={name: _together(streams[name]) for name in inputs},
        outputs=outputs,
        waits=facts.waits,
        wait=wait,
        pauses_at=len(inputs["load"][1]) // 2 if facts.waits else 0,
        messages=len(sessions),
        total=_by_message(totals),
        compared=sum(totals),
        seen=" + ".join(f"{name}_seen" for name in outputs),
        wrong=" || ".join(f"{name}_wrong" for name in outputs),
        early=" || ".join(f"{name}_early" for name in outputs),
        cycle_limit=_CYCLES + _TIMES_SETUP * facts.setup_cycles + _CYCLES_OF_WORD * words,
        sessions=early,
        ended_by=", ".join(dict.fromkeys(_SAID[one.by] for one in early)),
        cleared=_any_session(early, "clear"),
        resets=_any_session(early, "reset"),
    )


def _by_message(values: Sequence[int]) -> str:
    """The value that belongs to the present message, in Verilog."""
    *before, last = values
    return "".join(
        f"message == {place} ? {value} : "
        for place, value in enumerate(before)
        if set(values) != {last}
    ) + str(last)


_SAID = {"clear": "by clear", "load": "by a new load", "reset": "by a reset"}


def _early(facts: Facts, load_words: int, total: int) -> list[_Early]:
    """What ends a session early: `clear` and a reset in the load, in the setup and while the core
    runs, a new load while it runs or is set up. `clear` also before anything is loaded."""
    runs = f"seen == {min(3, total - 1)}" if total > 1 else "seen == 1"
    in_load = [f"load_taken == {load_words // 2}"] if load_words > 1 else []
    loaded = f"load_taken == {load_words}"
    halfway = [f"ready_for == {facts.setup_cycles // 2}"] if facts.setup_cycles > 2 else []
    resets = [*in_load, *halfway, runs]
    clears = ["age == 2", *in_load, loaded, *halfway, runs] if "clear" in facts.inputs else []
    whens = {"clear": clears, "load": [*halfway, runs], "reset": resets}
    return [_Early(when, by) for by, some in whens.items() for when in some]


def _any_session(early: Sequence[_Early], by: str) -> str:
    """Whether the present session ends by that, in Verilog; empty if none does."""
    return " || ".join(
        f"session == {number}" for number, one in enumerate(early, start=1) if one.by == by
    )


def _members(stream: Stream) -> tuple[str, ...]:
    """The members of a stored word, the lowest bits first; for message words they include marks."""
    if not stream.keep_bits or "last" not in stream.marks:
        return ("payload",)
    return ("payload", "keep", "ad" if stream.direction == "input" else "last")


def _parts(stream: Stream) -> dict[str, int]:
    """The members that the core has ports for, with their widths."""
    return {name: stream.members[name] for name in _members(stream) if name in stream.members}


def _together(stream: Stream) -> str:
    return "{" + ", ".join(f"{stream.name}_{part}" for part in reversed(_parts(stream))) + "}"


def _value(stream: Stream, word: int | Marked) -> int:
    """A word as one number, without members that the core has no port for."""
    value, at, widths = 0, 0, _parts(stream)
    parts = (word,) if isinstance(word, int) else word
    for name, part in zip(_members(stream), parts, strict=True):
        if name in widths:
            value |= part << at
            at += widths[name]
    return value
