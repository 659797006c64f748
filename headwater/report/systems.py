# SPDX-License-Identifier: Apache-2.0
"""Stored results of systems of processor and coprocessor, with the software that they replace."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from headwater.measure.store import Result
from headwater.report.points import Measured, place_of

SOFTWARE = "software"
_BIT_SERIAL = "bit-serial"
_SYSTEM = (
    "cipher",
    "cpu",
    "interface",
    "driver",
    "wait_states",
    "stateless",
    "radix",
    "load_width",
    "options",
    "message_bytes",
    "baseline",
)


@dataclass(frozen=True)
class System(Measured):
    """A measured system."""

    software_cycles: float | None
    """Clock cycles of word-parallel C on the same processor for 128 bits; None if not stored."""

    @property
    def cycles(self) -> float:
        """Clock cycles for 128 bits in steady state."""
        return float(self.record["cycles_per_128_bits"])

    @property
    def in_software(self) -> bool:
        """Whether the processor does the work alone."""
        return bool(self["interface"] == SOFTWARE)

    @property
    def access(self) -> str:
        """The interface to the core, or the software that does its work, in words."""
        if self.in_software:
            return str(self["baseline"])
        waits = f", {self['wait_states']} wait states" if self["wait_states"] else ""
        stateless = ", stateless" if self["stateless"] else ""
        return f"{self['interface']}, {self['driver']}{stateless}{waits}"

    @property
    def series(self) -> str:
        """The choices that the system shares with systems that differ only in radix or wait
        states."""
        return f"{self.cipher}, {self['cpu']}, {self['interface']}, {self['driver']}" + (
            ", stateless" if self["stateless"] else ""
        )

    @property
    def speed_up(self) -> float | None:
        """How much faster than software the system is."""
        return self._times(self.cycles)

    @property
    def core_speed_up(self) -> float | None:
        """Speed-up over software of the core alone, without interface."""
        return self._times(self["core_cycles_per_128_bits"])

    def _times(self, cycles: float | None) -> float | None:
        if self.in_software or not cycles or self.software_cycles is None:
            return None
        return self.software_cycles / cycles


def systems_of(results: Sequence[Result]) -> list[System]:
    """The systems that were measured, in the order of catalogue, processor and interface.

    Of several results of one system the last one, in the order given, counts.
    """
    last = {_system_of(result.record): result for result in results}
    software = {
        (record["cipher"], record["cpu"]): float(record["cycles_per_128_bits"])
        for record in (result.record for result in last.values())
        if record["interface"] == SOFTWARE and not record["baseline"].startswith(_BIT_SERIAL)
    }
    systems = [
        System(
            one.id,
            one.record,
            one.measured_at,
            software.get((one.record["cipher"], one.record["cpu"])),
        )
        for one in last.values()
    ]
    return sorted(systems, key=_place)


def _system_of(record: dict[str, Any]) -> str:
    return json.dumps([record.get(name) for name in _SYSTEM], sort_keys=True)


def _place(system: System) -> tuple[object, ...]:
    return (
        place_of(system.cipher),
        system.cipher,
        system["cpu"],
        system.in_software,
        system.access,
        system["radix"] or 0,
        sorted(system["options"].items()),
        system.id,
    )
