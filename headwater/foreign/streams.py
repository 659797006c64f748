# SPDX-License-Identifier: Apache-2.0
"""A core driven with whole strings: by phases as a file says them, then by streams of words with
valid and ready. Several ways to drive it go side by side."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from headwater.errors import InputError
from headwater.foreign.netlist import Netlist
from headwater.foreign.search import ordered
from headwater.foreign.settings import ZEROS, Phase, Sending, named, parts

Strings = Mapping[str, Sequence[int]]
"""By name, each bit of a string with a bit for each run, the lowest bit of a byte first."""


@dataclass(frozen=True)
class Word:
    """A word that enters, its bits as the port numbers them."""

    bits: Sequence[int]
    counts: Sequence[int]
    """For each bit a one if it is part of the string."""
    is_last: bool


@dataclass(frozen=True)
class Way:
    """How strings enter a core."""

    streams: Sequence[Sending]
    orders: Mapping[str, str]
    """By string, the order of its bits at the ports."""

    def order(self, port: str, text: str) -> str:
        """The order of what a text names."""
        order = (self.orders[name] for name, _, _ in parts(port, text) if name != ZEROS)
        return next(order, "first")

    def words(self, netlist: Netlist, strings: Strings) -> dict[str, list[tuple[Sending, Word]]]:
        """By input, the words that enter in turn. Where all strings of an input are empty and
        something marks the end, a word enters of which nothing counts."""
        queues: dict[str, list[tuple[Sending, Word]]] = {}
        for one in self.streams:
            width = netlist.ports[one.data][1]
            string = string_of(one, strings, width)
            words = words_of(string, width, self.order(one.data, one.send))
            queues.setdefault(one.data, []).extend((one, word) for word in words)
        for one in reversed(self.streams):
            if one.end and not queues[one.data]:
                nothing = [0] * netlist.ports[one.data][1]
                queues[one.data].append((one, Word(nothing, nothing, True)))
        return queues

    def counts(self, netlist: Netlist, strings: Strings) -> tuple[tuple[object, ...], ...]:
        """By input, which bits of each word count: what a core may wait for."""
        queues = self.words(netlist, strings).values()
        return tuple(tuple(tuple(word.counts) for _, word in queue) for queue in queues)


def string_of(stream: Sending, strings: Strings, width: int) -> list[int]:
    """What enters by a stream of words of this width."""
    named_parts = parts(stream.data, stream.send)
    pieces = [_part(part, strings) for part in named_parts]
    rest = [0] * max(0, stream.words * width - sum(map(len, pieces)))
    filled = [
        rest if part == (ZEROS, None, None) else piece
        for part, piece in zip(named_parts, pieces, strict=True)
    ]
    return [bit for piece in filled for bit in piece]


def _part(part: tuple[str, int | None, int | None], strings: Strings) -> Sequence[int]:
    name, begin, end = part
    if name == ZEROS:
        return [0] * ((end or 0) - (begin or 0))
    return strings[name][begin:end]


def words_of(string: Sequence[int], width: int, order: str) -> list[Word]:
    """A string as words of a port. The last one is filled with zeros; an order of bits within bytes
    is that of the whole string where a word is shorter than a byte."""
    if width < 8:
        reverses = order in ("last", "bytes")
        string = ordered(string, "bits") if reverses else string
        order = "first"
    words = []
    for at in range(0, len(string), width):
        piece = [*string[at : at + width]]
        nothing = [0] * (width - len(piece))
        bits, counts = piece + nothing, [1] * len(piece) + nothing
        words.append(Word(ordered(bits, order), ordered(counts, order), at + width >= len(string)))
    return words


def _unwatched(state: list[int], inputs: list[int]) -> None:
    """Look at nothing."""


class Player:
    """The inputs of a core in each cycle, for some strings that enter in several ways, all with the
    same counts.

    Parameters
    ----------
    netlist
        The core.
    steady
        The value of each input that no phase and no stream sets.
    phases
        What the file says.
    strings, count
        What enters, and the number of runs of each way.
    """

    def __init__(
        self,
        netlist: Netlist,
        steady: Mapping[str, int | str],
        phases: Sequence[Phase],
        ways: Sequence[Way],
        strings: Strings,
        count: int,
    ) -> None:
        self._netlist, self._ways, self._strings, self._count = netlist, ways, strings, count
        self._mask = (1 << count * len(ways)) - 1
        self._values = {name: self._bits(name, value) for name, value in steady.items()}
        self._phases = [*phases]
        self._phase = self._at = 0
        self._queues = self._merged([way.words(netlist, strings) for way in ways])
        if self._phases:
            self._enter()

    def play(
        self, cycles: int, idle: int, watched: Callable[[list[int], list[int]], object] = _unwatched
    ) -> Iterator[list[int]]:
        """Follow the core for so many cycles, or until nothing changes any more, or in ``idle``
        cycles no word was taken and no output changed; gives the outputs of each cycle behind the
        phases. ``watched`` is called with flip-flops and inputs in each cycle."""
        still, state = 0, self._power_up()
        before: list[int] = []
        for _ in range(cycles):
            inputs = self._inputs()
            watched(state, inputs)
            after, outputs = self._netlist.cycle(state, inputs, self._mask)
            if self._phase < len(self._phases):
                self._end_of_cycle(outputs)
            else:
                taken = self._taken(outputs)
                yield outputs
                still = 0 if taken or outputs != before else still + 1
                if still == idle or (after == state and not taken):
                    return
            before, state = outputs, after

    def words_taken(self, stream: Sending, most: int, idle: int) -> int:
        """How many words of zeros a core takes by a stream until it takes none in ``idle`` cycles;
        0 if it takes more than ``most``."""
        valid = self._netlist.input_bits.index((stream.valid, 0))
        taken, waited, state = 0, 0, self._power_up()
        while waited < idle and taken <= most:
            inputs = self._inputs()
            if self._phase < len(self._phases):
                state, outputs = self._netlist.cycle(state, inputs, self._mask)
                self._end_of_cycle(outputs)
                continue
            # A word that is not taken is not offered: it might begin the session anew.
            offered = [*inputs]
            offered[valid] = self._mask
            after, outputs = self._netlist.cycle(state, offered, self._mask)
            if self._is_one(outputs, stream.ready):
                state, taken, waited = after, taken + 1, 0
            else:
                state, waited = self._netlist.cycle(state, inputs, self._mask)[0], waited + 1
        return taken if taken <= most else 0

    def _power_up(self) -> list[int]:
        """What the flip-flops begin with: the same in every way."""
        source = random.Random(1)
        return [
            self._side_by_side([drawn] * len(self._ways)) if value is None else -value & self._mask
            for value in self._netlist.initial
            for drawn in (source.getrandbits(self._count),)
        ]

    def _inputs(self) -> list[int]:
        values = self._entering()
        return [
            values[name][bit] if name in values else 0 for name, bit in self._netlist.input_bits
        ]

    def _is_one(self, outputs: Sequence[int], port: str) -> bool:
        return bool(outputs[self._netlist.output_bits.index((port, 0))] & 1)

    def _side_by_side(self, values: Sequence[int]) -> int:
        return sum(value << self._count * way for way, value in enumerate(values))

    def _together(self, rows: Sequence[Sequence[int]]) -> list[int]:
        """Bits of each way as bits of all."""
        return [self._side_by_side(column) for column in zip(*rows, strict=True)]

    def _merged(
        self, queues: Sequence[Mapping[str, list[tuple[Sending, Word]]]]
    ) -> dict[str, list[tuple[Sending, Word]]]:
        """The words of each way side by side."""
        ones = (1 << self._count) - 1
        merged = {}
        for port in queues[0]:
            columns = zip(*(queue[port] for queue in queues), strict=True)
            merged[port] = [
                (
                    column[0][0],
                    Word(
                        self._together([word.bits for _, word in column]),
                        self._together([[ones * one for one in word.counts] for _, word in column]),
                        column[0][1].is_last,
                    ),
                )
                for column in columns
            ]
        return merged

    def _enter(self) -> None:
        self._at = 0
        for name, value in self._phases[self._phase].values.items():
            self._values[name] = self._bits(name, value)

    def _bits(self, port: str, value: int | str) -> list[int]:
        """The bits of an input: of a number, or of a string that fits into it."""
        width = self._netlist.ports[port][1]
        if isinstance(value, int):
            return [-(value >> bit & 1) & self._mask for bit in range(width)]
        string = string_of(Sending(value, port, ""), self._strings, width)
        if len(string) > width:
            raise InputError(f"{value} must fit into {port} of {width} bits, not be {len(string)}")
        filled = string + [0] * (width - len(string))
        return self._together(
            [words_of(filled, width, way.order(port, value))[0].bits for way in self._ways]
        )

    def _entering(self) -> dict[str, list[int]]:
        values = dict(self._values)
        if self._phase < len(self._phases):
            return values
        for port, queue in self._queues.items():
            if not queue:
                continue
            one, word = queue[0]
            values[port] = [*word.bits]
            wide = self._netlist.ports[one.valid][1]
            values[one.valid] = self._parts(word, one.valid) if wide > 1 else [self._mask]
            if one.keep:
                values[one.keep] = self._parts(word, one.keep)
            if one.count:
                values[one.count] = self._bits(one.count, sum(map(bool, word.counts)) // 8)
            for name in named(one.last):
                values[name] = self._bits(name, int(word.is_last))
            for name in named(one.end):
                values[name] = self._bits(name, int(len(queue) == 1))
            values |= {name: self._bits(name, value) for name, value in one.values.items()}
        return values

    def _parts(self, word: Word, port: str) -> list[int]:
        """A bit for each equal part of a word that counts."""
        size = len(word.bits) // self._netlist.ports[port][1]
        return [word.counts[at] for at in range(0, len(word.bits), size)]

    def _taken(self, outputs: Sequence[int]) -> bool:
        """Go on to the next words; gives whether some word was taken."""
        taken = [
            queue
            for queue in self._queues.values()
            if queue and (not queue[0][0].ready or self._is_one(outputs, queue[0][0].ready))
        ]
        for queue in taken:
            queue.pop(0)
        return bool(taken)

    def _end_of_cycle(self, outputs: Sequence[int]) -> None:
        phase = self._phases[self._phase]
        self._at += 1
        over = self._at >= (phase.cycles or 1)
        if phase.until:
            over = self._is_one(outputs, phase.until)
        if over:
            self._phase += 1
            if self._phase < len(self._phases):
                self._enter()
