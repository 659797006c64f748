# SPDX-License-Identifier: Apache-2.0
"""A session of a core, simulated: reset, key and IV through its ports, and what comes out."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from headwater.errors import InputError
from headwater.foreign.netlist import Netlist
from headwater.foreign.ports import Ports
from headwater.foreign.settings import Phase
from headwater.kinds.stepped.runs import RunCipher, is_of_bits

RESET_CYCLES = 3
_PART = re.compile(r"\s*(key|iv)(?:\[(\d+):(\d+)\])?\s*")

Place = tuple[str, int] | int | None
"""A bit of key or IV as the ports number it; or a constant, None for the zeros that fill a word."""


@dataclass(frozen=True)
class Plan:
    """How a core is driven."""

    ports: Ports
    words: tuple[tuple[Place, ...], ...] = ()
    """What enters by the stream."""
    layout: str = ""
    """The order of the words, as a phrase."""
    phases: tuple[Phase, ...] = ()
    turned: bool = False
    """Whether the first bit of a word of a phase is its highest one."""

    def sends(self, what: str) -> bool:
        """Whether a phase has bits of "key" or "iv"."""
        return any(
            isinstance(value, str) and re.search(rf"\b{what}\b", value)
            for phase in self.phases
            for value in phase.values.values()
        )


@dataclass
class Trace:
    """What a core did: by cycle, an integer for each flip-flop and for each output bit."""

    states: list[list[int]] = field(default_factory=list)
    outputs: list[list[int]] = field(default_factory=list)
    inputs: list[list[int]] = field(default_factory=list)
    begins: int = 0
    """The first cycle in which reset and start are over and all words are in."""


def plans(
    ports: Ports, cipher: RunCipher, netlist: Netlist, phases: tuple[Phase, ...]
) -> list[Plan]:
    """The ways to drive a core that are to be tried, the likeliest first."""
    if ports.load is None:
        wide = any(
            isinstance(value, str) and netlist.ports[name][1] > 1
            for phase in phases
            for name, value in phase.values.items()
        )
        plain = Plan(ports, phases=phases)
        turned = replace(plain, turned=True, layout="the first bit highest in a word")
        return [plain, turned] if wide else [plain]
    width = netlist.ports[ports.load.payload][1]
    key: list[Place] = [("key", n) for n in range(cipher.key_bits)]
    iv: list[Place] = [("iv", n) for n in range(cipher.iv_bits[-1])]
    own = side_by_side(cipher, key, iv, width)
    candidates = [Plan(ports, own, "the description's order")] if own else []
    for name, string in (("the key, then the IV", key + iv), ("the IV, then the key", iv + key)):
        nothing: list[Place] = [None] * (-len(string) % width)
        plan = Plan(ports, _cut(nothing + string, width), name)
        candidates += [plan] * all(plan.words != one.words for one in candidates)
    return candidates


def side_by_side(
    cipher: RunCipher, key: Sequence[Any], iv: Sequence[Any], width: int
) -> tuple[tuple[Place, ...], ...]:
    """The words of the description's lanes; none if the width is no multiple of their number."""
    lanes = [[*lane] for lane in cipher.entering_lanes(key, iv)]
    each, left = divmod(width, len(lanes))
    if left:
        return ()
    steps = -(-max(map(len, lanes)) // each) * each
    filled = [[None] * (steps - len(lane)) + lane for lane in lanes]
    if not is_of_bits(cipher):  # Words side by side, the first one on top.
        return tuple(
            tuple(lane[at + step] for step in reversed(range(each)) for lane in filled)
            for at in range(0, steps, each)
        )
    return tuple(
        tuple(lane[at + bit] for lane in filled for bit in range(each))
        for at in range(0, steps, each)
    )


def _cut(string: Sequence[Place], width: int) -> tuple[tuple[Place, ...], ...]:
    return tuple(tuple(string[at : at + width]) for at in range(0, len(string), width))


def simulate(
    netlist: Netlist,
    plan: Plan,
    bits: Mapping[str, Sequence[int]],
    runs: int,
    cycles: int,
    seed: int = 1,
) -> Trace:
    """Follow a core for some cycles.

    Parameters
    ----------
    bits
        Under "key" and "iv": each bit as the ports number it, with a bit for each run.
    runs
        Number of runs side by side.
    cycles
        Clock cycles from the first cycle of the reset.
    seed
        Of what flip-flops hold at power-up where the sources do not say it.
    """
    mask, trace = (1 << runs) - 1, Trace()
    draw = random.Random(seed)
    state = [
        draw.getrandbits(runs) if value is None else -value & mask for value in netlist.initial
    ]
    driver = _driver(netlist, plan, bits, mask)
    where = {bit: place for place, bit in enumerate(netlist.output_bits)}
    for cycle in range(cycles):
        values = driver.values(cycle)
        inputs = [values[name][bit] if name in values else 0 for name, bit in netlist.input_bits]
        after, outputs = netlist.cycle(state, inputs, mask)
        trace.states.append(state)
        trace.outputs.append(outputs)
        trace.inputs.append(inputs)
        driver.seen(lambda port, seen=outputs: bool(seen[where[port, 0]] & 1))
        if not driver.over:
            trace.begins = cycle + 1
        state = after
    return trace


class _Driver:
    """What the inputs are in each cycle: reset, start, and words while the core is ready."""

    def __init__(
        self, netlist: Netlist, plan: Plan, bits: Mapping[str, Sequence[int]], mask: int
    ) -> None:
        self._netlist, self._plan, self._bits, self._mask = netlist, plan, bits, mask
        self._word = 0
        ports = plan.ports
        self._steady = {name: self._number(name, value) for name, value in ports.ties.items()}
        for name, what in ((ports.key, "key"), (ports.iv, "iv")):
            if name:
                self._steady[name] = [*bits[what]]
        self._cycle = 0

    def _number(self, port: str, value: int) -> list[int]:
        return [-(value >> bit & 1) & self._mask for bit in range(self._netlist.ports[port][1])]

    @property
    def over(self) -> bool:
        """Whether nothing changes any more."""
        started = self._cycle >= RESET_CYCLES * bool(self._plan.ports.reset) + bool(
            self._plan.ports.start
        )
        return started and self._word >= len(self._plan.words)

    def values(self, cycle: int) -> dict[str, list[int]]:
        """The bits of each input."""
        ports, values = self._plan.ports, dict(self._steady)
        self._cycle = cycle
        first = RESET_CYCLES if ports.reset else 0
        if ports.reset:
            active = cycle < first
            level = ports.reset_level if active else 1 - ports.reset_level
            values[ports.reset] = self._number(ports.reset, level)
        if ports.start:
            values[ports.start] = self._number(ports.start, int(cycle == first))
        if ports.load:
            words = self._plan.words
            sends = cycle >= first and self._word < len(words)
            values[ports.load.valid] = self._number(ports.load.valid, int(sends))
            word = words[self._word] if sends else (None,) * len(words[0])
            values[ports.load.payload] = [self._bit(place) for place in word]
            if ports.load.last:
                is_last = sends and self._word == len(words) - 1
                values[ports.load.last] = self._number(ports.load.last, int(is_last))
        self._sends = bool(ports.load) and cycle >= first and self._word < len(self._plan.words)
        return values

    def _bit(self, place: Place) -> int:
        if isinstance(place, tuple):
            return self._bits[place[0]][place[1]]
        return -(place or 0) & self._mask

    def seen(self, port: Any) -> None:
        """Be told the outputs of the cycle, ``port(name)`` being one of a bit."""
        load = self._plan.ports.load
        if self._sends and load and (not load.ready or port(load.ready)):
            self._word += 1


class _Phases(_Driver):
    """What the inputs are by the phases of a file."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self._phase, self._at = 0, 0
        self._strings: dict[str, list[tuple[int, ...]]] = {}
        self._enter()

    def _enter(self) -> None:
        self._at, self._strings = 0, {}
        if self._phase >= len(self._plan.phases):
            return
        for name, value in self._plan.phases[self._phase].values.items():
            if isinstance(value, str):
                width = self._netlist.ports[name][1]
                string = [bit for part in value.split(",") for bit in self._part(name, part)]
                string = [0] * (-len(string) % width) + string
                words = [string[at : at + width] for at in range(0, len(string), width)]
                self._strings[name] = [
                    tuple(word[::-1] if self._plan.turned else word) for word in words
                ]
            else:
                self._steady[name] = self._number(name, value)

    def _part(self, name: str, text: str) -> Sequence[int]:
        match = _PART.fullmatch(text)
        if not match:
            raise InputError(
                f'set of {name} must be a number, or bits such as "key" or "iv[0:32]", not {text!r}'
            )
        bits = self._bits[match[1]]
        return bits if match[2] is None else bits[int(match[2]) : int(match[3])]

    @property
    def over(self) -> bool:
        return self._phase >= len(self._plan.phases)

    def values(self, cycle: int) -> dict[str, list[int]]:
        self._cycle = cycle
        for name, words in self._strings.items():
            self._steady[name] = list(words[min(self._at, len(words) - 1)])
        return dict(self._steady)

    def seen(self, port: Any) -> None:
        if self.over:
            return
        phase = self._plan.phases[self._phase]
        self._at += 1
        length = phase.cycles or max((len(one) for one in self._strings.values()), default=0)
        if port(phase.until) if phase.until else self._at >= length:
            self._phase += 1
            self._enter()


def _driver(netlist: Netlist, plan: Plan, bits: Mapping[str, Sequence[int]], mask: int) -> _Driver:
    return (_Phases if plan.phases else _Driver)(netlist, plan, bits, mask)


def other_reset(plan: Plan) -> Plan:
    """The plan with the other level of the reset."""
    return replace(plan, ports=replace(plan.ports, reset_level=1 - plan.ports.reset_level))
