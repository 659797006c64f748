# SPDX-License-Identifier: Apache-2.0
"""Mutants with a name: cores that break a promise which no change of the netlist can break, because
it watches no cell of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from amaranth.hdl import Value


@dataclass(frozen=True)
class NamedMutant:
    """A core that breaks a promise."""

    meaning: str
    """What it does wrong."""
    broken: Callable[[type[Any]], type[Any]]
    """Of the core's class the class of the mutant."""


def _other_box(core_class: type[Any]) -> type[Any]:
    def substitute(self: Any, *words: Any) -> Value:
        right: Value = core_class.substitute(self, *words)
        return right ^ 1

    return type("OtherBox", (core_class,), {"substitute": substitute})


NAMED: Mapping[str, NamedMutant] = {
    # The promise is about the circuit that the core makes for any byte; it makes one of its own.
    "sbox": NamedMutant("the S-box gives its lowest bit inverted", _other_box),
}
"""By promise."""
