# SPDX-License-Identifier: Apache-2.0
"""The keystream of a core, found in what comes out of it: at which port, radix and order of bits.

Many runs with random keys and IVs go side by side. An output bit is then as many random bits in
each cycle, and where it equals a bit of the description's output it is that bit.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from headwater.foreign.netlist import Netlist
from headwater.foreign.session import Plan, Trace
from headwater.kinds.stepped.runs import Place, RunCipher, Runs

T = TypeVar("T")

RUNS = 64
_AFTER = 320
"""Steps that are looked at after the setup, where each gives a bit."""
_WORDS_AFTER = 48
"""The same, where each gives a word: so many samples of each state bit tell sums of them, too."""
_FEWEST = 48
"""Keystream bits that must agree in a row."""

ORDERS = ("first", "last", "bytes", "bits")
_IN_WORDS = {
    "first": "the lowest bit is the first",
    "last": "the highest bit is the first",
    "bytes": "the highest byte is the first, and bit 0 of each byte",
    "bits": "the lowest byte is the first, and bit 7 of each byte",
    "words": "the highest 32 bits are the first, and bit 0 of each 32",
}


def in_words(order: str) -> str:
    """An order of bits as a phrase."""
    return _IN_WORDS[order]


def ordered(bits: Sequence[T], order: str) -> list[T]:
    """The bits of a port, the first bit first."""
    if order == "first":
        return [*bits]
    if order == "last":
        return [*reversed(bits)]
    if order == "words":
        pieces = [bits[at : at + 32] for at in range(0, len(bits), 32)]
        return [bit for one in reversed(pieces) for bit in one]
    bytewise = [bits[at : at + 8] for at in range(0, len(bits), 8)]
    if order == "bytes":
        return [bit for one in reversed(bytewise) for bit in one]
    return [bit for one in bytewise for bit in reversed(one)]


def orders_of(bits: int) -> tuple[str, ...]:
    """The orders that differ at this width."""
    return ORDERS if bits % 8 == 0 and bits > 8 else ORDERS[:2] if bits > 1 else ORDERS[:1]


@dataclass(frozen=True)
class Model:
    """The description in all runs under one order of key and IV."""

    states: Sequence[Mapping[Place, int]]
    """By step, from the end of the load on."""
    outputs: Sequence[Sequence[int]]
    """By step, the bits of its output, the first one first."""

    @cached_property
    def bits(self) -> list[int]:
        """The output bit by bit."""
        return [bit for output in self.outputs for bit in output]


@dataclass(frozen=True)
class Reading:
    """An order of key and IV."""

    key: str
    iv: str


@dataclass(frozen=True)
class Match:
    """Where the keystream is."""

    plan: Plan
    trace: Trace
    reading: Reading
    model: Model
    port: str
    width: int
    """Bits of a cycle."""
    radix: int
    """Steps of a cycle."""
    order: str
    """Of the keystream's bits at the port."""
    cycle: int
    """The first cycle that agrees."""
    step: int
    """The step whose output is the first bit of that cycle."""
    last: int
    """The last cycle that agrees without a break, of those that were followed."""

    def step_at(self, cycle: int) -> int:
        """The step whose output is the first bit of a cycle."""
        return self.step + self.radix * (cycle - self.cycle)

    @property
    def places(self) -> list[int]:
        """The numbers of the port's bits, that of the first bit of keystream first."""
        return ordered(range(self.width), self.order)


def draw(cipher: RunCipher, netlist: Netlist, plan: Plan, seed: int) -> dict[str, list[int]]:
    """Random key and IV, as the ports number their bits; an IV of zeros where none enters."""
    source = random.Random(seed)
    ports = plan.ports
    lengths = {
        "key": netlist.ports[ports.key][1] if ports.key else cipher.key_bits,
        "iv": netlist.ports[ports.iv][1] if ports.iv else cipher.iv_bits[-1],
    }
    drawn = {
        name: [source.getrandbits(RUNS) for _ in range(bits)] for name, bits in lengths.items()
    }
    if not (ports.iv or ports.load or plan.sends("iv")):
        drawn["iv"] = [0] * lengths["iv"]
    elif cipher.first_iv_bit is not None:
        # Wherever the first bit is, it is what it must be.
        last = lengths["iv"] - 1
        for place in (0, 7, last - 7, last):
            drawn["iv"][place] = -cipher.first_iv_bit & ((1 << RUNS) - 1)
    return drawn


def readings(bits: Mapping[str, Sequence[int]]) -> list[Reading]:
    """Every order of key and IV, those first in which both are the same."""
    signals = [
        Reading(key, iv) for key in orders_of(len(bits["key"])) for iv in orders_of(len(bits["iv"]))
    ]
    return sorted(signals, key=lambda one: one.key != one.iv)


