# SPDX-License-Identifier: Apache-2.0
"""What a benchmark is asked for on its command line: cores and targets by name."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Iterable
from dataclasses import dataclass

from headwater.cipher.catalogue import find
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Verilog, generate
from headwater.errors import InputError
from headwater.measure.target import TARGETS, AsicTarget, FpgaTarget


@dataclass(frozen=True)
class Core:
    """A core of the default form."""

    name: str
    radix: int
    verilog: Verilog

    def __str__(self) -> str:
        return f"{self.name} r{self.radix}"


def cores(text: str) -> list[Core]:
    """The cores of ``NAME:RADIX[,..]``."""
    return list(map(_core, text.split(",")))


def _core(text: str) -> Core:
    name, _, radix = text.partition(":")
    if not radix.isdecimal():
        raise ArgumentTypeError(f"a core must be NAME:RADIX, such as trivium:64, not {text!r}")
    try:
        cipher = find(name)
        architecture = Architecture.choose(cipher, radix=int(radix))
    except InputError as error:
        raise ArgumentTypeError(str(error)) from error
    return Core(name, int(radix), generate(cipher, architecture))


def placed_fpgas(text: str) -> list[FpgaTarget]:
    """The targets of ``T[,T]``, all with place and route."""
    legal = {
        name: one for name, one in TARGETS.items() if isinstance(one, FpgaTarget) and one.is_placed
    }
    return [legal[_among(legal, name)] for name in text.split(",")]


def cells(text: str) -> AsicTarget:
    """A target of standard cells."""
    legal = {name: one for name, one in TARGETS.items() if isinstance(one, AsicTarget)}
    return legal[_among(legal, text)]


def _among(legal: Iterable[str], name: str) -> str:
    if name not in legal:
        raise ArgumentTypeError(f"target must be one of {', '.join(legal)}, not {name!r}")
    return name


def first_seeds(text: str) -> range:
    """Seeds from 1 on, as many as asked for."""
    if not (text.isdecimal() and int(text) > 0):
        raise ArgumentTypeError(f"seeds must be a number above 0, not {text!r}")
    return range(1, int(text) + 1)
