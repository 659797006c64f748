# SPDX-License-Identifier: Apache-2.0
"""What the signals of a core in shares are, for the checker of leakage."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.heading import digest, generator
from headwater.kinds.stepped.masked.facts import MaskedFacts, facts_of_shares
from headwater.leakage.spec import Spec

_PARTS = ("", "datapath.", "controller.")
"""What stands before a name: nothing in a core of one module; the instance that has it in a core of
several, and in a netlist that was mapped so."""

_PORTS = {"loading": "load_ready", "running": "keystream_valid"}
"""Ports that show a register of the control, where it has no name of its own in a netlist."""


def leakage_spec(cipher: Cipher, architecture: Architecture, wires: Collection[str]) -> Spec:
    """The specification of a core in shares, of its RTL or of a netlist, in which signals have the
    names ``wires``."""
    facts = facts_of_shares(cipher, architecture)
    names = _Names(wires)
    control, public, constant = _control(facts, names)
    radix = architecture.radix
    ports = {
        word: [f"{word}_payload[{radix - 1}:0]", f"{word}_payload[{2 * radix - 1}:{radix}]"]
        for word in ("load", "keystream")
    }
    shares = {name: [*map(names, facts.share_names(name))] for name in facts.plan.registers}
    return Spec(
        top=None,
        shares=shares | {"load": ports["load"]},
        control=control,
        public=public,
        constant=constant,
        random=["fresh"] * bool(facts.fresh_bits),
    )


class _Names:
    """Names in a netlist, by those in one module."""

    def __init__(self, wires: Collection[str]) -> None:
        self._wires = wires

    def __call__(self, name: str) -> str:
        """The name that a signal has."""
        return next(self.all_of(name), name)

    def all_of(self, name: str) -> Iterator[str]:
        """Every name of a signal: parts may each have a copy of a register."""
        found = [f"{part}{name}" for part in _PARTS if f"{part}{name}" in self._wires]
        yield from found or ([_PORTS[name]] if name in _PORTS else [])


def _control(facts: MaskedFacts, names: _Names) -> tuple[list[str], list[str], dict[str, int]]:
    """What drives the shares: the few bits whose values are gone through, other public ones, and
    those that keep a value. Zeros that enter an idle core are no uniform sharing: left out."""
    constant, control = {"rst": 0}, [names("loading")]
    public = [
        "load_valid",
        *(one for name in ("running", "count", "idle") for one in names.all_of(name)),
    ]
    if facts.word_counts:
        constant[names(facts.word_counts)] = 1
    if facts.waits:
        control.insert(0, names("go"))
        public.append("keystream_ready")
    if facts.plan.waits:
        own, *copies = names.all_of("waited")
        control.append(own)
        public += copies
    public += [name for name in facts.inputs if name == "clear"]
    return control, list(dict.fromkeys(public)), constant


def spec_text(cipher: Cipher, spec: Spec) -> str:
    """A specification as a file of `headwater leakage`."""
    head = [f"# {name}: {value}" for name, value in (generator() | digest(cipher)).items()]
    values = spec.model_dump(exclude_defaults=True)
    tables = {name: value for name, value in values.items() if isinstance(value, Mapping)}
    plain = [f"{name} = {_toml(value)}" for name, value in values.items() if name not in tables]
    inner = [
        line
        for name, table in tables.items()
        for line in (
            "",
            f"[{name}]",
            *(f"{json.dumps(key)} = {_toml(value)}" for key, value in table.items()),
        )
    ]
    return "\n".join(["# SPDX-License-Identifier: Apache-2.0", *head, *plain, *inner, ""])


def _toml(value: Any) -> str:
    """A list of texts, or a number: JSON writes both as TOML does."""
    return json.dumps(value)
