# SPDX-License-Identifier: Apache-2.0
"""Operations on cells of a word as C: all cells of a limb in one variable.

A carry, or a bit that is moved, is kept out of the next cell by masks."""

from __future__ import annotations

from headwater.algebra.cells import add_cells, cells, cells_by_x, cells_times_x
from headwater.algebra.word import add, concatenate
from headwater.emit.c_expression import Term, joined, shifted
from headwater.emit.c_words import CWord, Lines


@add_cells.register
def _add_cells_c(left: CWord, right: CWord, bits: int) -> CWord:
    lines = left.lines
    if not _fills(left, bits) or left.value is not None or right.value is not None:
        return concatenate(*map(add, cells(left, bits), cells(right, bits)))
    tops = _in_each(lines, 1 << bits - 1, bits)
    rest = _in_each(lines, (1 << bits - 1) - 1, bits)
    limbs = []
    for one, two in zip(left.named().limbs, right.named().limbs, strict=True):
        total = joined("+", [joined("&", [one, rest]), joined("&", [two, rest])])
        limbs.append(joined("^", [total, joined("&", [joined("^", [one, two]), tops])]))
    return CWord(lines, limbs, left.width)


@cells_times_x.register
def _cells_times_x_c(word: CWord, constant: int, bits: int) -> CWord:
    return _reduced(word, constant, bits, 1, bits - 1)


@cells_by_x.register
def _cells_by_x_c(word: CWord, constant: int, bits: int) -> CWord:
    return _reduced(word, constant, bits, -1, 0)


def _reduced(word: CWord, constant: int, bits: int, by: int, leaves: int) -> CWord:
    """Each cell moved, and the constant added where the bit that leaves it is one: the product of
    these bits, each at the bottom of its cell, and the constant."""
    assert _fills(word, bits), "cells must fill limbs"
    lines, kept = word.lines, (1 << bits) - 1 ^ (1 << leaves)
    moved = _in_each(lines, (kept << 1 if by > 0 else kept >> 1) & (1 << bits) - 1, bits)
    limbs = []
    for limb in word.named().limbs:
        gone = joined("&", [shifted(limb, -leaves), _in_each(lines, 1, bits)])
        added = joined("*", [gone, lines.number(constant)])
        limbs.append(joined("^", [joined("&", [shifted(limb, by), moved]), added]))
    return CWord(lines, limbs, word.width)


def _fills(word: CWord, bits: int) -> bool:
    """Whether cells fill limbs."""
    return word.width % word.lines.limb_bits == 0 and word.lines.limb_bits % bits == 0


def _in_each(lines: Lines, cell: int, bits: int) -> Term:
    """A limb that has this number in each of its cells."""
    return lines.number(sum(cell << low for low in range(0, lines.limb_bits, bits)))
