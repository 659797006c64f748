# SPDX-License-Identifier: Apache-2.0
"""The feedback functions of Achterbahn-128/80 in gates.

B. M. Gammel, R. Göttfert and O. Kniffler, "Achterbahn-128/80", eSTREAM, 2006. ``x(i)`` is cell i.
"""

from __future__ import annotations

from headwater.algebra.word import Word, choose
from headwater.cipher.achterbahn import Cells


def mux(low: Word, high: Word, which: Word) -> Word:
    """``high`` where ``which`` is one, else ``low``."""
    return choose(which, high, low)


def majority(x: Word, y: Word, z: Word) -> Word:
    """The majority of three bits."""
    return (x & y) ^ (x & z) ^ (y & z)


def a0(x: Cells) -> Word:
    """The feedback of register A0, of 21 cells."""
    return (
        x(15) ^ x(3) ^ x(2) ^ x(0) ^ x(5) ^ x(6) ^ x(8) ^ (x(4) & x(7))
        ^ mux(x(4), x(5), x(6))
        ^ mux(mux(x(11), x(12), x(2)), (x(6) & x(2) & x(13)), mux(x(1), x(10), x(9)))
    )  # fmt: skip


def a1(x: Cells) -> Word:
    """The feedback of register A1, of 22 cells."""
    return (
        x(15) ^ x(8) ^ x(5) ^ x(0) ^ (x(5) & x(11))
        ^ mux(x(13), x(3), x(1))
        ^ mux(x(6), x(4), x(12))
        ^ mux(mux(x(1), x(9), x(7)), mux(x(4), x(12), x(10)), (x(1) & x(11) & x(14)))
    )  # fmt: skip


def a2(x: Cells) -> Word:
    """The feedback of register A2, of 23 cells."""
    return (
        x(16) ^ x(13) ^ x(4) ^ x(0) ^ (x(12) & x(14))
        ^ mux(x(1), x(9), x(7))
        ^ mux(x(1), x(4), x(6))
        ^ mux(mux(x(5), x(8), x(11)), mux(x(10), x(3), x(11)), (x(1) & x(9) & x(15)))
    )  # fmt: skip


def a3(x: Cells) -> Word:
    """The feedback of register A3, of 24 cells."""
    return (
        x(18) ^ x(8) ^ x(3) ^ x(0) ^ (x(1) & x(11))
        ^ mux(x(2), x(14), x(13))
        ^ mux(x(12), x(4), x(13))
        ^ mux(mux(x(6), x(1), x(15)), mux(x(14), x(16), x(9)), majority(x(2), x(5), x(7)))
    )  # fmt: skip


def a4(x: Cells) -> Word:
    """The feedback of register A4, of 25 cells."""
    return (
        x(20) ^ x(11) ^ x(1) ^ x(0) ^ (x(4) & x(12))
        ^ mux(x(1), x(3), x(5))
        ^ mux(x(6), x(7), x(16))
        ^ mux(majority(x(8), x(15), x(17)), mux(x(14), x(13), x(12)), mux(x(5), x(3), x(2)))
    )  # fmt: skip


def a5(x: Cells) -> Word:
    """The feedback of register A5, of 26 cells."""
    return (
        x(21) ^ x(17) ^ x(16) ^ x(15) ^ x(5) ^ x(4) ^ x(0) ^ (x(3) & x(6))
        ^ mux(x(4), x(18), x(2))
        ^ mux(mux(x(4), x(12), x(13)), mux(x(14), x(11), x(7)), majority(x(3), x(10), x(15)))
    )  # fmt: skip


def a6(x: Cells) -> Word:
    """The feedback of register A6, of 27 cells."""
    return (
        x(25) ^ x(15) ^ x(4) ^ x(0) ^ (x(1) & x(12))
        ^ mux(x(10), x(6), x(17))
        ^ mux(x(3), x(8), x(1))
        ^ mux(mux(x(10), x(14), x(13)), majority(x(17), x(2), x(16)), (x(18) & x(11) & x(5)))
    )  # fmt: skip


def a7(x: Cells) -> Word:
    """The feedback of register A7, of 28 cells."""
    return (
        x(25) ^ x(18) ^ x(5) ^ x(0) ^ (x(4) & x(12))
        ^ mux(x(1), x(17), x(2))
        ^ mux(x(20), x(14), x(16))
        ^ mux(mux(x(18), x(15), x(10)), (x(1) & x(2) & x(13)), (x(7) & x(9) & x(19)))
    )  # fmt: skip


def a8(x: Cells) -> Word:
    """The feedback of register A8, of 29 cells."""
    return (
        x(24) ^ x(21) ^ x(18) ^ x(17) ^ x(11) ^ x(2) ^ x(0) ^ (x(1) & x(4))
        ^ mux(x(10), x(8), x(21))
        ^ mux((x(8) & x(18) & x(9)), mux(x(13), x(6), x(15)), mux(x(19), x(16), x(14)))
    )  # fmt: skip


def a9(x: Cells) -> Word:
    """The feedback of register A9, of 30 cells."""
    return (
        x(28) ^ x(18) ^ x(1) ^ x(0) ^ (x(2) & x(8))
        ^ mux(x(12), x(19), x(10))
        ^ mux(x(10), x(14), x(22))
        ^ mux(mux(x(7), x(18), x(4)), majority(x(21), x(9), x(1)), majority(x(8), x(5), x(3)))
    )  # fmt: skip


def a10(x: Cells) -> Word:
    """The feedback of register A10, of 31 cells."""
    return (
        x(25) ^ x(18) ^ x(15) ^ x(6) ^ x(5) ^ x(2) ^ x(0) ^ (x(19) & x(14))
        ^ mux(x(17), x(12), x(21))
        ^ mux(mux(x(20), x(18), x(8)), majority(x(4), x(12), x(19)), mux(x(22), x(7), x(21)))
    )  # fmt: skip


def a11(x: Cells) -> Word:
    """The feedback of register A11, of 32 cells."""
    return (
        x(28) ^ x(22) ^ x(17) ^ x(8) ^ x(5) ^ x(3) ^ x(0) ^ (x(13) & x(15))
        ^ mux(x(5), x(7), x(19))
        ^ mux(mux(x(8), x(2), x(13)), (x(4) & x(11) & x(24)), mux(x(12), x(14), x(7)))
    )  # fmt: skip


def a12(x: Cells) -> Word:
    """The feedback of register A12, of 33 cells."""
    return (
        x(30) ^ x(23) ^ x(10) ^ x(9) ^ x(7) ^ x(2) ^ x(0) ^ (x(15) & x(16))
        ^ mux(x(25), x(15), x(13))
        ^ mux(mux(x(15), x(12), x(16)), majority(x(14), x(1), x(18)), mux(x(8), x(24), x(17)))
    )  # fmt: skip


FEEDBACKS = (a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12)
"""The feedback functions of registers A0 to A12."""
