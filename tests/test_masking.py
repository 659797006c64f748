# SPDX-License-Identifier: Apache-2.0
"""No sum is masked by what its reader waits for: nothing combinational is assigned under a
condition, as this makes a multiplexer with zero of every bit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from amaranth.hdl import Fragment, Module, Signal
from amaranth.hdl._ast import Switch

from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.kinds.registry import build


def masked(fragment: Fragment) -> Iterator[object]:
    """The conditions under which combinational signals of a circuit are assigned."""
    yield from (each for each in fragment.statements.get("comb", ()) if isinstance(each, Switch))
    for inner, *_ in fragment.subfragments:
        yield from masked(inner)


@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.parametrize("place", [0, -1], ids=["least radix", "widest that comes free"])
@pytest.mark.every_cipher
def test_no_condition_masks_a_sum(name: str, place: int) -> None:
    cipher = CATALOGUE[name]
    free = [radix for radix in cipher.legal_radices() if radix <= cipher.natural_radix]
    radix = free[place] if free else cipher.default_radix
    core = build(cipher, Architecture.choose(cipher, radix=radix))
    assert list(masked(Fragment.get(core, None))) == []


def test_a_masked_sum_is_seen() -> None:
    m, x, y = Module(), Signal(), Signal()
    with m.If(x):
        m.d.comb += y.eq(x)
    assert len(list(masked(Fragment.get(m, None)))) == 1
