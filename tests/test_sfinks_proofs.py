# SPDX-License-Identifier: Apache-2.0
"""The properties of the cores of SFINKS are proven."""

from __future__ import annotations

from dataclasses import replace

import pytest

from headwater.algebra.every_element import gives_bits, gives_inverses
from headwater.cipher.sfinks import SFINKS, SFINKS_AE
from headwater.core.architecture import Architecture
from headwater.kinds.filtered.description import FilteredLfsr
from headwater.kinds.registry import build, properties_of
from headwater.verify.proof import is_kept, prove

FREE = {"stall": "none", "clear": "none"}


def test_every_property_of_the_keystream_core() -> None:
    architecture = Architecture.choose(SFINKS)
    records = prove(SFINKS, architecture)
    names = {"inverse", "step", "setup", "session", "output", "next", "hold", "silence", "clear"}
    assert {record.check for record in records} == {f"proof of {name}" for name in names}
    assert [record.failures for record in records] == [()] * len(names)


@pytest.mark.parametrize(
    ("cipher", "radix", "options", "names"),
    [
        (SFINKS, 4, {"setup": "wide", "stages": "2"}, ("step", "setup", "session", "output")),
        (SFINKS, 8, {**FREE, "setup": "wide"}, ("setup", "session")),
        (SFINKS_AE, 2, {"stages": "3"}, ("setup", "next", "data", "absorb", "tag", "silence")),
        (SFINKS_AE, 4, {**FREE, "direction": "decrypt"}, ("session", "absorb", "tag")),
    ],
)
def test_properties(
    cipher: FilteredLfsr, radix: int, options: dict[str, str], names: tuple[str, ...]
) -> None:
    architecture = Architecture.choose(cipher, radix=radix, options=options)
    properties = {prop.name: prop for prop in properties_of(cipher, architecture)}
    for name in names:
        prop = properties[name]
        assert is_kept(prop, build(cipher, architecture), cipher), name


def test_the_circuit_of_the_inversion_is_tried_with_every_element() -> None:
    full, few = SFINKS.inversion(), SFINKS.inversion((0,))
    polynomial = SFINKS.field.polynomial
    assert gives_inverses(full, polynomial)
    assert gives_bits(few, full, (0,))
    assert not gives_bits(few, full, (1,))
    *others, last = full
    for gate in (0, len(last.gates) - 1):
        kind = "and" if last.gates[gate].kind == "xor" else "xor"
        gates = [*last.gates]
        gates[gate] = replace(gates[gate], kind=kind)
        assert not gives_inverses([*others, replace(last, gates=tuple(gates))], polynomial)
    assert not gives_inverses(full, polynomial ^ 0b110)
