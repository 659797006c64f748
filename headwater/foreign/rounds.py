# SPDX-License-Identifier: Apache-2.0
"""Where a core holds the state of a cipher that goes in rounds: found from behaviour, for random
keys and nonces that enter by its own ports."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from headwater.foreign.messages import Sample, columns
from headwater.foreign.netlist import Netlist
from headwater.foreign.search import RUNS
from headwater.foreign.streams import Player
from headwater.foreign.trials import Entry, strings_of
from headwater.kinds.rounds import Rounds

_ONES = (1 << RUNS) - 1

Term = tuple[int, int]
"""A bit of a state, and a one if it is inverted."""


@dataclass(frozen=True)
class Held:
    """A state in the flip-flops of a core."""

    cycle: int
    """Of the session."""
    number: int
    """Rounds before the state."""
    meanings: Mapping[int, Term]
    """By flip-flop."""

    @property
    def places(self) -> set[int]:
        """The bits that are held."""
        return {place for place, _ in self.meanings.values()}


class Session:
    """A core in sessions with random keys and nonces, beside the states of the description.

    Parameters
    ----------
    netlist
        The core.
    rounds
        What it is compared with.
    entry, sample
        How strings enter, and strings of which all but key and nonce stay.
    seed
        Of keys and nonces.
    cycles
        Clock cycles that are followed.
    """

    def __init__(
        self,
        netlist: Netlist,
        rounds: Rounds,
        entry: Entry,
        sample: Sample,
        seed: int,
        cycles: int,
    ) -> None:
        source = random.Random(seed)
        drawn = [
            {name: source.randbytes(len(sample.strings[name])) for name in ("key", "iv")}
            for _ in range(RUNS)
        ]
        group = [replace(sample, strings={**sample.strings, **one}) for one in drawn]
        self.states: list[list[int]] = []
        self.inputs: list[list[int]] = []
        interface = entry.interface
        player = Player(
            netlist, interface.steady, interface.phases, [entry.way], strings_of(group), RUNS
        )
        for _ in player.play(cycles, cycles, self._watch):
            pass
        self.expected = _expected(rounds, drawn)
        """By number of rounds, each bit of the state, with a bit for each run."""

    def _watch(self, state: list[int], inputs: list[int]) -> None:
        self.states.append(state)
        self.inputs.append(inputs)

    def holds(self, one: Held) -> bool:
        """Whether the flip-flops hold a state in these sessions."""
        state = self.states[one.cycle] if one.cycle < len(self.states) else []
        return bool(state) and all(
            self.expected[one.number][place] ^ -inverted & _ONES == state[flop]
            for flop, (place, inverted) in one.meanings.items()
        )

    def held(self, number: int) -> Held:
        """The cycle in which most of the bits of a state are in flip-flops. Bits that are
        constant, or the same as others, are left out."""
        known: dict[int, Term] = {}
        for place, value in enumerate(self.expected[number]):
            for inverted in (0, 1):
                known.setdefault(value ^ -inverted & _ONES, (place, inverted))
        known.pop(0, None)
        known.pop(_ONES, None)
        each = (
            Held(
                cycle, number, {f: known[value] for f, value in enumerate(state) if value in known}
            )
            for cycle, state in enumerate(self.states)
        )
        return max(each, key=lambda one: (len(one.places), -one.cycle))


def _expected(rounds: Rounds, drawn: Sequence[Mapping[str, bytes]]) -> list[list[int]]:
    size = rounds.width // 8
    runs = [rounds.states(one["key"], one["iv"]) for one in drawn]
    return [
        columns([b"".join(word.to_bytes(size, "little") for word in run[number]) for run in runs])
        for number in range(rounds.count + 1)
    ]


@dataclass(frozen=True)
class RoundMap:
    """Where the states of a description are in a core, if anywhere."""

    netlist: Netlist
    rounds: Rounds
    session: Session
    other: Session
    """Keys and nonces with which no place was found: places are checked with them."""

    @cached_property
    def states(self) -> list[Held]:
        """By number of rounds: of the first states, which begin with constants, the places are
        those of a later one."""
        found = [self.session.held(number) for number in range(self.rounds.count + 1)]
        whole = [one for one in found if len(one.places) == self.rounds.bits]
        return [one if one in whole else next(self._alike(one, whole), one) for one in found]

    def _alike(self, one: Held, whole: Sequence[Held]) -> Iterator[Held]:
        last = min((other.cycle for other in whole if other.number > one.number), default=0)
        for cycle in reversed(range(last)):
            for other in whole:
                moved = replace(other, cycle=cycle, number=one.number)
                if self.session.holds(moved):
                    yield moved

    @cached_property
    def whole(self) -> list[Held]:
        """The states that are found in whole, in the sessions of both."""
        return [
            one
            for one in self.states
            if len(one.places) == self.rounds.bits and self.other.holds(one)
        ]

    @property
    def best(self) -> Held:
        """The state of which most is found, the first one."""
        return max(self.states, key=lambda one: (len(one.places), -one.number))

    def steps(self) -> list[tuple[Held, Held]]:
        """The states between which one round lies, both found."""
        by_number = {one.number: one for one in self.whole}
        return [
            (one, by_number[one.number + 1])
            for one in self.whole
            if one.number + 1 in by_number and one.cycle < by_number[one.number + 1].cycle
        ]

    def name(self, place: int) -> str:
        """A bit of a state."""
        word, bit = divmod(place, self.rounds.width)
        return f"{self.rounds.names[word]}[{bit}]"
