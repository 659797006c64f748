# SPDX-License-Identifier: Apache-2.0
"""Words of a longer one, by a number that is counted."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Value


def places_of(count: Value, place: int, places: int, words: int) -> Value:
    """Whether a word is number ``place`` of its block, where a block has ``places`` words and all
    blocks together have ``words``."""
    return Cat(count == number for number in range(place, words, places)).any()


def chosen_word(word: Value, number: Value, width: int) -> Value:
    """Word ``number`` of a longer one."""
    if len(word) == width:
        return word
    chosen: Value = Const(0, width)
    for place in range(len(word) // width):
        here = (number == place).replicate(width)
        chosen |= word[place * width : (place + 1) * width] & here
    return chosen


def sized(value: Value, bits: int) -> Value:
    """A number in so many bits."""
    return Cat(value, Const(0, bits))[:bits]
