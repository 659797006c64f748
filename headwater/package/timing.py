# SPDX-License-Identifier: Apache-2.0
"""A timing diagram of a core's load and of its first words, in the language of WaveDrom."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from headwater.cipher.description import Cipher
from headwater.core.facts import Facts
from headwater.interface.public_secret import public_secret

_GAP = "|"
_SHOWN = 3


def shown_load_words(cipher: Cipher, facts: Facts) -> int:
    """How many words a load has with an IV of the length that the number of cycles is for."""
    iv_bits = facts.stated_iv_bits
    return len(facts.load_words(*public_secret(cipher, iv_bits), iv_bits))


def timing_rows(facts: Facts, load_words: int) -> list[tuple[str, str]]:
    """When what happens from the first load word on, where words come without a pause: cycles, and
    words of explanation."""
    last = facts.setup_cycles - 1
    between = (["the other load words"] if load_words > 1 else []) + ["the setup"]
    rows = [("0", f"the first of {load_words} load words" if load_words > 1 else "the load word")]
    if last:
        rows.append((f"1 to {last}" if last > 1 else "1", ", then ".join(between)))
    return [*rows, (str(facts.setup_cycles), facts.setup_ends)]


def diagram(facts: Facts, load_words: int) -> str:
    """The diagram as JSON: load words that are there without a pause, the setup, and the first
    words of the stream that is taken up next; one where the core has not one in each cycle.

    Parameters
    ----------
    facts
        The core; the number of cycles is theirs.
    load_words
        How many words a load has.
    """
    load = [f"L{place}" for place in range(load_words)]
    if load_words > _SHOWN:
        load = [*load[: _SHOWN - 1], _GAP, load[-1]]
    name = "keystream" if "keystream" in facts.streams else "data_in"
    stream = facts.streams[name]
    every_cycle = facts.bits_per_cycle == stream.width
    after = [name[0].upper() + str(place) for place in range(_SHOWN if every_cycle else 1)]
    offered = "ready" if stream.direction == "input" else "valid"
    columns = ["", *load, *["", _GAP][: facts.setup_cycles - load_words], *after]
    first, last = 1, len(columns) - len(after)
    signals = [
        {"name": "clk", "wave": _wave(columns, "p", {})},
        {
            "name": "load_valid",
            "wave": _wave(columns, "0", {first: "1", len(load) + 1: "0"}),
            "node": _node(columns, "a", first),
        },
        _payload("load", columns, load),
        {
            "name": f"{name}_{offered}",
            "wave": _wave(columns, "0", {last: "1"}),
            "node": _node(columns, "b", last),
        },
        _payload(name, columns, after),
    ]
    edge = f"a~>b {facts.setup_cycles} cycles to {facts.setup_ends}"
    lines = ",\n".join(f"    {json.dumps(signal)}" for signal in signals)
    return f'{{\n  "signal": [\n{lines}\n  ],\n  "edge": [{json.dumps(edge)}]\n}}\n'


def _wave(columns: Sequence[str], begins: str, changes: dict[int, str]) -> str:
    """A wave that changes in some columns, and is cut where the columns are."""
    changes = {0: begins, **changes}
    return "".join(
        _GAP if column == _GAP else changes.get(place, ".") for place, column in enumerate(columns)
    )


def _node(columns: Sequence[str], name: str, place: int) -> str:
    """A name for a column, which an arrow begins or ends at."""
    return "".join(name if each == place else "." for each in range(len(columns)))


def _payload(stream: str, columns: Sequence[str], labels: Sequence[str]) -> dict[str, Any]:
    words = [label for label in labels if label != _GAP]
    changes = {columns.index(word): "=" for word in words}
    end = columns.index(words[-1]) + 1
    if end < len(columns):
        changes[end] = "x"
    return {"name": f"{stream}_payload", "wave": _wave(columns, "x", changes), "data": words}
