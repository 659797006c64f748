# SPDX-License-Identifier: Apache-2.0
"""Registers on a data sheet: length, taps and degree.

A tap is a stage that is read for more than shifting: for a shift register in the setup or after it,
for other registers in the running cipher. The degree is that of the running cipher.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from headwater.algebra.polynomial import Polynomial, Variable
from headwater.cipher.register import Register

Entries = dict[str, dict[str, Any]]
"""What is said of each register, by its name."""


def with_lengths(registers: Iterable[Register]) -> Entries:
    """The length of each register, and whether only the setup needs it."""
    return {
        register.name: {
            "length": register.length,
            **({"setup_only": True} if register.setup_only else {}),
        }
        for register in registers
    }


def with_taps(
    registers: Iterable[Register],
    becomes: Mapping[str, Mapping[int, Polynomial]],
    read: frozenset[Variable],
) -> Entries:
    """What is said of each register, from the next value of its stages in the running cipher and
    the stages that are read: its length, newest and oldest stage, taps, degree, the registers that
    feed it, and whether only the setup needs it."""
    return {
        register.name: {
            "length": register.length,
            "stages": [register.newest, register.oldest],
            "taps": sorted(stage for name, stage in read if name == register.name),
            "feedback_degree": max(function.degree for function in becomes[register.name].values()),
            "feedback_from": sorted(
                {
                    name
                    for function in becomes[register.name].values()
                    for name, _ in function.variables
                }
            ),
            **({"setup_only": True} if register.setup_only else {}),
        }
        for register in registers
    }


def not_moved_on(
    registers: Iterable[Register], becomes: Mapping[str, Mapping[int, Polynomial]]
) -> Iterator[Polynomial]:
    """The next values of stages, except those that only take another bit of their register."""
    for register in registers:
        for function in becomes[register.name].values():
            names = {name for name, _ in function.variables}
            if names != {register.name} or not len(function.monomials) == function.degree == 1:
                yield function
