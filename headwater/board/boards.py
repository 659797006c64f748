# SPDX-License-Identifier: Apache-2.0
"""Boards as data: a file of TOML for each, and one for each family of FPGAs they have."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from headwater.errors import InputError, unknown

_HERE = Path(__file__).parent


@dataclass(frozen=True, kw_only=True)
class BoardFamily:
    """How the FPGAs of a family are made a bitstream of, and which models their cells have."""

    name: str
    synth: str
    """Yosys's synthesis command, without the top module."""
    constraints: str
    """The dialect of the constraints: the ending of their file, and of the template for it."""
    place: str
    """The command of nextpnr with the files that it reads and writes, as the Makefile has it:
    ``$(TOP)`` is the top module."""
    pack: str
    """The command that packs the bitstream."""
    packages: tuple[str, ...]
    """The Python packages of both."""
    bitstream: str
    """The ending of the bitstream's file."""
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of some cells the parameters and ports that their models have."""
    timing: str = ""
    """The ending of the file with the clock, and of the template for it; empty where it stands
    beside the pins."""
    models: str = ""
    """The file with models of the family's cells, below the folder that Yosys shares; empty if the
    project has all of them."""


@dataclass(frozen=True)
class Pin:
    """Where a port of the top module is."""

    site: str
    standard: str = ""
    """The standard of its voltages; empty where the constraints have none."""


@dataclass(frozen=True)
class Clock:
    """A clock that the core can have."""

    mhz: int
    pll: Mapping[str, int] = field(default_factory=dict)
    """Parameters of the PLL that makes it of the board's oscillator; empty for the oscillator."""

    @property
    def period_ns(self) -> float:
        """The period, rounded down to picoseconds."""
        return 1_000_000 // self.mhz / 1000


@dataclass(frozen=True, kw_only=True)
class Board:
    """A board with an FPGA, an oscillator, a serial line and an LED."""

    name: str
    title: str
    family: BoardFamily
    part: str
    """Arguments of nextpnr that choose the part."""
    loader: str
    """Its name in openFPGALoader."""
    pins: Mapping[str, Pin]
    clocks: tuple[Clock, ...]
    """The oscillator first."""
    pack: str = ""
    """Arguments of the packer that choose the part."""
    led_on: int = 1
    """What the pin of the LED has when it shines."""

    def clock(self, mhz: int | None) -> Clock:
        """The clock of that frequency; the oscillator if there is none.

        Raises
        ------
        InputError
            If the board has no such clock.
        """
        if mhz is None:
            return self.clocks[0]
        for clock in self.clocks:
            if clock.mhz == mhz:
                return clock
        legal = " or ".join(str(clock.mhz) for clock in self.clocks)
        raise InputError(f"clock of {self.name} must be {legal} MHz, not {mhz!r}")


def _data(folder: str, name: str) -> dict[str, Any]:
    return tomllib.loads((_HERE / folder / f"{name}.toml").read_text())


def _names(folder: str) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in (_HERE / folder).glob("*.toml")))


BOARDS = _names("data")
"""The names of the boards with an FPGA."""

SHUTTLE = "tinytapeout"
"""What is no board, but takes a core as one: pins, and a project that others build."""


@cache
def board_family(name: str) -> BoardFamily:
    """A family by its name."""
    data = _data("families", name)
    data["packages"] = tuple(data["packages"])
    return BoardFamily(name=name, **data)


@cache
def board(name: str) -> Board:
    """A board by its name.

    Raises
    ------
    InputError
        If there is none of that name.
    """
    if name not in BOARDS:
        raise unknown("board", name, (*BOARDS, SHUTTLE))
    data = _data("data", name)
    data["family"] = board_family(data["family"])
    data["pins"] = {port: Pin(**pin) for port, pin in data["pins"].items()}
    data["clocks"] = tuple(Clock(**clock) for clock in data["clocks"])
    return Board(name=name, **data)
