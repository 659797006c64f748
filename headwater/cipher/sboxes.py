# SPDX-License-Identifier: Apache-2.0
"""The S-boxes of the catalogue as circuits: how large and how deep each is, and whether it is
right for every input."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from headwater.algebra.every_element import gives_inverses
from headwater.algebra.large_tower import inversion_parts
from headwater.algebra.sbox import SR, SBox
from headwater.algebra.straight_line import Program
from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.sfinks import BITS, FIELD, TOWER
from headwater.cipher.snow3g_sbox import SQ
from headwater.cipher.zuc_sboxes import S0, S1


@dataclass(frozen=True)
class Circuit:
    """One S-box."""

    name: str
    form: str
    """How it is made, of `headwater.algebra.sbox.FORMS`."""
    meaning: str
    parts: Callable[[], Sequence[Program]]
    """Its circuit, in parts that follow each other."""
    is_right: Callable[[Sequence[Program]], bool]
    """Whether a circuit is right for every input."""
    known: str = ""
    """What is known of other circuits for it, with the source."""


def gives(program: Program, sbox: SBox) -> bool:
    """Whether a circuit of a byte gives the entries of an S-box, for every input."""
    every = [sum((x >> bit & 1) << x for x in range(256)) for bit in range(8)]
    outputs = program.read([IntegerWord(bits, 256) for bits in every], unnamed, "y")
    wanted = [sum((y >> bit & 1) << x for x, y in enumerate(sbox.entries)) for bit in range(8)]
    return [word.value for word in outputs] == wanted


def _of_byte(sbox: SBox, form: str, meaning: str, known: str = "") -> Circuit:
    return Circuit(
        sbox.name,
        form,
        meaning,
        lambda: [sbox.programs[form]],
        lambda parts: len(parts) == 1 and gives(parts[0], sbox),
        known,
    )


_KNOWN_SHALLOW = "128 gates, 34 of them ANDs, in 16 levels (Boyar, Peralta, IFIP SEC 2012)"
_KNOWN_OF_AES = "115 gates, 32 of them ANDs (Boyar, Matthews, Peralta, J. Cryptology 26, 2013)"

CIRCUITS = (
    _of_byte(SR, "algebraic", "S-box of AES; S_R of SNOW 3G", _KNOWN_OF_AES),
    _of_byte(SR, "small", "S-box of AES", _KNOWN_OF_AES),
    _of_byte(SR, "fast", "S-box of AES; S_R of SNOW 3G", _KNOWN_SHALLOW),
    _of_byte(SQ, "algebraic", "S_Q of SNOW 3G"),
    _of_byte(SQ, "fast", "S_Q of SNOW 3G"),
    _of_byte(S0, "algebraic", "S0 of ZUC"),
    _of_byte(S0, "fast", "S0 of ZUC"),
    _of_byte(S1, "algebraic", "S1 of ZUC"),
    _of_byte(S1, "fast", "S1 of ZUC"),
    Circuit(
        "inverse",
        "algebraic",
        "the inversion of SFINKS",
        lambda: inversion_parts(TOWER, tuple(range(BITS))),
        lambda parts: gives_inverses(parts, FIELD.polynomial),
    ),
)
"""Those that are not only tables."""


def depth(parts: Sequence[Program]) -> int:
    """Gates on the longest way through parts that follow each other."""
    levels = [0] * parts[0].inputs
    for part in parts:
        levels = part.levels(levels)
    return max(levels)
