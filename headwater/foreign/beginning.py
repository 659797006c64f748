# SPDX-License-Identifier: Apache-2.0
"""Where a core's keystream begins, as the core itself says it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from headwater.foreign.attempt import Attempt
from headwater.foreign.netlist import Netlist
from headwater.foreign.search import RUNS, Match
from headwater.kinds.stepped.runs import RunCipher

_NEAR = 8
"""Cycles from the right one in which an output may rise and be taken for what tells of keystream.
"""


@dataclass(frozen=True)
class Beginning:
    """The beginning of the keystream of a core."""

    cipher: RunCipher
    netlist: Netlist
    attempt: Attempt
    match: Match
    valid: str
    """The output that tells of keystream; empty where it is not said."""

    @cached_property
    def announced(self) -> tuple[str, int] | None:
        """The output of one bit that becomes one, and stays so, when keystream is there, and the
        cycle; None if there is none."""
        trace, match = self.attempt.trace, self.match
        right = match.cycle + -(-(self.cipher.blank_steps - match.step) // match.radix)
        ones, ports = (1 << RUNS) - 1, []
        for place, (port, _) in enumerate(self.netlist.output_bits):
            if self.netlist.ports[port][1] != 1 or port == match.port:
                continue
            if self.valid and port != self.valid:
                continue
            seen = [outputs[place] for outputs in trace.outputs[trace.begins :]]
            if set(seen) != {0, ones}:
                continue
            turns = [n for n in range(1, len(seen)) if seen[n] != seen[n - 1]]
            rises = seen[turns[0]] == ones or "busy" in port.lower()
            # A pulse that says "done" is in the last cycle of the setup.
            pulse = "done" in port.lower() and len(turns) > 1 and turns[1] == turns[0] + 1
            cycle = trace.begins + turns[int(pulse)]
            # What falls again later may tell of anything else, unless it rises when it should.
            sure = len(turns) == 1 or self.valid or abs(cycle - right) <= _NEAR
            if rises and sure:
                ports.append((port, cycle))
        ports.sort(key=lambda one: (abs(one[1] - right), "valid" not in one[0], one[0]))
        return ports[0] if ports else None

    @property
    def first(self) -> int:
        """How many steps behind the first one of ``match.cycle`` the core's first one of keystream
        is: where it says so, or else where it is by the description."""
        if self.announced:
            return (self.announced[1] - self.match.cycle) * self.match.radix
        silent = self.is_silent_before
        return 0 if silent else self.cipher.blank_steps - self.match.step

    @property
    def is_silent_before(self) -> bool:
        """Whether the output is constant until the first keystream word."""
        trace, match = self.attempt.trace, self.match
        places = [n for n, (port, _) in enumerate(self.netlist.output_bits) if port == match.port]
        before = trace.outputs[trace.begins : match.cycle]
        return (
            match.step > 0
            and len(before) > 2
            and all(
                before[0][place] == outputs[place] in (0, (1 << RUNS) - 1)
                for outputs in before
                for place in places
            )
        )
