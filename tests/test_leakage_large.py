# SPDX-License-Identifier: Apache-2.0
"""The checker of leakage on whole ciphers: two-share Trivium, and a round of Ascon."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from leakage_cases import ascon_round, write
from masked_trivium import masked_trivium

import headwater as hw
from headwater.leakage.verdict import Verdict


def verdict(folder: Path, radix: int, scheme: str) -> Verdict:
    return hw.leakage(*write(folder, *masked_trivium(radix, scheme)))


@pytest.mark.parametrize(
    ("radix", "scheme"), [(1, "refreshed"), (8, "dom"), (8, "linear"), (32, "linear")]
)
def test_trivium_is_secure(radix: int, scheme: str, tmp_path: Path) -> None:
    """Also where no random bit is used: the bit that leaves a register makes the sharing of the one
    that enters uniform."""
    found = verdict(tmp_path, radix, scheme)
    assert (found.verdict, found.flaws) == ("secure", ())


def test_taps_that_are_neighbours_leak_by_transitions(tmp_path: Path) -> None:
    """At radix 1 the two shares of a stage meet in a product, one in each of two cycles; at radix 8
    what is multiplied comes eight stages further."""
    found = verdict(tmp_path, 1, "dom")
    assert found.verdict == "leaks"
    pairs = {
        tuple(sorted(name.partition("@")[2] for name in one))
        for leak in found.leaks
        for one in leak.observed
    }
    assert pairs == {("0", "1")}
    assert {leak.net[-3:-1] for leak in found.leaks if leak.net.startswith("next(c")} <= {
        "_0",
        "_1",
    }


@pytest.mark.parametrize("radix", [1, 8])
def test_products_without_registers_leak(radix: int, tmp_path: Path) -> None:
    found = verdict(tmp_path, radix, "bare")
    assert found.verdict == "leaks"
    entering = {
        f"n_{word}{step}_{share}" for word in "abc" for step in range(radix) for share in (0, 1)
    }
    assert entering <= {leak.net for leak in found.leaks}


def test_a_round_of_ascon_in_a_minute(tmp_path: Path) -> None:
    """320 products, 640 shares of state: about ten thousand gates and registers."""
    files = write(tmp_path, *ascon_round())
    begin = time.process_time()
    found = hw.leakage(*files)
    assert time.process_time() - begin < 60
    assert found.verdict == "secure"
    assert found.gates + found.registers > 9000
