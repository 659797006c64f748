# SPDX-License-Identifier: Apache-2.0
"""Mutants with a name: cores and descriptions that break a property which no change of the netlist
can break, because it checks no cell of the core."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from amaranth.hdl import Value


@dataclass(frozen=True)
class NamedMutant:
    """What breaks a property."""

    meaning: str
    """What it does wrong."""
    broken: Callable[[Any, Any], tuple[Any, Any]]
    """Of a core and its cipher those of the mutant."""


def _other_box(core: Any, cipher: Any) -> tuple[Any, Any]:
    def substitute(self: Any, *words: Any) -> Value:
        right: Value = type(core).substitute(self, *words)
        return right ^ 1

    return type("OtherBox", (type(core),), {"substitute": substitute})(core.facts), cipher


def _other_form(core: Any, cipher: Any) -> tuple[Any, Any]:
    if cipher.base is None:
        return core, _with_other_word(cipher)
    base = cipher.base
    wrong = replace(base, form=lambda **chosen: _with_other_word(base.form(**chosen)))
    return core, replace(cipher, base=wrong)


def _with_other_word(form: Any) -> Any:
    def step(*words: Any, **others: Any) -> tuple[Value, Any]:
        output, after = form.step(*words, **others)
        return output ^ 1, after

    return replace(form, step=step)


_OTHER_BOX = NamedMutant("the S-box gives its lowest bit inverted", _other_box)

NAMED: Mapping[str, NamedMutant] = {
    "sbox": _OTHER_BOX,
    "pass": _OTHER_BOX,
    "back": _OTHER_BOX,
    "form": NamedMutant("the form gives the lowest bit of its word inverted", _other_form),
}
"""By property."""
