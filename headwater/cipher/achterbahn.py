# SPDX-License-Identifier: Apache-2.0
"""Achterbahn, first version: eight nonlinear shift registers under one Boolean function.

B. M. Gammel, R. Göttfert and O. Kniffler, "The Achterbahn Stream Cipher", eSTREAM, 2005. Cells are
numbered as there: new bits enter at the top, cell 0 leaves. With its output configuration, each
register's output is a sum of cells that 64 bits of a ninth register choose.

The paper loads the first bits of the key into all cells at once and adds the others, then the IV,
to the feedback. Here key and IV enter bit by bit, and the feedback of a register is off until its
cells are full. In the paper a shorter register makes fewer steps after the load. Here it gets its
bits later, from a line that all registers tap, so all registers end together and none has to hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import xor
from typing import Any

from headwater.algebra.factoring import Form, factored
from headwater.algebra.polynomial import Polynomial
from headwater.algebra.word import Word, choose, concatenate
from headwater.cipher.register import Register
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import Injected, Phase

Cells = Callable[[int], Word]
"""A register read by the numbers of its cells."""


@dataclass(frozen=True)
class Nlfsr:
    """A nonlinear shift register of ``length`` cells. Its feedback is a sum of single cells and of
    products of cells."""

    name: str
    length: int
    singles: str
    products: str

    @cached_property
    def terms(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the cells that are multiplied, term by term."""
        words = f"{self.singles} {self.products}".split()
        return tuple(tuple(map(int, word.split("*"))) for word in words)

    @cached_property
    def shortest(self) -> Form:
        """The feedback with factors taken out, over variables (name of the register, cell)."""
        products = (frozenset((self.name, cell) for cell in term) for term in self.terms)
        return factored(Polynomial(frozenset(products)))

    def feedback(self, cell: Cells) -> Word:
        """The feedback bit."""
        return self.shortest.read(lambda _, number: cell(number))


DRIVING = (
    Nlfsr("a", 22, "0 5 6 7 10 11 12 13 17 20", "2*7 4*14 8*9 10*11 1*4*11 1*4*13*14"),
    Nlfsr("b", 23, "0 6 7 9 11 12 14 15 17 19 21", "1*4 2*7 5*9 6*10 2*4*8 1*3*5*10 4*11*12*13"),
    Nlfsr(
        "c", 25, "0 1 3 5 6 7 9 12 14 15 17 18 22", "1*6 4*13 8*16 12*15 5*11*14 1*4*11*15 2*5*8*10"
    ),
    Nlfsr(
        "d",
        26,
        "0 1 4 5 7 8 9 13 14 16 20 24",
        "1*6 4*7 12*16 15*17 4*15*17 7*9*10 1*3*14*16 8*11*12*17",
    ),
    Nlfsr(
        "e",
        27,
        "0 1 2 6 8 9 10 13 14 16 19 21 23",
        "1*8 3*12 11*17 15*18 5*6*15 3*5*16*17 7*12*14*15",
    ),
    Nlfsr(
        "f",
        28,
        "0 1 2 7 15 17 19 20 22 27",
        "9*17 10*18 11*14 12*13 5*14*19 6*10*12 6*9*17*18 10*12*19*20",
    ),
    Nlfsr(
        "g",
        29,
        "0 2 3 5 6 9 14 15 16 18 21 27",
        "5*7 6*20 10*14 13*18 8*19*21 11*16*18 1*5*15*21 2*7*17*20",
    ),
    Nlfsr(
        "h",
        31,
        "0 3 5 7 10 16 17 18 19 20 21 24 30",
        "5*15 11*18 16*22 17*21 1*2*19 1*12*14*17 2*5*13*20",
    ),
)
"""The driving registers."""

CONFIGURATION = Nlfsr(
    "v",
    64,
    "0 3 7 10 12 27 28 38 46 47",
    "8*20 17*23 24*25 29*31 33*34*37 1*3*9*10 39*41*51*52",
)
"""The register of the output configuration; the constant one is a term of its feedback."""

CHOSEN = (6, 7, 7, 8, 8, 9, 9, 10)
"""Cells above cell 0 that the configuration chooses from, for each driving register."""

FULL = 32
"""Clocks until every driving register is full: its wait for the first bit plus its length, the same
for all."""

LINE = FULL - DRIVING[0].length
"""Clocks that the shortest register waits."""


def cells(register: Word) -> Cells:
    """A register whose bit 0 is its top cell, read by the numbers of its cells."""
    top = len(register) - 1
    return lambda number: register[top - number]


def shifted(register: Word, entering: Word) -> Word:
    """The register one clock later, when the bit has entered at its top."""
    return concatenate(entering, register[: len(register) - 1])


def with_mark(register: Word, entering: Word, ahead: Word) -> Word:
    """The register one clock later, with ``ahead`` in front of the bit that enters."""
    return concatenate(entering, ahead, register[1 : len(register) - 1])


def combine(a: Word, b: Word, c: Word, d: Word, e: Word, f: Word, g: Word, h: Word) -> Word:
    """The Boolean function of the keystream."""
    return a ^ c ^ d ^ e ^ ((b & h) | (g & h) | (f & g))


def filtered(driving: Word, chosen: int, first: int, v: Word | None) -> Word:
    """The output of a driving register: the sum of cell 0 and of the cells above it whose bit in
    ``v``, counted from ``first``, is one."""
    x = cells(driving)
    if v is None:
        return x(0)
    w = cells(v)
    return reduce(xor, (w(first + place) & x(place + 1) for place in range(chosen)), x(0))


