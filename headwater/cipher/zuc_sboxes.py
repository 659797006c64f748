# SPDX-License-Identifier: Apache-2.0
"""The two S-boxes of ZUC: S1 is an inversion, S0 a small Feistel network.

ETSI/SAGE, "Specification of the 3GPP confidentiality and integrity algorithms 128-EEA3 and
128-EIA3, document 2: ZUC specification", version 1.6, 2011.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from headwater.algebra.field import Field, LinearMap
from headwater.algebra.sbox import SBox
from headwater.algebra.shallow import Shallow
from headwater.algebra.shallow_inversion import ShallowInversion
from headwater.algebra.straight_line import Builder, Program
from headwater.algebra.tower import ByteInversion, Tower


@dataclass(frozen=True)
class Half:
    """A function of four bits that maps 0 to 0, made with few products."""

    products: tuple[tuple[int, int], ...]
    """The factors of each product, as sets of signals: bits 0 to 3, then the products so far."""
    rows: tuple[int, int, int, int]
    """The result bits, as sets of signals."""

    def added(self, build: Builder, bits: Sequence[int], to: Sequence[int]) -> list[int]:
        """The function of ``bits``, added to the four signals ``to``."""
        signals = list(bits)
        while waiting := self.products[len(signals) - len(bits) :]:
            signals += _first_products(build, signals, waiting)
        rows = [row | 1 << len(signals) + place for place, row in enumerate(self.rows)]
        return build.sums([*signals, *to], rows)


def _first_products(
    build: Builder, signals: Sequence[int], waiting: Sequence[tuple[int, int]]
) -> list[int]:
    """The products whose factors are sums of the known signals, in order, up to the first that is
    not."""
    ready = list(takewhile(lambda pair: max(pair) < 1 << len(signals), waiting))
    rows = [factor for pair in ready for factor in pair]
    # Sharing does not pay with so few sums.
    factors = (
        build.sums(signals, rows)
        if len(signals) <= len(rows)
        else [build.sums(signals, [row])[0] for row in rows]
    )
    return build.products(factors[::2], factors[1::2])


P1 = Half(((6, 8), (1, 13), (4, 7), (2, 9)), (0x1A, 0x24, 0x41, 0x8A))
P2 = Half(((6, 9), (1, 20), (7, 40), (4, 64), (12, 18)), (0x042, 0x167, 0x0D8, 0x1DB))
P3 = Half(((4, 13), (2, 12), (8, 11), (1, 6)), (0x18, 0x24, 0x41, 0x84))
"""The round functions of S0 as this table has them: constants may be assigned to the rounds freely;
here all of them are added at the end."""


def feistel(build: Builder) -> Program:
    """S0: three rounds between the halves of a byte, a rotation by five places, a constant."""
    low, high = list(range(4)), list(range(4, 8))
    high = P1.added(build, low, high)
    low = P2.added(build, high, low)
    high = P3.added(build, low, high)
    bits = low + high
    return build.program([bits[(place - 5) % 8] for place in range(8)], inverted=0x3E)


S0 = SBox(
    "s0",
    tuple(
        bytes.fromhex(
            "3e725b47cae0003304d1549809b96dcb7b1bf932af9d6aa5b82dfc1d08530390"
            "4d4e8499e4ced991ddb685488b296eaccdc1f81e734369c6b5bdfd396320d438"
            "767db2a7cfed57c5f32cbb142106559be3ef5e314f7f5aa40d8251495fba581c"
            "4a16d517a892241f8cffd8ae2e01d3ad3b4bda46ebc9de9a8f87d73a806f2fc8"
            "b1b437f70a2213287ccc3c89c7c3965607bf7ef00b2b975235417961a64c10fe"
            "bc2695888ab0a3fbc01894f2e1e5e95dd0dc1166645cec59427512f5749caa23"
            "0e86abbe2a02e767e644a26cc2939ff1f6fa36d250689e6271153dd640c4e20f"
            "8e83776b25053f0c30ea70b7a1e8a9658d271adb81b3a0f4457a19dfee783460"
        )
    ),
    lambda: feistel(Builder(8)),
    fast=lambda: feistel(Shallow(8)),
)
"""59 gates in 21 levels, or 62 in 16 in the fast form, 13 of them ANDs."""

S1 = SBox.of_inversion(
    "s1",
    ByteInversion.normal(Field(0x18B), v=0x27, u=0xA9),
    LinearMap((0x97, 0x3E, 0x6D, 0xCB, 0xEE, 0xDD, 0xBB, 0x77)),
    0x55,
    fast=ShallowInversion(
        Tower(Field(0x18B), basis=(0xB5, 0x94), low=(0xB7, 0xB6)),
        u=0xA9,
        unit=0x68,
        factor=0xB7,
        joined=(1, 4, 5, 6),
        ties=(123, 299, 135),
    ),
)
"""116 gates in 27 levels, 32 of them ANDs; or 121 in 16 in the fast form, 35 of them ANDs."""
