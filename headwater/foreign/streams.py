# SPDX-License-Identifier: Apache-2.0
"""A core driven with whole strings: by phases as a file says them, then by streams of words with
valid and ready."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from headwater.errors import InputError
from headwater.foreign.netlist import Netlist
from headwater.foreign.search import ordered
from headwater.foreign.settings import ZEROS, Phase, Sending, parts

Strings = Mapping[str, Sequence[int]]
"""By name, each bit of a string with a bit for each run, the lowest bit of a byte first."""


@dataclass(frozen=True)
class Word:
    """A word that enters: its bits as the port numbers them, and the bytes of it that count."""

    bits: Sequence[int]
    bytes: int
    is_last: bool


@dataclass
class Course:
    """What a core did: by cycle, an integer for each output bit."""

    outputs: list[list[int]] = field(default_factory=list)
    begins: int = 0
    """The first cycle behind the phases."""


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
        filled = piece + [0] * (width - len(piece))
        words.append(Word(ordered(filled, order), -(-len(piece) // 8), at + width >= len(string)))
    return words


class Player:
    """The inputs of a core in each cycle, for some strings in one order of bits.

    Parameters
    ----------
    netlist
        The core.
    steady
        The value of each input that no phase and no stream sets.
    phases, streams
        What the file says.
    orders
        By string, the order of its bits at the ports.
    count
        Number of runs.
    """

    def __init__(
        self,
        netlist: Netlist,
        steady: Mapping[str, int | str],
        phases: Sequence[Phase],
        streams: Sequence[Sending],
        strings: Strings,
        orders: Mapping[str, str],
        count: int,
    ) -> None:
        self._netlist, self._strings, self._orders = netlist, strings, orders
        self._mask = (1 << count) - 1
        self._values = {name: self._bits(name, value) for name, value in steady.items()}
        self._phases = [*phases]
        self._phase = self._at = 0
        self._queues: dict[str, list[tuple[Sending, Word]]] = {}
        for one in streams:
            string = [bit for part in parts(one.data, one.send) for bit in self._part(part)]
            order = self._order(one.data, one.send)
            width = netlist.ports[one.data][1]
            words = words_of(string, width, order)
            self._queues.setdefault(one.data, []).extend((one, word) for word in words)
        if self._phases:
            self._enter()

    def play(self, cycles: int, idle: int) -> Course:
        """Follow the core for so many cycles, or until no output has changed in ``idle`` cycles
        behind the phases."""
        course, source, still = Course(), random.Random(1), 0
        state = [
            source.getrandbits(self._mask.bit_length()) if value is None else -value & self._mask
            for value in self._netlist.initial
        ]
        where = {bit: place for place, bit in enumerate(self._netlist.output_bits)}
        for cycle in range(cycles):
            values = self._entering()
            inputs = [
                values[name][bit] if name in values else 0 for name, bit in self._netlist.input_bits
            ]
            state, outputs = self._netlist.cycle(state, inputs, self._mask)
            course.outputs.append(outputs)
            if self._phase < len(self._phases):
                self._end_of_cycle(outputs, where)
                course.begins = cycle + 1
            else:
                self._taken(outputs, where)
            waits = course.begins <= cycle and outputs == course.outputs[cycle - 1]
            still = still + 1 if waits else 0
            if still == idle:
                break
        return course

    def _enter(self) -> None:
        self._at = 0
        for name, value in self._phases[self._phase].values.items():
            self._values[name] = self._bits(name, value)

    def _bits(self, port: str, value: int | str) -> list[int]:
        """The bits of an input: of a number, or of a string that fits into it."""
        width = self._netlist.ports[port][1]
        if isinstance(value, int):
            return [-(value >> bit & 1) & self._mask for bit in range(width)]
        named = parts(port, value)
        string = [bit for part in named for bit in self._part(part)]
        if len(string) > width:
            raise InputError(f"{value} must fit into {port} of {width} bits, not be {len(string)}")
        return list(
            words_of(string + [0] * (width - len(string)), width, self._order(port, value))[0].bits
        )

    def _order(self, port: str, text: str) -> str:
        named = (self._orders[name] for name, _, _ in parts(port, text) if name != ZEROS)
        return next(named, "first")

    def _part(self, part: tuple[str, int | None, int | None]) -> Sequence[int]:
        name, begin, end = part
        if name == ZEROS:
            return [0] * ((end or 0) - (begin or 0))
        return self._strings[name][begin:end]

    def _entering(self) -> dict[str, list[int]]:
        values = dict(self._values)
        if self._phase < len(self._phases):
            return values
        for port, queue in self._queues.items():
            if not queue:
                continue
            one, word = queue[0]
            values[port] = list(word.bits)
            wide = self._netlist.ports[one.valid][1]
            # A wide valid has a bit for each byte.
            valid = (1 << word.bytes) - 1 if wide > 1 else 1
            values[one.valid] = self._bits(one.valid, valid)
            if one.keep:
                values[one.keep] = self._bits(one.keep, (1 << word.bytes) - 1)
            for name in filter(None, one.last.replace(" ", "").split(",")):
                values[name] = self._bits(name, int(word.is_last))
            values |= {name: self._bits(name, value) for name, value in one.values.items()}
        return values

    def _taken(self, outputs: Sequence[int], where: Mapping[tuple[str, int], int]) -> None:
        for queue in self._queues.values():
            if queue and (not queue[0][0].ready or outputs[where[queue[0][0].ready, 0]] & 1):
                queue.pop(0)

    def _end_of_cycle(self, outputs: Sequence[int], where: Mapping[tuple[str, int], int]) -> None:
        phase = self._phases[self._phase]
        self._at += 1
        over = self._at >= (phase.cycles or 1)
        if phase.until:
            over = bool(outputs[where[phase.until, 0]] & 1)
        if over:
            self._phase += 1
            if self._phase < len(self._phases):
                self._enter()
