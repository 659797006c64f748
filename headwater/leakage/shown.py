# SPDX-License-Identifier: Apache-2.0
"""A leak as it is shown: the net, what a probe on it sees, and two secrets that it tells apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from headwater.leakage.exact import Difference
from headwater.leakage.machine import Control
from headwater.leakage.terms import Variable


@dataclass(frozen=True)
class Leak:
    """A net that leaks in two neighbouring cycles."""

    net: str
    observed: tuple[tuple[str, ...], ...]
    """Sums of registers and inputs of the cone, each with its cycle, 0 or 1: ``NAME@CYCLE``."""
    value: tuple[int, ...]
    """A value of these sums."""
    secrets: tuple[Mapping[str, int], Mapping[str, int]]
    """Two assignments of secrets, ``NAME@CYCLE``; a secret of the past has a negative cycle."""
    publics: Mapping[str, int]
    probabilities: tuple[Fraction, Fraction]
    """How often the value is seen with either of them."""
    control: tuple[int, ...]
    """The control bits in cycle 0."""

    def as_json(self) -> dict[str, Any]:
        """The leak as plain data; probabilities are fractions in text."""
        return {
            "net": self.net,
            "observed": [list(each) for each in self.observed],
            "value": list(self.value),
            "secrets": [dict(each) for each in self.secrets],
            "publics": dict(self.publics),
            "probabilities": [str(each) for each in self.probabilities],
            "control": list(self.control),
        }

    def sentences(self) -> list[str]:
        """The leak in words."""
        sums = ", ".join(" ^ ".join(each) for each in self.observed)
        value = "".join(map(str, self.value))
        secrets = [
            ", ".join(f"{name} = {bit}" for name, bit in each.items()) for each in self.secrets
        ]
        public = ", ".join(f"{name} = {bit}" for name, bit in self.publics.items())
        first, second = self.probabilities
        return [
            f"a probe on {self.net} sees {sums}",
            f"they are {value} with probability {first} if {secrets[0]}, and {second} if "
            + secrets[1]
            + (f" (where {public})" if public else ""),
        ]


def leak_of(net: str, difference: Difference, controls: Sequence[Control]) -> Leak:
    """The leak of a net in a window with these values of the control bits."""
    return Leak(
        net=net,
        observed=tuple(tuple(sorted(row.labels)) for row in difference.rows),
        value=difference.value,
        secrets=(_named(difference.secrets[0]), _named(difference.secrets[1])),
        publics=_named(difference.publics),
        probabilities=difference.probabilities,
        control=controls[0],
    )


def _named(values: Mapping[Variable, int]) -> dict[str, int]:
    return {_at(variable): bit for variable, bit in values.items()}


def _at(variable: Variable) -> str:
    return variable.name if variable.cycle is None else f"{variable.name}@{variable.cycle}"
