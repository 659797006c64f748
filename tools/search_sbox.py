# SPDX-License-Identifier: Apache-2.0
"""Search for a small or a fast circuit of an S-box that is an inversion.

    python tools/search_sbox.py sr --seconds 600 --seed 1
    python tools/search_sbox.py sr --form fast --level 12

Simulated annealing: one choice of `headwater.algebra.tower.ByteInversion`, or of
`headwater.algebra.shallow_inversion.ShallowInversion`, is changed at a time, and a change is kept
if the circuit costs no more, in gates and levels, or by chance. Each circuit that costs less than
all before is tried with every input and printed with its choices.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from headwater.algebra.field import IDENTITY, Field, LinearMap
from headwater.algebra.sbox import SR, SBox
from headwater.algebra.shallow_inversion import ShallowInversion
from headwater.algebra.straight_line import Program, levelled
from headwater.algebra.tower import ByteInversion, Tower
from headwater.cipher.sboxes import depth, gives
from headwater.cipher.zuc_sboxes import S1

SBOXES = {
    "sr": (SR, ByteInversion.normal(Field(0x11B), v=0x0A, u=0x51)),
    "s1": (S1, ByteInversion.normal(Field(0x18B), v=0x27, u=0xA9)),
}
"""Where the search begins."""

HOT, COLD = 1.5, 0.15
ROUND = 1500
"""Circuits from hot to cold."""


def search(
    sbox: SBox, begin: ByteInversion, seed: int, level: float
) -> Iterator[tuple[ByteInversion, Program]]:
    """Choices and their circuits, one after the other, for ever. A level of depth counts as so many
    gates."""
    source = random.Random(seed)
    constant = sbox.entries[0]
    field = begin.tower.field
    linear = LinearMap(
        tuple(sbox.entries[field.inverse(1 << place)] ^ constant for place in range(8))
    )
    here, cost = begin, math.inf
    for number in range(1 << 62):
        heat = HOT * (COLD / HOT) ** (number % ROUND / ROUND)
        there = changed(here, source)
        try:
            program = there.program(IDENTITY, linear, constant)
        except ValueError:  # no basis, or summands that depend on each other
            continue
        if not isinstance(there, ShallowInversion):
            program = levelled(program)
        found = len(program.gates) + level * depth([program])
        if found <= cost or source.random() < math.exp((cost - found) / heat):
            here, cost = there, found
        yield there, program


def changed(way: ByteInversion, source: random.Random) -> ByteInversion:
    """The same with one other choice."""
    tower, field = way.tower, way.tower.field
    anything = list(range(1, 256))
    units = [x for x in field.subfield(4) if x]

    def other(pair: tuple[int, int], elements: list[int]) -> tuple[int, int]:
        new = source.choice(elements)
        return (new, pair[1]) if source.random() < 0.5 else (pair[0], new)

    def drawn(seeds: tuple[Any, ...]) -> tuple[Any, ...]:
        place = source.randrange(len(seeds))
        return (*seeds[:place], source.randrange(300), *seeds[place + 1 :])

    def other_ties() -> ByteInversion:
        if isinstance(way, ShallowInversion):
            return replace(way, ties=drawn(way.ties))
        return replace(way, seeds=drawn(way.seeds))

    return source.choice(
        (
            lambda: replace(way, tower=Tower(field, other(tower.basis, anything), tower.low)),
            lambda: replace(way, tower=Tower(field, tower.basis, other(tower.low, units))),
            lambda: replace(way, unit=source.choice(units)),
            lambda: replace(way, factor=source.choice(units)),
            lambda: replace(way, joined=tuple(sorted(source.sample(range(9), 4)))),
            other_ties,
            other_ties,
        )
    )()


def main() -> None:
    """Search, and print what is found."""
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("sbox", choices=SBOXES)
    given.add_argument("--seconds", type=float, default=600.0)
    given.add_argument("--seed", type=int, default=1)
    given.add_argument("--form", choices=("small", "fast"), default="small")
    given.add_argument(
        "--level", type=float, default=0.02, help="gates that one level of depth is worth"
    )
    words = given.parse_args()
    sbox, begin = SBOXES[words.sbox]
    if words.form == "fast":
        begin = ShallowInversion(begin.tower, begin.u)
    best, end = math.inf, time.monotonic() + words.seconds
    for way, program in search(sbox, begin, words.seed, words.level):
        gates, levels = len(program.gates), depth([program])
        if gates + words.level * levels < best:
            if not gives(program, sbox):
                raise SystemExit(f"{way} is wrong")
            best = gates + words.level * levels
            print(f"{gates} gates, depth {levels}: {way}", flush=True)
        if time.monotonic() > end:
            return


if __name__ == "__main__":
    main()
