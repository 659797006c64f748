# SPDX-License-Identifier: Apache-2.0
"""The feedback functions of Achterbahn-128/80 in gates.

B. M. Gammel, R. Göttfert and O. Kniffler, "Achterbahn-128/80", eSTREAM, 2006. ``x(i)`` is cell i.
"""

from __future__ import annotations

from collections.abc import Callable

from headwater.algebra.word import Word, choose
from headwater.cipher.achterbahn import Cells


def mux(low: Word, high: Word, which: Word) -> Word:
    """``high`` where ``which`` is one, else ``low``."""
    return choose(which, high, low)


def majority(x: Word, y: Word, z: Word) -> Word:
    """The majority of three bits."""
    return (x & y) ^ (x & z) ^ (y & z)


FEEDBACKS: dict[int, Callable[[Cells], Word]] = {
    0: lambda x: (
        x(15)
        ^ x(3)
        ^ x(2)
        ^ x(0)
        ^ x(5)
        ^ x(6)
        ^ x(8)
        ^ (x(4) & x(7))
        ^ mux(x(4), x(5), x(6))
        ^ mux(mux(x(11), x(12), x(2)), (x(6) & x(2) & x(13)), mux(x(1), x(10), x(9)))
    ),
    1: lambda x: (
        x(15)
        ^ x(8)
        ^ x(5)
        ^ x(0)
        ^ (x(5) & x(11))
        ^ mux(x(13), x(3), x(1))
        ^ mux(x(6), x(4), x(12))
        ^ mux(mux(x(1), x(9), x(7)), mux(x(4), x(12), x(10)), (x(1) & x(11) & x(14)))
    ),
    2: lambda x: (
        x(16)
        ^ x(13)
        ^ x(4)
        ^ x(0)
        ^ (x(12) & x(14))
        ^ mux(x(1), x(9), x(7))
        ^ mux(x(1), x(4), x(6))
        ^ mux(mux(x(5), x(8), x(11)), mux(x(10), x(3), x(11)), (x(1) & x(9) & x(15)))
    ),
    3: lambda x: (
        x(18)
        ^ x(8)
        ^ x(3)
        ^ x(0)
        ^ (x(1) & x(11))
        ^ mux(x(2), x(14), x(13))
        ^ mux(x(12), x(4), x(13))
        ^ mux(mux(x(6), x(1), x(15)), mux(x(14), x(16), x(9)), majority(x(2), x(5), x(7)))
    ),
    4: lambda x: (
        x(20)
        ^ x(11)
        ^ x(1)
        ^ x(0)
        ^ (x(4) & x(12))
        ^ mux(x(1), x(3), x(5))
        ^ mux(x(6), x(7), x(16))
        ^ mux(majority(x(8), x(15), x(17)), mux(x(14), x(13), x(12)), mux(x(5), x(3), x(2)))
    ),
    5: lambda x: (
        x(21)
        ^ x(17)
        ^ x(16)
        ^ x(15)
        ^ x(5)
        ^ x(4)
        ^ x(0)
        ^ (x(3) & x(6))
        ^ mux(x(4), x(18), x(2))
        ^ mux(mux(x(4), x(12), x(13)), mux(x(14), x(11), x(7)), majority(x(3), x(10), x(15)))
    ),
    6: lambda x: (
        x(25)
        ^ x(15)
        ^ x(4)
        ^ x(0)
        ^ (x(1) & x(12))
        ^ mux(x(10), x(6), x(17))
        ^ mux(x(3), x(8), x(1))
        ^ mux(mux(x(10), x(14), x(13)), majority(x(17), x(2), x(16)), (x(18) & x(11) & x(5)))
    ),
    7: lambda x: (
        x(25)
        ^ x(18)
        ^ x(5)
        ^ x(0)
        ^ (x(4) & x(12))
        ^ mux(x(1), x(17), x(2))
        ^ mux(x(20), x(14), x(16))
        ^ mux(mux(x(18), x(15), x(10)), (x(1) & x(2) & x(13)), (x(7) & x(9) & x(19)))
    ),
    8: lambda x: (
        x(24)
        ^ x(21)
        ^ x(18)
        ^ x(17)
        ^ x(11)
        ^ x(2)
        ^ x(0)
        ^ (x(1) & x(4))
        ^ mux(x(10), x(8), x(21))
        ^ mux((x(8) & x(18) & x(9)), mux(x(13), x(6), x(15)), mux(x(19), x(16), x(14)))
    ),
    9: lambda x: (
        x(28)
        ^ x(18)
        ^ x(1)
        ^ x(0)
        ^ (x(2) & x(8))
        ^ mux(x(12), x(19), x(10))
        ^ mux(x(10), x(14), x(22))
        ^ mux(mux(x(7), x(18), x(4)), majority(x(21), x(9), x(1)), majority(x(8), x(5), x(3)))
    ),
    10: lambda x: (
        x(25)
        ^ x(18)
        ^ x(15)
        ^ x(6)
        ^ x(5)
        ^ x(2)
        ^ x(0)
        ^ (x(19) & x(14))
        ^ mux(x(17), x(12), x(21))
        ^ mux(mux(x(20), x(18), x(8)), majority(x(4), x(12), x(19)), mux(x(22), x(7), x(21)))
    ),
    11: lambda x: (
        x(28)
        ^ x(22)
        ^ x(17)
        ^ x(8)
        ^ x(5)
        ^ x(3)
        ^ x(0)
        ^ (x(13) & x(15))
        ^ mux(x(5), x(7), x(19))
        ^ mux(mux(x(8), x(2), x(13)), (x(4) & x(11) & x(24)), mux(x(12), x(14), x(7)))
    ),
    12: lambda x: (
        x(30)
        ^ x(23)
        ^ x(10)
        ^ x(9)
        ^ x(7)
        ^ x(2)
        ^ x(0)
        ^ (x(15) & x(16))
        ^ mux(x(25), x(15), x(13))
        ^ mux(mux(x(15), x(12), x(16)), majority(x(14), x(1), x(18)), mux(x(8), x(24), x(17)))
    ),
}
"""The feedback functions of registers A0 to A12, of 21 to 33 cells, by the number."""