def models(
    cipher: RunCipher, bits: Mapping[str, Sequence[int]], steps: int
) -> Iterator[tuple[Reading, Model]]:
    """The description under every order, all in one reading."""
    ways = readings(bits)

    def side_by_side(what: str) -> list[int]:
        strings = [ordered(bits[what], getattr(way, what)) for way in ways]
        return [
            sum(string[n] << RUNS * place for place, string in enumerate(strings))
            for n in range(len(bits[what]))
        ]

    runs = Runs(cipher, side_by_side("key"), side_by_side("iv"), RUNS * len(ways))
    states, outputs = [], []
    for _ in range(steps):
        states.append(runs.state())
        outputs.append(runs.step())
    mask = (1 << RUNS) - 1
    for place, way in enumerate(ways):
        shift = RUNS * place
        yield (
            way,
            Model(
                _Lazy(states, shift, mask),
                [[bit >> shift & mask for bit in output] for output in outputs],
            ),
        )


class _Lazy(Sequence[Mapping[Place, int]]):
    """The states of some of the runs."""

    def __init__(self, states: Sequence[Mapping[Place, int]], shift: int, mask: int) -> None:
        self._states, self._shift, self._mask = states, shift, mask
        self._made: dict[int, dict[Place, int]] = {}

    def __len__(self) -> int:
        return len(self._states)

    def __getitem__(self, step: int) -> dict[Place, int]:  # type: ignore[override]
        if step not in self._made:
            self._made[step] = {
                place: value >> self._shift & self._mask
                for place, value in self._states[step].items()
            }
        return self._made[step]


def steps_needed(cipher: RunCipher, netlist: Netlist, plan: Plan) -> int:
    """Steps that the description is followed."""
    widest = max((netlist.ports[name][1] for name in plan.ports.outputs), default=1)
    at_once = -(-min(widest, 512) // cipher.word_bits)
    return cipher.blank_steps + _steps_after(cipher) + 6 * at_once


def _steps_after(cipher: RunCipher) -> int:
    return _AFTER if cipher.word_bits == 1 else _WORDS_AFTER


def cycles_needed(cipher: RunCipher, plan: Plan) -> int:
    """Cycles that a core is followed: for those of a step in each."""
    waits = sum(phase.cycles or 200 for phase in plan.phases)
    after = _steps_after(cipher)
    return 8 + len(plan.words) + waits + cipher.blank_steps + after + cipher.load_steps


def find(
    cipher: RunCipher,
    netlist: Netlist,
    plan: Plan,
    trace: Trace,
    known: Sequence[tuple[Reading, Model]],
) -> Match | None:
    """Where the keystream comes out, from the earliest cycle on; None if it does not, or if a cycle
    is no whole number of steps. What comes out in the setup alone is not enough: with another step
    it would be the same at first."""
    word, until = cipher.word_bits, cipher.blank_steps * cipher.word_bits + _FEWEST
    where = {bit: place for place, bit in enumerate(netlist.output_bits)}
    for reading, model in known:
        places_of: dict[int, list[int]] = {}
        for place, value in enumerate(model.bits):
            places_of.setdefault(value, []).append(place)
        for port in plan.ports.outputs:
            width = netlist.ports[port][1]
            if width > len(model.bits) // 2 or width % word:
                continue
            for order in orders_of(width) if word > 1 else orders_of(width)[:2]:
                places = [where[port, bit] for bit in ordered(range(width), order)]
                match = _first_match(trace, places, model.bits, places_of, until)
                if match and not match[1] % word:
                    last = _last_match(trace, places, model.bits, *match)
                    cycle, step = match[0], match[1] // word
                    return Match(
                        plan,
                        trace,
                        reading,
                        model,
                        port,
                        width,
                        width // word,
                        order,
                        cycle,
                        step,
                        last,
                    )
    return None


def _first_match(
    trace: Trace,
    places: Sequence[int],
    expected: Sequence[int],
    places_of: Mapping[int, list[int]],
    until: int,
) -> tuple[int, int] | None:
    """The first cycle whose word is of the keystream, and the number of its first bit there."""
    width, ones = len(places), (1 << RUNS) - 1
    for cycle, outputs in enumerate(trace.outputs):
        if outputs[places[0]] in (0, ones):
            continue
        for first in places_of.get(outputs[places[0]], ())[:2]:
            enough = max(2, -(-(max(until, first + _FEWEST) - first) // width))
            if first + width * enough <= len(expected) and all(
                cycle + later < len(trace.outputs)
                and all(
                    trace.outputs[cycle + later][place] == expected[first + width * later + bit]
                    for bit, place in enumerate(places)
                )
                for later in range(enough)
            ):
                return cycle, first
    return None


def _last_match(
    trace: Trace, places: Sequence[int], expected: Sequence[int], cycle: int, first: int
) -> int:
    """The last cycle of those that agree from the given one on."""
    width = len(places)
    while (
        cycle < len(trace.outputs)
        and first + width <= len(expected)
        and all(
            trace.outputs[cycle][place] == expected[first + bit] for bit, place in enumerate(places)
        )
    ):
        cycle, first = cycle + 1, first + width
    return cycle - 1
