# SPDX-License-Identifier: Apache-2.0
"""The tables of VEST's root families, read from `vest_tables.json`, which names their source."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

PATH = Path(__file__).with_name("vest_tables.json")


@dataclass(frozen=True)
class Row:
    """The next value of a bit of the core: a function of five bits, moved to another place."""

    destination: int
    sources: tuple[int, ...]
    """The first has the least weight in the function's table."""
    function: int
    """Bit k is the value for the inputs k."""


@dataclass(frozen=True)
class CounterKind:
    """The length of a counter, and its feedback function."""

    width: int
    function: int


@dataclass(frozen=True)
class DiffuserBit:
    """The next value of a bit of the diffuser: the sum of another bit of it and of counter bits,
    possibly inverted."""

    source: int
    counters: tuple[int, ...]
    inverted: bool


@dataclass(frozen=True)
class Tables:
    """A root family."""

    counters: tuple[CounterKind, ...]
    diffuser: tuple[DiffuserBit, ...]
    rows: tuple[Row, ...]
    """Row i uses bit i of the core."""
    taps: tuple[tuple[int, ...], ...]
    """The bits of the core whose sum is an output bit; none where they are not known."""

    @property
    def core_bits(self) -> int:
        """Bits of the core."""
        return len(self.rows)


@cache
def tables(size: int) -> Tables:
    """The root family of a size: 4, 8, 16 or 32."""
    content = _content()
    family = content["sizes"][str(size)]
    kinds = [
        CounterKind(width, int(function, 16))
        for width, function in zip(
            content["counter_width"], content["counter_function"], strict=True
        )
    ]
    return Tables(
        counters=tuple(kinds[number] for number in family["counters"]),
        diffuser=tuple(
            DiffuserBit(bit["from"], tuple(bit["counters"]), bool(bit["invert"]))
            for bit in content["diffuser"]
        ),
        rows=tuple(map(_row, family["core_rows"])),
        taps=tuple(map(tuple, family["output_taps"] or ())),
    )


def _row(text: str) -> Row:
    *numbers, function = text.split()
    destination, *sources = map(int, numbers)
    return Row(destination, tuple(sources), int(function, 16))


@lru_cache
def _content() -> Mapping[str, Any]:
    content: Mapping[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
    return content
