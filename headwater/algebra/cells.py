# SPDX-License-Identifier: Apache-2.0
"""Operations on all cells of a word at once: its parts of equal width, the lowest first.

Each is that of `headwater.algebra.word` of every cell; readings that have words of a machine make
all cells in one."""

from __future__ import annotations

from functools import singledispatch

from headwater.algebra.word import Word, add, concatenate, times_x


def cells(word: Word, bits: int) -> list[Word]:
    """A word cut into parts, the lowest first."""
    return [word[low : low + bits] for low in range(0, len(word), bits)]


@singledispatch
def add_cells(left: Word, right: Word, bits: int) -> Word:
    """The sums of the cells, each modulo 2^bits."""
    return concatenate(*map(add, cells(left, bits), cells(right, bits)))


@singledispatch
def cells_times_x(word: Word, constant: int, bits: int) -> Word:
    """Each cell times x: the bit that leaves at the top adds ``constant``, whose bit 0 is one."""
    return concatenate(*(times_x(cell, constant) for cell in cells(word, bits)))


@singledispatch
def cells_by_x(word: Word, constant: int, bits: int) -> Word:
    """Each cell divided by x: the bit that leaves at the bottom adds ``constant``, whose highest
    bit is one."""
    return concatenate(*(_by_x(cell, constant) for cell in cells(word, bits)))


def _by_x(cell: Word, constant: int) -> Word:
    above = [*(cell[place] for place in range(1, len(cell))), cell[0] & 0]
    return concatenate(
        *(bit ^ cell[0] if constant >> place & 1 else bit for place, bit in enumerate(above))
    )
