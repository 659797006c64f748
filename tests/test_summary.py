# SPDX-License-Identifier: Apache-2.0
"""What a report says of its results: the summary, and where the cheapest core changes."""

from __future__ import annotations

import pytest
from made_up import made_up

from headwater.report.messages import cheapest, costs, cross_overs, cycles_of, energy_of
from headwater.report.points import points_of
from headwater.report.summary import summary


def test_summary() -> None:
    """Broken ciphers answer nothing, and the second is the best of another cipher."""
    points = points_of(
        [
            *(made_up("trivium", radix, lut=10 * radix, ff=8) for radix in (8, 64)),
            made_up("grain_v1", 1, lut=160, ff=8, throughput_mbps=16.0),
            made_up("a51", 1, lut=1),
            made_up("trivium", 8, "osu018", energy_pj_per_bit=5.0),
        ]
    )
    smallest, per_area, energy = summary(points)
    assert smallest.startswith("Smallest core: trivium at radix 8 with ")
    assert "on ecp5-25k (next: grain_v1 with 80); trivium at radix 8 with" in smallest
    assert "a51" not in smallest
    assert per_area.startswith("Most throughput per area: trivium at radix ")
    assert energy == "Least energy: trivium at radix 8 with 5 pJ/bit on osu018."
    assert summary([]) == []


def test_cipher_that_is_not_known_to_be_unbroken_is_not_ranked() -> None:
    """One of a file that is not given, whose description may say that it is not for use."""
    points = points_of(
        [
            made_up("trivium", 8, lut=100, ff=8),
            made_up("arx32", 8, lut=1, ff=1, throughput_mbps=1e6),
        ]
    )
    smallest, *_ = summary(points)
    assert smallest.startswith("Smallest core: trivium at radix 8 with ")
    assert "arx32" not in "".join(summary(points))


def test_summary_names_sessions_that_share_a_core() -> None:
    shared = made_up("zuc", 32, lut=10, ff=8, options={"stall": "stream", "streams": "4"})
    points = points_of([shared, made_up("snow3g", 32, lut=400, ff=8)])
    smallest, per_area = summary(points)
    assert smallest.startswith("Smallest core: zuc at radix 32, 4 sessions in turn, with ")
    assert per_area.startswith("Most throughput per area: zuc at radix 32, 4 sessions in turn, ")
    assert "next: snow3g with" in smallest


def test_summary_speaks_of_a_target_with_a_clock() -> None:
    without_clock = {"throughput_mbps": None, "mbps_per_area": None}
    area_alone = [
        made_up("trivium", radix, "spartan3", lut=1, **without_clock) for radix in (1, 2, 4)
    ]
    points = points_of([*area_alone, made_up("trivium", 1)])
    smallest, per_area = summary(points)
    assert smallest.endswith(" on ecp5-25k.")
    assert per_area.endswith(" on ecp5-25k.")
    assert summary(points_of(area_alone))[0].endswith("on spartan3.")


def test_cross_overs() -> None:
    # 100 + n/8 = 20 + n/2, so n = 80 / (3/8); a third cipher that is always worse crosses none.
    points = points_of(
        [
            made_up("trivium", 8, setup_cycles=100),
            made_up("trivium", 1, setup_cycles=1),
            made_up("grain_v1", 2, setup_cycles=20),
            made_up("a51", 2, setup_cycles=500),
        ]
    )
    lines = cheapest(costs(points, cycles_of))
    assert {(line.cipher, line.radix) for line in lines} == {
        ("trivium", 8),
        ("grain_v1", 2),
        ("a51", 2),
    }
    (over,) = cross_overs(lines)
    assert (over.short.cipher, over.long.cipher, over.best) == ("grain_v1", "trivium", True)
    assert over.bits == pytest.approx(80 / 0.375)
    assert over.cost == pytest.approx(over.long.of(over.bits))


def test_energy_is_compared_on_one_target_alone() -> None:
    first = made_up("trivium", 1, "osu018", setup_energy_nj=5.0, energy_pj_per_bit=1.0)
    other = {"setup_energy_nj": 1.0, "energy_pj_per_bit": 5.0}
    there = made_up("grain_v1", 1, "other.lib", **other)
    assert cross_overs(costs(points_of([first, there]), energy_of)) == []
    (over,) = cross_overs(
        costs(points_of([first, made_up("grain_v1", 1, "osu018", **other)]), energy_of)
    )
    assert over.bits == pytest.approx(1000.0)
    # The tag belongs to a message, too.
    tag = made_up("grain_v1", 1, "osu018", tag_energy_nj=2.0, **other)
    (over,) = cross_overs(costs(points_of([first, tag]), energy_of))
    assert over.bits == pytest.approx(500.0)


def test_cross_overs_that_another_beats_are_not_the_best() -> None:
    points = points_of(
        [
            made_up("trivium", 8, setup_cycles=1000),
            made_up("grain_v1", 4, setup_cycles=500),
            made_up("a51", 64, setup_cycles=1),
        ]
    )
    (over,) = cross_overs(cheapest(costs(points, cycles_of)))
    assert not over.best