def output(wire: Any, driving: tuple[Word, ...], v: Word | None) -> Word:
    """The keystream bit."""
    firsts = [sum(CHOSEN[:place]) for place in range(len(CHOSEN))]
    bits = [
        wire(filtered(register, chosen, first, v), f"{nlfsr.name}_out")
        for nlfsr, register, chosen, first in zip(DRIVING, driving, CHOSEN, firsts, strict=True)
    ]
    return combine(*bits)


def drive(
    wire: Any, driving: tuple[Word, ...], line: Word, forced: Word, full: Word
) -> dict[str, Word]:
    """One clock of the driving registers. Each takes its bit from its place of the line; if
    ``forced`` has a one at this place, cell 0 of the register counts as one."""
    after = {}
    for nlfsr, register in zip(DRIVING, driving, strict=True):
        x, place = cells(register), FULL - nlfsr.length - 1
        fed_back = wire(nlfsr.feedback(x) & full, f"{nlfsr.name}_fed_back")
        new = wire(fed_back ^ line[place] ^ (forced[place] & ~x(0)), f"{nlfsr.name}_in")
        after[nlfsr.name] = shifted(register, new)
    return after


def configure(
    wire: Any, v: Word, v_full: Word, entering: Word, started: Word, configuring: Word
) -> dict[str, Word]:
    """One clock of the configuration register, which stands still after the setup."""
    v_in = wire((~CONFIGURATION.feedback(cells(v)) & v_full) ^ entering)
    v_ahead = wire(v[0] | ~started)
    moved = with_mark(v, v_in, v_ahead)
    return {"v": choose(configuring, moved, v), "v_full": v_full | cells(v)(0)}


def move(
    wire: Any, driving: tuple[Word, ...], helpers: tuple[Word, ...], entering: Word, forcing: Word
) -> dict[str, Word]:
    """One clock of the driving registers and of the registers that serve the setup alone.

    A one goes ahead of the key. It leaves all driving registers in the same clock, the one in which
    all are full.
    """
    line, forced, started, full = helpers
    line_ahead = wire(line[0] | ~started)
    return {
        **drive(wire, driving, line, forced, full),
        "line": with_mark(line, entering, line_ahead),
        "forced": shifted(forced, forcing),
        "started": started | ~started,
        "full": full | cells(driving[0])(0),
    }


def step_reduced(
    wire: Any, *registers: Word, entering: Word, forcing: Word
) -> tuple[Word, Mapping[str, Word]]:
    """One clock without output configuration."""
    driving, helpers = registers[:8], registers[8:]
    z = wire(output(wire, driving, None))
    return z, move(wire, driving, helpers, entering, forcing)


def step(
    wire: Any, *registers: Word, entering: Word, forcing: Word, configuring: Word
) -> tuple[Word, Mapping[str, Word]]:
    """One clock with output configuration."""
    driving, (v, line, forced, started, full, v_full) = registers[:8], registers[8:]
    z = wire(output(wire, driving, v))
    helpers = (line, forced, started, full)
    return z, {
        **move(wire, driving, helpers, entering, forcing),
        **configure(wire, v, v_full, entering, started, configuring),
    }


def _register(name: str, length: int) -> Register:
    return Register(name, newest=length - 1, oldest=0)


def helper(name: str, length: int) -> Register:
    """A register that serves the setup alone and must be zero when the setup begins."""
    return Register(name, newest=0, oldest=length - 1, setup_only=True, from_zero=True)


_DRIVING = tuple(_register(nlfsr.name, nlfsr.length) for nlfsr in DRIVING)
_HELPERS = (helper("line", LINE), helper("forced", LINE), helper("started", 1), helper("full", 1))
_SOURCE = 'B. M. Gammel, R. Gottfert, O. Kniffler, "The Achterbahn Stream Cipher", eSTREAM, 2005'
_CONVENTION = (
    "Least significant bit first everywhere: bit i of key, IV and keystream is bit i mod 8 of "
    "byte i // 8. An IV of n bits is any multiple of 8 up to 64."
)

ACHTERBAHN = ClockedCipher(
    name="achterbahn",
    title="Achterbahn",
    source=_SOURCE,
    security='broken: T. Johansson, W. Meier, F. Muller, "Cryptanalysis of Achterbahn", 2006',
    printed_flip_flops=(
        (
            "285 by ETH Zurich, February 2006, UMC 0.25 um: 211 cells of the eight driving "
            "registers and 64 of the output configuration are 275, so 10 are left for control"
        ),
    ),
    key_bits=80,
    iv_bits=tuple(range(0, 65, 8)),
    bit_order="lsb_first",
    convention=_CONVENTION,
    registers=(*_DRIVING, _register("v", CONFIGURATION.length), *_HELPERS, helper("v_full", 1)),
    load=Injected((Phase("load", 144, ("configuring",)),), any_length=True),
    phases=(
        Phase("force a one", 1, ("configuring", "forcing")),
        Phase("configuration", 47, ("configuring",)),
        Phase("warm-up", 16),
    ),
    step=step,
    radices=(1, 2, 4, 8, 16),
)

ACHTERBAHN_REDUCED = replace(
    ACHTERBAHN,
    name="achterbahn-v1-reduced",
    title="Achterbahn without output configuration",
    printed_flip_flops=(),
    registers=(*_DRIVING, *_HELPERS),
    load=Injected((Phase("load", 144),), any_length=True),
    phases=(Phase("force a one", 1, ("forcing",)), Phase("warm-up", 63)),
    step=step_reduced,
)
