# SPDX-License-Identifier: Apache-2.0
"""The comparison with public cores: its rows are cores of ours, and its ratios are right."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.kinds.registry import facts_of
from headwater.report.study.peers import peers

RACE = runpy.run_path(str(Path(__file__).parents[1] / "benchmarks" / "race.py"))


@pytest.mark.parametrize("form", RACE["FORMS"])
def test_every_row_has_a_core_of_ours_with_about_as_many_bits_per_cycle(form: str) -> None:
    for peer in peers():
        cipher = CATALOGUE[peer["cipher"]]
        options = RACE["chosen"](peer, form)
        architecture = Architecture.choose(
            cipher, radix=peer["radix"], load_width=peer.get("load_width"), options=options
        )
        bits = facts_of(cipher, architecture).bits_per_cycle
        assert 0.9 <= bits / peer["bits_per_cycle"] <= 1.4, peer


def test_a_row_chooses_for_all_forms_or_for_one() -> None:
    peer = {"options": {"buffer": "none"}, "options_free": {"controller": "shift"}}
    assert RACE["chosen"](peer, "default") == {"buffer": "none"}
    assert RACE["chosen"](peer, "free") == {
        "stall": "none", "clear": "none", "buffer": "none", "controller": "shift",
    }  # fmt: skip


def test_ratios_above_one_are_ahead() -> None:
    peer = {"cipher": "trivium", "peer": "a/b", "bits_per_cycle": 2, "lut": 300, "fmax_mhz": 100,
            "ge": 1500}  # fmt: skip
    same = {"bits_per_cycle": 2, "lut": 300, "fmax_mhz": 100, "ge": 1500}
    better = {"bits_per_cycle": 4, "lut": 100, "fmax_mhz": 150, "ge": 1000}
    rows = [RACE["compared"](peer, own) for own in (same, better)]
    assert [row["ratio"] for row in rows] == [
        {"lut": 1, "fmax": 1, "ge": 1}, {"lut": 3, "fmax": 1.5, "ge": 1.5},
    ]  # fmt: skip
    assert [(row["rate_per_lut"], row["bits_per_ge"]) for row in rows] == [(1, 1), (9, 3)]
    assert RACE["mean"](rows)[-2:] == [3, 1.73]
    assert RACE["shown"](rows[1]) == ["trivium", 4, "b", 100, 150, 1000, 3, 1.5, 1.5, 9, 3]
